//! Weights worked out by hand: ln(0.5 / share) / ln 5, ln 5 = 1.6094.

use super::*;

fn load(share: f64) -> Load {
    Load::from_think_time(share)
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-3
}

/// The share, the kind, the weight: both thresholds with a neighbour on either side.
#[test]
fn think_time_tells_closed_from_open() {
    let cases = [
        (0.0, LoadKind::Closed, 1.0),
        (0.099, LoadKind::Closed, 1.0),
        (0.1, LoadKind::Closed, 1.0),
        // ln(0.5 / 0.101) = 1.5995
        (0.101, LoadKind::Unsure, 0.9938),
        // ln 2 = 0.6931
        (0.25, LoadKind::Unsure, 0.4307),
        // ln(0.5 / 0.499) = 0.0020
        (0.499, LoadKind::Unsure, 0.0012),
        (0.5, LoadKind::Open, 0.0),
        (0.501, LoadKind::Open, 0.0),
        (1.0, LoadKind::Open, 0.0),
    ];
    for (share, kind, weight) in cases {
        let found = load(share);
        assert!(found.kind == kind && close(found.closed_weight, weight), "{share}: {found:?}");
    }
}

/// A closed loop with a third of the demand: 1 % more think time is ln 3 / ln 5 = 0.68 % more demand, at most.
#[test]
fn the_demand_has_no_step_over_the_think_time() {
    let demand = |share: f64| (1.0f64 / 3.0).powf(load(share).closed_weight);
    let mut share = 0.05;
    while share < 0.7 {
        let next = share * 1.01;
        let growth = demand(next) / demand(share);
        assert!((1.0..1.007).contains(&growth), "{share}: {growth}");
        share = next;
    }
}

#[test]
fn a_driver_decides_and_missing_inputs_leave_the_demand() {
    let missing = Load::new(Some(LoadKind::Closed), Err(MissingInput::Waits));
    assert_eq!((missing.kind, missing.closed_weight, missing.is_sure()), (LoadKind::Closed, 0.0, false));
    let unknown = Load::new(None, Err(MissingInput::Waits));
    assert_eq!((unknown.kind, unknown.is_sure()), (LoadKind::Open, false));
    assert_eq!(unknown.closed_weight, 0.0);
}

/// ln(0.04 / 0.02) / ln 5 = 0.4307, ln(0.03 / 0.01) / ln 5 = 0.6826, ln(0.0499 / 0.01) / ln 5 = 0.9988.
#[test]
fn sessions_that_hardly_wait_make_no_closed_loop() {
    let cases = [
        (0.013, 0.006, LoadKind::Unsure, 0.0),
        (0.02, 0.5, LoadKind::Unsure, 0.0),
        (0.04, 0.5, LoadKind::Unsure, 0.4307),
        (10.0, 0.01, LoadKind::Unsure, 0.0),
        (10.0, 0.03, LoadKind::Unsure, 0.6826),
        (10.0, 0.0499, LoadKind::Unsure, 0.9988),
        (0.1, 0.05, LoadKind::Closed, 1.0),
        (0.101, 0.051, LoadKind::Closed, 1.0),
    ];
    for (active_sessions, io_share, kind, weight) in cases {
        let found = load(0.0).with_waits(active_sessions, io_share);
        assert!(found.kind == kind && close(found.closed_weight, weight), "{active_sessions} {io_share}: {found:?}");
        assert_eq!(found.is_sure(), kind == LoadKind::Closed);
    }
    assert_eq!(load(0.6).with_waits(0.013, 0.006), load(0.6));
}

/// 1 % more active sessions is ln 1.01 / ln 5 = 0.62 % of the weight: with a third of the demand 0.68 % less, at most.
#[test]
fn the_demand_has_no_step_over_the_waits() {
    let demand = |active, io| (1.0f64 / 3.0).powf(load(0.0).with_waits(active, io).closed_weight);
    for step in 0..400 {
        let factor = 1.01f64.powi(step);
        let by_sessions = demand(0.01 * factor, 0.5) / demand(0.0101 * factor, 0.5);
        let by_waits = demand(10.0, 0.005 * factor) / demand(10.0, 0.00505 * factor);
        assert!((1.0..1.007).contains(&by_sessions) && (1.0..1.007).contains(&by_waits), "{factor}");
    }
}
