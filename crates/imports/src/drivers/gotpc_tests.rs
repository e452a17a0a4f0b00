use super::super::error::DriverError;
use super::super::follower::read;
use super::super::{Driver, samples};
use super::*;

#[test]
fn new_orders_and_their_latency() {
    let report = read(Driver::Gotpc, samples::GOTPC, false).unwrap();
    let figures = &report.figures;
    assert_eq!((figures.nopm, figures.tpm), (Some(15_215.2), Some(33_905.4)));
    assert_eq!((figures.seconds, figures.latency_ms), (Some(20.0), Some(9.9)));
    assert_eq!(figures.percentiles.len(), 5);
    assert_eq!(figures.percentiles[4], Percentile { percent: 99.9, ms: 33.6 });
    let [progress] = report.series[..] else { panic!("{:?}", report.series) };
    assert_eq!((progress.elapsed_s, progress.nopm, progress.tps), (Some(10.0), Some(13_274.9), None));
}

#[test]
fn what_is_refused() {
    let refused = |text: &str| read(Driver::Gotpc, text, false).unwrap_err();
    let cut = samples::GOTPC.split("tpmC").next().unwrap();
    assert!(matches!(refused(cut), DriverError::Truncated { line: 5, .. }), "{:?}", refused(cut));
    let broken = samples::GOTPC.replace("tpmTotal: 33905.4", "tpmTotal: ?");
    assert!(matches!(refused(&broken), DriverError::Malformed { line: 6, .. }), "{:?}", refused(&broken));
    assert_eq!(refused("hello"), DriverError::Foreign("output of go-tpc"));
}
