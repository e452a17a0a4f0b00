//! Long computations over a window can be interrupted: each calls the window's function often enough.

use std::sync::atomic::{AtomicUsize, Ordering};

use ebs_advice::{Settings, WhatIfArguments, whatif};
use ebs_aws::catalogue::prices;
use ebs_base::pause::{Pause, STEP};
use ebs_comparison::card::report_card;
use ebs_samples::evidence::{Block, CounterDelta, DeviceCounts, Role, Sample, StorageLayout, Volume, Window};
use ebs_workload::declarations::Declarations;
use ebs_workload::demand::Demand;
use ebs_workload::io_profile::figures;

fn count(calls: &AtomicUsize) {
    calls.fetch_add(1, Ordering::Relaxed);
}

const SECONDS: usize = 4 * STEP;

/// A window of differing seconds, some of them at a limit.
fn window(pause: Pause) -> Window {
    let sample = |second: usize| {
        let reads = 1_000 + second as u64 * 7_919 % 2_100;
        let counts =
            DeviceCounts { reads: reads.min(3_000), read_bytes: reads * 8_192, read_ms: reads, ..Default::default() };
        let (at_us, devices) = (second as i64 * 1_000_000, vec![(0, CounterDelta::Known(counts))]);
        Sample { at_us, dt_us: 1_000_000, devices: devices.into(), reset: false }
    };
    let volume = Volume { device: "sdf".into(), roles: vec![Role::Data], timed: true, ..Volume::default() };
    let block = Block {
        interval_us: 1_000_000,
        layout: StorageLayout { volumes: vec![volume], ..StorageLayout::default() },
        samples: (1..=SECONDS).map(sample).collect(),
        ..Block::default()
    };
    let mut window = Window::new(0, SECONDS as i64 * 1_000_000).pausing(pause);
    window.append(block);
    window.finish()
}

/// Each computation calls the function in each of its passes: more often than a single pass would.
#[test]
fn what_is_computed_over_a_window_can_be_given_up() {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    let window = window(Pause::new(|| count(&CALLS)));
    let calls = |compute: &dyn Fn()| {
        let before = CALLS.load(Ordering::Relaxed);
        compute();
        CALLS.load(Ordering::Relaxed) - before
    };
    let one_pass = SECONDS / STEP;
    assert!(CALLS.load(Ordering::Relaxed) >= one_pass, "assembling");
    let demand = Demand::from_window(&window, 0);
    let request = Settings::default().check(prices("us-east-1").unwrap().clone()).unwrap();
    let question = WhatIfArguments::default().check(request).unwrap();
    let computations: [(&str, &dyn Fn()); 4] = [
        ("demand", &|| drop(Demand::from_window(&window, 0))),
        ("figures", &|| drop(figures(&demand))),
        ("what if", &|| drop(whatif(&window, &question, &Declarations::default()))),
        ("card", &|| drop(report_card(&window, &[]))),
    ];
    for (name, compute) in computations {
        assert!(calls(compute) > one_pass, "{name}");
    }
}

/// The value that the function unwinds with reaches the caller, from within a pass or a sort.
#[test]
fn it_may_unwind() {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    let giving_up = || {
        if CALLS.fetch_add(1, Ordering::Relaxed) >= 9 {
            std::panic::resume_unwind(Box::new("given up"));
        }
    };
    let given_up = std::panic::catch_unwind(|| figures(&Demand::from_window(&window(Pause::new(giving_up)), 0)));
    assert_eq!(given_up.unwrap_err().downcast_ref(), Some(&"given up"));
}
