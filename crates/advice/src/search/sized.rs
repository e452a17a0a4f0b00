//! Classes where size alone decides: gp2, st1, sc1, magnetic, and RDS's small gp3.
//!
//! Larger never carries less: baseline, burst and credits of a row only grow with size, and a replay with more of each
//! never has a larger backlog at any time (a token bucket lets pass what its least line through the past allows).

use super::offer::Offer;
use super::priced::Priced;
use super::shortfall::{Lack, Shortfall};
use super::task::least_of;
use ebs_aws::bucket::is_hdd;
use ebs_aws::catalogue::{Class, IopsRule, MibpsRule, VolumeConfig};

/// True where size is the only choice.
pub(super) fn decides(class: &Class) -> bool {
    class.iops_rule != IopsRule::Provisioned && class.mibps_rule != MibpsRule::Provisioned
}

/// The smallest that is carried, if it comes before `before`.
pub(super) fn cheapest(offer: &Offer, before: Option<&Priced>) -> Option<Priced> {
    let at = |size| offer.priced(sized(offer.class, size));
    let (low, mut high) = (offer.size_gib().max(offer.class.min_gib), offer.class.max_gib);
    if let Some(before) = before {
        // Beyond, it would cost more than what is known already.
        let dearer = least_of(low, high + 1, |size| at(size).order() >= before.order());
        high = dearer.max(1) - 1;
    }
    if low > high || !offer.carried(&at(high)) {
        return None;
    }
    Some(at(least_of(low, high, |size| offer.carried(&at(size)))))
}

fn sized(class: &Class, size_gib: u64) -> VolumeConfig {
    let iops = class.iops_at_least(size_gib);
    VolumeConfig {
        platform: class.platform,
        volume_type: class.volume_type,
        size_gib,
        iops,
        throughput_mibps: class.mibps_at_least(size_gib, iops),
    }
}

/// The shortfall of a type that counts I/Os by the MiB.
pub(super) fn short_of_hdd(offer: &Offer) -> Option<Shortfall> {
    if !is_hdd(offer.class.volume_type) {
        return None;
    }
    let largest = sized(offer.class, offer.class.max_gib);
    let all = largest.ceiling(offer.volumes);
    let (_, mibps) = offer.task.alone();
    let best = Some(offer.priced(largest));
    Some(match mibps as f64 > all.mibps {
        true => Shortfall { best, lack: Lack::Throughput, needed: mibps as f64, most: all.mibps },
        // Small requests, of which each counts as 1 MiB.
        false => Shortfall { best, lack: Lack::Iops, needed: offer.task.least_hdd(), most: all.iops.min(all.mibps) },
    })
}
