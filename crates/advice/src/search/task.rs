//! A task of the search: the demand, the requirement, and the conditions of feasibility.
//!
//! Volumes are feasible if all of these hold:
//!
//! 1. **Size**: together they have the required GiB.
//! 2. **Floors**: their ceiling is at least the requirement in IOPS and in MiB/s ([`Requirement`]). Types that count I/Os by the MiB (st1,
//!    sc1) must meet the same percentile of demand so counted. No floor is above the instance's baseline, which no volume can exceed.
//! 3. **Replay** of the demand with headroom: the shares of the time and of the requests in which requests wait, at the tighter of volumes
//!    and instance baseline, are each no more than accepted at the upper end of their 95 % intervals. A request that waits in this fluid
//!    waits for more than a millisecond, but where demand is within a thousandth of the limit: with 1 % the 99th percentile of the added
//!    latency is at most that.
//! 4. **Delay** of the recorded demand, where one is given ([`Task::with_max_added_ms`]): queueing at the tighter of both adds no more than
//!    that to the mean latency of a request.
//!
//! Credits ([`ebs_aws::bucket`]) count, for floors and replay, where mean demand with headroom, and a demand that was cut off at a limit, are
//! sustainable without them. Else 2 to 4 must hold without credits.
//!
//! Nothing is feasible if the instance alone throttles more of the recorded demand than is accepted, or where the run reached its limit; the
//! search then finds volumes that add nothing to the instance's throttling.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use super::bisect::{bisect, round_up};
use super::load::TaskLoad;
use crate::replay::{
    InstanceLimit, Limits, MAX_CACHED_WAITS, Measure, Series, Step, TOLERANCE, key, mean_added_ms, union, volume_waits,
    waits,
};
use crate::requirement::{Requirement, percentile_upper_end};
use ebs_aws::bucket::Burst;
use ebs_aws::catalogue::{Ceiling, Class, VolumeConfig};
use ebs_stats::{Part, WeightedSample};

/// A demand and its requirement, for all types and numbers of volumes.
pub struct Task<'a> {
    load: TaskLoad<'a>,
    requirement: Requirement,
    /// Percentile of the demand that HDDs must meet, 50 to 100.
    percentile: f64,
    instance: Option<Ceiling>,
    /// Accepted shares of the time and of the requests that wait.
    max_waiting: [f64; 2],
    required_without_instance: Ceiling,
    is_instance_saturated: bool,
    max_added_ms: Option<f64>,
    /// Rates that volumes must give without credits.
    steady_floor: Ceiling,
    /// Most IOPS that one volume reaches on the instance.
    pub(super) max_volume_iops: Option<u64>,
    pause: &'a dyn Fn(),
    /// The fewest IOPS that are feasible, by MiB/s; `None` where none are.
    min_iops: RefCell<BTreeMap<u64, Option<u64>>>,
    corner: OnceCell<(u64, u64)>,
    hdd_floor: OnceCell<f64>,
    min_hdd_rate: OnceCell<f64>,
}

/// A limit above that of any volume.
const UNLIMITED: f64 = 1e15;

impl<'a> Task<'a> {
    /// A task for a demand, its requirement by a percentile, and the sustained limits of the instance, if they are known.
    pub fn new(load: TaskLoad<'a>, requirement: Requirement, percentile: f64, instance: Option<Ceiling>) -> Task<'a> {
        let limit = instance.unwrap_or(Ceiling { iops: f64::INFINITY, mibps: f64::INFINITY });
        let throttled = |series: &Series| {
            union(
                &waits(series, Measure::Requests, limit.iops, u64::MAX).unwrap_or_default(),
                &waits(series, Measure::Mib, limit.mibps, u64::MAX).unwrap_or_default(),
            )
        };
        let by_instance = throttled(&load.series);
        let [_, requests_high] = load.series.share_of_requests(&by_instance);
        let shares = [load.series.share_high(&by_instance), requests_high];
        Task {
            requirement: Requirement {
                iops: requirement.iops.min(limit.iops),
                mibps: requirement.mibps.min(limit.mibps),
                ..requirement
            },
            percentile,
            instance,
            max_waiting: shares.map(|by_instance| by_instance.max(load.max_throttled)),
            required_without_instance: requirement.ceiling(),
            is_instance_saturated: !load
                .recorded
                .is_waiting_within(&throttled(&load.recorded), [load.max_throttled; 2]),
            load,
            max_added_ms: None,
            steady_floor: Ceiling::default(),
            max_volume_iops: None,
            pause: &|| (),
            min_iops: RefCell::default(),
            corner: OnceCell::new(),
            hdd_floor: OnceCell::new(),
            min_hdd_rate: OnceCell::new(),
        }
    }

    /// The same demand and requirement without an instance.
    pub(super) fn without_instance(&self) -> Task<'a> {
        Task::new(self.load.clone(), self.requirement, self.percentile, None)
    }

    /// Takes the instance for saturated where the run reached its limit, though a replay of what it delivered throttles nothing.
    pub fn with_instance_reached(self, is_reached: bool) -> Task<'a> {
        Task { is_instance_saturated: self.is_instance_saturated || is_reached, ..self }
    }

    /// Requires these rates, as far as the instance carries them, without credits: a demand that was cut off is not known to end.
    pub fn with_steady_floor(self, floor: Ceiling) -> Task<'a> {
        Task { steady_floor: self.instance.map_or(floor, |instance| floor.min(instance)), ..self }
    }

    /// Rates that volumes must give without credits.
    pub fn steady_floor(&self) -> Ceiling {
        self.steady_floor
    }

    /// Limits the IOPS of each volume to those that the instance reaches.
    pub fn with_max_volume_iops(self, max_volume_iops: Option<u64>) -> Task<'a> {
        Task { max_volume_iops, ..self }
    }

    /// Calls `pause` before each replay: a search over weeks of seconds takes a while, and the user may cancel it. `pause` may
    /// unwind.
    pub fn with_pause(self, pause: &'a dyn Fn()) -> Task<'a> {
        Task { pause, ..self }
    }

    /// The function that is called before each replay.
    pub fn pause(&self) -> &'a dyn Fn() {
        self.pause
    }

    /// Limits the mean latency that queueing adds to a request, ms. `None` where the instance alone adds more, or throttles more
    /// than is accepted, which no volume can change.
    pub fn with_max_added_ms(&self, ms: f64) -> Option<Task<'a>> {
        let task = Task { max_added_ms: Some(ms), ..self.without_results() };
        (!self.is_instance_saturated && task.is_delay_accepted(|| task.added_ms(UNLIMITED, UNLIMITED))).then_some(task)
    }

    /// Raises the requirement to this floor. `None` where the instance throttles more than is accepted, which no volume can
    /// change.
    pub fn with_floor(&self, floor: Ceiling) -> Option<Task<'a>> {
        let requirement = Requirement {
            iops: self.requirement.iops.max(floor.iops),
            mibps: self.requirement.mibps.max(floor.mibps),
            ..self.requirement
        };
        (!self.is_instance_saturated).then(|| Task { requirement, ..self.without_results() })
    }

    /// A copy without the results that depend on the requirement or the maximum delay.
    fn without_results(&self) -> Task<'a> {
        Task {
            min_iops: RefCell::default(),
            corner: OnceCell::new(),
            hdd_floor: self.hdd_floor.clone(),
            min_hdd_rate: OnceCell::new(),
            load: self.load.clone(),
            ..*self
        }
    }

    /// Mean demand that volumes must give without credits where these count, with headroom.
    pub fn sustained(&self) -> Ceiling {
        self.load.sustained
    }

    /// Requirement, not limited by the instance.
    pub fn required_without_instance(&self) -> Ceiling {
        self.required_without_instance
    }

    /// Requirement, no more than the instance carries.
    pub fn requirement(&self) -> &Requirement {
        &self.requirement
    }

    /// Sustained limits of the instance.
    pub fn instance(&self) -> Option<Ceiling> {
        self.instance
    }

    /// True where the instance alone throttles more than max_throttled_pct, or the run reached its limit.
    pub fn is_instance_saturated(&self) -> bool {
        self.is_instance_saturated
    }

    /// The fewest IOPS and the fewest MiB/s that are feasible, each without a limit of the other: the requirement, or more where
    /// the replay requires it.
    pub fn min_ceiling(&self) -> Ceiling {
        let (iops, mibps) = self.corner();
        Ceiling { iops: self.requirement.iops.max(iops as f64), mibps: self.requirement.mibps.max(mibps as f64) }
    }

    /// [`Self::min_ceiling`] in whole numbers.
    pub(super) fn corner(&self) -> (u64, u64) {
        *self.corner.get_or_init(|| {
            let iops = bisect(round_up(self.requirement.iops), self.max_useful(Measure::Requests), |iops| {
                self.is_ceiling_feasible(iops as f64, UNLIMITED)
            });
            let mibps = bisect(round_up(self.requirement.mibps), self.max_useful(Measure::Mib), |mibps| {
                self.is_ceiling_feasible(UNLIMITED, mibps as f64)
            });
            (iops, mibps)
        })
    }

    /// The limit at which requests wait for nothing but the instance: a higher one makes no difference.
    pub(super) fn max_useful(&self, measure: Measure) -> u64 {
        let (floor, instance) = match measure {
            Measure::Mib => (self.requirement.mibps, self.instance.map(|ceiling| ceiling.mibps)),
            _ => (self.requirement.iops, self.instance.map(|ceiling| ceiling.iops)),
        };
        round_up(self.load.series.max_rate(measure).min(instance.unwrap_or(f64::INFINITY)).max(floor))
    }

    /// The fewest IOPS that are feasible with so many MiB/s; `None` where none are.
    pub(super) fn min_iops(&self, mibps: u64) -> Option<u64> {
        if let Some(known) = self.min_iops.borrow().get(&mibps) {
            return *known;
        }
        // More MiB/s never require more IOPS, so that known results of other MiB/s bound these.
        let (low, high) = {
            let known = self.min_iops.borrow();
            let low = known.range(mibps..).next().and_then(|(_, iops)| *iops).unwrap_or(self.corner().0);
            let high = known.range(..mibps).next_back().and_then(|(_, iops)| *iops);
            (low, high.unwrap_or(self.max_useful(Measure::Requests).max(low)))
        };
        let is_feasible = |iops: u64| self.is_ceiling_feasible(iops as f64, mibps as f64);
        let min_iops = is_feasible(high).then(|| bisect(low, high, is_feasible));
        self.min_iops.borrow_mut().insert(mibps, min_iops);
        min_iops
    }

    /// True where a ceiling without credits is feasible.
    pub(super) fn is_ceiling_feasible(&self, iops: f64, mibps: f64) -> bool {
        // A difference by rounding is no shortfall.
        let suffices = |required: f64, limit: f64| required <= limit * TOLERANCE;
        suffices(self.requirement.iops, iops)
            && suffices(self.requirement.mibps, mibps)
            && self.is_throttling_accepted(iops, mibps)
            && self.is_delay_accepted(|| self.added_ms(iops, mibps))
    }

    /// True where the added latency, which takes a replay to compute, is within the limit.
    fn is_delay_accepted(&self, added_ms: impl Fn() -> f64) -> bool {
        self.max_added_ms.is_none_or(|max| added_ms() <= max)
    }

    /// Mean latency that a ceiling without credits adds to a request, ms.
    fn added_ms(&self, iops: f64, mibps: f64) -> f64 {
        let ceiling = self.within_instance(iops, mibps);
        let recorded = &*self.load.recorded;
        let known = recorded.results.added_ms.borrow().get(&key(ceiling)).copied();
        known.unwrap_or_else(|| {
            (self.pause)();
            let added_ms = mean_added_ms(recorded, Limits::Ceiling(ceiling));
            recorded.results.added_ms.borrow_mut().insert(key(ceiling), added_ms);
            added_ms
        })
    }

    /// True where the replay of a ceiling without credits is within the accepted share.
    fn is_throttling_accepted(&self, iops: f64, mibps: f64) -> bool {
        if self.accepts_all() {
            return true;
        }
        let ceiling = self.within_instance(iops, mibps);
        let key = (key(ceiling), self.max_waiting.map(f64::to_bits));
        let results = &self.load.series.results.throttling_accepted;
        let known = results.borrow().get(&key).copied();
        known.unwrap_or_else(|| {
            let accepted = self.throttled_intervals(iops, mibps).is_some_and(|throttled| self.accepts(&throttled));
            results.borrow_mut().insert(key, accepted);
            accepted
        })
    }

    /// True where all requests may wait.
    fn accepts_all(&self) -> bool {
        self.max_waiting.iter().all(|share| *share >= 1.0)
    }

    fn accepts(&self, throttled: &[Part]) -> bool {
        (self.pause)();
        self.load.series.is_waiting_within(throttled, self.max_waiting)
    }

    fn within_instance(&self, iops: f64, mibps: f64) -> Ceiling {
        let ceiling = Ceiling { iops: iops.min(UNLIMITED), mibps: mibps.min(UNLIMITED) };
        self.instance.map_or(ceiling, |instance| ceiling.min(instance))
    }

    /// Intervals in which requests wait for a ceiling without credits; `None` where they exceed the accepted throttled time.
    fn throttled_intervals(&self, iops: f64, mibps: f64) -> Option<Vec<Part>> {
        let ceiling = self.within_instance(iops, mibps);
        let for_iops = self.waits_for(Measure::Requests, ceiling.iops)?;
        Some(union(&for_iops, &self.waits_for(Measure::Mib, ceiling.mibps)?))
    }

    /// Time above which throttling is not accepted, whatever its interval, nanoseconds.
    fn max_waits_ns(&self) -> u64 {
        (self.max_waiting[0] * self.load.series.seconds() * 1e9 * TOLERANCE) as u64
    }

    /// Intervals in which requests wait for one limit. Short lists are cached: each is needed with many values of the other
    /// limit.
    fn waits_for(&self, measure: Measure, limit: f64) -> Option<Rc<Vec<Part>>> {
        let (results, max_ns) = (&self.load.series.results.waits, self.max_waits_ns());
        let key = (measure, limit.to_bits(), max_ns);
        if let Some(known) = results.borrow().get(&key) {
            return known.clone();
        }
        (self.pause)();
        let waits = waits(&self.load.series, measure, limit, max_ns).map(Rc::new);
        if waits.as_ref().is_none_or(|waits| waits.len() <= MAX_CACHED_WAITS) {
            results.borrow_mut().insert(key, waits.clone());
        }
        waits
    }

    /// True where so many volumes of a class, with credits or without, are feasible, disregarding their size.
    pub(crate) fn is_feasible(&self, class: &Class, config: &VolumeConfig, volumes: u64) -> bool {
        let steady = config.ceiling(volumes);
        let burst = Burst::ceiling(class, config, volumes);
        let instance = InstanceLimit::from(self.instance);
        let replayed = || {
            (self.pause)();
            let throttled = || volume_waits(&self.load.series, class, config, volumes, instance, self.max_waits_ns());
            let delay = || mean_added_ms(&self.load.recorded, Limits::Volumes(class, config, volumes, instance));
            (self.accepts_all() || throttled().is_some_and(|throttled| self.accepts(&throttled)))
                && self.is_delay_accepted(delay)
        };
        match Burst::new(class, config, volumes) {
            Burst::Never(ceiling) => self.is_ceiling_feasible(ceiling.iops, ceiling.mibps),
            Burst::Iops { .. } => {
                self.is_ceiling_feasible(steady.iops, steady.mibps)
                    || self.is_sustainable(steady) && self.is_ceiling_feasible(burst.iops, burst.mibps) && replayed()
            }
            Burst::Mibps(_) => {
                let (steady, burst) = (steady.iops.min(steady.mibps), burst.iops.min(burst.mibps));
                let mean = self.load.series.mean(Measure::Hdd);
                let is_sustainable = mean.max(self.steady_floor.mibps) <= steady;
                self.is_hdd_rate_feasible(steady) || is_sustainable && self.is_hdd_rate_feasible(burst) && replayed()
            }
        }
    }

    /// True where so many I/Os a second, counted by the MiB, are feasible without credits.
    fn is_hdd_rate_feasible(&self, rate: f64) -> bool {
        let throttled =
            || Some(union(&self.waits_for(Measure::Hdd, rate)?, &self.throttled_intervals(UNLIMITED, UNLIMITED)?));
        self.may_meet_hdd_floor(rate)
            && self.hdd_floor() <= rate * TOLERANCE
            && throttled().is_some_and(|throttled| self.accepts(&throttled))
            && self.is_delay_accepted(|| {
                mean_added_ms(&self.load.recorded, Limits::Hdd(rate, InstanceLimit::from(self.instance)))
            })
    }

    /// Checks quickly whether a rate can meet the floor, which is never below the observed percentile: most servers make so many
    /// small I/Os that HDDs do not carry them, which the time spent above the rate shows without the percentile's interval.
    fn may_meet_hdd_floor(&self, rate: f64) -> bool {
        let max_rate = rate * TOLERANCE;
        let above = self.load.series.steps().iter().filter(|step| step.rate(Measure::Hdd) > max_rate);
        let seconds: f64 = above.map(|step| step.seconds).sum();
        seconds <= ((100.0 - self.percentile) / 100.0 + 1e-6) * self.load.series.seconds()
    }

    /// True where mean demand with headroom is within this ceiling.
    fn is_sustainable(&self, steady: Ceiling) -> bool {
        let least = self.load.sustained.max(self.steady_floor);
        least.iops <= steady.iops && least.mibps <= steady.mibps
    }

    fn hdd_floor(&self) -> f64 {
        let sample = |step: &Step| WeightedSample { value: step.rate(Measure::Hdd), seconds: step.seconds };
        *self.hdd_floor.get_or_init(|| {
            let series = &self.load.series;
            let samples: Vec<WeightedSample> = series.steps().iter().map(sample).collect();
            percentile_upper_end(&samples, self.percentile, series.averaged_s, series.pause)
        })
    }

    /// The fewest I/Os a second, counted by the MiB, that would be feasible without credits.
    pub(super) fn min_hdd_rate(&self) -> f64 {
        *self.min_hdd_rate.get_or_init(|| {
            let max_rate = round_up(self.load.series.max_rate(Measure::Hdd).max(self.hdd_floor()));
            bisect(round_up(self.hdd_floor()), max_rate, |rate| self.is_hdd_rate_feasible(rate as f64)) as f64
        })
    }
}
