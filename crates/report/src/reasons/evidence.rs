//! The evidence that a report rests on, or the reason why it allows no advice.

use super::steady_state;
use crate::Report;
use ebs_advice::{Insufficient, MIN_SECONDS};
use ebs_base::format::{count, pct};
use ebs_samples::evidence::Tier;
use ebs_workload::steady_state::{RampUp, Steadiness};

/// Describes the evidence: `Evidence: 09:20:00 to 09:40:00, 1,200 of 1,200 s sampled, …`.
pub fn describe(report: &Report) -> String {
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
    evidence.extend(report.steadiness.iter().flat_map(describe_steadiness));
    evidence
}

/// Describes ramp-up, checkpoints and steadiness, as far as they are known. Ramp-up is not excluded: volumes have to carry it,
/// too.
fn describe_steadiness(steadiness: &Steadiness) -> Vec<String> {
    let mut words = Vec::new();
    if let RampUp::Ended { seconds, .. } = steadiness.ramp_up {
        words.push(format!(", ramp-up of {} s among them", count(seconds)));
    }
    if let Some(cycles) = steadiness.checkpoint_cycles.filter(|cycles| *cycles > 0) {
        let plural = if cycles == 1 { "" } else { "s" };
        words.push(format!(", {} whole checkpoint cycle{plural}", count(cycles as f64)));
    }
    words.extend(steady_state::describe(steadiness).map(|words| format!(", {words}")));
    words
}

/// Describes why the evidence is insufficient: `20 s of device samples, at least 30 s are needed`.
pub fn describe_reason(reason: &Insufficient) -> String {
    match reason {
        Insufficient::NoSamples => "no samples in this window".to_owned(),
        Insufficient::NoDevice { reasons } if reasons.is_empty() => "no block device was sampled".to_owned(),
        Insufficient::NoDevice { reasons } => reasons.join("; "),
        Insufficient::TooShort { device_s, unreadable_s } => {
            let unreadable = match *unreadable_s > 0.0 {
                true => format!(" ({} s more without a readable device)", count(*unreadable_s)),
                false => String::new(),
            };
            let (seconds, min) = (count(*device_s), count(MIN_SECONDS));
            format!("{seconds} s of device samples{unreadable}, at least {min} s are needed")
        }
        Insufficient::Idle { requests, device_s } => {
            let seconds = count(*device_s);
            let requests = match requests {
                0 => "no requests".to_owned(),
                1 => "1 request".to_owned(),
                several => format!("{} requests", count(*several as f64)),
            };
            format!("{requests} in {seconds} s: the devices were idle, and no volume can be sized for that")
        }
    }
}

/// Describes it with its heading: `insufficient data: no samples in this window`.
pub fn describe_reason_with_heading(reason: &Insufficient) -> String {
    format!("insufficient data: {}", describe_reason(reason))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_reason_has_its_words() {
        assert_eq!(
            describe_reason_with_heading(&Insufficient::NoSamples),
            "insufficient data: no samples in this window"
        );
        let too_short = Insufficient::TooShort { device_s: 20.0, unreadable_s: 5.0 };
        assert_eq!(
            describe_reason(&too_short),
            "20 s of device samples (5 s more without a readable device), at least 30 s are needed"
        );
        let idle = |requests| describe_reason(&Insufficient::Idle { requests, device_s: 600.0 });
        assert_eq!(idle(0), "no requests in 600 s: the devices were idle, and no volume can be sized for that");
        assert!(idle(1).starts_with("1 request in") && idle(30).starts_with("30 requests in"));
        let reasons = vec!["a".to_owned(), "b".to_owned()];
        assert_eq!(describe_reason(&Insufficient::NoDevice { reasons }), "a; b");
        assert_eq!(describe_reason(&Insufficient::NoDevice { reasons: Vec::new() }), "no block device was sampled");
    }
}
