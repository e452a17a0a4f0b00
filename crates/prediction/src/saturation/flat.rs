//! A flat rate at the level of a limit, without latencies: the limit or the demand, which nothing but the latency tells apart.

use super::evidence::RunContext;
use super::matches::LimitOwner;
use super::second::Second;
use crate::predict::{LimitKind, Limits};
use ebs_aws::catalogue::VolumeType;
use ebs_workload::demand::Demand;

/// Owner of the level of a flat rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LevelSource {
    /// A limit that is known: as declared, or of the instance.
    Known(LimitOwner),
    /// A limit that volumes of the type have.
    Published(VolumeType),
}

/// A flat rate at the level of a limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlatRate {
    /// The rate that is flat.
    pub limited: LimitKind,
    /// The limit: requests, or bytes, a second.
    pub level: f64,
    /// Its owner.
    pub source: LevelSource,
    /// Share of seconds within 1 % of it.
    pub seconds_share: f64,
}

/// Distance from the level, as a share, that still counts as flat.
const FLAT: f64 = 0.01;

/// Tolerance of rounding: 2,970 of 3,000 are 1 % below.
const ROUNDING: f64 = 1e-9;

/// Least share of seconds at the level.
const MIN_SHARE: f64 = 0.95;

/// Fewest intervals: one or two lie near some limit by chance.
const MIN_INTERVALS: usize = 10;

/// A rate that is flat at a known or published limit, in a demand without latencies; `None` where latencies tell, or where there is none.
/// A limit that is known counts before one that is published, of those the first.
pub fn detect_flat_rate(demand: &Demand, run: &RunContext) -> Option<FlatRate> {
    if demand.timed || demand.intervals.len() < MIN_INTERVALS {
        return None;
    }
    let known = run.limits.iter().map(|(owner, limits)| (LevelSource::Known(*owner), *limits));
    let published = run.published.iter().map(|(volume_type, limits)| (LevelSource::Published(*volume_type), *limits));
    let levels: Vec<(LevelSource, Limits)> = known.chain(published).collect();
    [LimitKind::Iops, LimitKind::Throughput].into_iter().find_map(|limited| {
        let seconds = Second::from_demand(demand, limited);
        let all: f64 = demand.pause.each(&seconds).map(|second| second.seconds).sum();
        levels.iter().find_map(|(source, limits)| {
            let level = limits.level(limited)?;
            let is_flat = |second: &&Second| is_flat_at(second.rate, level);
            let flat: f64 = demand.pause.each(&seconds).filter(is_flat).map(|second| second.seconds).sum();
            let seconds_share = flat / all;
            (seconds_share >= MIN_SHARE).then_some(FlatRate { limited, level, source: *source, seconds_share })
        })
    })
}

/// True where a rate is at this level.
pub(super) fn is_flat_at(rate: f64, level: f64) -> bool {
    (rate / level - 1.0).abs() <= FLAT + ROUNDING
}

#[cfg(test)]
#[path = "flat_tests.rs"]
mod tests;
