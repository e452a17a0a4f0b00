//! Search: the cheapest volumes that are feasible ([`task`]), exactly, of those that one would order: whole GiB, hundreds of IOPS,
//! fives of MiB/s ([`Class::least_order`]).
//!
//! More IOPS or more MiB/s never make volumes infeasible, and never cost less; no rule between size, IOPS and throughput
//! requires less of one when another grows. Therefore:
//!
//! - Where size alone decides (gp2, st1, sc1), the smallest feasible size is found by bisection.
//! - Where IOPS decide and throughput follows (io1, io2), so are the fewest IOPS.
//! - Where both are chosen (gp3), the fewest IOPS and the fewest MiB/s that are feasible, each without a limit of the other,
//!   are the corner, below which nothing is feasible. If they are feasible together, they are the cheapest. If not, because
//!   demand peaks in different seconds, branch and bound over MiB/s: no volume between two of them costs less than one with
//!   the lower MiB/s and the IOPS that the higher MiB/s require.
//!
//! A maximum delay only makes fewer of them feasible: more of any resource never makes a request wait longer.
//!
//! A property test compares all of it with brute force (`search_tests.rs`, `exact_tests.rs`).

mod bisect;
mod load;
mod offer;
mod priced;
mod provisioned;
mod shortfall;
mod sized;
mod task;

use std::ops::RangeInclusive;

use crate::replay::Measure;
use ebs_aws::catalogue::{Class, Platform, Prices, Purpose, VolumeType, classes_of};
use ebs_aws::price::Tariff;
use ebs_prediction::BindingLimit;
pub use load::TaskLoad;
use offer::Offer;
pub(crate) use offer::least_order;
pub use priced::{Order, Priced};
pub use shortfall::{Found, Shortfall};
pub use task::Task;

/// The cheapest feasible volumes, if they come before `before`.
fn cheapest_of_offer(offer: &Offer, before: Option<&Priced>) -> Option<Priced> {
    if !(1..=offer.class.max_gib).contains(&offer.size_gib()) {
        return None;
    }
    let cheapest =
        if sized::decides(offer.class) { sized::cheapest(offer, before) } else { provisioned::cheapest(offer, before) };
    cheapest.filter(|priced| before.is_none_or(|before| priced.order() < before.order()))
}

/// Finds the cheapest feasible volumes of a class, in this number.
pub fn cheapest(
    class: &Class,
    tariff: &Tariff,
    platform: Platform,
    volumes: u64,
    task: &Task,
) -> Result<Priced, Shortfall> {
    let offer = Offer { class, tariff, platform, volumes, task };
    conclude(task, cheapest_of_offer(&offer, None), || Some(shortfall(&offer)))
        .unwrap_or_else(|| Err(shortfall(&offer)))
}

/// Finds the cheapest feasible volumes of a type, over its classes and these numbers of volumes (one on RDS, which makes its
/// stripes itself). `None` where the type is not sold, or has no price.
pub fn best_of_type(
    volume_type: VolumeType,
    platform: Platform,
    prices: &Prices,
    counts: RangeInclusive<u64>,
    task: &Task,
) -> Option<Result<Priced, Shortfall>> {
    let counts = if platform.is_rds() { 1..=1 } else { counts };
    let sold = sold_classes(volume_type, platform, prices, task.max_volume_iops);
    best_of_classes(&sold, platform, counts, task)
}

/// The class with no more IOPS than each of its volumes reaches on the instance: more cannot be used. `None` where it has no fewer.
fn within_instance(class: &Class, max_volume_iops: Option<u64>) -> Option<Class> {
    let most = max_volume_iops.map_or(u64::MAX, |iops| iops.saturating_mul(class.stripes.max(1)));
    (class.min_iops <= most).then(|| Class { max_iops: class.max_iops.min(most), ..class.clone() })
}

/// Classes of a type that are sold on a platform, as far as an instance that gives each volume so many IOPS uses them, with their
/// tariffs.
pub(crate) fn sold_classes(
    volume_type: VolumeType,
    platform: Platform,
    prices: &Prices,
    max_volume_iops: Option<u64>,
) -> Vec<(Class, Tariff)> {
    let classes = classes_of(platform, volume_type, Purpose::Any);
    let sold = |class: &'static Class| {
        let tariff = Tariff::from_prices(class, platform, prices)?;
        Some((within_instance(class, max_volume_iops)?, tariff))
    };
    classes.filter_map(sold).collect()
}

/// [`best_of_type`], of any classes.
fn best_of_classes(
    tariffs: &[(Class, Tariff)],
    platform: Platform,
    counts: RangeInclusive<u64>,
    task: &Task,
) -> Option<Result<Priced, Shortfall>> {
    let offers = || {
        let of_count =
            |volumes| tariffs.iter().map(move |(class, tariff)| Offer { class, tariff, platform, volumes, task });
        counts.clone().flat_map(of_count)
    };
    let mut best: Option<Priced> = None;
    for offer in offers() {
        best = cheapest_of_offer(&offer, best.as_ref()).or(best);
    }
    // A class whose largest volume is too small is no near miss where another class of the type is large enough (RDS up to
    // 399 GiB, and above).
    let miss = |offer: Offer| {
        let shortfall = shortfall(&offer);
        (offer.size_gib() > offer.class.max_gib, shortfall.required / shortfall.max, shortfall)
    };
    let nearest = || offers().map(miss).min_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))).map(|miss| miss.2);
    conclude(task, best, nearest)
}

/// Returns the best volumes, or the shortfall: the instance's, if it has one.
fn conclude(
    task: &Task,
    best: Option<Priced>,
    shortfall: impl FnOnce() -> Option<Shortfall>,
) -> Option<Result<Priced, Shortfall>> {
    match (best, instance_shortfall(task)) {
        (Some(_), Some(instance)) => Some(Err(Shortfall { best, ..instance })),
        (Some(best), None) => Some(Ok(best)),
        (None, _) => shortfall().map(Err),
    }
}

/// The instance's shortfall, without volumes; `None` where its limits suffice.
fn instance_shortfall(task: &Task) -> Option<Shortfall> {
    let instance = task.instance().filter(|_| task.is_instance_saturated())?;
    let (iops, mibps) = task.without_instance().corner();
    let (iops, mibps) = (iops as f64, mibps as f64);
    let (resource, required, max) = match iops / instance.iops >= mibps / instance.mibps {
        true => (BindingLimit::INSTANCE_IOPS, iops, instance.iops),
        false => (BindingLimit::INSTANCE_THROUGHPUT, mibps, instance.mibps),
    };
    Some(Shortfall { best: None, resource, required, max })
}

/// The largest shortfall of a class, with its best volumes.
fn shortfall(offer: &Offer) -> Shortfall {
    let (class, task, volumes) = (offer.class, offer.task, offer.volumes);
    let iops_at_most = class.iops_at_most(class.max_gib);
    let mibps_at_most = class.mibps_at_most(class.max_gib, iops_at_most);
    let (iops, mibps) = task.corner();
    let size_gib = task.requirement().size_gib.unwrap_or(0);
    let resources = [
        (BindingLimit::Size, size_gib, class.max_gib),
        (BindingLimit::VOLUME_IOPS, iops, iops_at_most),
        (BindingLimit::VOLUME_THROUGHPUT, mibps, mibps_at_most),
    ];
    let is_short = |&(_, required, max): &(BindingLimit, u64, u64)| required > max * volumes;
    let share = |&(_, required, max): &(BindingLimit, u64, u64)| required as f64 / (max as f64).max(1.0);
    let worst = resources.into_iter().filter(is_short).max_by(|a, b| share(a).total_cmp(&share(b)));
    match (worst, sized::hdd_shortfall(offer)) {
        (Some(size @ (BindingLimit::Size, ..)), _) => shortfall_of(offer, size),
        (_, Some(hdd)) => hdd,
        (Some(worst), None) => shortfall_of(offer, worst),
        // Each maximum suffices alone; together they do not, because IOPS and throughput peak in different seconds.
        (None, None) => {
            let required = task.min_iops(mibps_at_most * volumes).unwrap_or(task.max_useful(Measure::Requests));
            shortfall_of(offer, (BindingLimit::VOLUME_IOPS, required, iops_at_most))
        }
    }
}

/// The shortfall of a resource: the best volumes have its maximum, and of the others what is required.
fn shortfall_of(offer: &Offer, (resource, required, max): (BindingLimit, u64, u64)) -> Shortfall {
    let class = offer.class;
    let iops_at_most = class.iops_at_most(class.max_gib);
    let (iops, mibps) = offer.corner();
    let iops = if resource == BindingLimit::VOLUME_IOPS { iops_at_most } else { iops.min(iops_at_most) };
    let mibps = mibps.min(class.mibps_at_most(class.max_gib, iops_at_most));
    let smallest = offer.least_order(offer.size_gib().min(class.max_gib), iops, mibps);
    let best =
        smallest.or_else(|| class.least_order(class.max_gib, iops_at_most, 0)).map(|config| offer.priced(config));
    Shortfall { best, resource, required: required as f64, max: (max * offer.volumes) as f64 }
}

#[cfg(test)]
#[path = "search_tests.rs"]
mod tests;

#[cfg(test)]
mod exact_tests;

#[cfg(test)]
mod monotonicity_tests;

#[cfg(test)]
mod fixtures;
