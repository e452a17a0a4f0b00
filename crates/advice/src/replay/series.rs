//! A demand as replay reads it: rates, interval by interval, with sums over stretches that can be passed over whole.

use std::cell::OnceCell;

use ebs_base::pause::Pause;
use ebs_base::units::MIB;
use ebs_stats::Shares;
use ebs_workload::demand::{Demand, DemandInterval};

/// Unit of demand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Measure {
    /// I/Os as EBS counts them on SSD volumes.
    Requests,
    /// MiB.
    Mib,
    /// I/Os as EBS counts them on HDD volumes: each moves, and costs, 1 MiB, unless it was merged with its neighbours.
    Hdd,
}

/// Rates over an interval, one for each measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Its duration.
    pub seconds: f64,
    pub(super) rates: [f64; 3],
}

impl Step {
    /// So much a second.
    pub fn rate(&self, measure: Measure) -> f64 {
        self.rates[measure as usize]
    }
}

/// So many steps are passed over at once where nothing can wait.
const CHUNK_STEPS: usize = 64;

/// Steps that follow each other: the highest of their rates, and all of them together.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Chunk {
    pub seconds: f64,
    pub most: [f64; 3],
    pub sum: [f64; 3],
}

/// The demand on a volume, step by step.
#[derive(Clone, Debug, Default)]
pub struct Series {
    steps: Vec<Step>,
    chunks: Vec<Chunk>,
    all: Chunk,
    shares: OnceCell<Shares>,
    /// Seconds that a step is an average over.
    pub(crate) averaged_s: f64,
    /// Called by whatever computes long over it.
    pub(crate) pause: Pause,
}

impl Series {
    /// The steps of a demand.
    pub fn new(demand: &Demand) -> Series {
        let real = |interval: &&DemandInterval| interval.seconds.is_finite() && interval.seconds > 0.0;
        let series = Series::from_steps(demand.each().filter(real).map(step).collect());
        Series { averaged_s: demand.averaged_s, pause: demand.pause, ..series }
    }

    fn from_steps(steps: Vec<Step>) -> Series {
        let chunks = steps.chunks(CHUNK_STEPS).map(Chunk::from_steps).collect();
        let (averaged_s, pause) = (0.0, Pause::default());
        Series { all: Chunk::from_steps(&steps), chunks, steps, shares: OnceCell::new(), averaged_s, pause }
    }

    /// Seconds in all.
    pub fn seconds(&self) -> f64 {
        self.all.seconds
    }

    /// The highest rate.
    pub fn most(&self, measure: Measure) -> f64 {
        self.all.most[measure as usize]
    }

    /// The mean over time; 0 over no time.
    pub fn mean(&self, measure: Measure) -> f64 {
        if self.all.seconds > 0.0 { self.all.sum[measure as usize] / self.all.seconds } else { 0.0 }
    }

    /// Everything in all.
    pub fn sum(&self, measure: Measure) -> f64 {
        self.all.sum[measure as usize]
    }

    /// Its steps.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Its resamples, by which every throttled share is judged.
    pub fn shares(&self) -> &Shares {
        self.pause.now();
        self.shares.get_or_init(|| Shares::new(self.steps.iter().map(|step| step.seconds)))
    }

    /// Its stretches: the index of the first step of each, what is known of it, and its steps.
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
                chunk.most[measure] = chunk.most[measure].max(*rate);
                chunk.sum[measure] += rate * step.seconds;
            }
        }
        chunk
    }
}

fn step(interval: &DemandInterval) -> Step {
    let counts = &interval.counts;
    let hdd = |requests: u64, bytes: u64| requests.max(bytes.div_ceil(MIB)) as f64;
    let hdd = hdd(counts.reads, counts.read_bytes) + hdd(counts.writes, counts.write_bytes);
    Step { seconds: interval.seconds, rates: [interval.iops(), interval.mibps(), hdd / interval.seconds] }
}
