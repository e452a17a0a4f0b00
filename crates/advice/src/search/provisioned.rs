//! Classes where IOPS are chosen (io1, io2), and those where throughput is chosen too (gp3).

use super::bisect::bisect;
use super::offer::Offer;
use super::priced::Priced;
use crate::replay::Measure;
use ebs_aws::catalogue::MibpsRule;

/// The cheapest feasible volumes, if they come before `before`.
pub(super) fn cheapest(offer: &Offer, before: Option<&Priced>) -> Option<Priced> {
    let (iops, mibps) = offer.corner();
    let corner = offer.smallest(iops, mibps)?;
    if before.is_some_and(|before| corner.order() >= before.order()) {
        return None;
    }
    if offer.is_feasible(&corner) {
        return Some(corner);
    }
    match offer.class.mibps_rule {
        MibpsRule::Provisioned => branch_and_bound(offer, &corner, before),
        _ => fewest_iops(offer, &corner),
    }
}

/// Throughput follows IOPS, so that the fewest feasible IOPS are the cheapest.
fn fewest_iops(offer: &Offer, corner: &Priced) -> Option<Priced> {
    let max_iops = offer.class.iops_at_most(offer.class.max_gib);
    let feasible = |iops| offer.smallest(iops, 0).filter(|priced| offer.is_feasible(priced));
    feasible(max_iops)?;
    feasible(bisect(corner.config.iops, max_iops, |iops| feasible(iops).is_some()))
}

/// Branch and bound over MiB/s: no volume between two of them costs less than one with the lower MiB/s and the IOPS that the
/// higher MiB/s require.
fn branch_and_bound(offer: &Offer, corner: &Priced, before: Option<&Priced>) -> Option<Priced> {
    let (class, volumes) = (offer.class, offer.volumes);
    let low = corner.config.throughput_mibps;
    let useful = offer.task.max_useful(Measure::Mib).div_ceil(volumes);
    let high = class.mibps_at_most(class.max_gib, class.iops_at_most(class.max_gib)).min(useful.max(low));
    let min_iops = |mibps: u64| Some(offer.task.min_iops(mibps * volumes)?.div_ceil(volumes));
    let cheapest_with = |mibps: u64| offer.smallest(min_iops(mibps)?, mibps);
    let mut best = before.copied();
    let mut keep_better = |priced: Option<Priced>| {
        if let Some(priced) = priced.filter(|priced| best.is_none_or(|best| priced.order() < best.order())) {
            best = Some(priced);
        }
        best
    };
    keep_better(cheapest_with(high));
    keep_better(cheapest_with(low));
    let mut open = vec![(low, high)];
    while let Some((low, high)) = open.pop() {
        let Some(iops) = min_iops(high).filter(|_| low + 1 < high) else { continue };
        let Some(bound) = offer.smallest(iops, low + 1) else { continue };
        if keep_better(None).is_some_and(|best| bound.order() >= best.order()) {
            continue;
        }
        let middle = low + (high - low) / 2;
        keep_better(cheapest_with(middle));
        open.extend([(low, middle), (middle, high)]);
    }
    keep_better(None)
}
