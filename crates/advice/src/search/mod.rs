//! Search: the cheapest legal volumes that are feasible ([`task`]), exactly, on AWS's grid of whole GiB, IOPS and MiB/s.
//!
//! More IOPS or more MiB/s never make volumes infeasible, and never cost less; every rule between size, IOPS and throughput
//! only asks for more of one when another grows. So:
//!
//! - Where size alone decides (gp2, st1, sc1), the smallest feasible size is found by bisection.
//! - Where IOPS decide and throughput follows (io1, io2), so are the fewest IOPS.
//! - Where both are chosen (gp3), the fewest IOPS and the least MiB/s that could do, each with plenty of the other, are the
//!   corner below which nothing is feasible. If they do together, they are the cheapest. If not, because demand peaks in
//!   different seconds, branch and bound over MiB/s: between two of them nothing costs less than the fewer MiB/s with the
//!   IOPS that the more of them need.
//!
//! A most delay only makes fewer of them feasible: more of anything never makes a request wait longer.
//!
//! A property test compares all of it with brute force (`search_tests.rs`, `exact_tests.rs`).

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
use offer::Offer;
pub use priced::{Order, Priced};
pub use shortfall::{Lack, Shortfall};
pub use task::Task;

/// The cheapest that is feasible and comes before `before`.
fn cheapest_of_offer(offer: &Offer, before: Option<&Priced>) -> Option<Priced> {
    if !(1..=offer.class.max_gib).contains(&offer.size_gib()) {
        return None;
    }
    let found =
        if sized::decides(offer.class) { sized::cheapest(offer, before) } else { provisioned::cheapest(offer, before) };
    found.filter(|found| before.is_none_or(|before| found.order() < before.order()))
}

/// The cheapest feasible volumes of a class, so many of them.
pub fn cheapest(
    class: &Class,
    tariff: &Tariff,
    platform: Platform,
    volumes: u64,
    task: &Task,
) -> Result<Priced, Shortfall> {
    let offer = Offer { class, tariff, platform, volumes, task };
    let found = cheapest_of_offer(&offer, None);
    conclude(task, found, || Some(shortfall(&offer))).unwrap_or_else(|| Err(shortfall(&offer)))
}

/// The cheapest feasible volumes of a type, over its classes and these counts (RDS makes its stripes itself, so there it is
/// one). `None` where the type is not sold, or has no price.
pub fn best_of_type(
    volume_type: VolumeType,
    platform: Platform,
    prices: &Prices,
    counts: RangeInclusive<u64>,
    task: &Task,
) -> Option<Result<Priced, Shortfall>> {
    let counts = if platform.is_rds() { 1..=1 } else { counts };
    let rows = classes_of(platform, volume_type, Purpose::Any);
    let tariffs: Vec<(&Class, Tariff)> =
        rows.filter_map(|class| Some((class, Tariff::from_prices(class, platform, prices)?))).collect();
    best_of_classes(&tariffs, platform, counts, task)
}

/// The same of any classes.
fn best_of_classes(
    tariffs: &[(&Class, Tariff)],
    platform: Platform,
    counts: RangeInclusive<u64>,
    task: &Task,
) -> Option<Result<Priced, Shortfall>> {
    let offers = || {
        let rows =
            |volumes| tariffs.iter().map(move |(class, tariff)| Offer { class, tariff, platform, volumes, task });
        counts.clone().flat_map(rows)
    };
    let mut best: Option<Priced> = None;
    for offer in offers() {
        best = cheapest_of_offer(&offer, best.as_ref()).or(best);
    }
    // What is too small by itself is no near miss where other classes of the type are not (RDS up to 399 GiB, and beyond).
    let miss = |offer: Offer| {
        let short = shortfall(&offer);
        (offer.size_gib() > offer.class.max_gib, short.needed / short.most, short)
    };
    let nearest = || offers().map(miss).min_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))).map(|miss| miss.2);
    conclude(task, best, nearest)
}

/// The volumes found, or the shortfall.
fn conclude(
    task: &Task,
    found: Option<Priced>,
    short: impl FnOnce() -> Option<Shortfall>,
) -> Option<Result<Priced, Shortfall>> {
    match (found, task.instance_lack()) {
        (Some(best), Some((lack, needed, most))) => Some(Err(Shortfall { best: Some(best), lack, needed, most })),
        (Some(best), None) => Some(Ok(best)),
        (None, _) => short().map(Err),
    }
}

/// The largest shortfall of a class, with the best volumes that it has.
fn shortfall(offer: &Offer) -> Shortfall {
    let (class, task, volumes) = (offer.class, offer.task, offer.volumes);
    let iops_at_most = class.iops_at_most(class.max_gib);
    let mibps_at_most = class.mibps_at_most(class.max_gib, iops_at_most);
    let (iops, mibps) = task.alone();
    let size_gib = task.need().size_gib.unwrap_or(0);
    let each = [
        (Lack::Size, size_gib, class.max_gib),
        (Lack::Iops, iops, iops_at_most),
        (Lack::Throughput, mibps, mibps_at_most),
    ];
    let lacks = |&(_, needed, most): &(Lack, u64, u64)| needed > most * volumes;
    let share = |&(_, needed, most): &(Lack, u64, u64)| needed as f64 / (most as f64).max(1.0);
    let worst = each.into_iter().filter(lacks).max_by(|a, b| share(a).total_cmp(&share(b)));
    match (worst, sized::short_of_hdd(offer)) {
        (Some(size @ (Lack::Size, ..)), _) => lacking(offer, size),
        (_, Some(short)) => short,
        (Some(worst), None) => lacking(offer, worst),
        // Each alone would do; both together do not, because they peak in different seconds.
        (None, None) => {
            let together = task.least_iops(mibps_at_most * volumes).unwrap_or(task.most(Measure::Requests));
            lacking(offer, (Lack::Iops, together, iops_at_most))
        }
    }
}

/// As much as the class has of what it lacks, and of the rest what is needed.
fn lacking(offer: &Offer, (lack, needed, most): (Lack, u64, u64)) -> Shortfall {
    let class = offer.class;
    let iops_at_most = class.iops_at_most(class.max_gib);
    let (iops, mibps) = offer.corner();
    let iops = if lack == Lack::Iops { iops_at_most } else { iops.min(iops_at_most) };
    let mibps = mibps.min(class.mibps_at_most(class.max_gib, iops_at_most));
    let least = class.least(offer.size_gib().min(class.max_gib), iops, mibps);
    let best = least.or_else(|| class.least(class.max_gib, iops_at_most, 0)).map(|config| offer.priced(config));
    Shortfall { best, lack, needed: needed as f64, most: (most * offer.volumes) as f64 }
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
