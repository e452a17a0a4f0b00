//! Running a series through lanes: a fluid, whose rates change only where a step begins, a backlog is gone, or credits run
//! out or are full again. So each piece is exact, however long the steps are.

use super::delay::{Piece, drained};
use super::flow::Flow;
use super::lane::{Lane, MAX_LANES};
use super::limits::{Credits, Exhausted, Levels};
use super::series::{Chunk, Series, Step};
use ebs_stats::{Part, nanoseconds};

/// More pieces than a step can have; beyond, rounding went in circles.
const PIECES: usize = 64;

/// Steps between two calls of the series' pause, whole stretches: some milliseconds where each of them waits.
const PAUSE_STEPS: u32 = 1 << 14;

/// A run, and what came of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Run {
    lanes: Vec<Lane>,
    /// Seconds passed.
    now: f64,
    pub waits: Vec<Part>,
    pub peak: f64,
    pub exhausted: Option<Exhausted>,
    pub least: Levels,
    traced: bool,
}

impl Run {
    /// Runs all of a series. `traced`: keeps what [`Run::delays`] needs.
    pub fn through(series: &Series, lanes: Vec<Lane>, traced: bool) -> Run {
        let mut run = Run { lanes, traced, ..Run::default() };
        run.look_at_levels(false);
        for (first, chunk, steps) in series.chunks() {
            if first.is_multiple_of(PAUSE_STEPS) {
                series.pause.now();
            }
            if run.passed_over(chunk) {
                continue;
            }
            for (index, step) in (first..).zip(steps) {
                if run.passed_over(&Chunk::from_steps(&[*step])) {
                    continue;
                }
                let waited = run.step(step);
                if waited > 0.0 {
                    run.waits.push((index, nanoseconds(waited.min(step.seconds))));
                }
            }
        }
        run
    }

    /// Passes over a stretch in which nothing can wait; `false` where that is not known beforehand.
    fn passed_over(&mut self, chunk: &Chunk) -> bool {
        if !self.lanes.iter().all(|lane| lane.can_pass_over(chunk)) {
            return false;
        }
        let has_credits = self.lanes[0].buckets().all(|(bucket, _)| bucket.level() > 0.0);
        let shares = self.lanes.iter().map(|lane| lane.share(chunk, has_credits));
        self.peak = shares.fold(self.peak, f64::max);
        self.lanes.iter_mut().for_each(|lane| lane.pass_over(chunk));
        self.now += chunk.seconds;
        true
    }

    /// The seconds in which something waited.
    fn step(&mut self, step: &Step) -> f64 {
        let (mut left, mut waited) = (step.seconds, 0.0);
        for piece in 1.. {
            let flows = self.flows(step);
            let ends = self.lanes.iter().zip(&flows).map(|(lane, flow)| lane.seconds_left(flow)).fold(left, f64::min);
            let seconds = if piece < PIECES { ends } else { left };
            if self.lanes.iter().zip(&flows).any(|(lane, flow)| lane.backlog > 0.0 || flow.growth() > 0.0) {
                waited += seconds;
            }
            self.pass(&flows, seconds);
            left -= seconds;
            if left <= 0.0 {
                break;
            }
        }
        waited
    }

    fn flows(&self, step: &Step) -> [Flow; MAX_LANES] {
        let mut has_credits = true;
        let mut flows = [Flow::default(); MAX_LANES];
        for (index, lane) in self.lanes.iter().enumerate() {
            flows[index] = lane.flow(step, has_credits);
            if index == 0 {
                has_credits = lane.has_credits(&flows[0]);
            }
        }
        flows
    }

    fn pass(&mut self, flows: &[Flow], seconds: f64) {
        for (lane, flow) in self.lanes.iter_mut().zip(flows) {
            if seconds > 0.0 && flow.arriving > 0.0 {
                self.peak = self.peak.max(flow.arriving / flow.limit);
            }
            if self.traced && (lane.backlog > 0.0 || flow.growth() > 0.0) {
                lane.busy.extend(self.now, seconds, flow);
            }
            lane.pass(flow, seconds);
            if lane.backlog <= 0.0 {
                lane.busy.close();
            }
        }
        self.now += seconds;
        self.look_at_levels(true);
    }

    fn look_at_levels(&mut self, started: bool) {
        for (bucket, of) in self.lanes.iter().flat_map(Lane::buckets) {
            let least = match of {
                Credits::Volume => &mut self.least.volume,
                Credits::InstanceIops => &mut self.least.instance_iops,
                Credits::InstanceThroughput => &mut self.least.instance_throughput,
            };
            *least = Some(least.unwrap_or(1.0).min(bucket.share()));
            if started && bucket.level() <= 0.0 && self.exhausted.is_none() {
                self.exhausted = Some(Exhausted { which: of, after_s: self.now });
            }
        }
    }

    /// For each lane the stretches of time in which what arrived had to wait, with the wait. What still waits at the end
    /// is served after it, as if nothing more came.
    pub fn delays(mut self) -> Vec<Vec<Piece>> {
        let idle = Step { seconds: f64::INFINITY, rates: [0.0; 3] };
        // A lane empties in a few pieces; one with no limit above zero never would.
        for _ in 0..PIECES {
            let flows = self.flows(&idle);
            let waiting = |(lane, flow): (&Lane, &Flow)| lane.backlog > 0.0 && flow.limit > 0.0;
            if !self.lanes.iter().zip(&flows).any(waiting) {
                break;
            }
            let ends =
                self.lanes.iter().zip(&flows).map(|(lane, flow)| lane.seconds_left(flow)).fold(f64::MAX, f64::min);
            self.pass(&flows, ends);
        }
        self.lanes.into_iter().map(|lane| drained(lane.busy)).collect()
    }
}
