//! Subject of the report, and the evidence that it rests on.

use super::layout::wrap;
use crate::Report;
use ebs_aws::catalogue::Platform;
use ebs_base::format::{count, pct};
use ebs_samples::evidence::Tier;
use ebs_workload::steady_state::{RampUp, Steadiness};

/// Renders title and evidence.
pub(super) fn render(report: &Report) -> Vec<String> {
    [wrap(&title(report), "  "), wrap(&evidence(report), "  ")].concat()
}

/// `EBS advice for run tpcc-100 · PostgreSQL 18.6 · r6i.4xlarge · us-east-1, prices of 2026-10-15`.
pub(crate) fn title(report: &Report) -> String {
    format!("EBS advice for {} · {}", report.subject, place(report))
}

/// The same without the subject.
pub(crate) fn place(report: &Report) -> String {
    let instance = match (report.request.instance, report.instance()) {
        (Some(instance), _) => instance.instance_type.clone(),
        (None, Some(instance)) => instance.to_owned(),
        (None, None) => "instance not named".to_owned(),
    };
    let request = report.request;
    let (region, as_of) = (&request.prices.region, request.prices.as_of(request.platform));
    let on = if request.platform == Platform::Ec2 { String::new() } else { format!("{}, ", request.platform.name()) };
    format!("{} · {instance} · {on}{region}, prices of {as_of}", report.server)
}

/// `Evidence: 09:20:00 to 09:40:00, 1,200 of 1,200 s sampled, …`.
pub(crate) fn evidence(report: &Report) -> String {
    let coverage = &report.coverage;
    let mut evidence =
        format!("Evidence: {}, {} of {} s sampled", report.when, count(coverage.sampled_s), count(coverage.window_s));
    if report.window.sampling.tier != Tier::Imported && coverage.sampled_s > 0.0 {
        evidence.push_str(&format!(" {}", report.window.sampling.tier.name()));
    }
    if coverage.downsampled_s > 0.0 {
        evidence.push_str(&format!(
            ", {} of them aged (rates within {})",
            count(coverage.downsampled_s),
            pct(report.window.rate_error_pct.into())
        ));
    }
    if coverage.missed_samples > 0 {
        evidence.push_str(&format!(", {} ticks missed", count(coverage.missed_samples as f64)));
    }
    let steps = report.window.sampling.punctuality.clock_steps;
    if steps > 0 {
        let plural = if steps == 1 { "" } else { "s" };
        evidence.push_str(&format!(", the wall clock was set {} time{plural} meanwhile", count(steps as f64)));
    }
    if coverage.resets > 0 {
        let plural = if coverage.resets == 1 { "" } else { "s" };
        evidence.push_str(&format!(", {} counter reset{plural} (those seconds left out)", coverage.resets));
    }
    evidence.extend(report.steadiness.iter().flat_map(steadiness));
    evidence
}

/// Ramp-up, checkpoints and steadiness, as far as they are known. Ramp-up is not left out: its demand is demand, too.
fn steadiness(steadiness: &Steadiness) -> Vec<String> {
    let mut words = Vec::new();
    if let RampUp::Ended { seconds, .. } = steadiness.ramp_up {
        words.push(format!(", ramp-up of {} s among them", count(seconds)));
    }
    if let Some(cycles) = steadiness.checkpoint_cycles.filter(|cycles| *cycles > 0) {
        let plural = if cycles == 1 { "" } else { "s" };
        words.push(format!(", {} whole checkpoint cycle{plural}", count(cycles as f64)));
    }
    words.extend(steadiness.words().map(|words| format!(", {words}")));
    words
}
