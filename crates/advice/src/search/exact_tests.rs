//! The search against brute force: every volume that one would order of classes generated for the test, each evaluated by a full replay.
//!
//! `cargo test --release -p ebs_advice exactly -- --ignored --nocapture` runs many more cases and prints their counts.

// Prints the number of cases, with --nocapture.
#![allow(clippy::disallowed_macros)]

use std::cell::Cell;
use std::collections::HashMap;

use super::fixtures::{TaskArguments, demands, questions, questions_of_demands, tariffs};
use super::*;
use crate::replay::{InstanceLimit, Limits, Series, ceiling_waiting_pct, mean_added_ms, waiting_pct};
use crate::requirement::{Requirement, percentile_upper_end};
use ebs_aws::bucket::Burst;
use ebs_aws::catalogue::{Ceiling, IOPS_STEP, MIBPS_STEP, VolumeConfig, prices};
use ebs_stats::WeightedSample;
use ebs_workload::demand::Demand;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// Feasible, by its definition and nothing else.
struct Brute<'a> {
    series: &'a Series,
    /// The same with headroom.
    with_headroom: Series,
    need: Requirement,
    hdd: f64,
    instance: Option<Ceiling>,
    /// Accepted shares of the time and of the requests, per cent.
    accepted_pct: [f64; 2],
    max_added_ms: Option<f64>,
    known: std::cell::RefCell<HashMap<(u64, u64), bool>>,
}

impl Brute<'_> {
    fn feasible(&self, class: &Class, config: &VolumeConfig, volumes: u64) -> bool {
        let plain = Class { burst_iops: None, ..class.clone() };
        let steady = config.ceiling(volumes);
        let mean = |measure| self.with_headroom.mean(measure);
        let sustainable = match class.volume_type.is_hdd() {
            true => mean(Measure::Hdd) <= steady.iops.min(steady.mibps),
            false => mean(Measure::Requests) <= steady.iops && mean(Measure::Mib) <= steady.mibps,
        };
        self.need.size_gib.unwrap() <= config.size_gib * volumes
            && (self.carried(&plain, config, volumes)
                || class.burst_iops.is_some() && sustainable && self.carried(class, config, volumes))
    }

    fn carried(&self, class: &Class, config: &VolumeConfig, volumes: u64) -> bool {
        let ceiling = Burst::ceiling(class, config, volumes);
        let enough = |needed: f64, has: f64| needed <= has * (1.0 + 1e-9);
        let instance = self.instance.unwrap_or(Ceiling { iops: f64::INFINITY, mibps: f64::INFINITY });
        let floors = match class.volume_type.is_hdd() {
            true => enough(self.hdd, ceiling.iops.min(ceiling.mibps)),
            false => {
                enough(self.need.iops.min(instance.iops), ceiling.iops)
                    && enough(self.need.mibps.min(instance.mibps), ceiling.mibps)
            }
        };
        floors && self.replays(class, config, volumes)
    }

    fn replays(&self, class: &Class, config: &VolumeConfig, volumes: u64) -> bool {
        let evaluate = || {
            let instance = InstanceLimit::from(self.instance);
            let waiting = waiting_pct(&self.with_headroom, class, config, volumes, instance);
            let added_ms = || mean_added_ms(self.series, Limits::Volumes(class, config, volumes, instance));
            waiting.into_iter().zip(self.accepted_pct).all(|(pct, accepted)| pct <= accepted + 1e-9)
                && self.max_added_ms.is_none_or(|most| added_ms() <= most)
        };
        if class.burst_iops.is_some() {
            return evaluate();
        }
        let all = (config.iops * volumes, config.throughput_mibps * volumes);
        *self.known.borrow_mut().entry(all).or_insert_with(evaluate)
    }

    /// The first of all that are feasible.
    fn best(&self, tariffs: &[(Class, Tariff)], counts: RangeInclusive<u64>) -> Option<Priced> {
        let every = tariffs.iter().flat_map(|(class, tariff)| {
            counts.clone().flat_map(move |volumes| orders(class).map(move |config| (class, tariff, volumes, config)))
        });
        let feasible = every.filter(|(class, _, volumes, config)| self.feasible(class, config, *volumes));
        let priced = feasible.map(|(_, tariff, volumes, config)| {
            let bill = tariff.bill(config.size_gib, config.iops, config.throughput_mibps, volumes);
            Priced { config, volumes, bill }
        });
        priced.min_by_key(Priced::order)
    }
}

/// Every volume of a class that one would order: each figure on the grid, or the most that is legal.
fn orders(class: &Class) -> impl Iterator<Item = VolumeConfig> + '_ {
    let on_grid = |low: u64, high: u64, step: u64| (low..=high).filter(move |at| at % step == 0 || *at == high);
    (class.min_gib..=class.max_gib).flat_map(move |size_gib| {
        on_grid(class.iops_at_least(size_gib), class.iops_at_most(size_gib), IOPS_STEP).flat_map(move |iops| {
            let mibps = (class.mibps_at_least(size_gib, iops), class.mibps_at_most(size_gib, iops));
            on_grid(mibps.0, mibps.1, MIBPS_STEP).map(move |throughput_mibps| VolumeConfig {
                platform: class.platform,
                volume_type: class.volume_type,
                size_gib,
                iops,
                throughput_mibps,
            })
        })
    })
}

/// Counts of the cases.
#[derive(Default)]
struct Seen {
    cases: Cell<u32>,
    feasible: Cell<u32>,
    beyond_corner: Cell<u32>,
    on_credits: Cell<u32>,
    is_instance_saturated: Cell<u32>,
    for_delay: Cell<u32>,
}

fn count(of: &Cell<u32>, seen: bool) {
    of.set(of.get() + u32::from(seen));
}

fn compare(
    demand: &Demand,
    (rule, size_gib, instance, delay): TaskArguments,
    tariffs: &[(Class, Tariff)],
    counts: RangeInclusive<u64>,
    seen: &Seen,
) -> Result<(), TestCaseError> {
    let series = Series::new(demand);
    let need = Requirement::from_demand(demand, Some(size_gib), rule, &|| ());
    let patient = Task::new(TaskLoad::open(&series, rule), need, rule.percentile, instance);
    let impatient = delay.and_then(|ms| patient.with_max_added_ms(ms));
    let task = impatient.as_ref().unwrap_or(&patient);
    let hdd: Vec<WeightedSample> = series
        .steps()
        .iter()
        .map(|step| WeightedSample { value: step.rate(Measure::Hdd), seconds: step.seconds })
        .collect();
    let with_headroom = series.scaled(1.0 + rule.headroom);
    let by_instance = instance.map_or([0.0; 2], |ceiling| ceiling_waiting_pct(&series, ceiling));
    let by_instance = by_instance[0].max(by_instance[1]);
    let carried = instance.map_or([0.0; 2], |ceiling| ceiling_waiting_pct(&with_headroom, ceiling));
    let brute = Brute {
        series: &series,
        need,
        hdd: percentile_upper_end(&hdd, rule.percentile, demand.averaged_s, demand.pause) * (1.0 + rule.headroom),
        instance,
        accepted_pct: carried.map(|by_instance| by_instance.max(rule.max_throttled_pct)),
        with_headroom,
        max_added_ms: delay.filter(|_| impatient.is_some()),
        known: Default::default(),
    };
    let expected = brute.best(tariffs, counts.clone());
    let found = best_of_classes(tariffs, Platform::Ec2, counts.clone(), task).unwrap();
    let best = match &found {
        Ok(best) => Some(*best),
        Err(short) if task.is_instance_saturated() && expected.is_some() => short.best,
        Err(_) => None,
    };
    prop_assert_eq!(best, expected, "{:?}\n{:?}", found, task.corner());
    prop_assert_eq!(found.is_ok(), expected.is_some() && by_instance <= rule.max_throttled_pct + 1e-9);
    count(&seen.cases, true);
    count(&seen.feasible, found.is_ok());
    count(&seen.is_instance_saturated, task.is_instance_saturated());
    count(&seen.for_delay, found.is_ok() && best_of_classes(tariffs, Platform::Ec2, counts, &patient) != Some(found));
    if let (Ok(best), Some((class, _))) =
        (found, tariffs.iter().find(|(class, _)| Some(class.volume_type) == best.map(|best| best.config.volume_type)))
    {
        let ceiling = best.config.ceiling(best.volumes);
        count(&seen.on_credits, class.burst_iops.is_some() && !task.is_ceiling_feasible(ceiling.iops, ceiling.mibps));
        let (iops, mibps) = task.corner();
        let corner = class.least_order(
            size_gib.div_ceil(best.volumes),
            iops.div_ceil(best.volumes),
            mibps.div_ceil(best.volumes),
        );
        count(&seen.beyond_corner, class.burst_iops.is_none() && corner.is_some_and(|corner| corner != best.config));
    }
    Ok(())
}

/// The same cases each time: the tests also count which kinds of context there were, and at random some kind is missing now
/// and then.
fn runner(cases: u32) -> TestRunner {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

fn fixtures(cases: u32) -> Seen {
    let seen = Seen::default();
    let strategy = (questions_of_demands(), tariffs(), 1u64..4);
    let run = runner(cases).run(&strategy, |((demand, question, class), tariff, most)| {
        compare(&demand, question, &[(class, tariff)], 1..=most, &seen)
    });
    run.unwrap_or_else(|failed| panic!("{failed}"));
    seen
}

/// Every size that AWS sells of the types whose limits follow from size.
fn real(cases: u32) -> Seen {
    let seen = Seen::default();
    let sizes = prop_oneof![Just(VolumeType::Gp2), Just(VolumeType::St1), Just(VolumeType::Sc1)];
    let strategy = (demands(), questions(), sizes, 1u64..200);
    let here = prices("us-east-1").unwrap();
    let run = runner(cases).run(&strategy, |(mut demand, (rule, size, _, delay), volume_type, scale)| {
        for interval in &mut demand.intervals {
            interval.seconds = interval.seconds.min(900.0);
            interval.counts.reads = interval.counts.reads % 1_000_000 * scale;
        }
        let rows = classes_of(Platform::Ec2, volume_type, Purpose::Any);
        let tariffs: Vec<_> =
            rows.map(|class| (class.clone(), Tariff::from_prices(class, Platform::Ec2, here).unwrap())).collect();
        compare(&demand, (rule, size * 10, None, delay), &tariffs, 1..=1, &seen)
    });
    run.unwrap_or_else(|failed| panic!("{failed}"));
    seen
}

fn tell(name: &str, seen: &Seen) {
    println!(
        "{name}: {} cases, {} feasible ({} beyond the corner, {} on credits, {} for the delay), {} where the instance is short",
        seen.cases.get(),
        seen.feasible.get(),
        seen.beyond_corner.get(),
        seen.on_credits.get(),
        seen.for_delay.get(),
        seen.is_instance_saturated.get()
    );
}

#[test]
fn made_up_classes_are_searched_exactly() {
    let seen = fixtures(400);
    tell("made up", &seen);
    assert!(seen.feasible.get() > 40 && seen.beyond_corner.get() > 0 && seen.on_credits.get() > 0);
    assert!(seen.for_delay.get() > 3);
}

#[test]
fn real_sizes_are_searched_exactly() {
    tell("real sizes", &real(6));
}

#[test]
#[ignore = "minutes: many more cases of the same"]
fn searched_exactly_many_times() {
    tell("made up", &fixtures(20_000));
    tell("real sizes", &real(300));
}
