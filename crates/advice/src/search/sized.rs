//! Classes where size alone decides: gp2, st1, sc1, magnetic, and RDS's small gp3.
//!
//! Larger never carries less: baseline, burst and credits of a row only grow with size, and a replay with more of each
//! never has a larger backlog at any time (a token bucket lets pass what its least line through the past allows).

use super::bisect::bisect;
use super::offer::Offer;
use super::priced::Priced;
use super::shortfall::Shortfall;
use ebs_aws::catalogue::{Class, IopsRule, MibpsRule, VolumeConfig};
use ebs_prediction::BindingLimit;

/// True where size is the only choice.
pub(super) fn decides(class: &Class) -> bool {
    class.iops_rule != IopsRule::Provisioned && class.mibps_rule != MibpsRule::Provisioned
}

/// The smallest feasible volumes, if they come before `before`.
pub(super) fn cheapest(offer: &Offer, before: Option<&Priced>) -> Option<Priced> {
    let of_size = |size| offer.priced(sized(offer.class, size));
    let (low, mut high) = (offer.size_gib().max(offer.class.min_gib), offer.class.max_gib);
    if let Some(before) = before {
        // Larger ones come after `before`.
        let too_large = bisect(low, high + 1, |size| of_size(size).order() >= before.order());
        high = too_large.max(1) - 1;
    }
    if low > high || !offer.is_feasible(&of_size(high)) {
        return None;
    }
    let least = bisect(low, high, |size| offer.is_feasible(&of_size(size)));
    offer.ordered_gib(least).map(of_size)
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
pub(super) fn hdd_shortfall(offer: &Offer) -> Option<Shortfall> {
    if !offer.class.volume_type.is_hdd() {
        return None;
    }
    let largest = sized(offer.class, offer.class.max_gib);
    let ceiling = largest.ceiling(offer.volumes);
    let (_, mibps) = offer.task.corner();
    let best = Some(offer.priced(largest));
    Some(match mibps as f64 > ceiling.mibps {
        true => {
            Shortfall { best, resource: BindingLimit::VOLUME_THROUGHPUT, required: mibps as f64, max: ceiling.mibps }
        }
        // Small requests, each of which counts as 1 MiB.
        false => {
            let (required, max) = (offer.task.min_hdd_rate(), ceiling.iops.min(ceiling.mibps));
            Shortfall { best, resource: BindingLimit::VOLUME_IOPS, required, max }
        }
    })
}
