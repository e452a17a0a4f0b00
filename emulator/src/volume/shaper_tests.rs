use ebs_aws::bucket::Bucket;
use proptest::collection::vec;
use proptest::prelude::*;

use super::super::service_time::ServiceTime;
use super::super::settings::{Accounting, Caps};
use super::*;

const KIB: u64 = 1_024;
const SECOND: u64 = 1_000_000_000;

fn settings(volume: Caps, instance: Caps) -> Settings {
    let accounting = Accounting { io_bytes: 256 * KIB, whole_ios: false };
    let service = ServiceTime { read_ms: 0.0, write_ms: 0.0, sigma: 0.0 };
    Settings { volume, instance, accounting, service, burst_tolerance_s: 0.0 }
}

fn steady(iops: f64, mibps: f64) -> Caps {
    Caps { iops: Rate::Steady(iops), mibps: Rate::Steady(mibps), mibps_with_credits: None }
}

/// Release of each of so many requests that arrive at once, in seconds.
fn released(settings: Settings, requests: u64, bytes: u64) -> Vec<f64> {
    let mut shaper = Shaper::new(settings, 0, 1);
    (0..requests).map(|_| shaper.admit(0, RequestKind::Read, bytes).released_ns as f64 / 1e9).collect()
}

#[test]
fn the_tightest_of_four_limits_holds() {
    let seconds = |volume, instance| *released(settings(volume, instance), 1_001, 8 * KIB).last().unwrap();
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-6, "{a} {b}");
    near(seconds(steady(500.0, 1_000.0), Caps::UNLIMITED), 2.0);
    near(seconds(steady(500.0, 1_000.0), steady(250.0, 1_000.0)), 4.0);
    // 8 KiB at 1 MiB/s: 128 a second.
    near(seconds(steady(500.0, 1.0), steady(250.0, 1_000.0)), 1_000.0 / 128.0);
    near(seconds(steady(500.0, 1.0), steady(250.0, 0.5)), 1_000.0 / 64.0);
    near(seconds(Caps::UNLIMITED, Caps::UNLIMITED), 0.0);
}

#[test]
fn a_request_counts_once_for_each_io_begun() {
    let last = |bytes| *released(settings(steady(100.0, 1e6), Caps::UNLIMITED), 11, bytes).last().unwrap();
    assert!((last(256 * KIB) - 0.1).abs() < 1e-6);
    assert!((last(257 * KIB) - 0.2).abs() < 1e-6);
    assert!((last(1_024 * KIB) - 0.4).abs() < 1e-6);
}

#[test]
fn a_small_request_costs_an_hdd_a_whole_mib() {
    let accounting = Accounting { io_bytes: 1_024 * KIB, whole_ios: true };
    let caps = Caps { iops: Rate::Unlimited, mibps: Rate::Steady(40.0), mibps_with_credits: None };
    let last = released(Settings { accounting, ..settings(caps, Caps::UNLIMITED) }, 41, 8 * KIB);
    assert!((last[40] - 1.0).abs() < 1e-6);
}

#[test]
fn the_time_in_which_requests_are_held_back_counts_once_and_for_the_limit_that_holds_them() {
    let mut shaper = Shaper::new(settings(steady(100.0, 1e6), steady(50.0, 1e6)), 0, 1);
    (0..11).for_each(|_| _ = shaper.admit(0, RequestKind::Write, 512));
    assert_eq!(shaper.exceeded_us(), [0, 0, 200_000, 0]);
    // An idle second counts for nothing.
    shaper.admit(SECOND, RequestKind::Write, 512);
    assert_eq!(shaper.exceeded_us(), [0, 0, 200_000, 0]);
}

/// 100 GiB of gp2 with a bucket of 3,000 credits: 300 a second without end, 3,000 with credits.
fn gp2() -> Settings {
    let caps = Caps {
        iops: Rate::Burst(Bucket::full(3_000.0, 300.0, 3_000.0, f64::INFINITY)),
        mibps: Rate::Steady(128.0),
        mibps_with_credits: Some(250.0),
    };
    settings(caps, Caps::UNLIMITED)
}

#[test]
fn credits_are_used_up_and_then_the_baseline_holds() {
    let at = released(gp2(), 6_000, 4 * KIB);
    // 3,000 credits and 300 earned a second last 3,000 / (3,000 - 300) seconds.
    let burst = 3_000.0 / 2_700.0;
    let in_time = |from: f64, to: f64| at.iter().filter(|t| (from..to).contains(*t)).count() as f64;
    assert!((in_time(0.0, burst) - 3_000.0 * burst).abs() < 20.0, "{}", in_time(0.0, burst));
    assert!((in_time(burst, burst + 5.0) - 1_500.0).abs() < 20.0, "{}", in_time(burst, burst + 5.0));
}

#[test]
fn credits_come_back_at_the_baseline_and_are_kept_when_settings_change() {
    let mut shaper = Shaper::new(gp2(), 0, 1);
    (0..6_000).for_each(|_| _ = shaper.admit(0, RequestKind::Read, 4 * KIB));
    let empty = shaper.last_release;
    assert!(shaper.credit_shares((empty * 1e9) as u64)[0].unwrap() < 0.02);
    let later = ((empty + 5.0) * 1e9) as u64;
    let half = shaper.credit_shares(later)[0].unwrap();
    assert!((half - 0.5).abs() < 0.03, "{half}");
    shaper.change_settings(gp2(), later, true);
    assert!((shaper.credit_shares(later)[0].unwrap() - half).abs() < 1e-9);
    shaper.change_settings(gp2(), later, false);
    assert_eq!(shaper.credit_shares(later), [Some(1.0), None, None, None]);
}

#[test]
fn a_gp2_volume_moves_more_while_it_has_credits() {
    let mibps = |settings| {
        let at = released(settings, 1_001, 256 * KIB);
        250.0 / at[1_000]
    };
    assert!((mibps(gp2()) - 250.0).abs() < 1.0);
    let Rate::Burst(bucket) = gp2().volume.iops else { panic!() };
    let empty = Caps { iops: Rate::Burst(bucket.filled(0.0)), ..gp2().volume };
    // 300 I/Os a second of 256 KiB.
    assert!((mibps(Settings { volume: empty, ..gp2() }) - 75.0).abs() < 1.0);
}

#[test]
fn a_smooth_load_below_an_instances_baseline_costs_it_no_credits() {
    let bucket = Bucket::of_instance(3_600.0, 18_750.0).unwrap();
    let caps = Caps { iops: Rate::Burst(bucket.filled(0.5)), mibps: Rate::Unlimited, mibps_with_credits: None };
    let mut shaper = Shaper::new(settings(Caps::UNLIMITED, caps), 0, 1);
    for n in 0..18_000 {
        // 1,800 a second, ten seconds.
        shaper.admit(n * SECOND / 1_800, RequestKind::Read, 8 * KIB);
    }
    let share = shaper.credit_shares(10 * SECOND)[2].unwrap();
    assert!((0.5..0.502).contains(&share), "{share}");
}

#[test]
fn a_request_never_overtakes_one_that_came_before() {
    let mut shaper = Shaper::new(settings(steady(10.0, 1e6), Caps::UNLIMITED), 0, 1);
    let mut last = (0..20).map(|_| shaper.admit(0, RequestKind::Read, 512)).last().unwrap();
    shaper.change_settings(settings(Caps::UNLIMITED, Caps::UNLIMITED), 1, true);
    for now in 2..20 {
        let next = shaper.admit(now, RequestKind::Read, 512);
        assert!(next.released_ns >= last.released_ns);
        last = next;
    }
}

#[test]
fn the_overhead_is_taken_off_the_time_of_service() {
    let service = ServiceTime { read_ms: 1.0, write_ms: 0.02, sigma: 0.0 };
    let mut shaper = Shaper::new(Settings { service, ..settings(Caps::UNLIMITED, Caps::UNLIMITED) }, 0, 1);
    shaper.set_overhead(50e-6);
    assert_eq!(shaper.admit(0, RequestKind::Read, 512).due_ns, 950_000);
    assert_eq!(shaper.admit(0, RequestKind::Write, 512).due_ns, 0, "a time shorter than the overhead is no time");
}

/// Requests with pauses: nanoseconds since the one before, bytes.
fn requests() -> impl Strategy<Value = Vec<(u64, u64)>> {
    vec((prop_oneof![Just(0), 0u64..2_000_000, 0u64..200_000_000], 512u64..2_000_000), 1..300)
}

fn run(settings: Settings, requests: &[(u64, u64)]) -> Vec<Admission> {
    let mut shaper = Shaper::new(settings, 0, 7);
    let mut now = 0;
    let admit = |&(pause, bytes): &(u64, u64)| {
        now += pause;
        shaper.admit(now, RequestKind::Read, bytes)
    };
    requests.iter().map(admit).collect()
}

/// Checks that the cost of the requests released over any stretch stays within a rate and an allowance.
fn check_within(released: &[Admission], costs: &[f64], rate: f64, allowance: f64) -> Result<(), TestCaseError> {
    for first in 0..released.len() {
        let mut sum = 0.0;
        for last in first..released.len() {
            // The last one begins at the end of the stretch.
            let seconds = (released[last].released_ns - released[first].released_ns) as f64 / 1e9;
            prop_assert!(sum <= rate * seconds + allowance + 1e-3, "{sum} in {seconds} s");
            sum += costs[last];
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn never_faster_than_the_caps_over_any_stretch(
        requests in requests(), iops in 10.0..20_000.0f64, mibps in 1.0..2_000.0f64, burst_tolerance_s in 0.0..0.05f64,
    ) {
        let settings = Settings { burst_tolerance_s, ..settings(steady(iops, mibps), Caps::UNLIMITED) };
        let released = run(settings, &requests);
        let ios: Vec<f64> = requests.iter().map(|(_, bytes)| bytes.div_ceil(256 * KIB) as f64).collect();
        let mib: Vec<f64> = requests.iter().map(|(_, bytes)| *bytes as f64 / MIB as f64).collect();
        check_within(&released, &ios, iops, iops * burst_tolerance_s)?;
        check_within(&released, &mib, mibps, mibps * burst_tolerance_s)?;
    }

    #[test]
    fn never_more_than_the_credits_allow(requests in requests(), level in 0.0..1.0f64) {
        let Rate::Burst(bucket) = gp2().volume.iops else { panic!() };
        let volume = Caps { iops: Rate::Burst(bucket.filled(level)), ..gp2().volume };
        let released = run(Settings { volume, ..gp2() }, &requests);
        let ios: Vec<f64> = requests.iter().map(|(_, bytes)| bytes.div_ceil(256 * KIB) as f64).collect();
        // A bucket of 3,000 credits, and a slice of the baseline that may be spent before it is booked.
        check_within(&released, &ios, 300.0, 3_000.0 + 0.2 * 300.0)?;
        check_within(&released, &ios, 3_000.0, 0.0)?;
    }

    #[test]
    fn credits_stay_within_the_bucket(requests in requests(), level in 0.0..1.0f64) {
        let Rate::Burst(bucket) = gp2().volume.iops else { panic!() };
        let volume = Caps { iops: Rate::Burst(bucket.filled(level)), ..gp2().volume };
        let mut shaper = Shaper::new(Settings { volume, ..gp2() }, 0, 7);
        let mut now = 0;
        for (pause, bytes) in requests {
            now += pause;
            shaper.admit(now, RequestKind::Write, bytes);
            let share = shaper.credit_shares(now)[0].unwrap();
            prop_assert!((0.0..=1.0).contains(&share), "{share}");
        }
    }

    #[test]
    fn larger_caps_never_answer_later(
        requests in requests(), iops in 10.0..20_000.0f64, mibps in 1.0..2_000.0f64, more in 1.0..4.0f64,
        burst_tolerance_s in 0.0..0.05f64,
    ) {
        let service = ServiceTime { read_ms: 0.7, write_ms: 0.7, sigma: 0.4 };
        let with = |volume| Settings { burst_tolerance_s, service, ..settings(volume, Caps::UNLIMITED) };
        let tight = run(with(steady(iops, mibps)), &requests);
        let wide = run(with(steady(iops * more, mibps * more)), &requests);
        for (tight, wide) in tight.iter().zip(&wide) {
            prop_assert!(wide.due_ns <= tight.due_ns + 1, "{wide:?} {tight:?}");
        }
    }

    #[test]
    fn an_answer_is_due_after_its_release_and_that_after_its_arrival(requests in requests(), iops in 10.0..20_000.0f64) {
        let service = ServiceTime { read_ms: 0.5, write_ms: 0.5, sigma: 0.5 };
        let released = run(Settings { service, ..settings(steady(iops, 1e6), Caps::UNLIMITED) }, &requests);
        let mut now = 0;
        for ((pause, _), admitted) in requests.iter().zip(&released) {
            now += pause;
            prop_assert!(now <= admitted.released_ns && admitted.released_ns <= admitted.due_ns);
        }
    }
}
