//! A demand as replay reads it: rates, interval by interval, with sums over chunks that replay may skip.

use std::borrow::Cow;
use std::cell::OnceCell;

use super::outcome::Measure;
use super::results::Results;
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
    /// Results of replays of it.
    pub(crate) results: Results,
    /// Seconds that a step is an average over.
    pub(crate) averaged_s: f64,
    /// Called during long computations over it.
    pub(crate) pause: Pause,
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
        let (total, shares, results) = (Chunk::from_steps(&steps), OnceCell::new(), Results::default());
        Series { total, chunks, steps, shares, results, averaged_s, pause }
    }

    /// The same series with every rate multiplied by a factor.
    pub fn scaled(&self, factor: f64) -> Series {
        let scale = |rates: [f64; 3]| rates.map(|rate| rate * factor);
        let step = |step: &Step| Step { rates: scale(step.rates), ..*step };
        let chunk = |chunk: &Chunk| Chunk { max_rates: scale(chunk.max_rates), sums: scale(chunk.sums), ..*chunk };
        Series {
            steps: self.pause.each(&self.steps).map(step).collect(),
            chunks: self.chunks.iter().map(chunk).collect(),
            total: chunk(&self.total),
            shares: self.shares.clone(),
            results: Results::default(),
            ..*self
        }
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

    /// True where [`Self::share_high`] is at most `most`.
    pub fn is_share_within(&self, parts: &[Part], most: f64) -> bool {
        if parts.is_empty() { 0.0 <= most } else { self.shares().within(parts, most) }
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
