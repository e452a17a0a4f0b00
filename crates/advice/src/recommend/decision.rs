//! The decision path: from the workload to a type, question by question, as it was decided.

use crate::evaluate::candidate::{Bound, Candidate};
use crate::insufficient::MIN_SECONDS;
use crate::recommend::decision_step::Step;
use crate::recommend::role_advice::RoleAdvice;
use crate::request::settings::Request;
use ebs_aws::catalogue::{Platform, Purpose, VolumeType, classes_of};
use ebs_base::format::{at_least, count, fine_pct, ms, pct, rate, size, usd};
use ebs_workload::io_profile::{Metric, find};

fn step(question: impl Into<String>, answer: impl Into<String>) -> Step {
    Step { question: question.into(), answer: answer.into() }
}

/// The questions in the order in which they narrow the choice.
pub fn decide(role: &RoleAdvice, request: &Request, sampled_s: f64) -> Vec<Step> {
    let mut steps =
        vec![step(format!("At least {} s of samples?", count(MIN_SECONDS)), format!("yes, {}", count(sampled_s)))];
    steps.push(instance(role, request));
    steps.push(disks(role));
    steps.push(durability(request));
    steps.push(latency(role, request));
    steps.extend(included(role));
    steps.push(choice(role));
    steps
}

fn instance(role: &RoleAdvice, request: &Request) -> Step {
    let question = "Does the instance carry it?";
    match (request.instance, &role.instance_short) {
        (None, _) => step(question, "not known: no instance named, declared or seen"),
        (Some(instance), None) => {
            let baseline = instance.baseline();
            let (iops, mibps) = (count(baseline.iops), count(baseline.mibps));
            let short = role.wanted.iops > baseline.iops || role.wanted.mibps > baseline.mibps;
            let headroom = if short { ", but not with the headroom asked for" } else { "" };
            let name = &instance.instance_type;
            step(question, format!("yes, {name} does {iops} IOPS and {mibps} MiB/s without end{headroom}"))
        }
        (Some(instance), Some(short)) => step(
            question,
            format!(
                "no, {} throttles {} of seconds: first a larger instance",
                instance.instance_type,
                pct(short.outcome.throttled_pct())
            ),
        ),
    }
}

fn disks(role: &RoleAdvice) -> Step {
    let kib = find(&role.figures, Metric::RequestSize).and_then(|figure| figure.mean);
    let answer = match kib {
        Some(kib) if kib >= 1_024.0 => {
            format!("so far, {} KiB a request; but a database reads single pages too: an SSD", size(kib))
        }
        Some(kib) => format!("no, requests of {} KiB would cost 1 MiB of credits each: an SSD", size(kib)),
        None => "no: an SSD".to_owned(),
    };
    step("Sequential requests of 1 MiB only?", answer)
}

fn durability(request: &Request) -> Step {
    let promised = VolumeType::Gp3.durability_pct();
    let question = format!("More durable than {promised} % a year?");
    match request.durability_pct.filter(|asked| *asked > promised) {
        Some(asked) if has_io2(request.platform) => step(question, format!("yes, {asked} % asked for: io2")),
        Some(asked) => step(question, format!("yes, {asked} % asked for: io2, which is not sold there")),
        None => step(question, "not asked for: any"),
    }
}

fn has_io2(platform: Platform) -> bool {
    classes_of(platform, VolumeType::Io2, Purpose::Any).next().is_some()
}

fn latency(role: &RoleAdvice, request: &Request) -> Step {
    let question = "Mean latency below what general purpose volumes give?";
    let gp3 = role.candidates.iter().filter(|candidate| candidate.config.volume_type == VolumeType::Gp3);
    let gp3_ms = gp3.filter_map(|candidate| candidate.latency_ms).next();
    match (request.latency_target_ms, gp3_ms) {
        (Some(target), Some(here)) if target < here => {
            step(question, format!("yes, {} ms asked for, gp3 gives some {}: provisioned IOPS", ms(target), ms(here)))
        }
        (Some(target), Some(here)) => {
            step(question, format!("no, {} ms asked for, gp3 gives some {}", ms(target), ms(here)))
        }
        (None, Some(here)) => step(question, format!("not asked for (gp3 gives some {} ms): any", ms(here))),
        _ => step(question, "not known"),
    }
}

/// What needs buying above what gp3 includes.
fn included(role: &RoleAdvice) -> Option<Step> {
    let gp3 = role.candidates.iter().find(|candidate| candidate.config.volume_type == VolumeType::Gp3)?;
    let class = gp3.config.class()?;
    let (iops, mibps) = (class.min_iops as f64, class.min_mibps as f64);
    let need = &role.wanted;
    let needed = format!("{} IOPS and {} MiB/s needed", at_least(need.iops), size(need.mibps));
    let answer = if need.iops <= iops && need.mibps <= mibps {
        format!("yes, {needed}")
    } else if need.iops <= class.max_iops as f64 && need.mibps <= class.max_mibps as f64 {
        format!("no, {needed}, which gp3 can be bought with")
    } else {
        let other = match gp3.config.platform {
            platform if platform.is_rds() => "io2",
            platform if has_io2(platform) => "a stripe, or io2",
            _ => "a stripe",
        };
        format!("no, {needed}, more than one gp3 has: {other}")
    };
    Some(step(format!("Are gp3's included {} IOPS and {} MiB/s enough?", rate(iops), rate(mibps)), answer))
}

fn choice(role: &RoleAdvice) -> Step {
    let question = "The cheapest that is left?";
    match role.candidates.first().filter(|candidate| candidate.feasible) {
        None => step(question, "nothing meets everything asked for"),
        Some(best) => step(question, chosen(best)),
    }
}

fn chosen(best: &Candidate) -> String {
    let many = if best.volumes > 1 { format!("{} × ", best.volumes) } else { String::new() };
    let replayed = best
        .outcome
        .map_or(String::new(), |outcome| format!(", throttled {} of seconds", fine_pct(outcome.throttled_pct())));
    let why = if best.bound == Bound::None { String::new() } else { format!(", bound by {}", best.bound.name()) };
    format!("{many}{}, {} a month{replayed}{why}", best.config.volume_type.name(), usd(best.total()))
}

#[cfg(test)]
#[path = "decision_tests.rs"]
mod tests;
