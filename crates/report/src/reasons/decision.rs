//! Steps of the decision, as questions and answers.

use super::candidate::describe_bound;
use super::instance_type::describe_type;
use super::{month, saturation};
use ebs_advice::{Choice, IncludedCoverage, InstanceStep, MIN_SECONDS, Step};
use ebs_aws::catalogue::{Platform, VolumeType};
use ebs_base::format::{at_least, count, distinct, fine_pct, ms, pct, rate, size};
use ebs_prediction::BindingLimit;

fn general_purpose() -> &'static str {
    VolumeType::general_purpose().name()
}

fn provisioned() -> &'static str {
    VolumeType::provisioned().name()
}

/// Describes the question of a step.
pub fn describe_question(step: &Step) -> String {
    match step {
        Step::Evidence { .. } => format!("At least {} s of samples?", count(MIN_SECONDS)),
        Step::Instance(_) => "Within instance limits?".to_owned(),
        Step::Sequential { .. } => "Sequential requests of 1 MiB only?".to_owned(),
        Step::Durability { general_purpose_pct, .. } => format!("More durable than {general_purpose_pct} % a year?"),
        Step::Latency { .. } => "Mean latency below what general purpose volumes give?".to_owned(),
        Step::Included { included, .. } => {
            let (iops, mibps) = (rate(included.iops), rate(included.mibps));
            format!("Are {}'s included {iops} IOPS and {mibps} MiB/s enough?", general_purpose())
        }
        Step::Choice(_) => "Cheapest of the rest?".to_owned(),
        Step::Kept(_) => "In place of today's volumes?".to_owned(),
    }
}

/// Describes the answer, from the evidence and the request.
pub fn describe_answer(step: &Step, platform: Platform) -> String {
    match step {
        Step::Evidence { sampled_s } => format!("yes, {}", count(*sampled_s)),
        Step::Instance(instance) => instance_answer(instance, platform),
        Step::Sequential { request_kib } => sequential_answer(*request_kib),
        Step::Durability { requested_pct: None, .. } => "not requested: any".to_owned(),
        Step::Durability { requested_pct: Some(requested), provisioned_is_sold: true, .. } => {
            format!("yes, {requested} % requested: {}", provisioned())
        }
        Step::Durability { requested_pct: Some(requested), provisioned_is_sold: false, .. } => {
            format!("yes, {requested} % requested: {}, which is not sold there", provisioned())
        }
        Step::Latency { target_ms, general_purpose_ms } => latency_answer(*target_ms, *general_purpose_ms),
        Step::Included { required, coverage, .. } => {
            let needed = format!("{} IOPS and {} MiB/s needed", at_least(required.iops), size(required.mibps));
            match coverage {
                IncludedCoverage::Included => format!("yes, {needed}"),
                IncludedCoverage::AsCurrent => {
                    format!("as today's volume, which carried the demand; with the requested headroom {needed}")
                }
                IncludedCoverage::Provisioned => {
                    format!("no, {needed}; {} can be provisioned with that", general_purpose())
                }
                IncludedCoverage::Exceeded { stripe, provisioned: is_sold } => {
                    let other = match (stripe, is_sold) {
                        (false, _) => provisioned().to_owned(),
                        (true, true) => format!("a stripe, or {}", provisioned()),
                        (true, false) => "a stripe".to_owned(),
                    };
                    format!("no, {needed}, more than one {} has: {other}", general_purpose())
                }
            }
        }
        Step::Kept(choice) => format!("no, these stay: {}", choice_answer(choice)),
        Step::Choice(choice) => choice.as_ref().map_or("none meets everything requested".to_owned(), choice_answer),
    }
}

fn instance_answer(step: &InstanceStep, platform: Platform) -> String {
    let named = |instance_type: &str| describe_type(instance_type, platform);
    match step {
        InstanceStep::Unknown => "unknown: instance type not given, declared or detected".to_owned(),
        InstanceStep::Sufficient { instance_type, baseline, with_headroom } => {
            let (iops, mibps) = (count(baseline.iops), count(baseline.mibps));
            let headroom = if *with_headroom { "" } else { ", but not with the requested headroom" };
            format!("yes, {} sustains {iops} IOPS and {mibps} MiB/s{headroom}", named(instance_type))
        }
        InstanceStep::Doubtful { instance_type, plateau } => {
            format!("perhaps not: {}", saturation::describe_plateau(&named(instance_type), plateau))
        }
        InstanceStep::Reached { instance_type, plateau } => {
            let condition = saturation::describe_condition(plateau);
            format!(
                "no, {}: first a larger instance{condition}",
                saturation::describe_plateau(&named(instance_type), plateau)
            )
        }
        InstanceStep::Saturated { instance_type, throttled_pct } => {
            format!(
                "no, {} throttles {} of seconds: first a larger instance",
                named(instance_type),
                pct(*throttled_pct)
            )
        }
    }
}

fn sequential_answer(request_kib: Option<f64>) -> String {
    match request_kib {
        Some(kib) if kib >= 1_024.0 => {
            format!("so far, {} KiB a request; but a database reads single pages too: an SSD", size(kib))
        }
        Some(kib) => format!("no, requests of {} KiB would cost 1 MiB of credits each: an SSD", size(kib)),
        None => "no: an SSD".to_owned(),
    }
}

fn latency_answer(target_ms: Option<f64>, general_purpose_ms: Option<f64>) -> String {
    let name = general_purpose();
    match (target_ms, general_purpose_ms) {
        (Some(target), Some(usual)) if target < usual => {
            let (target, usual) = distinct(ms, target, usual);
            format!("yes, {target} ms requested, {name} has about {usual}: provisioned IOPS")
        }
        (Some(target), Some(usual)) => format!("no, {} ms requested, {name} has about {}", ms(target), ms(usual)),
        (None, Some(usual)) => format!("not requested ({name} has about {} ms): any", ms(usual)),
        (_, None) => "unknown".to_owned(),
    }
}

/// Describes the volumes chosen: `4 × gp3, $8.00 a month, throttled 0.00 % of seconds, then bound by volume IOPS`.
fn choice_answer(choice: &Choice) -> String {
    let many = if choice.volumes > 1 { format!("{} × ", choice.volumes) } else { String::new() };
    let throttled = |throttled: f64| format!(", throttled {} of seconds", fine_pct(throttled));
    let throttled = choice.throttled_pct.map_or(String::new(), throttled);
    let bound =
        if choice.bound == BindingLimit::None { String::new() } else { format!(", {}", describe_bound(choice.bound)) };
    let price = month::describe(choice.usd_month);
    format!("{many}{}, {price}{throttled}{bound}", choice.volume_type.name())
}

#[cfg(test)]
#[path = "decision_tests.rs"]
mod tests;
