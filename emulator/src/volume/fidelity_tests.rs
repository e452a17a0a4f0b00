use super::*;

const SERVICE: ServiceTime = ServiceTime { read_ms: 1.0, write_ms: 0.5, sigma: 0.2 };

fn after(late_us: impl IntoIterator<Item = u64>) -> Fidelity {
    let mut monitor = FidelityMonitor::new(0).unwrap();
    late_us.into_iter().for_each(|us| monitor.record_reply(1_000, 1_000 + us * 1_000));
    monitor.assess(&SERVICE, 1_000_000_000)
}

#[test]
fn punctual_replies_are_evidence_and_late_ones_are_not() {
    let good = after((0..1_000).map(|n| n % 20));
    assert_eq!(
        (good.fault(&SERVICE, None), good.late_p99_us, good.late_pct, good.late_mean_us),
        (None, 19.0, 0.0, 9.5)
    );
    let mean = after((0..1_000).map(|_| 60));
    assert_eq!(mean.fault(&SERVICE, None).unwrap(), "mean lateness 60 µs is above 50 µs");
    assert_eq!(mean.late_pct, 100.0);
    let tail = after((0..1_000).map(|n| if n < 980 { 1 } else { 1_000 }));
    assert_eq!(tail.fault(&SERVICE, Some(0.0)).unwrap(), "99th percentile of lateness 1000 µs is above 500 µs");
    assert_eq!(tail.late_pct, 2.0);
}

#[test]
fn a_percentile_is_off_by_one_per_cent_at_most() {
    for us in [1, 63, 999, 12_345, 30_000_000] {
        // One later reply in 150, so that the maximum does not cap the percentile.
        let p99_us = after((0..150).map(|n| if n == 0 { 40_000_000 } else { us })).late_p99_us;
        assert!((us as f64..us as f64 * 1.01).contains(&p99_us), "{us}: {p99_us}");
    }
}

#[test]
fn a_reply_beyond_the_range_counts() {
    let late = after([600_000_000]);
    assert_eq!((late.replies, late.late_max_us, late.late_pct), (1, 600e6, 100.0));
}

#[test]
fn a_path_longer_by_half_the_time_of_service_is_no_evidence() {
    let fault = |us| after([1]).fault(&SERVICE, Some(us));
    assert_eq!((fault(-20.0), fault(250.0)), (None, None));
    assert_eq!(fault(251.0).unwrap(), "requests took 251 µs more on their way than is taken off, above 250");
}

#[test]
fn a_thread_without_rest_is_no_evidence() {
    let mut monitor = FidelityMonitor::new(0).unwrap();
    monitor.record_busy(95);
    assert_eq!(
        monitor.assess(&SERVICE, 100).fault(&SERVICE, None).unwrap(),
        "the serving thread was busy 95 % of the time"
    );
    assert_eq!(monitor.assess(&SERVICE, 200).fault(&SERVICE, None), None);
}

#[test]
fn a_reset_forgets_all_replies() {
    let mut monitor = FidelityMonitor::new(0).unwrap();
    monitor.record_reply(0, 5_000_000);
    monitor.record_busy(1_000_000);
    monitor.reset(2_000_000);
    assert_eq!(
        monitor.assess(&SERVICE, 3_000_000),
        FidelityMonitor::new(2_000_000).unwrap().assess(&SERVICE, 3_000_000)
    );
}

#[test]
fn no_replies_are_not_late() {
    let none = after([]);
    assert_eq!((none.late_mean_us, none.late_p99_us, none.late_pct, none.fault(&SERVICE, None)), (0.0, 0.0, 0.0, None));
}
