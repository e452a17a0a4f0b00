use super::*;
use crate::replay::Measure;

/// 1,500 requests a second of 16 to 256 KiB: each costs 1 MiB at first, and at last its bytes. No per cent of their size is a step.
#[test]
fn requests_become_sequential_without_a_step() {
    let charged = |kib: f64| {
        let counts = DeviceCounts { reads: 1_500, read_bytes: (1_536_000.0 * kib) as u64, ..DeviceCounts::default() };
        let interval = DemandInterval { seconds: 1.0, counts, ..DemandInterval::default() };
        let demand = Demand { intervals: vec![interval; 60], ..Demand::default() };
        Series::new(&as_sequential(&demand, sequential_weight(kib))).mean(Measure::Hdd)
    };
    let all: Vec<f64> = (0..280).map(|step| charged(16.0 * 1.01f64.powi(step))).collect();
    assert!(all.windows(2).all(|pair| (pair[1] / pair[0] - 1.0).abs() < 0.05), "{all:?}");
    assert_eq!([16.0, 32.0, 128.0, 256.0].map(charged), [1_500.0, 1_500.0, 188.0, 375.0]);
    assert!((charged(64.0) - (1_500.0f64 * 94.0).sqrt()).abs() < 1.0);
}
