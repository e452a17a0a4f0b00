//! The factor that limits the throughput.

use super::setting::State;
use super::target::{Limits, Rates, Target};
use crate::BindingLimit;

/// Utilization above which the CPUs are the bottleneck: waiting for one takes longer than computing
/// (1 / (1 − ρ) at 0.7 is 3.3).
pub const BUSY_CPUS: f64 = 0.7;

/// Share of the time on locks above which more of anything else helps little.
pub const LOCK_BOUND: f64 = 0.5;

/// Share of the time that is think time above which clients are the bottleneck: the server waits for them longer than they for it.
const CLIENT_BOUND: f64 = 0.5;

/// Distance from the value at which another factor would be named, within which both are as likely.
pub(super) const BORDER: f64 = 0.05;

/// The factor of a state, and the next one where that is as likely: within [`BORDER`], and CPUs within as many as other programs used.
pub(super) fn limiting_factor(state: &State, target: &Target) -> (BindingLimit, Option<BindingLimit>) {
    let (over, limit) = nearest_limit(state.rates, state.wal_rates, target);
    if state.queues.longest_s() > 0.0 {
        return (limit, None);
    }
    let busy = state.utilization.unwrap_or(0.0);
    let candidates = [
        (state.client_share * (1.0 - state.unrelated_share) - CLIENT_BOUND, BindingLimit::Clients),
        (busy - BUSY_CPUS, BindingLimit::Cpu),
        (state.lock_share - LOCK_BOUND, BindingLimit::Locks),
    ];
    let first = candidates.iter().find(|(over, _)| *over > 0.0).map_or(BindingLimit::Latency, |(_, factor)| *factor);
    let border = |factor| BORDER + if factor == BindingLimit::Cpu { state.unrelated_share } else { 0.0 };
    let is_clear = candidates.iter().any(|(over, factor)| *factor == first && *over > border(first));
    let near = candidates.iter().find(|(over, factor)| over.abs() <= border(*factor) && *factor != first);
    let near = near.map_or(BindingLimit::Latency, |(_, factor)| *factor);
    let is_near_limit = over.exp() > 1.0 - BORDER;
    let other = (!is_clear && near != first).then_some(near);
    (first, if is_near_limit { Some(limit) } else { other })
}

/// The limit that is nearest, and the distance above it, as a logarithm; negative below it. Of equal ones the instance's counts, which no
/// volume changes, and then the volume's.
pub(super) fn nearest_limit(rates: Rates, wal_rates: Rates, target: &Target) -> (f64, BindingLimit) {
    let wal = target
        .wal
        .map(|wal| (wal.volume, wal_rates, [BindingLimit::WAL_VOLUME_IOPS, BindingLimit::WAL_VOLUME_THROUGHPUT]));
    let all = rates.plus(wal_rates);
    let instance = (target.instance, all, [BindingLimit::INSTANCE_IOPS, BindingLimit::INSTANCE_THROUGHPUT]);
    let volume = (target.volume, rates, [BindingLimit::VOLUME_IOPS, BindingLimit::VOLUME_THROUGHPUT]);
    let distance = |(limits, rates, [iops, bytes]): (Limits, Rates, [BindingLimit; 2])| {
        (limits.over(&rates), if limits.is_by_bytes(&rates) { bytes } else { iops })
    };
    let others = [Some(volume), wal].into_iter().flatten().map(distance);
    let of_instance = Some(distance(instance)).filter(|instance| instance.0.is_finite());
    let farther = |nearest: (f64, BindingLimit), other: (f64, BindingLimit)| {
        if other.0 > nearest.0 { other } else { nearest }
    };
    of_instance.into_iter().chain(others).reduce(farther).unwrap_or(distance(volume))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::predict::predict_tests::on;

    /// 3,600 requests a second on 3,600 IOPS, of an instance with fewer, as many and more; and of an instance without a limit.
    #[test]
    fn of_equal_limits_the_instances_is_named() {
        let named = |iops: Option<f64>| {
            let instance = Limits { iops, bytes: None };
            let target = Target { instance, ..on(1e-3, 1e-3, Some(3_600.0)) };
            nearest_limit(Rates { iops: 3_600.0, bytes: 0.0 }, Rates::default(), &target)
        };
        let (volume, instance) = (BindingLimit::VOLUME_IOPS, BindingLimit::INSTANCE_IOPS);
        assert_eq!([Some(3_599.0), Some(3_600.0)].map(|iops| named(iops).1), [instance; 2]);
        assert_eq!([Some(3_601.0), None].map(named), [(0.0, volume); 2]);
    }
}
