//! A demand as replay reads it: rates, interval by interval, with sums over chunks that replay may skip.

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::ops::Deref;
use std::rc::Rc;

use super::outcome::Measure;
use super::results::Results;
use ebs_aws::catalogue::Ceiling;
use ebs_base::pause::Pause;
use ebs_base::units::MIB;
use ebs_stats::{Part, Shares};
use ebs_workload::demand::{Demand, DemandInterval};

/// Rates over an interval, one for each measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Its duration.
    pub seconds: f64,
    pub(super) rates: [f64; 3],
}

impl Step {
    /// Rate of a measure, per second.
    #[inline]
    pub fn rate(&self, measure: Measure) -> f64 {
        self.rates[measure as usize]
    }
}

/// Number of steps that replay skips at once where nothing can wait.
const CHUNK_STEPS: usize = 64;

/// Consecutive steps: their highest rates, and their sums.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Chunk {
    pub seconds: f64,
    pub max_rates: [f64; 3],
    pub sums: [f64; 3],
}

/// The demand on a volume, step by step.
#[derive(Clone, Debug, Default)]
pub struct Series {
    steps: Vec<Step>,
    chunks: Vec<Chunk>,
    total: Chunk,
    shares: OnceCell<Shares>,
    request_shares: OnceCell<Shares>,
    /// The series at other loads: factors of its requests and its bytes.
    loaded: RefCell<Vec<(Ceiling, Rc<Series>)>>,
    /// Results of replays of it.
    pub(crate) results: Results,
    /// Seconds that a step is an average over.
    pub(crate) averaged_s: f64,
    /// Called during long computations over it.
    pub(crate) pause: Pause,
}

/// A series at a load.
#[derive(Clone, Debug)]
pub(crate) enum Loaded<'a> {
    /// The recorded one.
    Recorded(&'a Series),
    /// At another load.
    Scaled(Rc<Series>),
}

impl Deref for Loaded<'_> {
    type Target = Series;

    fn deref(&self) -> &Series {
        match self {
            Loaded::Recorded(series) => series,
            Loaded::Scaled(series) => series,
        }
    }
}

impl Series {
    /// The steps of a demand.
    pub fn new(demand: &Demand) -> Series {
        let is_valid = |interval: &&DemandInterval| interval.seconds.is_finite() && interval.seconds > 0.0;
        let mut steps = Vec::with_capacity(demand.intervals.len());
        steps.extend(demand.each().filter(is_valid).map(step));
        let series = Series::from_steps(steps);
        Series { averaged_s: demand.averaged_s, pause: demand.pause, ..series }
    }

    fn from_steps(steps: Vec<Step>) -> Series {
        let chunks = steps.chunks(CHUNK_STEPS).map(Chunk::from_steps).collect();
        let (averaged_s, pause) = (0.0, Pause::default());
        let (total, results) = (Chunk::from_steps(&steps), Results::default());
        let (shares, request_shares) = (OnceCell::new(), OnceCell::new());
        let loaded = RefCell::default();
        Series { total, chunks, steps, shares, request_shares, loaded, results, averaged_s, pause }
    }

    /// The same series with every rate multiplied by a factor.
    pub fn scaled(&self, factor: f64) -> Series {
        self.scaled_by(Ceiling { iops: factor, mibps: factor })
    }

    /// The same series with its requests and its bytes each multiplied by a factor; HDDs count requests.
    fn scaled_by(&self, factors: Ceiling) -> Series {
        let Ceiling { iops, mibps } = factors;
        let scale = |rates: [f64; 3]| [rates[0] * iops, rates[1] * mibps, rates[2] * iops];
        let step = |step: &Step| Step { rates: scale(step.rates), ..*step };
        let chunk = |chunk: &Chunk| Chunk { max_rates: scale(chunk.max_rates), sums: scale(chunk.sums), ..*chunk };
        Series {
            steps: self.pause.each(&self.steps).map(step).collect(),
            chunks: self.chunks.iter().map(chunk).collect(),
            total: chunk(&self.total),
            shares: self.shares.clone(),
            request_shares: self.request_shares.clone(),
            loaded: RefCell::default(),
            results: Results::default(),
            ..*self
        }
    }

    /// The series at these loads, computed once: sizing, search and variations of a request replay the same loads.
    pub(crate) fn loaded(&self, factors: Ceiling) -> Loaded<'_> {
        if factors == (Ceiling { iops: 1.0, mibps: 1.0 }) {
            return Loaded::Recorded(self);
        }
        let mut known = self.loaded.borrow_mut();
        let found = known.iter().find(|(of, _)| *of == factors).map(|(_, series)| Rc::clone(series));
        Loaded::Scaled(found.unwrap_or_else(|| {
            let series = Rc::new(self.scaled_by(factors));
            known.push((factors, Rc::clone(&series)));
            series
        }))
    }

    /// [`Self::scaled`]; the series itself where nothing changes.
    pub fn at_load(&self, factor: f64) -> Cow<'_, Series> {
        if factor == 1.0 { Cow::Borrowed(self) } else { Cow::Owned(self.scaled(factor)) }
    }

    /// Total duration, seconds.
    pub fn seconds(&self) -> f64 {
        self.total.seconds
    }

    /// The highest rate of a step.
    pub fn max_rate(&self, measure: Measure) -> f64 {
        self.total.max_rates[measure as usize]
    }

    /// The mean rate over time; 0 without any time.
    pub fn mean(&self, measure: Measure) -> f64 {
        if self.total.seconds > 0.0 { self.sum(measure) / self.total.seconds } else { 0.0 }
    }

    /// Total demand.
    pub fn sum(&self, measure: Measure) -> f64 {
        self.total.sums[measure as usize]
    }

    /// Its steps.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The upper end of the 95 % interval of the share of time that these parts are. Nothing at all has none: the resamples, which take
    /// longer to draw than a replay, are not drawn for it.
    pub fn share_high(&self, parts: &[Part]) -> f64 {
        if parts.is_empty() { 0.0 } else { self.shares().high(parts) }
    }

    /// True where the shares of the time and of the requests in these parts are each at most so many, at the upper ends.
    pub fn is_waiting_within(&self, parts: &[Part], [time, requests]: [f64; 2]) -> bool {
        if parts.is_empty() {
            return 0.0 <= time.min(requests);
        }
        self.shares().within(parts, time) && self.request_shares().within(&self.requests_in(parts), requests)
    }

    /// Share of the requests that arrive in these parts of the time, 0 to 1, and the upper end of its 95 % interval.
    pub fn share_of_requests(&self, parts: &[Part]) -> [f64; 2] {
        if parts.is_empty() {
            return [0.0; 2];
        }
        let (shares, requests) = (self.request_shares(), self.requests_in(parts));
        [shares.observed(&requests), shares.high(&requests)]
    }

    /// Parts of the time, each as long as it has requests: a second with twice as many as the mean one counts for two.
    fn requests_in(&self, parts: &[Part]) -> Vec<Part> {
        let weighted =
            |&(index, ns): &Part| (index, (ns as f64 * self.request_weight(&self.steps[index as usize])) as u64);
        parts.iter().map(weighted).collect()
    }

    /// Rate of a step over the mean rate, of requests; 0 without any.
    fn request_weight(&self, step: &Step) -> f64 {
        let mean = self.mean(Measure::Requests);
        if mean > 0.0 { step.rate(Measure::Requests) / mean } else { 0.0 }
    }

    /// Its resamples, each step as long as it has requests.
    fn request_shares(&self) -> &Shares {
        self.pause.now();
        let weighted = |step: &Step| step.seconds * self.request_weight(step);
        self.request_shares.get_or_init(|| Shares::new(self.steps.iter().map(weighted)))
    }

    /// Its resamples, from which the interval of every throttled share is computed.
    fn shares(&self) -> &Shares {
        self.pause.now();
        self.shares.get_or_init(|| Shares::new(self.steps.iter().map(|step| step.seconds)))
    }

    /// Its chunks: the index of the first step of each, its sums, and its steps.
    pub(super) fn chunks(&self) -> impl Iterator<Item = (u32, &Chunk, &[Step])> {
        let firsts = (0u32..).step_by(CHUNK_STEPS);
        firsts
            .zip(&self.chunks)
            .zip(self.steps.chunks(CHUNK_STEPS))
            .map(|((first, chunk), steps)| (first, chunk, steps))
    }
}

impl Chunk {
    pub fn from_steps(steps: &[Step]) -> Chunk {
        let mut chunk = Chunk::default();
        for step in steps {
            chunk.seconds += step.seconds;
            for (measure, rate) in step.rates.iter().enumerate() {
                chunk.max_rates[measure] = chunk.max_rates[measure].max(*rate);
                chunk.sums[measure] += rate * step.seconds;
            }
        }
        chunk
    }
}

impl From<&Step> for Chunk {
    fn from(step: &Step) -> Chunk {
        Chunk { seconds: step.seconds, max_rates: step.rates, sums: step.rates.map(|rate| rate * step.seconds) }
    }
}

fn step(interval: &DemandInterval) -> Step {
    let counts = &interval.counts;
    let hdd = |requests: u64, bytes: u64| requests.max(bytes.div_ceil(MIB)) as f64;
    let hdd = hdd(counts.reads, counts.read_bytes) + hdd(counts.writes, counts.write_bytes);
    Step { seconds: interval.seconds, rates: [interval.iops(), interval.mibps(), hdd / interval.seconds] }
}
