//! Rows under the limit of an instance: m5.large sustains 3,600 IOPS.

use super::advise::tests::{DATA, Load, advice, window};
use super::recommendation::Recommendation;
use crate::request::settings::{Request, Settings};
use ebs_aws::catalogue::prices;
use ebs_prediction::BindingLimit;
use ebs_samples::evidence::CounterDelta;

fn settings(durability_pct: Option<f64>) -> Settings {
    Settings { instance: Some("m5.large".into()), durability_pct, ..Settings::default() }
}

fn request(settings: &Settings) -> Request {
    settings.check(prices("us-east-1").unwrap().clone()).unwrap()
}

/// The first row is the one that the screen names until the instance is larger, and every row is bound by the instance.
#[test]
fn the_first_row_is_the_one_until_the_instance_is_larger() {
    // Sessions that wait have less demand on a slower type, which is nearer to the limit for it.
    let closed = [("IO", "DataFileRead", 100), ("IO", "WalSync", 300), ("CPU*", "CPU*", 10)];
    let cases = [(6_250, 6_250), (14_300, 14_300), (3_000, 12_000)];
    for ((reads, peak), waits) in cases.into_iter().flat_map(|case| [(case, &[][..]), (case, &closed[..])]) {
        for durability_pct in [None, Some(99.9)] {
            let mut seen = window(&[Load { reads, read_ms: reads / 5, writes: reads, ..DATA }], waits);
            for interval in seen.intervals.iter_mut().step_by(7) {
                for (_, delta) in &mut interval.devices {
                    let CounterDelta::Known(counts) = delta else { panic!("{delta:?}") };
                    (counts.reads, counts.read_bytes) = (peak, peak * 8_192);
                }
            }
            let role = advice(&seen, settings(durability_pct)).roles.remove(0);
            let Recommendation::LargerInstance(Some(interim)) =
                role.recommendation(&request(&settings(durability_pct)))
            else {
                panic!("{reads} {peak}")
            };
            let first = &role.candidates[0];
            assert_eq!(
                (first.config, first.volumes),
                (interim.config, interim.volumes),
                "{reads} {peak} {durability_pct:?}"
            );
            let sold = || role.candidates.iter().filter(|one| one.can_be_ordered());
            assert!(sold().all(|one| !one.feasible));
            assert_eq!(first.bound, BindingLimit::INSTANCE_IOPS);
        }
    }
}
