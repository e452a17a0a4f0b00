//! Replay: the recorded intervals run through a candidate's limits.
//!
//! A fluid: within an interval demand arrives evenly, limits let pass what they can, and what they do not waits, first in,
//! first out, and is carried on. IOPS and throughput limit at once; each has its own backlog, and a second is throttled as
//! far as either has one. Credits ([`ebs_aws::bucket`]) run out and fill within an interval as they would, so intervals of any
//! length are right, and cutting one in two changes nothing.
//!
//! Time that was not sampled between two intervals is left out: what would have been earned in it is not known.

mod delay;
mod excess;
mod flow;
mod lane;
mod limits;
mod run;
mod series;
mod waits;

use ebs_aws::catalogue::{Ceiling, Class, VolumeConfig};
pub(crate) use excess::excess_demand;
pub use limits::{Credits, Exhausted, InstanceLimit, Levels};
pub use series::{Measure, Series, Step};
pub(crate) use waits::{TOLERANCE, either, waits};

/// Latency that queueing at limits adds to a request, milliseconds; 0 where none waited.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Added {
    /// The mean over requests.
    pub mean_ms: f64,
    /// The 99th percentile over requests.
    pub p99_ms: f64,
}

/// Result of a replay.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Seconds replayed.
    pub seconds: f64,
    /// Seconds in which requests had to wait for a limit.
    pub throttled_s: f64,
    /// The upper end of the 95 % interval of [`Outcome::throttled_pct`].
    pub throttled_high_pct: f64,
    /// Latency that queueing at limits adds; `None` where more is throttled than was worth following: a
    /// queue that only grows has no latency.
    pub added: Option<Added>,
    /// Largest demand of one interval as a share of the limit in force; above one means throttled.
    pub peak: f64,
    /// The first credits that ran out; `None` where none did.
    pub credits: Option<Exhausted>,
    /// Lowest levels of credits.
    pub least: Levels,
}

impl Outcome {
    /// Throttled seconds in all, per cent.
    pub fn throttled_pct(&self) -> f64 {
        if self.seconds > 0.0 { 100.0 * self.throttled_s / self.seconds } else { 0.0 }
    }

    /// True where no more than this is throttled, per cent, at the upper end of the interval. What search accepts is within.
    pub fn within(&self, max_throttled_pct: f64) -> bool {
        self.throttled_high_pct <= max_throttled_pct * TOLERANCE
    }

    /// Delays are followed in a second run, and only where that is asked for: keeping every wait of hopeless volumes took
    /// most of the time of an answer over a long history.
    fn run(series: &Series, lanes: Vec<lane::Lane>, delays_within_pct: f64) -> Outcome {
        let run = run::Run::through(series, lanes.clone(), false);
        let throttled_ns: u64 = run.waits.iter().map(|part| part.1).sum();
        let outcome = Outcome {
            seconds: series.seconds(),
            throttled_s: throttled_ns as f64 / 1e9,
            throttled_high_pct: 100.0 * series.shares().high(&run.waits),
            peak: run.peak,
            credits: run.exhausted,
            least: run.least,
            ..Outcome::default()
        };
        let added = match (run.waits.is_empty(), outcome.within(delays_within_pct)) {
            (true, _) => Some(Added::default()),
            (false, true) => Some(Added::follow(series, lanes)),
            (false, false) => None,
        };
        Outcome { added, ..outcome }
    }
}

impl Added {
    fn follow(series: &Series, lanes: Vec<lane::Lane>) -> Added {
        let requests = series.sum(Measure::Requests);
        let pieces = waiting(series, lanes);
        Added {
            mean_ms: 1_000.0 * delay::mean(&pieces, requests),
            p99_ms: 1_000.0 * delay::quantile(&pieces, requests, 0.99),
        }
    }
}

/// Delays of arrivals over time.
fn waiting(series: &Series, lanes: Vec<lane::Lane>) -> Vec<delay::Piece> {
    let delays = run::Run::through(series, lanes, true).delays();
    let waiting = delays.into_iter().filter(|pieces| !pieces.is_empty());
    waiting.reduce(|a, b| delay::longer(&a, &b)).unwrap_or_default()
}

/// Limits whose mean delay alone is asked for.
#[derive(Clone, Copy)]
pub(crate) enum Limits<'a> {
    /// One that never changes.
    Ceiling(Ceiling),
    /// I/Os a second counted by the MiB, and the instance.
    Hdd(f64, InstanceLimit),
    /// So many volumes of a class, with their credits, and the instance.
    Volumes(&'a Class, &'a VolumeConfig, u64, InstanceLimit),
}

/// [`Added::mean_ms`], however much is throttled. Higher limits never give a higher mean, as each request passes earlier.
pub(crate) fn added_ms(series: &Series, limits: Limits) -> f64 {
    let lanes = match limits {
        Limits::Ceiling(ceiling) => lane::of_ceiling(ceiling),
        Limits::Hdd(rate, instance) => lane::of_hdd(rate, instance),
        Limits::Volumes(class, config, volumes, instance) => lane::of_volumes(class, config, volumes, instance),
    };
    1_000.0 * delay::mean(&waiting(series, lanes), series.sum(Measure::Requests))
}

/// Runs a demand against so many volumes on an instance; delays are followed where no more than this is throttled. `None` for
/// a volume that no row of limits describes.
pub fn replay(
    series: &Series,
    config: &VolumeConfig,
    volumes: u64,
    instance: InstanceLimit,
    delays_within_pct: f64,
) -> Option<Outcome> {
    let lanes = lane::of_volumes(config.class()?, config, volumes, instance);
    Some(Outcome::run(series, lanes, delays_within_pct))
}

/// Runs a demand against a constant ceiling, without delays.
pub fn replay_ceiling(series: &Series, ceiling: Ceiling) -> Outcome {
    Outcome::run(series, lane::of_ceiling(ceiling), 0.0)
}

/// Intervals in which something waits for so many volumes: a replay that keeps nothing else.
pub(crate) fn waits_of(
    series: &Series,
    class: &Class,
    config: &VolumeConfig,
    volumes: u64,
    instance: InstanceLimit,
) -> Vec<ebs_stats::Part> {
    run::Run::through(series, lane::of_volumes(class, config, volumes, instance), false).waits
}

/// Runs a demand against a row of limits, without delays: the judgement of brute force.
#[cfg(test)]
pub(crate) fn replay_class(
    series: &Series,
    class: &Class,
    config: &VolumeConfig,
    volumes: u64,
    instance: InstanceLimit,
) -> Outcome {
    Outcome::run(series, lane::of_volumes(class, config, volumes, instance), 0.0)
}

#[cfg(test)]
#[path = "replay_tests.rs"]
mod tests;
