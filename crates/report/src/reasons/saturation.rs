//! Saturation of a volume: its evidence, and the demand that it hides.

use super::prediction::describe_missing_input;
use ebs_advice::{Saturation, UnmetDemand};
use ebs_base::format::{count, ms, range, share, size};
use ebs_base::units::MIB;
use ebs_prediction::predict::LimitKind;
use ebs_prediction::saturation::{LimitOwner, LimitSource};

/// Describes seconds at the limit, their queue and the unmet demand: a part of a sentence each.
pub fn describe(saturation: &Saturation) -> Vec<String> {
    let mut words = vec![describe_seconds(saturation), describe_queue(saturation)];
    if !saturation.limit.is_sure() {
        words.push("likely, not certain: no seconds below it show the latency without a queue".to_owned());
    }
    match &saturation.unmet_demand {
        Ok(unmet) => words.extend(describe_unmet_demand(unmet)),
        Err(missing) => words.push(format!("how much more is not known: {}", describe_missing_input(*missing))),
    }
    words
}

/// Describes the time at the limit: `84 % of seconds at the declared limit of 3,000 IOPS`.
fn describe_seconds(saturation: &Saturation) -> String {
    let limit = &saturation.limit;
    let known_by = match (limit.source, limit.owner) {
        (LimitSource::Inferred, _) => "what looks like a limit of",
        (LimitSource::Declared, LimitOwner::Volume) => "the declared limit of",
        (LimitSource::Declared, LimitOwner::Instance) => "the instance's limit of",
    };
    format!("{} of seconds at {known_by} {}", share(limit.seconds_share), describe_limit(saturation))
}

/// Describes the queue at the limit: `15.6 requests in flight there, 5.21 ms each, 5.7 times the 0.91 ms published without a
/// queue`.
fn describe_queue(saturation: &Saturation) -> String {
    let limit = &saturation.limit;
    let base = match limit.unqueued.measured {
        Some(_) => "in seconds below it",
        None => "published at most without a queue",
    };
    format!(
        "{} requests in flight there, {} ms each, {} times the {} ms {base}",
        size(limit.in_flight),
        ms(limit.latency_ms),
        size(limit.latency_ratio()),
        ms(limit.unqueued.ms)
    )
}

/// Describes the unmet demand: `without it the same sessions would ask for 1.4 (1.2 to 1.7) times as much there, …`.
fn describe_unmet_demand(unmet: &UnmetDemand) -> Vec<String> {
    let by = match unmet.published {
        Some(volume_type) => format!("the latency published for {}", volume_type.name()),
        None => "the latency in seconds below it".to_owned(),
    };
    let mut words = vec![format!(
        "without it the same sessions would ask for {} times as much there, by {by}: sized for that",
        range(&unmet.factor)
    )];
    if unmet.closed {
        let closed = "sessions hardly wait for their clients: such a load uses up any volume that it is given, and grows \
                      with their number";
        words.push(closed.to_owned());
    }
    words
}

/// Describes the limit: `3,000 IOPS`, `125 MiB/s`.
pub fn describe_limit(saturation: &Saturation) -> String {
    let limit = &saturation.limit;
    match limit.limited {
        LimitKind::Iops => format!("{} IOPS", count(limit.level)),
        LimitKind::Throughput => format!("{} MiB/s", size(limit.level / MIB as f64)),
    }
}
