use super::*;
use ebs_aws::catalogue::instance;
use ebs_samples::evidence::DeviceCounts;
use ebs_workload::demand::{Demand, DemandInterval};

/// A series of so many seconds of so many reads of 8 KiB.
fn series(seconds: usize, reads: u64) -> Series {
    let counts = DeviceCounts { reads, read_bytes: reads * 8_192, ..DeviceCounts::default() };
    let interval = DemandInterval { seconds: 1.0, counts, ..DemandInterval::default() };
    Series::new(&Demand { timed: true, intervals: vec![interval; seconds], ..Demand::default() })
}

/// m5.large sustains 3,600 IOPS and has 1,800 s of 15,150 more: 27.27 million, which 4,400 a second above the baseline use up in 6,198 s.
#[test]
fn an_instances_maximum_counts_for_as_long_as_its_credits() {
    let m5 = instance("m5.large").unwrap();
    let limits = |seconds, factor| effective_instance(&series(seconds, 4_000), factor, Ceiling::UNLIMITED, m5);
    assert_eq!(limits(6_000, 2.0), EffectiveCeiling { ceiling: m5.maximum(), credits: CreditUse::Last });
    let long = limits(7_000, 2.0);
    assert_eq!(long.ceiling, m5.baseline());
    let CreditUse::RunOut { after_s } = long.credits else { panic!("{long:?}") };
    assert!((after_s / 6_197.7 - 1.0).abs() < 1e-3, "{after_s}");
    // The predicted load counts: 3,200 a second spend nothing.
    assert_eq!(limits(7_000, 0.8).credits, CreditUse::Last);
    // Volumes of 5,000 IOPS spend 1,400 a second.
    let of_volumes = Ceiling { iops: 5_000.0, mibps: 1_000.0 };
    assert_eq!(effective_instance(&series(7_000, 4_000), 2.0, of_volumes, m5).credits, CreditUse::Last);
}

#[test]
fn an_instance_without_burst_has_its_maximum_always() {
    let large = instance("m5.24xlarge").unwrap();
    let limits = effective_instance(&series(60, 4_000), 1.0, Ceiling::UNLIMITED, large);
    assert_eq!(limits, EffectiveCeiling { ceiling: large.baseline(), credits: CreditUse::None });
}
