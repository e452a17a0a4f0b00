//! The frontier: volumes for which no cheaper ones have a higher predicted throughput.

use crate::current::current_state::CurrentState;
use crate::current::current_volume::CurrentVolume;
use crate::decision::advice::Advice;
use crate::decision::advise::advise;
use crate::decision::role_advice::RoleAdvice;
use crate::evaluate::availability::Unavailable;
use crate::insufficient::{Insufficient, insufficient};
use crate::prediction::credits::{CreditLoad, effective_ceiling};
use crate::prediction::predictor::Predictor;
use crate::request::settings::Request;
use crate::search::{Priced, least_order, sold_classes};
use ebs_aws::catalogue::{Ceiling, Class, Instance, VolumeConfig, VolumeType};
use ebs_aws::price::Tariff;
use ebs_base::units::Usd;
use ebs_prediction::predict::{Expected, MissingInput, Prediction};
use ebs_samples::evidence::{Coverage, Window};
use ebs_workload::declarations::Declarations;

/// A row of the frontier.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// Each volume.
    pub config: VolumeConfig,
    /// Number of volumes, striped.
    pub volumes: u64,
    /// Dollars a month of all of them; `None` where their price is not known.
    pub usd_month: Option<Usd>,
    /// Prediction of the database on these volumes.
    pub prediction: Prediction,
    /// True of the recommended volumes.
    pub recommended: bool,
}

/// The frontier of one part of the cluster.
#[derive(Clone, Debug, PartialEq)]
pub struct Frontier {
    /// `data`, `wal` or `data+wal`.
    pub role: String,
    /// Cheapest first, each with more throughput than the one before; or the reason for which nothing is predicted.
    pub points: Result<Vec<Point>, MissingInput>,
}

/// Most rows of a frontier: with more, neighbours differ by less than their intervals.
pub const MAX_POINTS: usize = 20;

/// Number of throughput levels for which volumes of a type are searched, from that of its cheapest volumes to that without a
/// limit.
const LEVELS: u32 = 16;

/// The highest level, relative to the throughput without a limit: the rest is the peak of the busiest second.
const MAX_LEVEL: f64 = 0.999;

/// Relative difference within which two predictions count as equal.
const RATIO_TOLERANCE: f64 = 1e-3;

/// Computes the frontier of each part, on the request's platform and instance with up to its number of volumes, for so many
/// `clients`.
pub fn frontier(
    window: &Window,
    request: &Request,
    clients: Option<f64>,
    declared: &Declarations,
    pause: &dyn Fn(),
) -> Result<Vec<Frontier>, Insufficient> {
    if let Some(missing) = insufficient(window, &Coverage::from_window(window)) {
        return Err(missing);
    }
    let advice = advise(window, request, declared, pause);
    Ok(frontier_from_advice(&advice, request, clients, pause))
}

/// Computes the frontier of each part from its advice.
pub fn frontier_from_advice(
    advice: &Advice,
    request: &Request,
    clients: Option<f64>,
    pause: &dyn Fn(),
) -> Vec<Frontier> {
    let max_volumes = advice.max_volumes;
    let frontier = |role: &RoleAdvice| {
        let state = &role.state;
        let recommended = role.best().map(|best| best.priced());
        let predictor =
            state.predictor.clone().map(|predictor| predictor.with_load(clients, request.instance_baseline()));
        let points = predictor.map(|predictor| {
            FrontierSearch { state, predictor: &predictor, current: role.current.as_ref(), request, max_volumes, pause }
                .points(recommended)
        });
        Frontier { role: state.group.role.clone(), points }
    };
    advice.roles.iter().chain(&advice.consolidated).map(frontier).collect()
}

/// Search for the frontier of one part.
struct FrontierSearch<'a> {
    state: &'a CurrentState,
    predictor: &'a Predictor,
    current: Option<&'a CurrentVolume>,
    request: &'a Request,
    max_volumes: u64,
    pause: &'a dyn Fn(),
}

/// Volumes with their predicted means.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prospect {
    pub priced: Priced,
    pub expected: Expected,
}

impl FrontierSearch<'_> {
    fn points(&self, recommended: Option<Priced>) -> Vec<Point> {
        let mut prospects: Vec<Prospect> =
            VolumeType::ALL.into_iter().flat_map(|volume_type| self.prospects_of_type(volume_type)).collect();
        let best = recommended.and_then(|best| self.prospect(best));
        prospects.extend(best);
        let is_best = |prospect: &Prospect| best.is_some_and(|best| best.priced == prospect.priced);
        let efficient = efficient(prospects);
        // The recommended volumes, or those with as much throughput at no higher price.
        let fixed =
            efficient.iter().rfind(|prospect| best.is_some_and(|best| total(prospect) <= total(&best))).copied();
        let points = thin_out(efficient, |prospect| fixed.is_some_and(|fixed| fixed.priced == prospect.priced));
        points.iter().filter_map(|prospect| self.point(prospect, is_best(prospect))).collect()
    }

    fn point(&self, prospect: &Prospect, recommended: bool) -> Option<Point> {
        (self.pause)();
        let Priced { config, volumes, bill } = prospect.priced;
        let ceiling = self.ceiling(&prospect.priced);
        let predictor = self.predictor.on_volumes(volumes);
        let prediction = predictor.predict(self.state.sized_series(), config.volume_type, ceiling)?;
        let usd_month = Some(bill.total()).filter(|_| self.request.prices.are_known(self.request.platform));
        Some(Point { config, volumes, usd_month, prediction, recommended })
    }

    /// The smallest volumes of a type, and the cheapest for each level of throughput.
    fn prospects_of_type(&self, volume_type: VolumeType) -> Vec<Prospect> {
        let unlimited = self.predictor.expect(self.state.sized_series(), volume_type, Ceiling::UNLIMITED);
        let is_unavailable = Unavailable::find(self.request, self.current, volume_type).is_some();
        let is_candidate = volume_type.characteristics().unfit.is_none() && !is_unavailable;
        let Some(unlimited) = unlimited.filter(|_| is_candidate) else {
            return Vec::new();
        };
        let max_volume_iops = self.request.instance.and_then(Instance::max_volume_iops);
        let sold = sold_classes(volume_type, self.request.platform, &self.request.prices, max_volume_iops);
        let mut prospects: Vec<Prospect> = self.cheapest_with(&sold, Ceiling { iops: 0.0, mibps: 0.0 }).collect();
        let low = prospects.iter().map(|prospect| prospect.expected.ratio).fold(f64::INFINITY, f64::min);
        let high = MAX_LEVEL * unlimited.ratio;
        if low < high {
            for level in 1..=LEVELS {
                let ratio = low * (high / low).powf(f64::from(level) / f64::from(LEVELS));
                let floor = self.min_ceiling(volume_type, ratio);
                prospects.extend(floor.into_iter().flat_map(|floor| self.cheapest_with(&sold, floor)));
            }
        }
        prospects
    }

    /// The lowest limits with this predicted throughput.
    fn min_ceiling(&self, volume_type: VolumeType, ratio: f64) -> Option<Ceiling> {
        (self.pause)();
        // In whole IOPS a part in 10,000 makes no difference.
        self.predictor.min_ceiling(self.state.sized_series(), volume_type, 1e-4, |expected| expected.ratio >= ratio)
    }

    /// The cheapest volumes of each class, in each number of volumes, with at least these limits together.
    fn cheapest_with<'a>(&'a self, sold: &'a [(Class, Tariff)], floor: Ceiling) -> impl Iterator<Item = Prospect> + 'a {
        let of_count = move |volumes: u64| {
            sold.iter().filter_map(move |(class, tariff)| {
                let per_volume = |all: f64| (all / volumes as f64).ceil() as u64;
                let size = &self.state.size;
                let size_gib = size.size_gib.unwrap_or(1).div_ceil(volumes);
                let (iops, mibps) = (per_volume(floor.iops), per_volume(floor.mibps));
                let smallest = least_order(class, size.storage_gib, (size_gib, iops, mibps))?;
                let config = VolumeConfig { platform: self.request.platform, ..smallest };
                self.prospect(Priced::new(config, volumes, tariff))
            })
        };
        (1..=self.max_volumes).flat_map(of_count)
    }

    fn prospect(&self, priced: Priced) -> Option<Prospect> {
        let volume_type = priced.config.volume_type;
        let predictor = self.predictor.on_volumes(priced.volumes);
        let expected = predictor.expect(self.state.sized_series(), volume_type, self.ceiling(&priced))?;
        Some(Prospect { priced, expected })
    }

    fn ceiling(&self, priced: &Priced) -> Ceiling {
        (self.pause)();
        let predictor = self.predictor.on_volumes(priced.volumes);
        let load = CreditLoad { predictor: Some(&predictor), series: self.state.sized_series(), scale: 1.0 };
        effective_ceiling(load, &priced.config, priced.volumes, self.request).ceiling
    }
}

fn total(prospect: &Prospect) -> Usd {
    prospect.priced.bill.total()
}

/// Keeps the prospects for which none that costs no more has as much predicted throughput, cheapest first.
pub(super) fn efficient(mut prospects: Vec<Prospect>) -> Vec<Prospect> {
    let ratio = |prospect: &Prospect| prospect.expected.ratio;
    prospects.sort_by(|a, b| {
        total(a)
            .cmp(&total(b))
            .then(ratio(b).total_cmp(&ratio(a)))
            .then_with(|| a.priced.order().cmp(&b.priced.order()))
    });
    let mut kept: Vec<Prospect> = Vec::new();
    for prospect in prospects {
        if kept.last().is_none_or(|last| ratio(&prospect) > ratio(last) * (1.0 + RATIO_TOLERANCE)) {
            kept.push(prospect);
        }
    }
    kept
}

/// Removes prospects until [`MAX_POINTS`] are left: always the one whose neighbours are closest, but neither the first, the last
/// nor a `fixed` one.
fn thin_out(mut prospects: Vec<Prospect>, is_fixed: impl Fn(&Prospect) -> bool) -> Vec<Prospect> {
    while prospects.len() > MAX_POINTS {
        let gap = |at: &usize| prospects[*at + 1].expected.ratio / prospects[*at - 1].expected.ratio;
        let removable = (1..prospects.len() - 1).filter(|&at| !is_fixed(&prospects[at]));
        let Some(closest) = removable.min_by(|a, b| gap(a).total_cmp(&gap(b))) else { break };
        prospects.remove(closest);
    }
    prospects
}

#[cfg(test)]
#[path = "frontier_tests.rs"]
mod tests;
