//! A task: what must be carried, and what it means to carry it.
//!
//! Volumes are feasible if all of these hold:
//!
//! 1. **Size**: together they have the GiB that are needed.
//! 2. **Floors**: their ceiling is at least the need in IOPS and in MiB/s ([`Requirement`]: the upper end of the percentile's
//!    interval, with headroom). Types that count I/Os by the MiB (st1, sc1) must meet the same percentile of demand so
//!    counted. No floor is above the instance's baseline: no volume can lift it over that.
//! 3. **Replay**: the upper end of the 95 % interval of throttled seconds, at the tighter of volumes and instance baseline,
//!    is no more than `max_throttled_pct`.
//! 4. **Delay**, where one is given ([`Task::adding_at_most`]): waiting for the tighter of both adds no more than that to the
//!    latency of a request on average.
//!
//! Credits ([`ebs_aws::bucket`]) count, for floors and replay, where mean demand with headroom is no more than what the volumes
//! do without them, so that the load could go on for ever. Else 2 to 4 must hold without credits.
//!
//! Where the instance alone throttles more than that, nothing is feasible; what is then looked for are volumes that add
//! nothing to what the instance throttles.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use super::shortfall::Lack;
use crate::replay::{InstanceLimit, Limits, Measure, Series, Step, TOLERANCE, added_ms, either, waits, waits_of};
use crate::requirement::{Requirement, SizingRule, upper};
use ebs_aws::bucket::Burst;
use ebs_aws::catalogue::{Ceiling, Class, VolumeConfig};
use ebs_stats::{Part, WeightedSample};

/// Demand to carry, and the rule for it. It remembers what it found out, so one task serves all types and counts.
pub struct Task<'a> {
    series: &'a Series,
    need: Requirement,
    rule: SizingRule,
    instance: Option<Ceiling>,
    /// Share of throttled time that is accepted.
    accepted: f64,
    wanted: Ceiling,
    short_of_instance: bool,
    most_added_ms: Option<f64>,
    pause: &'a dyn Fn(),
    cache: Rc<ReplayCache>,
    /// For MiB/s, the fewest IOPS that are feasible with them.
    pub(super) frontier: RefCell<BTreeMap<u64, Option<u64>>>,
    alone: OnceCell<(u64, u64)>,
    hdd_floor: OnceCell<f64>,
    least_hdd: OnceCell<f64>,
}

/// Results of replays, which do not depend on the delay that is asked for.
#[derive(Default)]
struct ReplayCache {
    waits: RefCell<Waits>,
    /// Of ceilings, whether what they throttle is accepted.
    accepted: RefCell<HashMap<(u64, u64), bool>>,
    /// Mean latency that ceilings add to a request, ms.
    added: RefCell<HashMap<(u64, u64), f64>>,
}

/// For a limit, when something waits for it; `None` where that is more than is accepted.
type Waits = HashMap<(Measure, u64), Option<Rc<Vec<Part>>>>;

/// Longest list of waits that is kept, 64 KiB: a search asks for some hundred limits.
const MAX_CACHED_WAITS: usize = 4_096;

/// More than any volume has.
const UNLIMITED: f64 = 1e15;

impl<'a> Task<'a> {
    /// A task: a demand, what is needed of it, and what the instance can do without end, if it is known.
    pub fn new(series: &'a Series, need: Requirement, rule: SizingRule, instance: Option<Ceiling>) -> Task<'a> {
        // Per cent and shares round apart: 0.7 per cent are more than a share of 0.7 / 100.
        let accepted = rule.max_throttled_pct / 100.0 * TOLERANCE;
        let most = instance.unwrap_or(Ceiling { iops: f64::INFINITY, mibps: f64::INFINITY });
        let wanted = need.ceiling();
        let need = Requirement { iops: need.iops.min(most.iops), mibps: need.mibps.min(most.mibps), ..need };
        let mut task = Task {
            series,
            need,
            rule,
            instance,
            accepted,
            wanted,
            short_of_instance: false,
            most_added_ms: None,
            pause: &|| (),
            cache: Rc::default(),
            frontier: RefCell::default(),
            alone: OnceCell::new(),
            hdd_floor: OnceCell::new(),
            least_hdd: OnceCell::new(),
        };
        let throttled = either(
            &waits(series, Measure::Requests, most.iops, u64::MAX).unwrap_or_default(),
            &waits(series, Measure::Mib, most.mibps, u64::MAX).unwrap_or_default(),
        );
        if !series.shares().within(&throttled, accepted) {
            task.short_of_instance = true;
            task.accepted = series.shares().high(&throttled);
        }
        task
    }

    /// The same, which calls `pause` before each replay: some hundred of them over weeks of seconds take a while, and whoever
    /// waits for the answer may want to give up. `pause` may unwind.
    pub fn pausing(self, pause: &'a dyn Fn()) -> Task<'a> {
        Task { pause, ..self }
    }

    /// The function that is called before each replay.
    pub fn pause(&self) -> &'a dyn Fn() {
        self.pause
    }

    /// The same, in which waiting may add no more than this to the latency of a request on average, ms. `None` where the
    /// instance alone lets requests wait longer, or throttles more than is allowed: no volume mends that.
    pub fn adding_at_most(&self, ms: f64) -> Option<Task<'a>> {
        let task = Task {
            most_added_ms: Some(ms),
            cache: Rc::clone(&self.cache),
            frontier: RefCell::default(),
            alone: OnceCell::new(),
            hdd_floor: self.hdd_floor.clone(),
            least_hdd: OnceCell::new(),
            ..*self
        };
        (!self.short_of_instance && task.soon_enough(|| task.added_ms(UNLIMITED, UNLIMITED))).then_some(task)
    }

    /// The same, in which nothing is feasible that carries less than this. `None` where the instance throttles more than is
    /// allowed: no volume mends that.
    pub fn carrying_at_least(&self, floor: Ceiling) -> Option<Task<'a>> {
        let need =
            Requirement { iops: self.need.iops.max(floor.iops), mibps: self.need.mibps.max(floor.mibps), ..self.need };
        let task = Task {
            need,
            cache: Rc::clone(&self.cache),
            frontier: RefCell::default(),
            alone: OnceCell::new(),
            hdd_floor: self.hdd_floor.clone(),
            least_hdd: OnceCell::new(),
            ..*self
        };
        (!self.short_of_instance).then_some(task)
    }

    /// The demand.
    pub fn series(&self) -> &Series {
        self.series
    }

    /// Requirement, whatever the instance carries.
    pub fn wanted(&self) -> Ceiling {
        self.wanted
    }

    /// Requirement, no more than the instance carries.
    pub fn need(&self) -> &Requirement {
        &self.need
    }

    /// The rule.
    pub fn rule(&self) -> SizingRule {
        self.rule
    }

    /// Sustained limits of the instance.
    pub fn instance(&self) -> Option<Ceiling> {
        self.instance
    }

    /// True where the instance alone throttles more than is allowed.
    pub fn short_of_instance(&self) -> bool {
        self.short_of_instance
    }

    /// The fewest IOPS and the least MiB/s that can be feasible, each with as much of the other as anybody wants: the need,
    /// or more where the replay asks for it.
    pub fn least(&self) -> Ceiling {
        let (iops, mibps) = self.alone();
        Ceiling { iops: self.need.iops.max(iops as f64), mibps: self.need.mibps.max(mibps as f64) }
    }

    /// [`Self::least`] in whole numbers.
    pub(super) fn alone(&self) -> (u64, u64) {
        *self.alone.get_or_init(|| {
            let iops = least_of(whole(self.need.iops), self.most(Measure::Requests), |iops| {
                self.holds(iops as f64, UNLIMITED)
            });
            let mibps =
                least_of(whole(self.need.mibps), self.most(Measure::Mib), |mibps| self.holds(UNLIMITED, mibps as f64));
            (iops, mibps)
        })
    }

    /// As much as makes any difference: at it, nothing waits but for the instance.
    pub(super) fn most(&self, measure: Measure) -> u64 {
        let (floor, instance) = match measure {
            Measure::Mib => (self.need.mibps, self.instance.map(|ceiling| ceiling.mibps)),
            _ => (self.need.iops, self.instance.map(|ceiling| ceiling.iops)),
        };
        whole(self.series.most(measure).min(instance.unwrap_or(f64::INFINITY)).max(floor))
    }

    /// The fewest IOPS that are feasible with so many MiB/s; `None` if any number of them is not enough.
    pub(super) fn least_iops(&self, mibps: u64) -> Option<u64> {
        if let Some(known) = self.frontier.borrow().get(&mibps) {
            return *known;
        }
        // More MiB/s never ask for more IOPS, so what is known of others is between what.
        let (low, high) = {
            let known = self.frontier.borrow();
            let low = known.range(mibps..).next().and_then(|(_, iops)| *iops).unwrap_or(self.alone().0);
            let high = known.range(..mibps).next_back().and_then(|(_, iops)| *iops);
            (low, high.unwrap_or(self.most(Measure::Requests).max(low)))
        };
        let found = self
            .holds(high as f64, mibps as f64)
            .then(|| least_of(low, high, |iops| self.holds(iops as f64, mibps as f64)));
        self.frontier.borrow_mut().insert(mibps, found);
        found
    }

    /// True where a ceiling without credits is feasible.
    pub(super) fn holds(&self, iops: f64, mibps: f64) -> bool {
        // Rounding is not a lack.
        let enough = |needed: f64, has: f64| needed <= has * TOLERANCE;
        enough(self.need.iops, iops)
            && enough(self.need.mibps, mibps)
            && self.judged(iops, mibps)
            && self.soon_enough(|| self.added_ms(iops, mibps))
    }

    /// True where a delay, which takes a replay to know, is within the limit.
    fn soon_enough(&self, added_ms: impl Fn() -> f64) -> bool {
        self.most_added_ms.is_none_or(|most| added_ms() <= most)
    }

    /// Latency that a ceiling without credits adds to a request.
    fn added_ms(&self, iops: f64, mibps: f64) -> f64 {
        let ceiling = self.within_instance(iops, mibps);
        let known = self.cache.added.borrow().get(&key(ceiling)).copied();
        known.unwrap_or_else(|| {
            (self.pause)();
            let found = added_ms(self.series, Limits::Ceiling(ceiling));
            self.cache.added.borrow_mut().insert(key(ceiling), found);
            found
        })
    }

    /// True where the replay of a ceiling without credits is within the accepted share.
    fn judged(&self, iops: f64, mibps: f64) -> bool {
        let ceiling = self.within_instance(iops, mibps);
        let known = self.cache.accepted.borrow().get(&key(ceiling)).copied();
        known.unwrap_or_else(|| {
            let verdict = self.throttled_at(iops, mibps).is_some_and(|throttled| self.accepts(&throttled));
            self.cache.accepted.borrow_mut().insert(key(ceiling), verdict);
            verdict
        })
    }

    fn accepts(&self, throttled: &[Part]) -> bool {
        (self.pause)();
        self.series.shares().within(throttled, self.accepted)
    }

    fn within_instance(&self, iops: f64, mibps: f64) -> Ceiling {
        let ceiling = Ceiling { iops: iops.min(UNLIMITED), mibps: mibps.min(UNLIMITED) };
        self.instance.map_or(ceiling, |instance| ceiling.min(instance))
    }

    /// Intervals in which something waits for such a ceiling; `None` where that is more than is accepted.
    fn throttled_at(&self, iops: f64, mibps: f64) -> Option<Vec<Part>> {
        let ceiling = self.within_instance(iops, mibps);
        let for_iops = self.waits_for(Measure::Requests, ceiling.iops)?;
        Some(either(&for_iops, &self.waits_for(Measure::Mib, ceiling.mibps)?))
    }

    /// The same of one limit. What is short is kept: it is asked for again with each of the other limit.
    fn waits_for(&self, measure: Measure, limit: f64) -> Option<Rc<Vec<Part>>> {
        let key = (measure, limit.to_bits());
        if let Some(known) = self.cache.waits.borrow().get(&key) {
            return known.clone();
        }
        (self.pause)();
        let most_ns = self.accepted * self.series.seconds() * 1e9;
        let found = waits(self.series, measure, limit, (most_ns * TOLERANCE) as u64).map(Rc::new);
        if found.as_ref().is_none_or(|found| found.len() <= MAX_CACHED_WAITS) {
            self.cache.waits.borrow_mut().insert(key, found.clone());
        }
        found
    }

    /// True where so many volumes of a class, with credits or without, are feasible, their size apart.
    pub(super) fn carried(&self, class: &Class, config: &VolumeConfig, volumes: u64) -> bool {
        let steady = config.ceiling(volumes);
        let burst = Burst::ceiling(class, config, volumes);
        let instance = InstanceLimit::from(self.instance);
        let replayed = || {
            (self.pause)();
            self.accepts(&waits_of(self.series, class, config, volumes, instance))
                && self.soon_enough(|| added_ms(self.series, Limits::Volumes(class, config, volumes, instance)))
        };
        match Burst::new(class, config, volumes) {
            Burst::Never(ceiling) => self.holds(ceiling.iops, ceiling.mibps),
            Burst::Iops { .. } => {
                self.holds(steady.iops, steady.mibps)
                    || self.for_ever(steady) && self.holds(burst.iops, burst.mibps) && replayed()
            }
            Burst::Mibps(_) => {
                let (steady, burst) = (steady.iops.min(steady.mibps), burst.iops.min(burst.mibps));
                let mean = self.series.mean(Measure::Hdd) * (1.0 + self.rule.headroom);
                self.hdd_holds(steady) || mean <= steady && self.hdd_holds(burst) && replayed()
            }
        }
    }

    /// True where so many I/Os a second, counted by the MiB, are feasible without credits.
    fn hdd_holds(&self, rate: f64) -> bool {
        let throttled =
            || Some(either(&self.waits_for(Measure::Hdd, rate)?, &self.throttled_at(UNLIMITED, UNLIMITED)?));
        self.may_meet_hdd_floor(rate)
            && self.hdd_floor() <= rate * TOLERANCE
            && throttled().is_some_and(|throttled| self.accepts(&throttled))
            && self.soon_enough(|| added_ms(self.series, Limits::Hdd(rate, InstanceLimit::from(self.instance))))
    }

    /// The floor is never below the percentile that was seen, and how much time was spent above a rate is known at once:
    /// most servers ask for so many small I/Os that no interval needs to be drawn to see that HDDs do not carry them.
    fn may_meet_hdd_floor(&self, rate: f64) -> bool {
        let most = rate * TOLERANCE / (1.0 + self.rule.headroom);
        let above = self.series.steps().iter().filter(|step| step.rate(Measure::Hdd) > most);
        let seconds: f64 = above.map(|step| step.seconds).sum();
        seconds <= ((100.0 - self.rule.percentile) / 100.0 + 1e-6) * self.series.seconds()
    }

    /// True where mean demand with headroom is no more than this.
    fn for_ever(&self, steady: Ceiling) -> bool {
        let mean = |measure| self.series.mean(measure) * (1.0 + self.rule.headroom);
        mean(Measure::Requests) <= steady.iops && mean(Measure::Mib) <= steady.mibps
    }

    fn hdd_floor(&self) -> f64 {
        let sample = |step: &Step| WeightedSample { value: step.rate(Measure::Hdd), seconds: step.seconds };
        *self.hdd_floor.get_or_init(|| {
            let samples: Vec<WeightedSample> = self.series.steps().iter().map(sample).collect();
            upper(&samples, self.rule.percentile, self.series.averaged_s, self.series.pause)
                * (1.0 + self.rule.headroom)
        })
    }

    /// The fewest I/Os a second, counted by the MiB, that would be feasible without credits.
    pub(super) fn least_hdd(&self) -> f64 {
        *self.least_hdd.get_or_init(|| {
            let most = whole(self.series.most(Measure::Hdd).max(self.hdd_floor()));
            least_of(whole(self.hdd_floor()), most, |rate| self.hdd_holds(rate as f64)) as f64
        })
    }

    /// The instance's shortfall: the limit, the requirement, and its value. `None` if it is enough.
    pub(super) fn instance_lack(&self) -> Option<(Lack, f64, f64)> {
        let instance = self.instance.filter(|_| self.short_of_instance)?;
        let without = Task::new(self.series, self.need, self.rule, None);
        let (iops, mibps) = without.alone();
        let share = (iops as f64 / instance.iops, mibps as f64 / instance.mibps);
        Some(match share.0 >= share.1 {
            true => (Lack::InstanceIops, iops as f64, instance.iops),
            false => (Lack::InstanceThroughput, mibps as f64, instance.mibps),
        })
    }
}

/// A ceiling to look up by.
fn key(ceiling: Ceiling) -> (u64, u64) {
    (ceiling.iops.to_bits(), ceiling.mibps.to_bits())
}

/// Rounds up to what is sold, in whole numbers: a billionth more than one is not two.
fn whole(figure: f64) -> u64 {
    (figure - 1e-9 * figure.max(1.0)).ceil().max(0.0) as u64
}

/// The least of `low..=high` that holds, where all above one that holds do; `high` without asking.
pub(super) fn least_of(low: u64, high: u64, holds: impl Fn(u64) -> bool) -> u64 {
    let (mut low, mut high) = (low, high.max(low));
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) { high = middle } else { low = middle + 1 }
    }
    high
}
