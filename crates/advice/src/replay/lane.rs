//! Lanes: one measure of demand, the limits that it passes, and the backlog before them.

use super::delay::BusyPeriod;
use super::flow::Flow;
use super::limits::{CreditOwner, InstanceLimit};
use super::outcome::Measure;
use super::series::{Chunk, Step};
use super::waits::TOLERANCE;
use ebs_aws::bucket::{Bucket, Burst};
use ebs_aws::catalogue::{Ceiling, Class, VolumeConfig};

/// A limit.
#[derive(Clone, Copy, Debug)]
pub(super) enum Limit {
    /// A constant rate.
    Constant(f64),
    /// A bucket of burst credits.
    Credits(Bucket, CreditOwner),
    /// A rate while the first lane has credits, and one without.
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

    /// The limit raised by the tolerance.
    fn widened(self) -> Limit {
        match self {
            Limit::Constant(rate) => Limit::Constant(rate * TOLERANCE),
            Limit::Credits(bucket, owner) => Limit::Credits(bucket.widened(TOLERANCE), owner),
            Limit::Following(with, without) => Limit::Following(with * TOLERANCE, without * TOLERANCE),
        }
    }
}

/// One measure of demand, and the limits that it passes one after the other: at any time the tightest of them binds.
#[derive(Clone, Debug)]
pub(super) struct Lane {
    pub measure: Measure,
    /// The tightest of its constant limits; infinite where there is none.
    constant: f64,
    /// Its other limits.
    limits: Vec<Limit>,
    /// Rate that it sustains, without credits.
    sustained: f64,
    /// Rates at this moment.
    pub flow: Flow,
    pub backlog: f64,
    pub busy: BusyPeriod,
}

impl Lane {
    fn new(measure: Measure, limits: impl IntoIterator<Item = Option<Limit>>) -> Lane {
        let mut lane = Lane {
            measure,
            constant: f64::INFINITY,
            limits: Vec::new(),
            sustained: f64::INFINITY,
            flow: Flow::default(),
            backlog: 0.0,
            busy: BusyPeriod::default(),
        };
        for limit in limits.into_iter().flatten().map(Limit::widened) {
            lane.sustained = lane.sustained.min(limit.sustained());
            match limit {
                Limit::Constant(rate) => lane.constant = lane.constant.min(rate),
                changing => lane.limits.push(changing),
            }
        }
        lane
    }

    /// Share of its limit that a highest rate takes, where nothing ever waits in it: its limit is constant, and no lower. `None` elsewhere.
    pub fn idle_utilization(&self, max_rate: f64) -> Option<f64> {
        let constant = |limit: &Limit| match limit {
            Limit::Constant(rate) => Some(*rate),
            Limit::Following(with, without) => (with == without).then_some(*with),
            Limit::Credits(..) => None,
        };
        let limit = self.limits.iter().try_fold(self.constant, |least, limit| Some(constant(limit)?.min(least)))?;
        (max_rate <= limit).then(|| max_rate / limit)
    }

    #[inline]
    pub fn flow_of(&self, step: &Step, first_has_credits: bool) -> Flow {
        let limit = self.limits.iter().map(|limit| limit.rate(first_has_credits)).fold(self.constant, f64::min);
        let arriving = step.rate(self.measure);
        let passing = if self.backlog > 0.0 { limit } else { arriving.min(limit) };
        Flow { arriving, requests: step.rate(Measure::Requests), limit, passing }
    }

    #[inline]
    pub fn buckets(&self) -> impl Iterator<Item = (&Bucket, CreditOwner)> {
        self.limits.iter().filter_map(|limit| match limit {
            Limit::Credits(bucket, owner) => Some((bucket, *owner)),
            _ => None,
        })
    }

    /// The volumes' bucket.
    pub fn volume_bucket(&self) -> Option<&Bucket> {
        self.buckets().find(|(_, owner)| *owner == CreditOwner::Volume).map(|(bucket, _)| bucket)
    }

    /// Rate at which this demand spends the volumes' credits while there are any, above what they earn; `None` where it spends no
    /// more than that, or there are none.
    pub fn drain(&self, demand: f64) -> Option<f64> {
        let rate = |limit: &Limit| match limit {
            Limit::Credits(bucket, CreditOwner::Volume) => bucket.burst(),
            _ => limit.sustained(),
        };
        let passing = self.limits.iter().map(rate).fold(demand.min(self.constant), f64::min);
        Some(passing - self.volume_bucket()?.sustained()).filter(|drain| *drain > 0.0)
    }

    /// The lane with its volumes' credits spent.
    pub fn without_credits(mut self) -> Lane {
        for limit in &mut self.limits {
            if let Limit::Credits(bucket, CreditOwner::Volume) = limit {
                *bucket = bucket.filled(0.0);
            }
        }
        self
    }

    /// True where there are credits, or the next moment earns some.
    #[inline]
    pub fn has_credits(&self) -> bool {
        self.buckets().all(|(bucket, owner)| {
            owner != CreditOwner::Volume || bucket.level() > 0.0 || bucket.change(self.flow.passing) > 0.0
        })
    }

    /// Seconds until the backlog is empty, or a bucket empty or full.
    #[inline]
    pub fn seconds_left(&self) -> f64 {
        let growth = self.flow.growth();
        let empty_s = if self.backlog > 0.0 && growth < 0.0 { self.backlog / -growth } else { f64::INFINITY };
        let bucket_s = |(bucket, _): (&Bucket, CreditOwner)| bucket.seconds_left(bucket.change(self.flow.passing));
        self.buckets().map(bucket_s).fold(empty_s, f64::min)
    }

    /// True where requests wait.
    pub fn waits(&self) -> bool {
        self.backlog > 0.0 || self.flow.growth() > 0.0
    }

    /// True where it has credits, or had them.
    #[inline]
    pub fn has_buckets(&self) -> bool {
        self.buckets().next().is_some()
    }

    /// Its highest rate in a step as a share of what it sustains; 0 where nothing arrives.
    #[inline]
    pub fn utilization_without_credits(&self, step: &Step) -> f64 {
        let arriving = step.rate(self.measure);
        if arriving > 0.0 { arriving / self.sustained } else { 0.0 }
    }

    /// The backlog after a step, where it does not end in it and the lane has no credits, spends and earns none; `None` elsewhere.
    #[inline]
    pub fn backlog_after(&self, step: &Step) -> Option<f64> {
        let (arriving, limit) = (step.rate(self.measure), self.sustained);
        let passing = if self.backlog > 0.0 { limit } else { arriving.min(limit) };
        let growth = arriving - passing;
        let lasts = growth >= 0.0 || self.backlog / -growth > step.seconds;
        let is_spent = |(bucket, _): (&Bucket, CreditOwner)| bucket.level() <= 0.0 && passing == bucket.sustained();
        (lasts && self.buckets().all(is_spent)).then(|| (self.backlog + growth * step.seconds).max(0.0))
    }

    /// Lets `seconds` pass, no more than [`Self::seconds_left`].
    #[inline]
    pub fn pass(&mut self, seconds: f64) {
        let (growth, passing) = (self.flow.growth(), self.flow.passing);
        let empties = growth < 0.0 && seconds >= self.backlog / -growth;
        self.backlog = if empties { 0.0 } else { (self.backlog + growth * seconds).max(0.0) };
        for limit in &mut self.limits {
            if let Limit::Credits(bucket, _) = limit {
                bucket.pass(bucket.change(passing), seconds);
            }
        }
    }

    /// Its highest rate in a chunk as a share of the current limit.
    #[inline]
    pub fn utilization(&self, chunk: &Chunk, first_has_credits: bool) -> f64 {
        let limit = self.limits.iter().map(|limit| limit.rate(first_has_credits)).fold(self.constant, f64::min);
        chunk.max_rates[self.measure as usize] / limit
    }

    /// True where nothing waits in this chunk, whatever the order of its steps, and the levels at its end are known.
    #[inline]
    pub fn can_skip(&self, chunk: &Chunk) -> bool {
        let (max_rate, sum) = (chunk.max_rates[self.measure as usize], chunk.sums[self.measure as usize]);
        let suffices = |limit: &Limit| match limit {
            Limit::Credits(bucket, _) => bucket.after(max_rate, sum, chunk.seconds).is_some(),
            _ => max_rate <= limit.sustained(),
        };
        self.backlog <= 0.0 && max_rate <= self.constant && self.limits.iter().all(suffices)
    }

    /// Skips a chunk that [`Self::can_skip`].
    #[inline]
    pub fn skip(&mut self, chunk: &Chunk) {
        let (max_rate, sum) = (chunk.max_rates[self.measure as usize], chunk.sums[self.measure as usize]);
        for limit in &mut self.limits {
            if let Limit::Credits(bucket, _) = limit {
                *bucket = bucket.after(max_rate, sum, chunk.seconds).unwrap_or(*bucket);
            }
        }
    }
}

/// Lanes of so many volumes of a class on an instance. The first one is that with the volumes' credits, if they have any.
pub(super) fn volume_lanes(class: &Class, config: &VolumeConfig, volumes: u64, instance: InstanceLimit) -> Vec<Lane> {
    let [instance_iops, instance_mibps] = instance_limits(instance);
    match Burst::new(class, config, volumes) {
        Burst::Never(ceiling) => ceiling_lanes_on(ceiling, instance),
        Burst::Iops { bucket, mibps: (with, without) } => vec![
            Lane::new(Measure::Requests, [Some(Limit::Credits(bucket, CreditOwner::Volume)), instance_iops]),
            Lane::new(Measure::Mib, [Some(Limit::Following(with, without)), instance_mibps]),
        ],
        // The instance does not count I/Os as the volume does: its limits apply to the demand.
        Burst::Mibps(bucket) => vec![
            Lane::new(Measure::Hdd, [Some(Limit::Credits(bucket, CreditOwner::Volume))]),
            Lane::new(Measure::Requests, [instance_iops]),
            Lane::new(Measure::Mib, [instance_mibps]),
        ],
    }
}

/// Lanes of so many I/Os a second, counted by the MiB, on an instance.
pub(super) fn hdd_lanes(rate: f64, instance: InstanceLimit) -> Vec<Lane> {
    let [instance_iops, instance_mibps] = instance_limits(instance);
    vec![
        Lane::new(Measure::Hdd, [Some(Limit::Constant(rate))]),
        Lane::new(Measure::Requests, [instance_iops]),
        Lane::new(Measure::Mib, [instance_mibps]),
    ]
}

/// Lanes of a constant limit.
pub(super) fn ceiling_lanes(ceiling: Ceiling) -> Vec<Lane> {
    ceiling_lanes_on(ceiling, InstanceLimit::None)
}

/// Lanes of a constant limit on an instance.
pub(super) fn ceiling_lanes_on(ceiling: Ceiling, instance: InstanceLimit) -> Vec<Lane> {
    let [instance_iops, instance_mibps] = instance_limits(instance);
    vec![
        Lane::new(Measure::Requests, [Some(Limit::Constant(ceiling.iops)), instance_iops]),
        Lane::new(Measure::Mib, [Some(Limit::Constant(ceiling.mibps)), instance_mibps]),
    ]
}

fn instance_limits(instance: InstanceLimit) -> [Option<Limit>; 2] {
    let with_burst = |baseline: f64, maximum: f64, owner: CreditOwner| {
        let bucket = Bucket::of_instance(baseline, maximum);
        Some(bucket.map_or(Limit::Constant(baseline), |bucket| Limit::Credits(bucket, owner)))
    };
    match instance {
        InstanceLimit::None => [None, None],
        InstanceLimit::Baseline(ceiling) => [Some(Limit::Constant(ceiling.iops)), Some(Limit::Constant(ceiling.mibps))],
        InstanceLimit::Burst { baseline, maximum } => [
            with_burst(baseline.iops, maximum.iops, CreditOwner::InstanceIops),
            with_burst(baseline.mibps, maximum.mibps, CreditOwner::InstanceThroughput),
        ],
    }
}
