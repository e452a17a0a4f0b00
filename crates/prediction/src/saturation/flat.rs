//! A flat rate without latencies: a limit or the demand, which nothing but the latency tells apart. The level need not be a published one:
//! volumes are provisioned with any.

use super::evidence::RunContext;
use crate::LimitOwner;
use crate::predict::Limits;
use ebs_aws::catalogue::{LimitKind, VolumeType};
use ebs_base::pause::Pause;
use ebs_samples::evidence::SSD_IO_BYTES;
use ebs_stats::WeightedSample;
use ebs_workload::demand::Demand;
use ebs_workload::demand_summary::DemandSummary;

/// Owner of the level of a flat rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LevelSource {
    /// A limit that is known: as declared, or of the instance.
    Known(LimitOwner),
    /// A limit that volumes of the type have.
    Published(VolumeType),
    /// Not known: no limit that is known or published has this level.
    Unknown,
}

/// A flat rate, at the level of a limit or at another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlatRate {
    /// The rate that is flat.
    pub limited: LimitKind,
    /// The limit, or else the median rate: requests, or bytes, a second.
    pub level: f64,
    /// Its owner.
    pub source: LevelSource,
    /// Share of seconds within 1 % of it.
    pub seconds_share: f64,
}

/// Distance from the level, as a share, that still counts as flat; with a tolerance of rounding: 2,970 of 3,000 are 1 % below.
pub(super) const FLAT: f64 = 0.01 + 1e-9;

/// Least share of seconds at the level.
const MIN_SHARE: f64 = 0.95;

/// Fewest intervals: one or two lie near some limit by chance.
const MIN_INTERVALS: usize = 10;

/// Least level that is no limit's known to us: 100 IOPS, the least that gp2, io1 and io2 have, and as many requests of 256 KiB.
fn min_level(limited: LimitKind) -> f64 {
    match limited {
        LimitKind::Iops => 100.0,
        LimitKind::Throughput => 100.0 * SSD_IO_BYTES as f64,
    }
}

/// A rate that is flat in a demand without latencies; `None` where latencies tell, or where there is none. A limit that is known counts
/// before one that is published, of those the first, and both before the level of any other flat rate. Such a level is no limit where
/// those of the volume are known.
pub fn detect_flat_rate(demand: &Demand, summary: &DemandSummary, run: &RunContext) -> Option<FlatRate> {
    if demand.timed || demand.intervals.len() < MIN_INTERVALS {
        return None;
    }
    let known = run.limits.iter().map(|(owner, limits)| (LevelSource::Known(*owner), *limits));
    let published = run.published.iter().map(|(volume_type, limits)| (LevelSource::Published(*volume_type), *limits));
    let levels: Vec<(LevelSource, Limits)> = known.chain(published).collect();
    let rates = LimitKind::BOTH.map(|limited| (limited, summary.rates(limited)));
    let at_limit = rates.iter().find_map(|&(limited, rates)| {
        let flat_at = |(source, limits): &(LevelSource, Limits)| {
            let level = limits.level(limited)?;
            Some(FlatRate {
                limited,
                level,
                source: *source,
                seconds_share: flat_share(rates.samples(), level, demand.pause)?,
            })
        };
        levels.iter().find_map(flat_at)
    });
    let is_volume_known = run.limits.iter().any(|(owner, _)| *owner == LimitOwner::Volume);
    let at_any_level = || {
        rates.iter().find_map(|&(limited, rates)| {
            let level = rates.quantile(0.5).filter(|level| *level >= min_level(limited))?;
            let seconds_share = flat_share(rates.samples(), level, demand.pause)?;
            Some(FlatRate { limited, level, source: LevelSource::Unknown, seconds_share })
        })
    };
    at_limit.or_else(|| if is_volume_known { None } else { at_any_level() })
}

/// Share of the seconds at a level; `None` where they are too few for a flat rate.
fn flat_share(rates: &[WeightedSample], level: f64, pause: Pause) -> Option<f64> {
    let all: f64 = pause.each(rates).map(|rate| rate.seconds).sum();
    let is_flat = |rate: &&WeightedSample| is_flat_at(rate.value, level);
    let flat: f64 = pause.each(rates).filter(is_flat).map(|rate| rate.seconds).sum();
    Some(flat / all).filter(|share| *share >= MIN_SHARE)
}

/// True where a rate is at this level.
pub(super) fn is_flat_at(rate: f64, level: f64) -> bool {
    (rate / level - 1.0).abs() <= FLAT
}

#[cfg(test)]
#[path = "flat_tests.rs"]
mod tests;
