//! Throughput that grows with the IOPS up to a knee, and its low end, which does up to another.

use super::*;

/// The least IOPS, and the share of the low end that decided them, where the middle has its knee at 1,000 and the low end at so many.
fn kept(keep: f64, low_knee: f64) -> (f64, Option<f64>) {
    let ratio = |ceiling: Ceiling, knee: f64| (ceiling.iops / knee).min(1.0);
    let throughput = |ceiling| Some(Throughput { ratio: ratio(ceiling, 1_000.0), used: Ceiling::default() });
    let found = KeptThroughput::find(keep, &throughput, &|ceiling| Some(0.8 * ratio(ceiling, low_knee))).unwrap();
    (found.ceiling.iops, found.low_share)
}

/// 98 % of 1,000 are 95 % of 1,032: from there on the low end decides.
#[test]
fn the_low_end_decides_where_its_knee_is_later() {
    let close = |(found, low_share): (f64, Option<f64>), iops: f64, share: Option<f64>| {
        (found / iops - 1.0).abs() < 1e-3 && low_share.map(|share| (100.0 * share).round()) == share
    };
    assert!(close(kept(0.98, 900.0), 980.0, None));
    assert!(close(kept(0.98, 1_030.0), 980.0, None));
    assert!(close(kept(0.98, 1_200.0), 0.95 * 1_200.0, Some(95.0)));
    assert!(close(kept(0.9, 1_300.0), 0.75 * 1_300.0, Some(75.0)));
}

/// A low end whose transactions ask for twice the bytes and as many requests asks for more MiB/s, and for no more IOPS.
#[test]
fn the_low_end_raises_the_limit_that_it_needs() {
    let ratio = |ceiling: Ceiling, mibps_knee: f64| (ceiling.iops / 1_000.0).min(ceiling.mibps / mibps_knee).min(1.0);
    let throughput = |ceiling| Some(Throughput { ratio: ratio(ceiling, 10.0), used: Ceiling::default() });
    let low = |ceiling| Some(0.8 * ratio(ceiling, 20.0));
    let found = KeptThroughput::find(0.98, &throughput, &low).unwrap().ceiling;
    assert!((found.iops / 980.0 - 1.0).abs() < 1e-3 && (found.mibps / 19.0 - 1.0).abs() < 1e-3, "{found:?}");
}
