//! Classes where IOPS are chosen (io1, io2), and those where throughput is chosen too (gp3).

use super::offer::Offer;
use super::priced::Priced;
use super::task::least_of;
use crate::replay::Measure;
use ebs_aws::catalogue::MibpsRule;

/// The cheapest that is carried, if it comes before `before`.
pub(super) fn cheapest(offer: &Offer, before: Option<&Priced>) -> Option<Priced> {
    let (iops, mibps) = offer.corner();
    let corner = offer.least(iops, mibps)?;
    if before.is_some_and(|before| corner.order() >= before.order()) {
        return None;
    }
    if offer.carried(&corner) {
        return Some(corner);
    }
    match offer.class.mibps_rule {
        MibpsRule::Provisioned => branch_and_bound(offer, &corner, before),
        _ => fewest_iops(offer, &corner),
    }
}

/// Throughput follows IOPS, so the fewest that carry are the cheapest.
fn fewest_iops(offer: &Offer, corner: &Priced) -> Option<Priced> {
    let most = offer.class.iops_at_most(offer.class.max_gib);
    let carried = |iops| offer.least(iops, 0).filter(|found| offer.carried(found));
    carried(most)?;
    carried(least_of(corner.config.iops, most, |iops| carried(iops).is_some()))
}

/// Over MiB/s: between two of them, none costs less than the fewer with the IOPS that the more need.
fn branch_and_bound(offer: &Offer, corner: &Priced, before: Option<&Priced>) -> Option<Priced> {
    let (class, volumes) = (offer.class, offer.volumes);
    let low = corner.config.throughput_mibps;
    let useful = offer.task.most(Measure::Mib).div_ceil(volumes);
    let high = class.mibps_at_most(class.max_gib, class.iops_at_most(class.max_gib)).min(useful.max(low));
    let each_iops = |mibps: u64| Some(offer.task.least_iops(mibps * volumes)?.div_ceil(volumes));
    let at = |mibps: u64| offer.least(each_iops(mibps)?, mibps);
    let mut best = before.copied();
    let mut take = |found: Option<Priced>| {
        if let Some(found) = found.filter(|found| best.is_none_or(|best| found.order() < best.order())) {
            best = Some(found);
        }
        best
    };
    take(at(high));
    take(at(low));
    let mut open = vec![(low, high)];
    while let Some((low, high)) = open.pop() {
        let Some(iops) = each_iops(high).filter(|_| low + 1 < high) else { continue };
        let Some(bound) = offer.least(iops, low + 1) else { continue };
        if take(None).is_some_and(|best| bound.order() >= best.order()) {
            continue;
        }
        let middle = low + (high - low) / 2;
        take(at(middle));
        open.extend([(low, middle), (middle, high)]);
    }
    take(None)
}
