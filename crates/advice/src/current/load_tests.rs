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
    assert_eq!(unknown.scale(None, VolumeType::Gp3), 1.0);
}
