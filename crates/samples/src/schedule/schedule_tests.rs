//! The schedule, step by step, with a clock of the test's own.

use std::collections::BTreeMap;
use std::time::Duration;

use proptest::prelude::*;

use super::request_budget::BURST;
use super::{FixedSchedule, JitteredSchedule, RequestBudget};
use crate::evidence::{
    Block, CounterDelta, DeviceCounts, Recorder, Role, Snapshot, StorageLayout, Tier, Timing, Volume, WalCounts,
};

const SECOND: u64 = 1_000_000;

fn grid(now_us: u64) -> FixedSchedule {
    FixedSchedule::new(Duration::from_secs(1), now_us)
}

fn schedule() -> JitteredSchedule {
    JitteredSchedule::new(Duration::from_millis(10), 0)
}

#[test]
fn ticks_are_due_at_multiples_of_the_interval_however_late_the_one_before() {
    let mut grid = grid(500_000);
    assert_eq!(grid.due_us(), 1_500_000);
    assert_eq!(grid.take_due(1_499_999), None);
    assert_eq!(grid.take_due(1_500_000), Some(0));
    assert_eq!(grid.take_due(2_900_000), Some(400_000));
    assert_eq!((grid.due_us(), grid.missed()), (3_500_000, 0));
    assert_eq!(grid.take_due(2_900_000), None);
}

#[test]
fn grid_points_that_passed_are_missed_each_once() {
    let mut grid = grid(0);
    // Held up from the first to beyond the fourth point: one late sample, and the second to fourth are missed.
    assert_eq!(grid.take_due(4 * SECOND + 250_000), Some(3 * SECOND + 250_000));
    assert_eq!((grid.missed(), grid.due_us()), (3, 5 * SECOND));
    assert_eq!(grid.take_due(5 * SECOND), Some(0));
    assert_eq!(grid.missed(), 3);
    // At the very moment of a later point that point is this sample's, and only what lies before it was missed.
    assert_eq!(grid.take_due(8 * SECOND), Some(2 * SECOND));
    assert_eq!((grid.missed(), grid.due_us()), (5, 9 * SECOND));
}

#[test]
fn an_interval_of_nothing_is_a_microsecond() {
    let mut grid = FixedSchedule::new(Duration::ZERO, 0);
    assert_eq!((grid.interval_us(), grid.take_due(1)), (1, Some(0)));
}

#[test]
fn a_flood_of_requests_is_answered_by_the_burst_and_once_an_interval() {
    let mut budget = RequestBudget::new(0, Duration::from_secs(1), 0);
    let mut answered = 0;
    for now_us in (0..100 * SECOND).step_by(10_000) {
        budget.refill(now_us);
        answered += u32::from(budget.take());
    }
    assert_eq!(answered, BURST + 99);
    assert!(!budget.is_full());
}

#[test]
fn a_budget_is_full_again_after_as_many_intervals_as_requests() {
    let mut budget = RequestBudget::new(1, Duration::from_secs(1), 0);
    assert!(budget.take() && !budget.is_full());
    for second in 1..=10 {
        budget.refill(second * SECOND);
        assert_eq!(budget.is_full(), second >= 2);
    }
    assert_eq!((0..10).filter(|_| budget.take()).count(), BURST as usize);
}

#[test]
fn a_budget_grows_with_each_sample_and_after_two_seconds_where_they_are_farther_apart() {
    let mut budget = RequestBudget::new(BURST, Duration::from_secs(1), 0);
    assert_eq!(budget.due_us(), SECOND);
    assert!(!budget.take());
    budget.set_interval(Duration::from_secs(60), 0);
    assert_eq!(budget.due_us(), 2 * SECOND);
    // Nobody sampled meanwhile: one for all of it.
    budget.refill(60 * SECOND);
    assert!(budget.take() && !budget.take());
}

#[test]
fn a_sweep_stands_for_the_time_since_the_one_before() {
    let mut schedule = schedule();
    let first = schedule.due_us();
    assert_eq!(schedule.take_due(first - 1), None);
    assert_eq!(schedule.take_due(first), Some(first));
    let second = schedule.due_us();
    assert_eq!(schedule.take_due(second), Some(second - first));
}

#[test]
fn a_sweep_after_a_long_pause_stands_for_ten_intervals_at_most() {
    let mut schedule = schedule();
    assert_eq!(schedule.take_due(99_999), Some(99_999));
    assert_eq!(schedule.take_due(10 * SECOND), Some(100_000));
    // And what is due next lies ahead, not in the pause.
    assert!(
        schedule.due_us() > 10 * SECOND - 1_000 && schedule.due_us() <= 10 * SECOND + 11_000,
        "{}",
        schedule.due_us()
    );
}

proptest! {
    /// Each due time is taken or missed, and no sample is early, with any delays.
    #[test]
    fn every_grid_point_is_taken_or_missed(delays in prop::collection::vec(0..5 * SECOND, 1..50)) {
        let mut grid = grid(0);
        let (mut now, mut samples) = (0, 0);
        for delay in delays {
            now += delay;
            if let Some(late_us) = grid.take_due(now) {
                samples += 1;
                prop_assert!(late_us <= now);
            }
            prop_assert_eq!(samples + grid.missed(), now / SECOND);
            prop_assert_eq!(grid.due_us(), (now / SECOND + 1) * SECOND);
        }
    }

    /// Sweeps that are taken when they are due come once in each interval, a tenth of it early or late, and stand for all of the
    /// time between them.
    #[test]
    fn sweeps_keep_their_pace(start_us in 0..1_000 * SECOND, interval_ms in 1_u64..1_000) {
        let interval_us = interval_ms * 1_000;
        let mut schedule = JitteredSchedule::new(Duration::from_millis(interval_ms), start_us);
        let mut stood_for = 0;
        for sweep in 1..200_u64 {
            let due_us = schedule.due_us();
            let point_us = start_us + sweep * interval_us;
            prop_assert!(due_us.abs_diff(point_us) <= interval_us / 10 + 1, "sweep {} at {}", sweep, due_us - start_us);
            stood_for += schedule.take_due(due_us).unwrap_or_default();
            prop_assert_eq!(start_us + stood_for, due_us);
        }
    }
}

/// A sampler whose clock and readings are the test's: it looks when it is told to, as the real one does when it is woken.
struct Stepped {
    grid: FixedSchedule,
    recorder: Recorder,
}

fn layout() -> StorageLayout {
    let volume = Volume { device: "nvme1n1".into(), roles: vec![Role::Data], timed: true, ..Volume::default() };
    StorageLayout { volumes: vec![volume], ..StorageLayout::default() }
}

impl Stepped {
    fn new() -> Stepped {
        let mut stepped = Stepped { grid: grid(0), recorder: Recorder::new(Tier::Sampler, None, SECOND, layout()) };
        stepped.sample(0, 0, 0);
        stepped
    }

    fn sample(&mut self, now_us: u64, reads: u64, late_us: u64) {
        let counts = DeviceCounts { reads, ..DeviceCounts::default() };
        let snapshot = Snapshot {
            at_us: now_us as i64,
            mono_us: now_us,
            devices: Some(BTreeMap::from([("nvme1n1".to_owned(), counts)])),
            io: None,
            wal: Some(WalCounts::default()),
            wal_writes: None,
            statistics_epoch: 0,
            timing: Timing::default(),
        };
        self.recorder.observe(snapshot, late_us);
    }

    /// The clock stands at `now_us`, and the device has done `reads`: a sample, if one is due.
    fn at(&mut self, now_us: u64, reads: u64) {
        if let Some(late_us) = self.grid.take_due(now_us) {
            self.sample(now_us, reads, late_us);
        }
    }

    fn block(&mut self) -> Block {
        self.recorder.take(SECOND, layout()).unwrap_or_default()
    }
}

fn reads(block: &Block) -> Vec<(u64, u64)> {
    let one = |reading: &CounterDelta<DeviceCounts>| match reading {
        CounterDelta::Known(counts) => counts.reads,
        _ => 0,
    };
    block.samples.iter().map(|sample| (sample.dt_us, sample.devices.iter().map(|(_, r)| one(r)).sum())).collect()
}

#[test]
fn a_sampler_that_was_held_up_loses_no_time_and_no_request() {
    let mut sampler = Stepped::new();
    sampler.at(SECOND, 100);
    // Stopped for three seconds and a half: one interval covers them, with all that was asked in it.
    sampler.at(4 * SECOND + 500_000, 450);
    sampler.at(5 * SECOND, 500);
    sampler.at(6 * SECOND, 600);
    let block = sampler.block();
    assert_eq!(sampler.grid.missed(), 2);
    assert_eq!(reads(&block), [(SECOND, 100), (3_500_000, 350), (500_000, 50), (SECOND, 100)]);
    assert_eq!(block.samples.iter().map(|sample| sample.dt_us).sum::<u64>(), 6 * SECOND);
}
