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
