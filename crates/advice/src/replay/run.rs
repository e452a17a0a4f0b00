//! Run of a series through lanes: a fluid, whose rates change only where a step begins, a backlog is empty, or credits run out
//! or are full again. Therefore each piece is exact, however long the steps are.

use super::delay::{self, Piece};
use super::lane::Lane;
use super::limits::{CreditOwner, Exhaustion, Levels};
use super::series::{Chunk, Series, Step};
use super::waits::{total_of, union};
use ebs_stats::{Part, nanoseconds};

/// More pieces than a step can have: a larger number means that rounding does not converge.
const MAX_PIECES: usize = 64;

/// Steps between two calls of the series' pause, in whole chunks: some milliseconds where requests wait in each step.
const PAUSE_STEPS: u32 = 1 << 14;

/// A run and its results.
#[derive(Clone, Debug, Default)]
pub(super) struct Run {
    lanes: Vec<Lane>,
    /// Seconds passed.
    now: f64,
    /// Seconds of the recording, once it has ended.
    recorded_s: f64,
    pub waits: Vec<Part>,
    /// Sum of the waits, nanoseconds.
    pub waited_ns: u64,
    pub peak: f64,
    pub exhausted: Option<Exhaustion>,
    pub lowest_levels: Levels,
    traced: bool,
}

impl Run {
    /// Runs all of a series. `traced`: keeps what [`Run::delays`] needs.
    pub fn new(series: &Series, lanes: Vec<Lane>, traced: bool) -> Run {
        Run { lanes, traced, ..Run::default() }.over(series, |_| false).again(series)
    }

    /// Runs a series until the first credits have run out.
    pub fn until_exhausted(series: &Series, lanes: Vec<Lane>) -> Run {
        Run { lanes, ..Run::default() }.over(series, |run| run.exhausted.is_some())
    }

    /// Runs a series until requests have waited for more than `max_ns`.
    pub fn until_waited(series: &Series, lanes: Vec<Lane>, max_ns: u64) -> Run {
        let run = Run { lanes, ..Run::default() }.over(series, |run| run.waited_ns > max_ns);
        if run.waited_ns > max_ns { run } else { run.again(series) }
    }

    fn over(mut self, series: &Series, ends: impl Fn(&Run) -> bool) -> Run {
        self.leave_out_idle(series);
        self.record_levels(false);
        for (first, chunk, steps) in series.chunks() {
            if first.is_multiple_of(PAUSE_STEPS) {
                series.pause.now();
            }
            if self.try_skip(chunk) {
                continue;
            }
            for (index, step) in (first..).zip(steps) {
                let waited = match self.try_whole(step) {
                    Some(waited) => waited,
                    None if self.try_skip(&Chunk::from(step)) => continue,
                    None => self.step(step),
                };
                if waited > 0.0 {
                    let waited_ns = nanoseconds(waited.min(step.seconds));
                    self.waits.push((index, waited_ns));
                    self.waited_ns += waited_ns;
                }
                if ends(&self) {
                    return self;
                }
            }
        }
        self
    }

    /// Runs what waits at the end of the recording on from its beginning, as if it came again, until nothing waits: a burst in the last
    /// seconds counts as one before. Credits and the peak are those of the recording.
    fn again(mut self, series: &Series) -> Run {
        let (peak, exhausted, lowest_levels) = (self.peak, self.exhausted, self.lowest_levels);
        self.recorded_s = self.now;
        let mut again = Vec::new();
        for (index, step) in (0u32..).zip(series.steps()) {
            if self.lanes.iter().all(|lane| lane.backlog <= 0.0) {
                break;
            }
            if index.is_multiple_of(PAUSE_STEPS) {
                series.pause.now();
            }
            let waited = self.try_whole(step).unwrap_or_else(|| self.step(step));
            again.push((index, nanoseconds(waited.min(step.seconds))));
        }
        if !again.is_empty() {
            self.waits = union(&again, &self.waits);
            self.waited_ns = total_of(&self.waits);
        }
        Run { peak, exhausted, lowest_levels, ..self }
    }

    /// Leaves out the lanes in which nothing ever waits: of these, the peak alone counts.
    fn leave_out_idle(&mut self, series: &Series) {
        let utilization = |lane: &Lane| lane.idle_utilization(series.max_rate(lane.measure));
        self.peak = self.lanes.iter().filter_map(utilization).fold(self.peak, f64::max);
        self.lanes.retain(|lane| utilization(lane).is_none());
    }

    /// Skips a chunk in which nothing can wait; `false` where that is not known beforehand.
    #[inline]
    fn try_skip(&mut self, chunk: &Chunk) -> bool {
        if !self.lanes.iter().all(|lane| lane.can_skip(chunk)) {
            return false;
        }
        let has_credits =
            self.lanes.first().is_none_or(|first| first.buckets().all(|(bucket, _)| bucket.level() > 0.0));
        let utilizations = self.lanes.iter().map(|lane| lane.utilization(chunk, has_credits));
        self.peak = utilizations.fold(self.peak, f64::max);
        self.lanes.iter_mut().for_each(|lane| lane.skip(chunk));
        self.now += chunk.seconds;
        true
    }

    /// Runs a step whose flows last to its end and leave credits as they are, as all of overloaded volumes; `None` where that is not known
    /// beforehand. Returns the same as [`Self::step`], and takes a fifth of its time.
    #[inline]
    fn try_whole(&mut self, step: &Step) -> Option<f64> {
        let are_credits_recorded = || self.exhausted.is_some() || self.lanes.iter().all(|lane| !lane.has_buckets());
        if self.traced || !are_credits_recorded() {
            return None;
        }
        let (mut backlogs, mut waits) = ([0.0; 3], false);
        // No more than one lane a measure.
        for (after, lane) in backlogs.iter_mut().zip(&self.lanes) {
            *after = lane.backlog_after(step)?;
            waits |= lane.backlog > 0.0 || *after > 0.0;
        }
        for (after, lane) in backlogs.into_iter().zip(&mut self.lanes) {
            self.peak = self.peak.max(lane.utilization_without_credits(step));
            lane.backlog = after;
        }
        self.now += step.seconds;
        Some(if waits { step.seconds } else { 0.0 })
    }

    /// Runs a step, and returns the seconds in which requests waited.
    fn step(&mut self, step: &Step) -> f64 {
        let (mut left, mut waited) = (step.seconds, 0.0);
        for piece in 1.. {
            let (ends, waits) = self.set_flows(step);
            let seconds = if piece < MAX_PIECES { left.min(ends) } else { left };
            if waits {
                waited += seconds;
            }
            self.pass(seconds);
            left -= seconds;
            if left <= 0.0 {
                break;
            }
        }
        waited
    }

    /// Sets the flows of all lanes. Returns the seconds until one of them changes, and true where requests wait in one.
    fn set_flows(&mut self, step: &Step) -> (f64, bool) {
        let (mut has_credits, mut ends, mut waits) = (true, f64::INFINITY, false);
        for (index, lane) in self.lanes.iter_mut().enumerate() {
            lane.flow = lane.flow_of(step, has_credits);
            if index == 0 {
                has_credits = lane.has_credits();
            }
            ends = ends.min(lane.seconds_left());
            waits |= lane.waits();
        }
        (ends, waits)
    }

    fn pass(&mut self, seconds: f64) {
        for lane in &mut self.lanes {
            if seconds > 0.0 && lane.flow.arriving > 0.0 {
                self.peak = self.peak.max(lane.flow.arriving / lane.flow.limit);
            }
            if self.traced && lane.waits() {
                lane.busy.extend(self.now, seconds, &lane.flow);
            }
            lane.pass(seconds);
            if self.traced && lane.backlog <= 0.0 {
                lane.busy.close();
            }
        }
        self.now += seconds;
        self.record_levels(true);
    }

    #[inline]
    fn record_levels(&mut self, started: bool) {
        for lane in &self.lanes {
            for (bucket, owner) in lane.buckets() {
                let lowest = match owner {
                    CreditOwner::Volume => &mut self.lowest_levels.volume,
                    CreditOwner::InstanceIops => &mut self.lowest_levels.instance_iops,
                    CreditOwner::InstanceThroughput => &mut self.lowest_levels.instance_throughput,
                };
                *lowest = Some(lowest.unwrap_or(1.0).min(bucket.share()));
                if started && bucket.level() <= 0.0 && self.exhausted.is_none() {
                    self.exhausted = Some(Exhaustion { owner, after_s: self.now, for_good: false });
                }
            }
        }
    }

    /// Credits of the volumes that are left; `None` where they have none.
    pub fn volume_credits(&self) -> Option<f64> {
        Some(self.lanes.first()?.volume_bucket()?.level())
    }

    /// Waits of the requests of each lane, over the time of their arrival. A backlog that fills all of the recording is served after it,
    /// without further arrivals.
    pub fn delays(mut self) -> Vec<Vec<Piece>> {
        let idle = Step { seconds: f64::INFINITY, rates: [0.0; 3] };
        // A lane empties in a few pieces, unless its limit is zero.
        for _ in 0..MAX_PIECES {
            let (ends, _) = self.set_flows(&idle);
            if !self.lanes.iter().any(|lane| lane.backlog > 0.0 && lane.flow.limit > 0.0) {
                break;
            }
            self.pass(ends.min(f64::MAX));
        }
        let recorded_s = self.recorded_s;
        self.lanes.into_iter().map(|lane| delay::recurring(lane.busy.into_pieces(), recorded_s)).collect()
    }
}
