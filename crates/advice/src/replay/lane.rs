//! Lanes: one measure of demand, the limits it passes, and what waits before them.

use super::delay::Busy;
use super::flow::Flow;
use super::limits::{Credits, InstanceLimit};
use super::series::{Chunk, Measure, Step};
use super::waits::TOLERANCE;
use ebs_aws::bucket::{Bucket, Burst};
use ebs_aws::catalogue::{Ceiling, Class, VolumeConfig};

/// A limit.
#[derive(Clone, Copy, Debug)]
pub(super) enum Limit {
    /// The same always.
    Constant(f64),
    /// By credits.
    Credits(Bucket, Credits),
    /// By the credits of the first lane: with any, and without.
    Following(f64, f64),
}

impl Limit {
    fn rate(&self, first_has_credits: bool) -> f64 {
        match self {
            Limit::Constant(rate) => *rate,
            Limit::Credits(bucket, _) => bucket.rate(),
            Limit::Following(with, without) => {
                if first_has_credits {
                    *with
                } else {
                    *without
                }
            }
        }
    }

    /// Rate that it sustains.
    fn sustained(&self) -> f64 {
        match self {
            Limit::Constant(rate) | Limit::Following(_, rate) => *rate,
            Limit::Credits(bucket, _) => bucket.sustained(),
        }
    }

    /// The same, a hair higher.
    fn widened(self) -> Limit {
        match self {
            Limit::Constant(rate) => Limit::Constant(rate * TOLERANCE),
            Limit::Credits(bucket, of) => Limit::Credits(bucket.widened(TOLERANCE), of),
            Limit::Following(with, without) => Limit::Following(with * TOLERANCE, without * TOLERANCE),
        }
    }
}

/// No demand passes more than three: what st1 counts, and what the instance does.
pub(super) const MAX_LANES: usize = 3;

/// One measure of demand, and the limits it passes one after the other. As each of them lets pass at any time what it can,
/// what passes both is what the tighter of them lets pass at that time.
#[derive(Clone, Debug)]
pub(super) struct Lane {
    pub measure: Measure,
    pub limits: Vec<Limit>,
    pub backlog: f64,
    pub busy: Busy,
}

impl Lane {
    fn new(measure: Measure, limits: impl IntoIterator<Item = Option<Limit>>) -> Lane {
        let limits = limits.into_iter().flatten().map(Limit::widened).collect();
        Lane { measure, limits, backlog: 0.0, busy: Busy::default() }
    }

    pub fn flow(&self, step: &Step, first_has_credits: bool) -> Flow {
        let limit = self.limits.iter().map(|limit| limit.rate(first_has_credits)).fold(f64::INFINITY, f64::min);
        let arriving = step.rate(self.measure);
        let passing = if self.backlog > 0.0 { limit } else { arriving.min(limit) };
        Flow { arriving, requests: step.rate(Measure::Requests), limit, passing }
    }

    pub fn buckets(&self) -> impl Iterator<Item = (&Bucket, Credits)> {
        self.limits.iter().filter_map(|limit| match limit {
            Limit::Credits(bucket, of) => Some((bucket, *of)),
            _ => None,
        })
    }

    /// True where there are credits now, or will be in a moment.
    pub fn has_credits(&self, flow: &Flow) -> bool {
        self.buckets()
            .all(|(bucket, of)| of != Credits::Volume || bucket.level() > 0.0 || bucket.change(flow.passing) > 0.0)
    }

    /// Seconds until the backlog is gone or a bucket is empty or full.
    pub fn seconds_left(&self, flow: &Flow) -> f64 {
        let gone =
            if self.backlog > 0.0 && flow.growth() < 0.0 { self.backlog / -flow.growth() } else { f64::INFINITY };
        let of_bucket = |(bucket, _): (&Bucket, Credits)| bucket.seconds_left(bucket.change(flow.passing));
        self.buckets().map(of_bucket).fold(gone, f64::min)
    }

    /// Lets `seconds` pass, no more than [`Self::seconds_left`].
    pub fn pass(&mut self, flow: &Flow, seconds: f64) {
        let gone = flow.growth() < 0.0 && seconds >= self.backlog / -flow.growth();
        self.backlog = if gone { 0.0 } else { (self.backlog + flow.growth() * seconds).max(0.0) };
        for limit in &mut self.limits {
            if let Limit::Credits(bucket, _) = limit {
                bucket.pass(bucket.change(flow.passing), seconds);
            }
        }
    }

    /// Its highest rate in a stretch as a share of what limits it at this moment.
    pub fn share(&self, chunk: &Chunk, first_has_credits: bool) -> f64 {
        let limit = self.limits.iter().map(|limit| limit.rate(first_has_credits)).fold(f64::INFINITY, f64::min);
        chunk.most[self.measure as usize] / limit
    }

    /// True where nothing waits in this stretch, whatever the order of its steps, and its end is known.
    pub fn can_pass_over(&self, chunk: &Chunk) -> bool {
        let (most, sum) = (chunk.most[self.measure as usize], chunk.sum[self.measure as usize]);
        let tells = |limit: &Limit| match limit {
            Limit::Credits(bucket, _) => bucket.after(most, sum, chunk.seconds).is_some(),
            _ => most <= limit.sustained(),
        };
        self.backlog <= 0.0 && self.limits.iter().all(tells)
    }

    /// Passes over a stretch that [`Self::can_pass_over`].
    pub fn pass_over(&mut self, chunk: &Chunk) {
        let (most, sum) = (chunk.most[self.measure as usize], chunk.sum[self.measure as usize]);
        for limit in &mut self.limits {
            if let Limit::Credits(bucket, _) = limit {
                *bucket = bucket.after(most, sum, chunk.seconds).unwrap_or(*bucket);
            }
        }
    }
}

/// The lanes of so many volumes of a class on an instance. The first is the one whose volume has credits, if any has.
pub(super) fn of_volumes(class: &Class, config: &VolumeConfig, volumes: u64, instance: InstanceLimit) -> Vec<Lane> {
    let [instance_iops, instance_mibps] = of_instance(instance);
    match Burst::new(class, config, volumes) {
        Burst::Never(ceiling) => vec![
            Lane::new(Measure::Requests, [Some(Limit::Constant(ceiling.iops)), instance_iops]),
            Lane::new(Measure::Mib, [Some(Limit::Constant(ceiling.mibps)), instance_mibps]),
        ],
        Burst::Iops { bucket, mibps: (with, without) } => vec![
            Lane::new(Measure::Requests, [Some(Limit::Credits(bucket, Credits::Volume)), instance_iops]),
            Lane::new(Measure::Mib, [Some(Limit::Following(with, without)), instance_mibps]),
        ],
        // The instance does not count as the volume does: what it sees is what was asked for.
        Burst::Mibps(bucket) => vec![
            Lane::new(Measure::Hdd, [Some(Limit::Credits(bucket, Credits::Volume))]),
            Lane::new(Measure::Requests, [instance_iops]),
            Lane::new(Measure::Mib, [instance_mibps]),
        ],
    }
}

/// The lanes of so many I/Os a second, counted by the MiB, on an instance.
pub(super) fn of_hdd(rate: f64, instance: InstanceLimit) -> Vec<Lane> {
    let [instance_iops, instance_mibps] = of_instance(instance);
    vec![
        Lane::new(Measure::Hdd, [Some(Limit::Constant(rate))]),
        Lane::new(Measure::Requests, [instance_iops]),
        Lane::new(Measure::Mib, [instance_mibps]),
    ]
}

/// The lanes of a limit that never changes.
pub(super) fn of_ceiling(ceiling: Ceiling) -> Vec<Lane> {
    vec![
        Lane::new(Measure::Requests, [Some(Limit::Constant(ceiling.iops))]),
        Lane::new(Measure::Mib, [Some(Limit::Constant(ceiling.mibps))]),
    ]
}

fn of_instance(instance: InstanceLimit) -> [Option<Limit>; 2] {
    let with_burst = |baseline: f64, maximum: f64, of: Credits| {
        let bucket = Bucket::of_instance(baseline, maximum);
        Some(bucket.map_or(Limit::Constant(baseline), |bucket| Limit::Credits(bucket, of)))
    };
    match instance {
        InstanceLimit::None => [None, None],
        InstanceLimit::Baseline(ceiling) => [Some(Limit::Constant(ceiling.iops)), Some(Limit::Constant(ceiling.mibps))],
        InstanceLimit::Burst { baseline, maximum } => [
            with_burst(baseline.iops, maximum.iops, Credits::InstanceIops),
            with_burst(baseline.mibps, maximum.mibps, Credits::InstanceThroughput),
        ],
    }
}
