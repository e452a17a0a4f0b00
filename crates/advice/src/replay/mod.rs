//! Replay: the recorded intervals run through a candidate's limits.
//!
//! The model is a fluid: within an interval demand arrives evenly, the limits serve it up to their rate, and the excess waits,
//! first in, first out, and is carried over. IOPS and throughput limit at once; each has its own backlog, and a second is
//! throttled as far as either has one. Credits ([`ebs_aws::bucket`]) run out and refill within an interval, so that the result
//! is exact for intervals of any length, and splitting one changes nothing.
//!
//! Time that was not sampled between two intervals is left out: the credits that it earned are not known.

mod delay;
mod excess;
mod flow;
mod lane;
mod limits;
mod outcome;
mod results;
mod run;
mod series;
mod waits;

use ebs_aws::catalogue::{Ceiling, Class, VolumeConfig};
pub(crate) use excess::excess_demand;
pub use limits::{CreditOwner, Exhaustion, InstanceLimit, Levels};
pub use outcome::{AddedLatency, Measure, Outcome};
pub(crate) use results::{MAX_CACHED_WAITS, key};
pub(crate) use series::Loaded;
pub use series::{Series, Step};
pub(crate) use waits::{TOLERANCE, union, waits};

impl Outcome {
    /// Throttled share of the time, per cent.
    pub fn throttled_pct(&self) -> f64 {
        if self.seconds > 0.0 { 100.0 * self.throttled_s / self.seconds } else { 0.0 }
    }

    /// True where no more than this of the time is throttled, and of the requests waits, per cent, at the upper ends of the intervals.
    pub fn is_within(&self, max_throttled_pct: f64) -> bool {
        self.throttled_high_pct.max(self.waiting_high_pct) <= max_throttled_pct * TOLERANCE
    }

    /// Runs a series through lanes. Delays are followed in a second run, and only for volumes within `delays_within_pct`: keeping
    /// every wait of overloaded volumes took most of the time over a long history.
    fn run(series: &Series, lanes: Vec<lane::Lane>, delays_within_pct: f64) -> Outcome {
        let run = run::Run::new(series, lanes.clone(), false);
        let [waiting, waiting_high] = series.share_of_requests(&run.waits);
        let outcome = Outcome {
            seconds: series.seconds(),
            throttled_s: run.waited_ns as f64 / 1e9,
            throttled_high_pct: 100.0 * series.share_high(&run.waits),
            waiting_pct: 100.0 * waiting,
            waiting_high_pct: 100.0 * waiting_high,
            peak: run.peak,
            credits: run.exhausted,
            lowest_levels: run.lowest_levels,
            ..Outcome::default()
        };
        let added = match (run.waits.is_empty(), outcome.throttled_pct() <= delays_within_pct * TOLERANCE) {
            (true, _) => Some(AddedLatency::default()),
            (false, true) => Some(AddedLatency::follow(series, lanes)),
            (false, false) => None,
        };
        Outcome { added, ..outcome }
    }
}

impl AddedLatency {
    fn follow(series: &Series, lanes: Vec<lane::Lane>) -> AddedLatency {
        let requests = series.sum(Measure::Requests);
        let pieces = waiting(series, lanes);
        AddedLatency {
            mean_ms: 1_000.0 * delay::mean(&pieces, requests),
            p99_ms: 1_000.0 * delay::quantile(&pieces, requests, 0.99),
            max_ms: 1_000.0 * delay::max(&pieces),
            waiting_share: delay::waiting_share(&pieces, requests),
        }
    }
}

/// Delays of arrivals over time.
fn waiting(series: &Series, lanes: Vec<lane::Lane>) -> Vec<delay::Piece> {
    let delays = run::Run::new(series, lanes, true).delays();
    let waiting = delays.into_iter().filter(|pieces| !pieces.is_empty());
    waiting.reduce(|a, b| delay::longer_waits(&a, &b)).unwrap_or_default()
}

/// Limits for which the mean delay is computed.
#[derive(Clone, Copy)]
pub(crate) enum Limits<'a> {
    /// A constant ceiling.
    Ceiling(Ceiling),
    /// I/Os a second, counted by the MiB, and the instance.
    Hdd(f64, InstanceLimit),
    /// A number of volumes of a class, with their credits, and the instance.
    Volumes(&'a Class, &'a VolumeConfig, u64, InstanceLimit),
}

/// Computes [`AddedLatency::mean_ms`], however much is throttled. Higher limits never give a higher mean, as no request departs
/// later.
pub(crate) fn mean_added_ms(series: &Series, limits: Limits) -> f64 {
    let lanes = match limits {
        Limits::Ceiling(ceiling) => lane::ceiling_lanes(ceiling),
        Limits::Hdd(rate, instance) => lane::hdd_lanes(rate, instance),
        Limits::Volumes(class, config, volumes, instance) => lane::volume_lanes(class, config, volumes, instance),
    };
    1_000.0 * delay::mean(&waiting(series, lanes), series.sum(Measure::Requests))
}

/// Replays a demand on so many volumes on an instance; delays are followed where no more than `delays_within_pct` is throttled.
/// Where mean demand spends more credits than it earns, they run out for good, if perhaps after the recording: the replay then
/// begins without them, as every later one would. `None` for a volume without known limits.
pub fn replay(
    series: &Series,
    config: &VolumeConfig,
    volumes: u64,
    instance: InstanceLimit,
    delays_within_pct: f64,
) -> Option<Outcome> {
    let class = config.class()?;
    let run = || {
        let lanes = lane::volume_lanes(class, config, volumes, instance);
        let Some(exhausted) = exhaustion_for_good(series, &lanes) else {
            return Outcome::run(series, lanes, delays_within_pct);
        };
        let lanes = lanes.into_iter().map(lane::Lane::without_credits).collect();
        Outcome { credits: Some(exhausted), ..Outcome::run(series, lanes, delays_within_pct) }
    };
    Some(series.results.outcome((*config, volumes, instance, delays_within_pct), run))
}

/// The end of the volumes' credits, where mean demand spends more than it earns: in the recording, or after it at that rate.
fn exhaustion_for_good(series: &Series, lanes: &[lane::Lane]) -> Option<Exhaustion> {
    let first = lanes.first()?;
    let drain = first.drain(series.mean(first.measure))?;
    let run = run::Run::until_exhausted(series, lanes.to_vec());
    let after_recording = series.seconds() + run.volume_credits()? / drain;
    let after_s = run.exhausted.map_or(after_recording, |exhausted| exhausted.after_s);
    Some(Exhaustion { owner: CreditOwner::Volume, after_s, for_good: true })
}

/// The first end of credits on so many volumes on an instance, as [`replay`] finds it; `None` where they last.
pub(crate) fn exhaustion(
    series: &Series,
    config: &VolumeConfig,
    volumes: u64,
    instance: InstanceLimit,
) -> Option<Exhaustion> {
    let lanes = lane::volume_lanes(config.class()?, config, volumes, instance);
    exhaustion_for_good(series, &lanes).or_else(|| run::Run::until_exhausted(series, lanes).exhausted)
}

/// The end of an instance's credits, of which it has a baseline and a maximum, in the time of a demand on volumes with this ceiling;
/// `None` where they last.
pub(crate) fn instance_exhaustion(
    series: &Series,
    ceiling: Ceiling,
    (baseline, maximum): (Ceiling, Ceiling),
) -> Option<Exhaustion> {
    let lanes = lane::ceiling_lanes_on(ceiling, InstanceLimit::Burst { baseline, maximum });
    run::Run::until_exhausted(series, lanes).exhausted
}

/// Replays a demand on a constant ceiling, without delays.
pub fn replay_ceiling(series: &Series, ceiling: Ceiling) -> Outcome {
    Outcome::run(series, lane::ceiling_lanes(ceiling), 0.0)
}

/// Intervals in which requests wait for so many volumes: a replay without other results. `None` where the total exceeds `max_ns`.
pub(crate) fn volume_waits(
    series: &Series,
    class: &Class,
    config: &VolumeConfig,
    volumes: u64,
    instance: InstanceLimit,
    max_ns: u64,
) -> Option<Vec<ebs_stats::Part>> {
    let run = run::Run::until_waited(series, lane::volume_lanes(class, config, volumes, instance), max_ns);
    (run.waited_ns <= max_ns).then_some(run.waits)
}

/// Upper ends of the shares of the time and of the requests that wait for volumes of a class, per cent, for the test by brute force.
#[cfg(test)]
pub(crate) fn waiting_pct(
    series: &Series,
    class: &Class,
    config: &VolumeConfig,
    volumes: u64,
    instance: InstanceLimit,
) -> [f64; 2] {
    shares_pct(series, &run::Run::new(series, lane::volume_lanes(class, config, volumes, instance), false))
}

/// The same for a constant ceiling.
#[cfg(test)]
pub(crate) fn ceiling_waiting_pct(series: &Series, ceiling: Ceiling) -> [f64; 2] {
    shares_pct(series, &run::Run::new(series, lane::ceiling_lanes(ceiling), false))
}

#[cfg(test)]
fn shares_pct(series: &Series, run: &run::Run) -> [f64; 2] {
    let [_, waiting_high] = series.share_of_requests(&run.waits);
    [series.share_high(&run.waits), waiting_high].map(|share| 100.0 * share)
}

#[cfg(test)]
#[path = "replay_tests.rs"]
mod tests;
