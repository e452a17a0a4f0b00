//! The steps from the workload to the recommended volumes.

use crate::decision::role_advice::RoleAdvice;
use crate::decision::step::{Choice, Gp3Coverage, InstanceStep, Step};
use crate::evaluate::candidate::Candidate;
use crate::evaluate::reason::Provisioning;
use crate::request::settings::Request;
use crate::scenario::instance_saturation::InstancePlateau;
use ebs_aws::catalogue::{Ceiling, Platform, Purpose, VolumeType, classes_of};
use ebs_prediction::BindingLimit;
use ebs_workload::io_profile::{Metric, find};

impl RoleAdvice {
    /// Lists the steps from the workload to the recommended volumes, in the order in which they narrow the choice, by so many seconds of
    /// samples.
    pub fn steps(&self, request: &Request, sampled_s: f64) -> Vec<Step> {
        list_steps(self, request, sampled_s)
    }
}

fn list_steps(role: &RoleAdvice, request: &Request, sampled_s: f64) -> Vec<Step> {
    let request_kib = find(&role.state.figures, Metric::RequestSize).and_then(|figure| figure.mean);
    let mut steps = vec![
        Step::Evidence { sampled_s },
        Step::Instance(instance_step(role, request)),
        Step::Sequential { request_kib },
        durability_step(request),
        latency_step(role, request),
    ];
    steps.extend(included_step(role));
    let found = role.decision.reason.found().or(role.best());
    steps.push(Step::Choice(found.map(choice)));
    let volumes = |candidate: &Candidate| (candidate.config, candidate.volumes);
    let is_other = |best: &&Candidate| found.is_some_and(|found| volumes(found) != volumes(best));
    steps.extend(role.best().filter(is_other).map(|best| Step::Kept(choice(best))));
    steps
}

fn instance_step(role: &RoleAdvice, request: &Request) -> InstanceStep {
    let plateau = role.state.saturation.as_ref().and_then(InstancePlateau::from_saturation);
    match (request.instance, &role.instance_saturation) {
        (None, _) => InstanceStep::Unknown,
        (Some(instance), None) => {
            if let Some(plateau) = plateau {
                return InstanceStep::Doubtful { instance_type: &instance.instance_type, plateau };
            }
            let (baseline, required) = (instance.baseline(), role.required_without_instance);
            let with_headroom = required.iops <= baseline.iops && required.mibps <= baseline.mibps;
            InstanceStep::Sufficient { instance_type: &instance.instance_type, baseline, with_headroom }
        }
        (Some(instance), Some(saturation)) => match saturation.reached {
            Some(plateau) => InstanceStep::Reached { instance_type: &instance.instance_type, plateau },
            None => InstanceStep::Saturated {
                instance_type: &instance.instance_type,
                throttled_pct: saturation.outcome.throttled_pct(),
            },
        },
    }
}

fn durability_step(request: &Request) -> Step {
    let general_purpose_pct = VolumeType::Gp3.durability_pct();
    Step::Durability {
        general_purpose_pct,
        requested_pct: request.durability_pct.filter(|requested| *requested > general_purpose_pct),
        io2_is_sold: has_io2(request.platform),
    }
}

fn has_io2(platform: Platform) -> bool {
    classes_of(platform, VolumeType::Io2, Purpose::Any).next().is_some()
}

fn latency_step(role: &RoleAdvice, request: &Request) -> Step {
    let gp3 = role.candidates.iter().filter(|candidate| candidate.config.volume_type == VolumeType::Gp3);
    let reads = role.state.group.demand.read_share().unwrap_or(0.5);
    // Requests of a burst that wait for a limit are no property of the type: a target alone is compared with what they take.
    let latency_ms = |candidate: &Candidate| match request.latency_target_ms {
        Some(_) => candidate.latency_ms,
        None => candidate.unqueued_ms(reads).or(candidate.latency_ms),
    };
    let gp3_ms = gp3.filter_map(latency_ms).next();
    Step::Latency { target_ms: request.latency_target_ms, gp3_ms }
}

fn included_step(role: &RoleAdvice) -> Option<Step> {
    let is_gp3 = |candidate: &&Candidate| {
        candidate.config.volume_type == VolumeType::Gp3 && candidate.bound != BindingLimit::Unavailable
    };
    let gp3 = role.candidates.iter().find(is_gp3)?;
    let (class, platform, required) = (gp3.config.class()?, gp3.config.platform, gp3.required);
    let included = Ceiling { iops: class.min_iops as f64, mibps: class.min_mibps as f64 };
    let covers = |limits: Ceiling| required.iops <= limits.iops && required.mibps <= limits.mibps;
    let coverage = if is_as_current(gp3) {
        Gp3Coverage::AsCurrent
    } else if covers(included) {
        Gp3Coverage::Included
    } else if covers(Ceiling { iops: class.max_iops as f64, mibps: class.max_mibps as f64 }) {
        Gp3Coverage::Provisioned
    } else {
        Gp3Coverage::Exceeded { stripe: !platform.is_rds(), io2: platform.is_rds() || has_io2(platform) }
    };
    Some(Step::Included { included, required, coverage })
}

fn is_as_current(candidate: &Candidate) -> bool {
    matches!(candidate.provisioning(), Some(Provisioning::AsCurrent { .. }))
}

fn choice(best: &Candidate) -> Choice {
    Choice {
        volumes: best.volumes,
        volume_type: best.config.volume_type,
        usd_month: best.usd_month(),
        throttled_pct: best.outcome.map(|outcome| outcome.throttled_pct()),
        bound: best.bound_by(),
    }
}

#[cfg(test)]
#[path = "steps_tests.rs"]
mod tests;
