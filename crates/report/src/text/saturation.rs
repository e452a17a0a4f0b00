//! Saturation of a volume: how it is known, and the demand that it hides.

use super::layout::wrap;
use crate::reasons::saturation;
use ebs_advice::{RoleAdvice, Saturation, UnmetDemand};
use ebs_base::format::{ms, range, share, size};
use ebs_prediction::saturation::{LimitOwner, LimitSource};

pub(super) fn render(role: &RoleAdvice) -> Vec<String> {
    role.state.saturation.as_ref().map_or(Vec::new(), |truncated| {
        let words = describe(truncated).join(" · ");
        wrap(&format!("  {:<20}at least this was asked for: {words}", "at its limit"), "                      ")
    })
}

/// Describes it in parts of a sentence.
pub(crate) fn describe(truncated: &Saturation) -> Vec<String> {
    let mut words = vec![limit(truncated), queue(truncated)];
    if !truncated.limit.is_sure() {
        words.push("likely, not certain: no seconds below it show the latency without a queue".to_owned());
    }
    match &truncated.unmet_demand {
        Ok(beyond) => words.extend(unmet_demand(beyond)),
        Err(missing) => words.push(format!("how much more is not known: {}", missing.reason())),
    }
    words
}

/// `84 % of seconds at the declared limit of 3,000 IOPS`.
fn limit(truncated: &Saturation) -> String {
    let plateau = &truncated.limit;
    let limit = match (plateau.source, plateau.owner) {
        (LimitSource::Inferred, _) => "what looks like a limit of",
        (LimitSource::Declared, LimitOwner::Volume) => "the declared limit of",
        (LimitSource::Declared, LimitOwner::Instance) => "the instance's limit of",
    };
    format!("{} of seconds at {limit} {}", share(plateau.seconds_share), saturation::describe_limit(truncated))
}

/// `15.6 requests in flight there, 5.21 ms each, 5.7 times the 0.91 ms published without a queue`.
fn queue(truncated: &Saturation) -> String {
    let plateau = &truncated.limit;
    let base = match plateau.unqueued.measured {
        Some(_) => "in seconds below it",
        None => "published at most without a queue",
    };
    format!(
        "{} requests in flight there, {} ms each, {} times the {} ms {base}",
        size(plateau.in_flight),
        ms(plateau.latency_ms),
        size(plateau.latency_ratio()),
        ms(plateau.unqueued.ms)
    )
}

/// `without it the same sessions would ask for 1.4 (1.2 to 1.7) times as much there, …`.
fn unmet_demand(beyond: &UnmetDemand) -> Vec<String> {
    let by = match beyond.published {
        Some(of) => format!("the latency published for {}", of.name()),
        None => "the latency in seconds below it".to_owned(),
    };
    let mut words = vec![format!(
        "without it the same sessions would ask for {} times as much there, by {by}: sized for that",
        range(&beyond.factor)
    )];
    if beyond.closed {
        let closed = "sessions hardly wait for their clients: such a load uses up any volume that it is given, and grows \
                      with their number";
        words.push(closed.to_owned());
    }
    words
}
