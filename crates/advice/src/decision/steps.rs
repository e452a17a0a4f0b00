//! The steps from the workload to the recommended volumes.

use crate::decision::role_advice::RoleAdvice;
use crate::decision::step::{Choice, IncludedCoverage, InstanceStep, Step};
use crate::evaluate::candidate::Candidate;
use crate::evaluate::reason::Provisioning;
use crate::request::settings::Request;
use crate::scenario::instance_saturation::InstancePlateau;
use ebs_aws::catalogue::{Ceiling, VolumeType};
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
    let general_purpose_pct = VolumeType::general_purpose().durability_pct();
    Step::Durability {
        general_purpose_pct,
        requested_pct: request.durability_pct.filter(|requested| *requested > general_purpose_pct),
        provisioned_is_sold: VolumeType::provisioned().is_sold_on(request.platform),
    }
}

fn latency_step(role: &RoleAdvice, request: &Request) -> Step {
    let is_general_purpose = |one: &&Candidate| one.config.volume_type == VolumeType::general_purpose();
    let general_purpose = role.candidates.iter().filter(is_general_purpose);
    let reads = role.state.group.demand.read_share().unwrap_or(0.5);
    // Requests of a burst that wait for a limit are no property of the type: a target alone is compared with what they take.
    let latency_ms = |candidate: &Candidate| match request.latency_target_ms {
        Some(_) => candidate.latency_ms,
        None => candidate.unqueued_ms(reads).or(candidate.latency_ms),
    };
    let general_purpose_ms = general_purpose.filter_map(latency_ms).next();
    Step::Latency { target_ms: request.latency_target_ms, general_purpose_ms }
}

fn included_step(role: &RoleAdvice) -> Option<Step> {
    let volume_type = VolumeType::general_purpose();
    let is_available = |candidate: &&Candidate| {
        candidate.config.volume_type == volume_type && candidate.bound != BindingLimit::Unavailable
    };
    let candidate = role.candidates.iter().find(is_available)?;
    let (class, platform, required) = (candidate.config.class()?, candidate.config.platform, candidate.required);
    let included = Ceiling { iops: class.min_iops as f64, mibps: class.min_mibps as f64 };
    let covers = |limits: Ceiling| required.iops <= limits.iops && required.mibps <= limits.mibps;
    let coverage = if is_as_current(candidate) {
        IncludedCoverage::AsCurrent
    } else if covers(included) {
        IncludedCoverage::Included
    } else if covers(Ceiling { iops: class.max_iops as f64, mibps: class.max_mibps as f64 }) {
        IncludedCoverage::Provisioned
    } else {
        IncludedCoverage::Exceeded {
            stripe: !platform.is_rds(),
            provisioned: platform.is_rds() || VolumeType::provisioned().is_sold_on(platform),
        }
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
