//! The twelve scenarios of [`walk_tests`](super::walk_tests).

use super::walk_tests::*;
use crate::request::settings::Settings;
use ebs_aws::catalogue::VolumeType;

#[test]
fn open_and_steady() {
    for reads in [2_700.0, 5_000.0, 73_000.0] {
        walk("open", Input { reads, ..STEADY }, &[RATE, LATENCY, SIZE]);
    }
    walk("open", Input { reads: 9_000.0, headroom: Some(0.5), ..STEADY }, &[HEADROOM]);
}

#[test]
fn bursty() {
    let base = Input { reads: 2_000.0, burst: 9_000.0, burst_s: 30.0, ..STEADY };
    walk("bursts", base, &[RATE, BURST, BURST_TIME, LATENCY, SIZE]);
    for (reads, burst, burst_s) in [(500.0, 9_000.0, 2.0), (2_000.0, 20_000.0, 5.0)] {
        let short = Input { reads, burst, burst_s, every_s: 900, burst_from_s: 895, ..STEADY };
        walk("a short burst", short, &[RATE, BURST, LATENCY]);
    }
}

/// A second of 3,500 to 9,000 at the beginning, within and at the end of a quarter of an hour is the same burst.
#[test]
fn the_place_of_a_burst_does_not_count() {
    for burst in [3_500.0, 5_000.0, 7_000.0, 9_000.0] {
        let base = Input { reads: 1_000.0, burst, burst_s: 1.0, every_s: 900, sessions: Some([2.0, 0.0]), ..STEADY };
        let [first, middle, last] = [0, 450, 899].map(|burst_from_s| Input { burst_from_s, ..base }.role());
        let changes = [&first, &last].map(|end| large_changes(best(&middle), best(end)));
        assert!(changes.iter().all(Vec::is_empty), "{burst}: {changes:?}");
    }
}

#[test]
fn closed_loops() {
    for read_us in [455.0, 740.0] {
        let base = Input { reads: 12_000.0, read_us, sessions: CLOSED, ..STEADY };
        walk("closed", base, &[RATE, LATENCY, SIZE, CPU, CLIENTS]);
        walk("closed on a declared one", Input { volume: gp3(16_000.0), ..base }, &[RATE, LATENCY, SIZE, CPU, LIMIT]);
    }
    walk("closed", Input { reads: 12_000.0, sessions: CLOSED, keep_pct: 90.0, ..STEADY }, &[KEPT]);
    let unsure = Input { reads: 12_000.0, sessions: Some([2.0, 4.0]), ..STEADY };
    walk("unsure", unsure, &[RATE, LATENCY, THINK_TIME, CPU]);
}

#[test]
fn at_the_limit_of_a_volume() {
    for read_us in [700.0, 1_400.0, 2_000.0, 5_000.0, 10_000.0] {
        for reads in [3_600.0, 3_900.0] {
            let base = Input { reads, read_us, sessions: CLOSED, volume: gp3(4_000.0), ..STEADY };
            // More clients at a limit wait longer, and compute no more.
            walk(&format!("{reads} at a limit, {read_us} us"), base, &[RATE, LATENCY, LIMIT, SIZE, CPU]);
        }
        let open = Input { reads: 3_900.0, read_us, volume: gp3(4_000.0), ..STEADY };
        walk(&format!("open at a limit, {read_us} us"), open, &[RATE, LATENCY, LIMIT]);
    }
}

/// Coefficients of variation of the latency from 0.1 to 2 % in steps of 2 %, held to what 1 % may change, those of the rate the same by Little's law, or a fifth of it.
#[test]
fn the_variation_of_the_latency() {
    for (reads, read_us, volume) in
        [(2_955.0, 2_700.0, None), (2_955.0, 2_700.0, gp3(3_000.0)), (3_300.0, 5_000.0, None)]
    {
        for share in [1.0, 0.2] {
            let at = |step: i32| 0.001 * 1.02f64.powi(step);
            let input =
                |cv: f64| Input { reads, read_us, sessions: CLOSED, variation: [cv, share * cv], volume, ..STEADY };
            let found = cliffs("variation", (0..=151).map(at).map(|cv| (cv, input(cv))));
            assert!(found.is_empty(), "{reads} {share}\n{}", found.join("\n"));
            walk(&format!("{reads} {share}"), input(0.004), &[RATE, LATENCY, CPU]);
        }
    }
}

#[test]
fn on_an_instance() {
    let instance = || Settings { instance: Some("m5.large".into()), ..Settings::default() };
    for (reads, read_us, sessions) in [(3_200.0, 500.0, None), (3_600.0, 500.0, CLOSED), (3_500.0, 2_000.0, CLOSED)] {
        let base = Input { reads, read_us, sessions, settings: instance, ..STEADY };
        walk(&format!("{reads} on m5.large"), base, &[RATE, LATENCY, SIZE]);
    }
    let steady = || Settings { instance: Some("r6i.4xlarge".into()), ..Settings::default() };
    let at = Input { reads: 18_500.0, read_us: 2_000.0, sessions: CLOSED, settings: steady, ..STEADY };
    walk("18,500 on r6i.4xlarge", at, &[RATE, LATENCY]);
    let bursts = Input { reads: 1_600.0, burst: 9_000.0, burst_s: 2.0, settings: instance, ..STEADY };
    walk("bursts on m5.large", bursts, &[RATE, BURST, LATENCY]);
}

#[test]
fn gp2_with_credits() {
    for (reads, read_us, sessions) in [(1_250.0, 700.0, None), (1_500.0, 700.0, CLOSED), (2_900.0, 2_000.0, CLOSED)] {
        let volume = Some((VolumeType::Gp2, 500.0, None));
        walk(&format!("{reads} on gp2"), Input { reads, read_us, sessions, volume, ..STEADY }, &[RATE, LATENCY, LIMIT]);
    }
}

#[test]
fn sequential() {
    for (kib, reads) in [(64.0, 150.0), (64.0, 1_500.0), (256.0, 600.0), (256.0, 2_500.0)] {
        let base = Input { reads, kib, read_us: 1_000.0, ..STEADY };
        walk(&format!("{kib} KiB"), base, &[RATE, SIZE, LATENCY]);
        let st1 = Some((VolumeType::St1, 2_000.0, None));
        walk(
            &format!("{kib} KiB on st1"),
            Input { volume: st1, read_us: 5_000.0, ..base },
            &[RATE, SIZE, LATENCY, LIMIT],
        );
    }
}

#[test]
fn imports() {
    for interval_s in [1.0, 60.0, 300.0] {
        let base = Input { interval_s, reads: 4_000.0, burst: 6_000.0, burst_s: 1.0, every_s: 2, ..STEADY };
        walk(&format!("{interval_s} s"), base, &[RATE, BURST, LATENCY, SIZE]);
        if interval_s > 1.0 {
            walk(&format!("{interval_s} s"), base, &[INTERVAL]);
        }
        let declared = Input { volume: gp3(7_000.0), ..base };
        walk(&format!("{interval_s} s, declared"), declared, &[RATE, BURST, LATENCY, LIMIT]);
    }
}

#[test]
fn rds_about_400_gib() {
    let rds = || Settings { platform: "rds".into(), ..Settings::default() };
    // The steps of the list at 400 GiB, and at 2,500 IOPS of less, are below.
    for (gib, reads) in [(300.0, 2_200.0), (360.0, 2_200.0), (450.0, 2_200.0), (450.0, 9_000.0)] {
        let base = Input { reads, read_us: 700.0, min_gib: Some(gib), settings: rds, ..STEADY };
        walk(&format!("{gib} GiB"), base, &[RATE, LATENCY, GIB, SIZE]);
    }
}

/// gp3 of RDS has 3,000 IOPS below 400 GiB, and 12,000 from there on: a step of AWS's list, each side of which is a row of the other.
#[test]
fn a_step_of_the_price_list_has_its_other_side_beside_it() {
    let settings = || Settings { platform: "rds".into(), ..Settings::default() };
    let role = |reads| Input { reads, read_us: 700.0, min_gib: Some(300.0), settings, ..STEADY }.role();
    let (below, above) = (role(2_500.0), role(2_525.0));
    assert_eq!([&below, &above].map(|role| best(role).total().to_string()), ["34.5", "46"]);
    for (role, other) in [(&above, &below), (&below, &above)] {
        assert!(role.candidates.iter().any(|one| one.config == best(other).config), "{:?}", best(other));
    }
    let of_size = |gib| Input { reads: 2_200.0, read_us: 700.0, min_gib: Some(gib), settings, ..STEADY }.role();
    let (below, above) = (of_size(399.0), of_size(400.0));
    let figures = [&below, &above].map(|role| (best(role).config.iops, usd(best(role))));
    assert_eq!(figures.map(|figures| figures.0), [3_000, 12_000]);
    assert!(figures[1].1 - figures[0].1 < 0.12, "{figures:?}");
}

#[test]
fn data_and_wal() {
    walk("both", Input { reads: 3_000.0, wal_writes: 500.0, ..STEADY }, &[RATE, LATENCY, WAL_RATE]);
    let busy = Input { reads: 6_000.0, wal_writes: 3_000.0, sessions: CLOSED, ..STEADY };
    walk("busy", busy, &[RATE, LATENCY, WAL_RATE]);
}

#[test]
fn within_a_budget() {
    for budget in [30.0, 40.0] {
        let base = Input { reads: 9_000.0, budget_usd: Some(budget), ..STEADY };
        walk("open", base, &[RATE, LATENCY, BUDGET, SIZE]);
        walk("closed", Input { sessions: CLOSED, ..base }, &[RATE, LATENCY, BUDGET]);
    }
}
