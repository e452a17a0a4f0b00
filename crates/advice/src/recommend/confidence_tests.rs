use super::*;

fn level(causes: Vec<ConfidenceCause>) -> ConfidenceLevel {
    Confidence { causes }.level()
}

/// The table: none is high, one or two minor ones medium, three or a major one low.
#[test]
fn the_table_holds() {
    use ConfidenceCause::{Imported, InstanceUnknown, NotMeasuredOnEbs, UnmetDemandUnknown};
    assert_eq!(level(vec![]), ConfidenceLevel::High);
    assert_eq!(level(vec![InstanceUnknown]), ConfidenceLevel::Medium);
    assert_eq!(level(vec![InstanceUnknown, Imported]), ConfidenceLevel::Medium);
    assert_eq!(level(vec![InstanceUnknown, Imported, NotMeasuredOnEbs]), ConfidenceLevel::Low);
    assert_eq!(level(vec![UnmetDemandUnknown]), ConfidenceLevel::Low);
}

/// Each threshold with the value below and the value at it.
#[test]
fn a_cause_is_major_below_its_threshold() {
    let weight = |cause: ConfidenceCause| cause.weight() == CauseWeight::Major;
    assert!(weight(ConfidenceCause::ShortEvidence { sampled_s: 119.0 }));
    assert!(!weight(ConfidenceCause::ShortEvidence { sampled_s: 120.0 }));
    let few = |effective| {
        let evidence = QuantileEvidence { samples: 200.0, effective, required: 299, bounded: Some(0.95) };
        weight(ConfidenceCause::FewSamples(evidence))
    };
    assert!(few(59.9) && !few(60.0));
    let saturated =
        |middle| ConfidenceCause::Saturated { unmet_factor: Range { low: 1.0, middle, high: 2.0 * middle } };
    assert!(!weight(saturated(1.99)) && weight(saturated(2.0)));
}

/// 0.99^298 is 0.0500, 0.99^299 is 0.0495: 299 samples bound the 99th percentile with 95 %.
#[test]
fn the_fewest_samples_bound_the_percentile() {
    assert!(0.99f64.powi(298) > 0.05 && ebs_stats::required_samples(0.99).ceil() == 299.0);
}

/// Without latencies 3,000 may be what gp3 includes, and 1,500 what gp2 of the 500 GiB of the filesystem sustains; 2,000 are neither's. What is
/// declared has its own limits alone.
#[test]
fn a_flat_rate_without_latencies_is_a_major_cause() {
    use crate::recommend::advise::tests::{DATA, Load, declare, declared_advice, window};
    use crate::request::settings::Settings;
    use ebs_aws::catalogue::VolumeType;
    use ebs_prediction::saturation::{LevelSource, LimitOwner};
    let flat = |reads, timed, declared: &Declarations| {
        let mut seen = window(&[Load { reads, read_ms: if timed { reads / 2 } else { 0 }, ..DATA }], &[]);
        seen.layout.volumes[0].timed = timed;
        let role = declared_advice(&seen, Settings::default(), declared).roles.remove(0);
        role.state.flat_rate.map(|flat| {
            assert_eq!(ConfidenceCause::LimitOrDemand(flat).weight(), CauseWeight::Major);
            (flat.level, flat.source)
        })
    };
    let nothing = Declarations::default();
    let published = |level, volume_type| Some((level, LevelSource::Published(volume_type)));
    assert_eq!(flat(3_000, false, &nothing), published(3_000.0, VolumeType::Gp3));
    assert_eq!(flat(16_000, false, &nothing), published(16_000.0, VolumeType::Gp2));
    assert_eq!(flat(1_500, false, &nothing), published(1_500.0, VolumeType::Gp2));
    assert_eq!([flat(2_000, false, &nothing), flat(3_000, true, &nothing)], [None; 2]);
    let gp3 = declare(VolumeType::Gp3, 100, Some(5_000));
    assert_eq!(flat(5_000, false, &gp3), Some((5_000.0, LevelSource::Known(LimitOwner::Volume))));
    assert_eq!(flat(3_000, false, &gp3), None);
}
