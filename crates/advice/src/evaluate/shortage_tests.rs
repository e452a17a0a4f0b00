//! gp2 of the required size is always a row. 400 GiB in use want 500, which earn 1,500 I/Os a second and burst to 3,000; headroom
//! is a fifth.

use super::super::cheapest::tests::{options, window};
use super::*;
use crate::Settings;
use crate::evaluate::candidate::Candidate;
use crate::evaluate::reason::Reason;
use ebs_aws::catalogue::VolumeType;

/// The rows of gp2 over an hour: smallest first.
fn gp2_rows(reads: impl Fn(u64) -> u64) -> Vec<Candidate> {
    let all = options(&window((0..3_600).map(reads)), &Settings::default());
    let mut rows: Vec<Candidate> = all.into_iter().filter(|one| one.config.volume_type == VolumeType::Gp2).collect();
    rows.sort_by_key(|row| row.config.size_gib);
    rows
}

fn sizes(rows: &[Candidate]) -> Vec<(u64, bool, BindingLimit)> {
    rows.iter().map(|row| (row.config.size_gib, row.feasible, row.bound)).collect()
}

/// 1,250 a second and a fifth are the 1,500 that 500 GiB earn; 1,251 are 1,501.2, for which 501 GiB are needed.
#[test]
fn a_mean_that_leaves_no_headroom_is_a_shortage() {
    let rows = gp2_rows(|_| 1_250);
    assert!(rows.len() == 1 && rows[0].feasible && rows[0].config.size_gib == 500, "{rows:?}");
    let rows = gp2_rows(|_| 1_251);
    assert_eq!(sizes(&rows)[0], (500, false, BindingLimit::Credits));
    assert!(rows.len() == 2 && rows[1].feasible && rows[1].config.size_gib == 501, "{rows:?}");
    let Reason::Shortage(shortage) = &rows[0].reason else { panic!("{:?}", rows[0].reason) };
    assert!((shortage.required - 1_501.2).abs() < 1e-6, "{shortage:?}");
    assert_eq!((shortage.limited, shortage.limit, shortage.of_mean), (LimitKind::Iops, 1_500.0, true));
    assert_eq!(rows[0].outcome.map(|outcome| outcome.throttled_s), Some(0.0));
}

/// 1,500 a second are earned for ever; 1,800 spend 5.4 million at 300 a second, in 18,000 s, five times the recording.
#[test]
fn credits_that_run_dry_after_the_recording_are_not_enough() {
    let reason = |iops| gp2_rows(|_| iops)[0].reason.clone();
    assert!(matches!(reason(1_500), Reason::Shortage(_)));
    let Reason::Throttling(throttling) = reason(1_800) else { panic!() };
    let credits = throttling.credits.unwrap();
    assert!(credits.for_good && (credits.after_s - 18_000.0).abs() < 1.0, "{throttling:?}");
    assert_eq!(throttling.throttled_pct, 100.0);
}

/// A tenth of the time at 2,500 a second and a fifth are the burst of 3,000; at 2,501 they are 3,001.2.
#[test]
fn a_burst_that_leaves_no_headroom_is_a_shortage() {
    let peaks = |peak| gp2_rows(move |second| if second % 600 < 60 { peak } else { 100 });
    let rows = peaks(2_500);
    assert_eq!(sizes(&rows), [(500, true, BindingLimit::Credits)]);
    let rows = peaks(2_501);
    assert_eq!(sizes(&rows)[0], (500, false, BindingLimit::VOLUME_IOPS));
    let Reason::Shortage(shortage) = &rows[0].reason else { panic!("{:?}", rows[0].reason) };
    assert!(
        (shortage.required - 3_001.2).abs() < 1e-6 && shortage.limit == 3_000.0 && !shortage.of_mean,
        "{shortage:?}"
    );
    // 1,001 GiB have 3,003 without any.
    assert_eq!((rows.len(), rows[1].config.size_gib, rows[1].feasible), (2, 1_001, true));
}
