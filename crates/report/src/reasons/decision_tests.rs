use super::*;
use ebs_aws::catalogue::{Ceiling, VolumeType};

/// The answer on EC2.
fn describe_answer(step: &Step) -> String {
    super::describe_answer(step, Platform::Ec2)
}

fn ceiling(iops: f64, mibps: f64) -> Ceiling {
    Ceiling { iops, mibps }
}

#[test]
fn evidence() {
    let step = Step::Evidence { sampled_s: 900.0 };
    assert_eq!(
        (describe_question(&step).as_str(), describe_answer(&step).as_str()),
        ("At least 30 s of samples?", "yes, 900")
    );
}

#[test]
fn instance() {
    let answer = |step| describe_answer(&Step::Instance(step));
    assert_eq!(answer(InstanceStep::Unknown), "unknown: instance type not given, declared or detected");
    let (instance_type, baseline) = ("m5.large", ceiling(3_600.0, 81.25));
    let sufficient = |with_headroom| answer(InstanceStep::Sufficient { instance_type, baseline, with_headroom });
    assert!(sufficient(true).starts_with("yes, m5.large sustains 3,600 IOPS and "));
    assert!(sufficient(false).ends_with(" MiB/s, but not with the requested headroom"));
    assert_eq!(
        answer(InstanceStep::Saturated { instance_type, throttled_pct: 100.0 }),
        "no, m5.large throttles 100 % of seconds: first a larger instance"
    );
}

#[test]
fn sequential() {
    let answer = |request_kib| describe_answer(&Step::Sequential { request_kib });
    assert_eq!(answer(Some(8.0)), "no, requests of 8.00 KiB would cost 1 MiB of credits each: an SSD");
    assert_eq!(answer(Some(1_024.0)), "so far, 1,024 KiB a request; but a database reads single pages too: an SSD");
    assert_eq!(answer(None), "no: an SSD");
}

#[test]
fn durability() {
    let step = |requested_pct, provisioned_is_sold| Step::Durability {
        general_purpose_pct: 99.8,
        requested_pct,
        provisioned_is_sold,
    };
    assert_eq!(describe_question(&step(None, true)), "More durable than 99.8 % a year?");
    assert_eq!(describe_answer(&step(None, true)), "not requested: any");
    assert_eq!(describe_answer(&step(Some(99.9), true)), "yes, 99.9 % requested: io2");
    assert_eq!(describe_answer(&step(Some(99.9), false)), "yes, 99.9 % requested: io2, which is not sold there");
}

#[test]
fn latency() {
    let answer = |target_ms, general_purpose_ms| describe_answer(&Step::Latency { target_ms, general_purpose_ms });
    assert_eq!(answer(None, Some(0.91)), "not requested (gp3 has about 0.91 ms): any");
    assert_eq!(answer(Some(1.0), Some(0.91)), "no, 1.00 ms requested, gp3 has about 0.91");
    assert_eq!(answer(Some(0.5), Some(0.91)), "yes, 0.50 ms requested, gp3 has about 0.91: provisioned IOPS");
    assert_eq!(answer(Some(0.5), None), "unknown");
}

#[test]
fn included() {
    let step = |included, required, coverage| Step::Included { included, required, coverage };
    let ec2 = ceiling(3_000.0, 125.0);
    let small = step(ec2, ceiling(12.0, 0.094), IncludedCoverage::Included);
    assert_eq!(describe_question(&small), "Are gp3's included 3,000 IOPS and 125 MiB/s enough?");
    assert_eq!(describe_answer(&small), "yes, 12 IOPS and 0.09 MiB/s needed");
    let bought = step(ec2, ceiling(6_000.0, 46.875), IncludedCoverage::Provisioned);
    assert_eq!(describe_answer(&bought), "no, 6,000 IOPS and 46.9 MiB/s needed; gp3 can be provisioned with that");
    let exceeded = |stripe, provisioned| {
        let coverage = IncludedCoverage::Exceeded { stripe, provisioned };
        describe_answer(&step(ec2, ceiling(84_000.0, 656.25), coverage))
    };
    let needed = "no, 84,000 IOPS and 656 MiB/s needed, more than one gp3 has:";
    assert_eq!(exceeded(true, true), format!("{needed} a stripe, or io2"));
    assert_eq!(exceeded(false, true), format!("{needed} io2"));
    assert_eq!(exceeded(true, false), format!("{needed} a stripe"));
}

#[test]
fn choice() {
    let answer = |volumes, usd: &str, bound| {
        let usd_month = usd.parse().ok();
        let choice = Choice { volumes, volume_type: VolumeType::Gp3, usd_month, throttled_pct: Some(0.0), bound };
        describe_answer(&Step::Choice(Some(choice)))
    };
    assert_eq!(answer(1, "8", BindingLimit::None), "gp3, $8.00 a month, throttled 0.00 % of seconds");
    assert_eq!(
        answer(1, "30.50", BindingLimit::VOLUME_IOPS),
        "gp3, $30.50 a month, throttled 0.00 % of seconds, then bound by volume IOPS"
    );
    assert_eq!(answer(4, "8", BindingLimit::None), "4 × gp3, $8.00 a month, throttled 0.00 % of seconds");
    assert_eq!(describe_answer(&Step::Choice(None)), "none meets everything requested");
}
