//! The frontier: volumes of which none that is cheaper predicts as much.

use crate::current::current_state::CurrentState;
use crate::insufficient::{Insufficient, insufficient};
use crate::prediction::predictor::{Predictor, carried};
use crate::prediction::service::Service;
use crate::recommend::advice::Advice;
use crate::recommend::advise::advise;
use crate::recommend::role_advice::RoleAdvice;
use crate::replay::{InstanceLimit, replay};
use crate::request::settings::Request;
use crate::search::Priced;
use ebs_aws::catalogue::{Ceiling, Class, Purpose, VolumeConfig, VolumeType, classes_of};
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
    /// Dollars a month of all of them.
    pub usd_month: Usd,
    /// Prediction of the database on them.
    pub prediction: Prediction,
    /// True of the recommended volumes.
    pub recommended: bool,
}

/// The frontier of one part of the cluster.
#[derive(Clone, Debug, PartialEq)]
pub struct Frontier {
    /// `data`, `wal` or `data+wal`.
    pub role: String,
    /// Cheapest first, each with more throughput than the one before; or why nothing is predicted.
    pub points: Result<Vec<Point>, MissingInput>,
}

/// Most rows of a frontier: beyond, neighbours are told apart by less than their intervals.
pub const MAX_POINTS: usize = 20;

/// Levels of throughput that each type is tried at, between what the least of them gives and what no limit gives.
const LEVELS: u32 = 16;

/// The highest of them, of what no limit of the volume gives: the rest is the peak of the busiest second.
const MAX_LEVEL: f64 = 0.999;

/// Two that predict the same to this share are the same.
const RATIO_TOLERANCE: f64 = 1e-3;

/// For each part, volumes of the request's platform, instance and most volumes, with so many `clients`.
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

/// The same where the advice is there already.
pub fn frontier_from_advice(
    advice: &Advice,
    request: &Request,
    clients: Option<f64>,
    pause: &dyn Fn(),
) -> Vec<Frontier> {
    let most = advice.most_volumes;
    let frontier = |role: &RoleAdvice| {
        let state = &role.state;
        let recommended =
            role.best().and_then(|best| Some(Priced { config: best.config, volumes: best.volumes, bill: best.bill? }));
        let predictor = state.predictor.clone().map(|found| found.with_load(clients, request.instance_baseline()));
        let points = predictor
            .map(|predictor| Choice { state, predictor: &predictor, request, most, pause }.points(recommended));
        Frontier { role: state.group.role.clone(), points }
    };
    advice.roles.iter().chain(&advice.together).map(frontier).collect()
}

/// The volumes that the frontier is chosen from.
struct Choice<'a> {
    state: &'a CurrentState,
    predictor: &'a Predictor,
    request: &'a Request,
    most: u64,
    pause: &'a dyn Fn(),
}

/// Volumes, and what is expected of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tried {
    pub priced: Priced,
    pub expected: Expected,
}

impl Choice<'_> {
    fn points(&self, recommended: Option<Priced>) -> Vec<Point> {
        let mut tried: Vec<Tried> =
            VolumeType::ALL.into_iter().flat_map(|volume_type| self.of_type(volume_type)).collect();
        let best = recommended.and_then(|best| self.tried(best));
        tried.extend(best);
        let is_best = |one: &Tried| best.is_some_and(|best| best.priced == one.priced);
        let found = undominated(tried);
        // It, or what does as much for no more.
        let best_or_better = found.iter().rfind(|one| best.is_some_and(|best| total(one) <= total(&best))).copied();
        let kept = thinned(found, |one| best_or_better.is_some_and(|kept| kept.priced == one.priced));
        kept.iter().filter_map(|one| self.point(one, is_best(one))).collect()
    }

    fn point(&self, one: &Tried, recommended: bool) -> Option<Point> {
        (self.pause)();
        let Priced { config, volumes, bill } = one.priced;
        let service = self.predictor.service(config.volume_type)?;
        let prediction = self.predictor.predict(&self.state.series, service, self.ceiling(&one.priced));
        Some(Point { config, volumes, usd_month: bill.total(), prediction, recommended })
    }

    /// The least of a type, and the cheapest for each level of throughput.
    fn of_type(&self, volume_type: VolumeType) -> Vec<Tried> {
        let Some(service) = self.predictor.service(volume_type) else { return Vec::new() };
        if volume_type.characteristics().unfit.is_some() {
            return Vec::new();
        }
        let (platform, prices) = (self.request.platform, &self.request.prices);
        let classes = classes_of(platform, volume_type, Purpose::Any);
        let sold: Vec<(&Class, Tariff)> =
            classes.filter_map(|class| Some((class, Tariff::from_prices(class, platform, prices)?))).collect();
        let nothing = Ceiling { iops: 0.0, mibps: 0.0 };
        let mut tried: Vec<Tried> = self.carrying(&sold, nothing).collect();
        let least = tried.iter().map(|one| one.expected.ratio).fold(f64::INFINITY, f64::min);
        let most = MAX_LEVEL * self.predictor.expect(&self.state.series, service, Ceiling::UNLIMITED).ratio;
        if least < most {
            for level in 1..=LEVELS {
                let ratio = least * (most / least).powf(f64::from(level) / f64::from(LEVELS));
                tried.extend(self.least(service, ratio).into_iter().flat_map(|floor| self.carrying(&sold, floor)));
            }
        }
        tried
    }

    fn least(&self, service: &Service, ratio: f64) -> Option<Ceiling> {
        (self.pause)();
        // In whole IOPS a part in 10,000 is nothing.
        self.predictor.least(&self.state.series, service, 1e-4, |expected| expected.ratio >= ratio)
    }

    /// The least of each class, of each number of volumes, that carries so much.
    fn carrying<'a>(&'a self, sold: &'a [(&Class, Tariff)], floor: Ceiling) -> impl Iterator<Item = Tried> + 'a {
        let counts = 1..=self.most;
        let each = move |volumes: u64| {
            sold.iter().filter_map(move |(class, tariff)| {
                let of_each = |all: f64| (all / volumes as f64).ceil() as u64;
                let size_gib = self.state.size.size_gib.unwrap_or(1).div_ceil(volumes);
                let least = class.least(size_gib, of_each(floor.iops), of_each(floor.mibps))?;
                let config = VolumeConfig { platform: self.request.platform, ..least };
                let bill = tariff.bill(config.size_gib, config.iops, config.throughput_mibps, volumes);
                self.tried(Priced { config, volumes, bill })
            })
        };
        counts.flat_map(each)
    }

    fn tried(&self, priced: Priced) -> Option<Tried> {
        let service = self.predictor.service(priced.config.volume_type)?;
        let expected = self.predictor.expect(&self.state.series, service, self.ceiling(&priced));
        Some(Tried { priced, expected })
    }

    fn ceiling(&self, priced: &Priced) -> Ceiling {
        let (config, volumes) = (&priced.config, priced.volumes);
        let allowed = self.request.rule.max_throttled_pct;
        let bursts = config.class().is_some_and(|class| class.burst(config.size_gib).is_some());
        let outcome = bursts.then(|| {
            (self.pause)();
            replay(&self.state.series, config, volumes, InstanceLimit::from(self.request.instance_baseline()), 0.0)
        });
        carried(&self.state.series, config, volumes, allowed, outcome.flatten().as_ref())
    }
}

fn total(one: &Tried) -> Usd {
    one.priced.bill.total()
}

/// Those of which none that costs no more predicts as much, cheapest first.
pub(super) fn undominated(mut tried: Vec<Tried>) -> Vec<Tried> {
    let ratio = |one: &Tried| one.expected.ratio;
    tried.sort_by(|a, b| {
        total(a)
            .cmp(&total(b))
            .then(ratio(b).total_cmp(&ratio(a)))
            .then_with(|| a.priced.order().cmp(&b.priced.order()))
    });
    let mut kept: Vec<Tried> = Vec::new();
    for one in tried {
        if kept.last().is_none_or(|last| ratio(&one) > ratio(last) * (1.0 + RATIO_TOLERANCE)) {
            kept.push(one);
        }
    }
    kept
}

/// No more than [`MAX_POINTS`]: of those between the first and the last, the one that adds least goes first, unless it is to stay.
fn thinned(mut kept: Vec<Tried>, stays: impl Fn(&Tried) -> bool) -> Vec<Tried> {
    while kept.len() > MAX_POINTS {
        let gap = |at: &usize| kept[*at + 1].expected.ratio / kept[*at - 1].expected.ratio;
        let between = (1..kept.len() - 1).filter(|&at| !stays(&kept[at]));
        let Some(least) = between.min_by(|a, b| gap(a).total_cmp(&gap(b))) else { break };
        kept.remove(least);
    }
    kept
}

#[cfg(test)]
#[path = "frontier_tests.rs"]
mod tests;
