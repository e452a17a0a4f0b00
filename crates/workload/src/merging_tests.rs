use super::*;
use ebs_base::units::MIB;
use ebs_samples::evidence::{IoCounts, IoKey, IoTotals, Totals};

/// Ten minutes of these reads a second, of so many bytes each.
fn demand(reads: u64, bytes: u64) -> Demand {
    let counts = DeviceCounts { reads, read_bytes: reads * bytes, ..DeviceCounts::default() };
    let second = DemandInterval { seconds: 1.0, counts, ..DemandInterval::default() };
    Demand { averaged_s: 1.0, intervals: vec![second; 600], ..Demand::default() }
}

/// A window in which PostgreSQL read these bytes in order, and those at random.
fn window(in_order: u64, random: u64) -> Window {
    let row = |context: &str, read_bytes| {
        let key = IoKey { backend_type: "client backend".into(), object: "relation".into(), context: context.into() };
        (key, IoCounts { read_bytes, ..IoCounts::default() })
    };
    let rows = vec![row("bulkread", in_order), row("normal", random)];
    let io = IoTotals { rows, known_us: 600_000_000, ..IoTotals::default() };
    Window { totals: Totals { io, ..Totals::default() }, ..Window::default() }
}

fn evidence_of(window: &Window, demand: &Demand, instance_iops: Option<f64>) -> MergeEvidence {
    MergeEvidence::new(window, &[], (demand, &DemandSummary::new(demand)), instance_iops)
}

fn doubt_of(window: &Window, demand: &Demand, instance_iops: Option<f64>) -> Option<CountDoubt> {
    evidence_of(window, demand, instance_iops).doubt(demand, &DemandSummary::new(demand))
}

fn likely(evidence: &MergeEvidence, demand: &Demand) -> Demand {
    evidence.likely(demand.clone(), DemandSummary::new(demand)).0
}

fn demand_iops(demand: &Demand) -> f64 {
    p99_iops(&DemandSummary::new(demand))
}

fn counts(window: &Window, demand: &Demand) -> (f64, f64) {
    let evidence = evidence_of(window, demand, None);
    (demand_iops(&likely(&evidence, demand)), demand_iops(&evidence.merged(demand)))
}

/// Worked out by hand: 107,000 reads of 4 KiB are 438,272,000 bytes, 1,671.9 times 256 KiB.
#[test]
fn small_reads_at_a_rate_that_random_ones_do_not_reach_are_merged() {
    let run = demand(107_000, 4_096);
    assert_eq!(counts(&Window::default(), &run), (1_672.0, 1_672.0));
    let doubt = doubt_of(&Window::default(), &run, None).unwrap();
    assert_eq!((doubt.device_iops, doubt.merged_iops, doubt.sized_iops), (107_000.0, 1_672.0, 1_672.0));
    let grounds = vec![MergeGround::SmallRequests { kib: 4.0 }, MergeGround::HighRate(RateLimit::Volumes(80_000.0))];
    assert_eq!(doubt.grounds, grounds);
    // No volume has fewer than 3,000 IOPS: nothing depends on the count.
    let few = demand(3_000, 4_096);
    assert_eq!(doubt_of(&Window::default(), &few, None), None);
}

/// Worked out by hand: 5 % above the 80,000 of gp3 are 84,000, up to which all count. 84,100 of 4 KiB are 344,473,600 bytes, 1,314.06 times
/// 256 KiB; 40,000 are 625 times. From half of 80,000 on the rate is a ground, with its counts 64 times apart a risk.
#[test]
fn a_count_falls_at_one_point_and_is_never_in_between() {
    for reads in [30_000, 39_900, 40_000, 50_000, 64_000, 75_000, 76_000, 79_900, 80_100, 84_000] {
        assert_eq!(counts(&Window::default(), &demand(reads, 4_096)).0, reads as f64);
    }
    assert_eq!(counts(&Window::default(), &demand(84_100, 4_096)), (1_315.0, 1_315.0));
    let doubt = |reads| {
        let run = demand(reads, 4_096);
        doubt_of(&Window::default(), &run, None).unwrap()
    };
    let small = MergeGround::SmallRequests { kib: 4.0 };
    assert_eq!((doubt(39_900).grounds, doubt(39_900).is_risky()), (vec![small], false));
    let possible = MergeGround::PossibleRate(RateLimit::Volumes(80_000.0));
    assert_eq!((doubt(40_000).merged_iops, doubt(40_000).grounds), (625.0, vec![small, possible]));
    assert!([40_000, 84_000, 84_100].map(doubt).iter().all(CountDoubt::is_risky));
    assert_eq!([84_000, 84_100].map(|reads| doubt(reads).is_mostly_merged()), [false, true]);
}

/// Blocks of 4 KiB and pages of 8 KiB have 6 KiB where there are as many of each: more blocks are small requests. 107,000 of 6,000 bytes are
/// 642,000,000 bytes, 2,449.04 times 256 KiB.
#[test]
fn requests_are_small_where_most_are_smaller_than_a_page() {
    let likely = |bytes| counts(&Window::default(), &demand(107_000, bytes)).0;
    assert_eq!([likely(6_000), likely(6_144)], [2_450.0, 107_000.0]);
}

#[test]
fn random_pages_are_counted_as_the_device_counts_them() {
    for (reads, bytes) in [(84_000, 8_192), (20_000, 8_192), (20_000, 16_384), (5_000, 131_072)] {
        let random = demand(reads, bytes);
        for window in [Window::default(), window(0, 600 * reads * bytes)] {
            let evidence = evidence_of(&window, &random, None);
            assert_eq!(demand_iops(&likely(&evidence, &random)), reads as f64, "{reads} of {bytes}");
            assert_eq!(evidence.doubt(&random, &DemandSummary::new(&random)), None);
        }
    }
}

/// Worked out by hand: 107,000 pages a second are 876,544,000 bytes, 3,343.75 times 256 KiB; of 64 KiB 26,750 times. Beyond 84,000, 5 % above
/// what gp3 has, they may be in order, and are sized as counted; not so where PostgreSQL says that it reads at random.
#[test]
fn pages_at_a_rate_that_random_ones_do_not_reach_are_a_doubt() {
    for (bytes, merged) in [(8_192, 3_344.0), (65_536, 26_750.0)] {
        let run = demand(107_000, bytes);
        let doubt = doubt_of(&Window::default(), &run, None).unwrap();
        assert_eq!((doubt.device_iops, doubt.merged_iops, doubt.sized_iops), (107_000.0, merged, 107_000.0));
        let kib = bytes as f64 / 1_024.0;
        let grounds = [MergeGround::Pages { kib }, MergeGround::HighRate(RateLimit::Volumes(80_000.0))];
        assert_eq!(doubt.grounds, grounds);
        let random = window(0, 600 * 107_000 * bytes);
        assert_eq!(doubt_of(&random, &run, None), None);
    }
    // More demand is never a smaller count, and 1 % more is 1 % more.
    for step in 0..400 {
        let rate = |step| (10_000.0 * 1.01f64.powi(step)) as u64;
        let [before, after] = [step, step + 1].map(|step| counts(&Window::default(), &demand(rate(step), 8_192)).0);
        assert!(after >= before && after <= 1.011 * before, "{before} {after}");
    }
}

/// Worked out by hand: an instance of 18,750 IOPS at most has none for 25,000 reads a second: of 4 KiB they are 390.6 times 256 KiB. 5 % above
/// its limit are 19,687: up to there a plateau counts.
#[test]
fn reads_beyond_the_instance_are_merged() {
    let run = demand(25_000, 4_096);
    let doubt = doubt_of(&Window::default(), &run, Some(18_750.0)).unwrap();
    assert_eq!((doubt.merged_iops, doubt.sized_iops), (391.0, 391.0));
    let high = MergeGround::HighRate(RateLimit::Instance(18_750.0));
    assert_eq!(doubt.grounds, [MergeGround::SmallRequests { kib: 4.0 }, high]);
    let counts = |reads| {
        let run = demand(reads, 4_096);
        let doubt = doubt_of(&Window::default(), &run, Some(18_750.0)).unwrap();
        (doubt.merged_iops, doubt.sized_iops)
    };
    assert_eq!([counts(18_750), counts(19_600)], [(293.0, 18_750.0), (307.0, 19_600.0)]);
    assert_eq!(counts(19_700), (308.0, 308.0));
    // Pages: at the limit a plateau, beyond it a doubt. A larger instance than 80,000 binds no more than the volumes.
    let doubt = |reads, iops| {
        let run = demand(reads, 8_192);
        doubt_of(&Window::default(), &run, Some(iops)).map(|doubt| doubt.sized_iops)
    };
    assert_eq!([doubt(19_600, 18_750.0), doubt(19_700, 18_750.0)], [None, Some(19_700.0)]);
    assert_eq!([doubt(84_000, 240_000.0), doubt(84_100, 240_000.0)], [None, Some(84_100.0)]);
}

/// Worked out by hand: 20,000 pages a second, all of a scan: 156.25 MiB are 625 times 256 KiB. Of a scan of 80 %, beside random pages at the
/// same time: 4,000 + 0.8 * 625 = 4,500.
#[test]
fn pages_that_postgresql_reads_in_order_are_merged() {
    let (scan, bytes) = (demand(20_000, 8_192), 600 * 20_000 * 8_192u64);
    assert_eq!(counts(&window(bytes, 0), &scan), (625.0, 625.0));
    assert_eq!(counts(&window(bytes / 10 * 8, bytes / 10 * 2), &scan).0, 4_500.0);
    let doubt = doubt_of(&window(bytes, 0), &scan, None).unwrap();
    assert_eq!(doubt.grounds, [MergeGround::SequentialReads { share: 1.0 }]);
    // Others read: what PostgreSQL read says nothing, and pages are no small requests.
    assert_eq!(counts(&window(bytes / 10 * 4, 0), &scan), (20_000.0, 20_000.0));
}

/// Worked out by hand: 20,000 random pages a second are 156.25 MiB, and a table in the page cache is scanned at 300: of 456.25 MiB 156.25 are not
/// in order, all of the device's. Pages found in the cache beside a scan may be the device's as well: of 100 and 50 MiB half of 100.
#[test]
fn reads_from_the_page_cache_are_not_taken_for_the_devices() {
    let run = demand(20_000, 8_192);
    let cached = window(600 * 300 * MIB, 600 * 20_000 * 8_192);
    assert_eq!(counts(&cached, &run), (20_000.0, 20_000.0));
    let scan = demand(12_800, 8_192);
    let half = window(600 * 100 * MIB, 600 * 50 * MIB);
    // 12,800 pages are 400 times 256 KiB: 6,400 + 200.
    assert_eq!(counts(&half, &scan).0, 6_600.0);
    // A table larger than the device's reads, of which a part was in the cache.
    assert_eq!(counts(&window(600 * 400 * MIB, 0), &scan).0, 400.0);
}

/// Random pages by day, a scan of 128 KiB a read by night: as many bytes each. The scan is merged by the kernel, and the day is random.
#[test]
fn a_scan_at_night_leaves_the_pages_of_the_day_random() {
    let (day, night) = (demand(16_000, 8_192), demand(1_000, 131_072));
    let both = Demand { intervals: [day.intervals, night.intervals].concat(), ..night };
    let bytes = 600 * 16_000 * 8_192u64;
    let evidence = evidence_of(&window(bytes, bytes), &both, None);
    assert_eq!(demand_iops(&likely(&evidence, &both)), 16_000.0);
    assert_eq!(evidence.doubt(&both, &DemandSummary::new(&both)), None);
}

/// 107,000 reads a second are left of 428,000, so that three quarters were merged: the others are not contiguous. Where 10 % were, they may be.
#[test]
fn a_count_after_merging_is_taken_as_it_is() {
    let merged_before = |read_merges| {
        let mut run = demand(107_000, 4_096);
        run.intervals.iter_mut().for_each(|second| second.counts.read_merges = read_merges);
        doubt_of(&Window::default(), &run, None).unwrap()
    };
    let doubt = merged_before(321_000);
    assert_eq!((doubt.sized_iops, doubt.merged_iops), (107_000.0, 1_672.0));
    assert!(doubt.grounds.contains(&MergeGround::MergedByKernel { share: 0.75 }), "{doubt:?}");
    assert_eq!(merged_before(11_889).sized_iops, 1_672.0);
}

/// No step over the share that PostgreSQL read in order: 1 % more changes the count by no more than a thirtieth of the device's.
#[test]
fn the_measured_share_has_no_step() {
    for percent in 0..100 {
        let bytes = |percent: u64| 600 * 20_000 * 8_192u64 / 100 * percent;
        let share = |percent| counts(&window(bytes(percent), bytes(100 - percent)), &demand(20_000, 8_192)).0;
        let (before, after) = (share(percent), share(percent + 1));
        assert!((before - after).abs() < 20_000.0 / 30.0, "{before} {after}");
    }
}

/// Requests of unknown size are not taken for small, at no rate.
#[test]
fn requests_of_unknown_bytes_are_counted_as_the_device_counts_them() {
    let run = Demand { bytes_unknown: true, ..demand(107_000, 0) };
    assert_eq!(counts(&Window::default(), &run), (107_000.0, 107_000.0));
    assert_eq!(doubt_of(&Window::default(), &run, None), None);
}
