//! The factor that limits the throughput.

use super::setting::State;
use super::target::{Limits, Rates, Target};

/// The factor that limits the throughput, column `bound_by` of the SQL functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitingFactor {
    /// Latency of requests without a queue.
    Latency,
    /// IOPS of the volume.
    VolumeIops,
    /// Throughput of the volume.
    VolumeThroughput,
    /// IOPS of the volume that WAL has of its own.
    WalVolumeIops,
    /// Throughput of that volume.
    WalVolumeThroughput,
    /// IOPS of the instance.
    InstanceIops,
    /// Throughput of the instance.
    InstanceThroughput,
    /// The CPUs.
    Cpu,
    /// Locks that sessions hold against each other.
    Locks,
    /// Think time of the clients.
    Client,
    /// Waits that are not for the volume, and neither for locks nor for a CPU.
    OtherWaits,
}

/// Utilization above which the CPUs are the bottleneck: waiting for one takes longer than computing
/// (1 / (1 − ρ) at 0.7 is 3.3).
pub const BUSY_CPUS: f64 = 0.7;

/// Share of the time on locks above which more of anything else helps little.
pub const LOCK_BOUND: f64 = 0.5;

/// Share of the time that is think time above which clients are the bottleneck: the server waits for them longer than they for it.
const CLIENT_BOUND: f64 = 0.5;

/// Distance from the value at which another factor would be named, within which both are as likely.
pub(super) const BORDER: f64 = 0.05;

impl LimitingFactor {
    /// Value of the column `bound_by`.
    pub fn name(self) -> &'static str {
        match self {
            LimitingFactor::Latency => "latency",
            LimitingFactor::VolumeIops => "volume IOPS",
            LimitingFactor::VolumeThroughput => "volume throughput",
            LimitingFactor::WalVolumeIops => "WAL volume IOPS",
            LimitingFactor::WalVolumeThroughput => "WAL volume throughput",
            LimitingFactor::InstanceIops => "instance IOPS",
            LimitingFactor::InstanceThroughput => "instance throughput",
            LimitingFactor::Cpu => "CPU",
            LimitingFactor::Locks => "locks",
            LimitingFactor::Client => "clients",
            LimitingFactor::OtherWaits => "other waits",
        }
    }

    /// True for a limit of the volume or of the instance.
    pub fn is_limit(self) -> bool {
        matches!(
            self,
            LimitingFactor::VolumeIops
                | LimitingFactor::VolumeThroughput
                | LimitingFactor::WalVolumeIops
                | LimitingFactor::WalVolumeThroughput
                | LimitingFactor::InstanceIops
                | LimitingFactor::InstanceThroughput
        )
    }

    /// The factor of a state, and the next one where that is as likely: within [`BORDER`].
    pub(super) fn from_state(state: &State, target: &Target) -> (LimitingFactor, Option<LimitingFactor>) {
        let (over, limit) = nearest_limit(state.rates, state.wal_rates, target);
        if state.queues.longest_s() > 0.0 {
            return (limit, None);
        }
        let busy = state.utilization.unwrap_or(0.0);
        let candidates = [
            (state.client_share - CLIENT_BOUND, LimitingFactor::Client),
            (busy - BUSY_CPUS, LimitingFactor::Cpu),
            (state.lock_share - LOCK_BOUND, LimitingFactor::Locks),
        ];
        let first =
            candidates.iter().find(|(over, _)| *over > 0.0).map_or(LimitingFactor::Latency, |(_, factor)| *factor);
        let is_clear = candidates.iter().any(|(over, factor)| *factor == first && *over > BORDER);
        let near = candidates.iter().find(|(over, factor)| over.abs() <= BORDER && *factor != first);
        let near = near.map_or(LimitingFactor::Latency, |(_, factor)| *factor);
        let is_near_limit = over.exp() > 1.0 - BORDER;
        let other = (!is_clear && near != first).then_some(near);
        (first, if is_near_limit { Some(limit) } else { other })
    }
}

/// The limit that is nearest, and the distance above it, as a logarithm; negative below it. Of equal ones the instance's counts, which no
/// volume changes, and then the volume's.
pub(super) fn nearest_limit(rates: Rates, wal_rates: Rates, target: &Target) -> (f64, LimitingFactor) {
    let wal = target
        .wal
        .map(|wal| (wal.volume, wal_rates, [LimitingFactor::WalVolumeIops, LimitingFactor::WalVolumeThroughput]));
    let all = rates.plus(wal_rates);
    let instance = (target.instance, all, [LimitingFactor::InstanceIops, LimitingFactor::InstanceThroughput]);
    let volume = (target.volume, rates, [LimitingFactor::VolumeIops, LimitingFactor::VolumeThroughput]);
    let distance = |(limits, rates, [iops, bytes]): (Limits, Rates, [LimitingFactor; 2])| {
        (limits.over(&rates), if limits.is_by_bytes(&rates) { bytes } else { iops })
    };
    let others = [Some(volume), wal].into_iter().flatten().map(distance);
    let of_instance = Some(distance(instance)).filter(|instance| instance.0.is_finite());
    let farther = |nearest: (f64, LimitingFactor), other: (f64, LimitingFactor)| {
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
        let (volume, instance) = (LimitingFactor::VolumeIops, LimitingFactor::InstanceIops);
        assert_eq!([Some(3_599.0), Some(3_600.0)].map(|iops| named(iops).1), [instance; 2]);
        assert_eq!([Some(3_601.0), None].map(named), [(0.0, volume); 2]);
    }
}
