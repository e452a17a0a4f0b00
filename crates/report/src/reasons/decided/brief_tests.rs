use super::*;
use crate::reasons::candidate::tests::candidate;
use crate::reasons::observed::Observed;
use ebs_advice::{
    Action, MeanLatency, PredictedThroughput, PricedVolumes, Reason, RefutedLimit, Relaxation, RelaxationCause,
    Sufficient, UsedSpace,
};
use ebs_aws::catalogue::{VolumeType, known_instance};
use ebs_base::units::Usd;
use ebs_prediction::predict::Source;
use proptest::prelude::*;

/// Most columns of a reason in few words: the table of a fleet holds so many.
const LONGEST: usize = 60;

fn decided(full_in_days: Option<f64>) -> Decided<'static> {
    let priced = |size_gib| {
        let config = VolumeConfig::new(Platform::Ec2, VolumeType::Gp3, size_gib, None, None).unwrap();
        PricedVolumes { config, volumes: 1, usd_month: None }
    };
    Decided {
        observed: Observed::Volume,
        platform: Platform::Rds,
        unknown_type: None,
        interval_s: Some(60.0),
        present: Some(priced(500)),
        volumes: Some(priced(if full_in_days.is_some() { 600 } else { 500 })),
        space: full_in_days.map(|days| UsedSpace {
            used: 480.0 * GIB as f64,
            size: 500.0 * GIB as f64,
            per_day: Some(1e9),
            full_in_days: Some(days),
        }),
        action: Action::Modify,
        saved: None,
        findings: &[],
    }
}

fn words(reason: &ActionReason) -> String {
    describe_reason_briefly(reason, &decided(None))
}

fn sufficing(provisioning: Provisioning) -> Box<Candidate> {
    Box::new(candidate(VolumeType::Gp3, Reason::Sufficient(Sufficient { provisioning, saturation: None })))
}

fn demand_of(required: f64, addition: Addition) -> Provisioning {
    let (limited, percentile_high) = (LimitKind::Iops, required / 1.2);
    Provisioning::Demand { limited, required, percentile: 99.0, percentile_high, addition }
}

fn binds(name: &str, bound: BindingLimit, required: f64) -> ActionReason {
    let required = Ceiling { iops: required, mibps: required };
    ActionReason::InstanceBinds { instance: known_instance(name).unwrap(), bound, required, sufficient: None }
}

#[test]
fn the_limit_and_the_demand_come_first() {
    assert_eq!(
        words(&binds("m5.large", BindingLimit::INSTANCE_IOPS, 4_861.2)),
        "db.m5.large sustains 3,600 of 4,861 IOPS"
    );
    let reason = |provisioning| words(&ActionReason::Sufficient(sufficing(provisioning)));
    assert_eq!(reason(demand_of(4_519.2, Addition::HeadroomPct(20.0))), "4,520 IOPS needed (p99 3,766 + 20 %)");
    let required = Ceiling { iops: 1_215.0, mibps: 19.0 };
    assert_eq!(reason(Provisioning::Included { required }), "1,215 IOPS and 19.0 MiB/s needed");
    let limits = Ceiling { iops: 3_000.0, mibps: 250.0 };
    let current = VolumeType::Gp2;
    let as_current = Provisioning::AsCurrent { current, limits, required };
    assert_eq!(reason(as_current), "today's 3,000 IOPS carried the demand");
    let growing = ActionReason::PresentTooSmall(sufficing(Provisioning::Included { required }));
    assert_eq!(describe_reason_briefly(&growing, &decided(Some(19.8))), "500 GiB are full in 20 days");
    let near = Candidate {
        bound: BindingLimit::VOLUME_IOPS,
        excess: Some(Excess { required: 90_000.0, limit: 80_000.0 }),
        ..candidate(VolumeType::Gp3, Reason::Unsuitable)
    };
    assert_eq!(words(&ActionReason::NothingSuffices(Some(Box::new(near)))), "none suffices: 90,000 IOPS needed");
}

/// Every basis of volumes with this rate, and amounts as large.
fn provisionings(rate: f64) -> Vec<Provisioning> {
    let required = Ceiling { iops: rate, mibps: rate };
    let kept = KeptShare { ratio: 0.98, unlimited_ratio: 1.0, used: required, low_share: Some(0.9) };
    let relaxed = |headroom, kept| {
        let cause = RelaxationCause::Budget(Usd::from_cents(rate as i64));
        Provisioning::Relaxed { relaxation: Relaxation { cause, headroom, whole: None }, kept }
    };
    let additions = [
        Addition::HeadroomPct(900.0),
        Addition::HeadroomPct(0.0),
        Addition::CutOff,
        Addition::MaxThrottledPct(99.9),
        Addition::AssumedPeak { averages: 1, averaged_s: rate, factor: rate },
    ];
    let latency = MeanLatency { service_ms: rate, source: Source::Scaled, queueing_ms: None, target_ms: rate };
    let refuted = RefutedLimit { limited: LimitKind::Iops, level: rate, declared: rate, seconds_share: 0.5 };
    let mut all = vec![
        Provisioning::Included { required },
        Provisioning::OtherBottleneck { bound: BindingLimit::OtherWaits, ideal_ratio: None },
        Provisioning::InstanceBaseline {
            instance_type: "x2iedn.32xlarge",
            limited: LimitKind::Throughput,
            baseline: rate,
            percentile: 99.9,
            percentile_high: rate,
            headroom_pct: 900.0,
        },
        Provisioning::AsCurrent { current: VolumeType::Gp2, limits: required, required },
        Provisioning::SavesTooLittle { saved: Usd::from_cents(rate as i64) },
        Provisioning::DescriptionRefuted(refuted),
        Provisioning::KeepsThroughput { kept, headroom_pct: 900.0 },
        relaxed(Some(9.0), None),
        relaxed(Some(0.0), None),
        relaxed(None, None),
        relaxed(Some(0.1), Some(kept)),
        Provisioning::Sequential { request_kib: rate },
        Provisioning::Credits { mean_iops: rate },
        Provisioning::ForLatency(latency),
        Provisioning::ForThroughput(PredictedThroughput { ratio: None, min_ratio: rate }),
    ];
    all.extend(additions.map(|addition| demand_of(rate, addition)));
    all
}

/// Every reason with this rate, and amounts as large.
fn reasons(rate: f64) -> Vec<ActionReason> {
    let best = || sufficing(demand_of(rate, Addition::HeadroomPct(20.0)));
    let limits = Ceiling { iops: rate, mibps: rate };
    let carried = CarriedDemand {
        candidate: *best(),
        percentile: 99.9,
        headroom_pct: 20.0,
        demand: limits,
        demand_high: limits,
        limits,
    };
    let missed = |bound| {
        let rate = if bound == BindingLimit::Durability { 99.999 } else { rate };
        let missed = vec![(bound, Excess { required: rate, limit: rate })];
        ActionReason::PresentMissesTarget { missed, candidate: best() }
    };
    let refuted = RefutedLimit { limited: LimitKind::Iops, level: rate, declared: rate, seconds_share: 0.5 };
    let near = |bound, excess| {
        let near = Candidate { bound, excess, ..candidate(VolumeType::Io2, Reason::Unsuitable) };
        ActionReason::NothingSuffices(Some(Box::new(near)))
    };
    let saved = Usd::from_cents(rate as i64);
    let mut all: Vec<ActionReason> =
        provisionings(rate).into_iter().map(sufficing).map(ActionReason::Sufficient).collect();
    all.extend([
        ActionReason::PresentTooSmall(best()),
        missed(BindingLimit::Durability),
        missed(BindingLimit::Latency),
        missed(BindingLimit::ThroughputRatio),
        ActionReason::NegligibleSaving { candidate: best(), saved },
        ActionReason::PresentSuffices(Box::new(carried)),
        ActionReason::DescriptionRefuted { refuted, candidate: best() },
        binds("x2iedn.32xlarge", BindingLimit::INSTANCE_IOPS, rate),
        binds("x2iedn.32xlarge", BindingLimit::INSTANCE_THROUGHPUT, rate),
        ActionReason::NothingSuffices(None),
        near(BindingLimit::VOLUME_THROUGHPUT, Some(Excess { required: rate, limit: 1.0 })),
        near(BindingLimit::Unavailable, None),
        ActionReason::ConfigurationUnknown(best()),
        ActionReason::Idle { requests: rate as u64, seconds: rate },
    ]);
    all
}

proptest! {
    /// Whatever the reason, it has the room that the table of a fleet keeps for it, and no word in it is too long to be broken.
    #[test]
    fn a_reason_in_few_words_has_few_columns(exponent in 0.0..7.0_f64, days in 0.0..1e6_f64) {
        for reason in reasons(10f64.powf(exponent)) {
            for decided in [decided(None), decided(Some(days))] {
                let text = describe_reason_briefly(&reason, &decided);
                prop_assert!(!text.is_empty() && text.chars().count() <= LONGEST, "{text}");
                prop_assert!(text.split(' ').all(|word| word.len() <= 20), "{text}");
            }
        }
    }
}
