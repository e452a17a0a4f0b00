use super::*;
use crate::decision::advise::tests::{DATA, Load, data, rds};
use crate::request::settings::Settings;
use ebs_aws::catalogue::prices;
use ebs_prediction::BindingLimit;

fn steps(load: Load, settings: Settings) -> Vec<Step> {
    let request = settings.check(prices("us-east-1").unwrap().clone()).unwrap();
    data(load, settings).steps(&request, 600.0)
}

fn busy(reads: u64) -> Load {
    Load { reads, read_ms: reads / 2, ..DATA }
}

/// The figures of the first step that has some.
fn find_step<T>(steps: Vec<Step>, figures: impl Fn(&Step) -> Option<T>) -> T {
    steps.iter().find_map(figures).unwrap_or_else(|| panic!("{steps:?}"))
}

#[test]
fn the_instance_is_unknown_sufficient_or_saturated() {
    let instance = |instance: Option<&str>, load| {
        let settings = Settings { instance: instance.map(str::to_owned), ..Settings::default() };
        find_step(steps(load, settings), |step| match step {
            Step::Instance(found) => Some(*found),
            _ => None,
        })
    };
    assert_eq!(instance(None, DATA), InstanceStep::Unknown);
    let sufficient = instance(Some("m5.large"), DATA);
    let InstanceStep::Sufficient { instance_type, baseline, with_headroom } = sufficient else {
        panic!("{sufficient:?}")
    };
    assert_eq!((instance_type, baseline.iops, with_headroom), ("m5.large", 3_600.0, true));
    let saturated = InstanceStep::Saturated { instance_type: "m5.large", throttled_pct: 100.0 };
    assert_eq!(instance(Some("m5.large"), busy(9_000)), saturated);
}

#[test]
fn the_size_of_requests_speaks_against_disks() {
    let kib = |load| {
        find_step(steps(load, Settings::default()), |step| match step {
            Step::Sequential { request_kib } => Some(*request_kib),
            _ => None,
        })
    };
    assert_eq!(kib(DATA), Some(8.0));
    assert_eq!(kib(Load { reads: 20, kib: 1_024, ..DATA }), Some(1_024.0));
    assert_eq!(kib(Load { reads: 0, read_ms: 0, ..DATA }), None);
}

#[test]
fn durability_counts_above_that_of_general_purpose_volumes() {
    let requested = |durability_pct, platform: &str| {
        let settings = Settings { durability_pct, platform: platform.to_owned(), ..Settings::default() };
        find_step(steps(DATA, settings), |step| match step {
            Step::Durability { requested_pct, provisioned_is_sold, .. } => Some((*requested_pct, *provisioned_is_sold)),
            _ => None,
        })
    };
    assert_eq!(requested(None, "ec2"), (None, true));
    assert_eq!(requested(Some(99.8), "ec2"), (None, true));
    assert_eq!(requested(Some(99.9), "ec2"), (Some(99.9), true));
    assert_eq!(requested(Some(99.9), "outposts"), (Some(99.9), false));
}

#[test]
fn latency_is_compared_with_that_of_gp3() {
    let latency = |load, latency_target_ms| {
        find_step(steps(load, Settings { latency_target_ms, ..Settings::default() }), |step| match step {
            Step::Latency { target_ms, general_purpose_ms } => Some((*target_ms, *general_purpose_ms)),
            _ => None,
        })
    };
    assert_eq!(latency(DATA, None), (None, Some(0.74)));
    assert_eq!(latency(DATA, Some(1.0)), (Some(1.0), Some(0.74)));
    assert_eq!(latency(Load { reads: 0, read_ms: 0, ..DATA }, Some(0.5)), (Some(0.5), None));
}

/// gp3 has up to 80,000 IOPS, on RDS from 400 GiB on 64,000; io2 is not sold on Outposts.
#[test]
fn what_gp3_includes_is_compared_with_the_requirement() {
    let included = |load, settings| {
        find_step(steps(load, settings), |step| match step {
            Step::Included { included, required, coverage } => {
                Some(((included.iops, included.mibps), required.iops.round(), *coverage))
            }
            _ => None,
        })
    };
    let (ec2, any) = ((3_000.0, 125.0), Settings::default);
    assert_eq!(included(DATA, any()), (ec2, 12.0, IncludedCoverage::Included));
    assert_eq!(included(busy(5_000), any()), (ec2, 6_000.0, IncludedCoverage::Provisioned));
    let exceeded = |stripe, provisioned| IncludedCoverage::Exceeded { stripe, provisioned };
    assert_eq!(included(busy(70_000), any()), (ec2, 84_000.0, exceeded(true, true)));
    let large_rds = Settings { min_size_gib: Some(400), ..rds() };
    assert_eq!(included(busy(70_000), large_rds), ((12_000.0, 500.0), 84_000.0, exceeded(false, true)));
    let outposts = Settings { platform: "outposts".into(), ..any() };
    assert_eq!(included(busy(70_000), outposts), (ec2, 84_000.0, exceeded(true, false)));
}

#[test]
fn the_choice_is_the_recommendation() {
    let choice = |load, settings| {
        find_step(steps(load, settings), |step| match step {
            Step::Choice(choice) => Some(*choice),
            _ => None,
        })
    };
    let any = Settings::default;
    let gp3 = |volumes, usd: &str, bound| {
        let usd_month = usd.parse().ok();
        Some(Choice { volumes, volume_type: VolumeType::Gp3, usd_month, throttled_pct: Some(0.0), bound })
    };
    assert_eq!(choice(DATA, any()), gp3(1, "8", BindingLimit::None));
    assert_eq!(choice(busy(6_250), any()), gp3(1, "30.50", BindingLimit::VOLUME_IOPS));
    assert_eq!(choice(busy(6_250), Settings { max_volumes: Some(4), ..any() }), gp3(4, "8", BindingLimit::None));
    assert_eq!(choice(DATA, Settings { latency_target_ms: Some(0.1), ..any() }), None);
}
