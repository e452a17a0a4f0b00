//! Saturation of a volume: its evidence, and the demand that it hides.

use super::prediction::describe_missing_input;
use ebs_advice::{InstancePlateau, InstanceSaturation, Saturation, UnmetDemand};
use ebs_aws::catalogue::LimitKind;
use ebs_base::format::{brief, brief_iops, count, ms, range, share, size};
use ebs_base::units::MIB;
use ebs_prediction::LimitOwner;
use ebs_prediction::saturation::{FlatRate, LevelSource, LimitMatch, LimitSource, NAMED_WEIGHT, ReachedLimit};

/// Describes seconds at the limit, their queue and the unmet demand: a part of a sentence each.
pub fn describe(saturation: &Saturation) -> Vec<String> {
    let mut words = vec![describe_seconds(saturation), describe_queue(saturation)];
    words.extend(describe_doubt(&saturation.limit).into_iter().map(str::to_owned));
    words.extend(saturation.limit.requires_spent_credits().then(|| SPENT_CREDITS.to_owned()));
    match &saturation.unmet_demand {
        Ok(unmet) => words.extend(describe_unmet_demand(unmet)),
        Err(missing) => words.push(format!("unmet demand unknown: {}", describe_missing_input(*missing))),
    }
    words
}

/// The condition under which a plateau at what an instance sustains is at its limit.
const SPENT_CREDITS: &str = "the instance's limit only if its burst credits were spent before: it has more for 30 minutes a day, and the \
                             evidence is shorter";

/// Describes the time at the limit: `84 % of seconds at the declared limit of 3,000 IOPS`; at a plateau below it `100 % of seconds at
/// 18,500 IOPS, 92 % of the instance's limit of 20,000 IOPS`.
fn describe_seconds(saturation: &Saturation) -> String {
    let limit = &saturation.limit;
    let mut named: Vec<&LimitMatch> = limit.named().collect();
    if named.is_empty() {
        named.extend(limit.matches.first());
    }
    let is_below = named.iter().all(|one| one.share < NEAR_SHARE);
    let each = named.iter().map(|one| describe_match(saturation, one, is_below)).collect::<Vec<_>>();
    let at = if is_below { format!("{}, ", describe_rate(limit.limited, limit.rate)) } else { String::new() };
    let others =
        limit.matches.iter().filter(|one| !named.contains(one)).map(|one| describe_match(saturation, one, true));
    let others = others.map(|other| format!(", possibly at {other}")).collect::<String>();
    format!("{} of seconds at {at}{}{others}", share(limit.seconds_share), each.join(" and "))
}

/// Plateau over its limit, as a share, from which on it need not be said.
const NEAR_SHARE: f64 = 0.97;

/// Describes a limit: `r6i.4xlarge's limit of 20,000 IOPS`, with its share `92 % of r6i.4xlarge's limit of 20,000 IOPS`.
fn describe_match(saturation: &Saturation, one: &LimitMatch, with_share: bool) -> String {
    let known_by = match (one.source, one.owner) {
        (_, LimitOwner::Instance) => format!("{} of", describe_owner(saturation, one.owner)),
        (LimitSource::Inferred, _) => "what looks like a limit of".to_owned(),
        (LimitSource::Declared, _) => "the declared limit of".to_owned(),
    };
    let part = if with_share { format!("{} of ", share(one.share)) } else { String::new() };
    format!("{part}{known_by} {}", describe_limit_level(one))
}

/// Describes whose limit it is: `r6i.4xlarge's limit`, `the volume's limit`.
pub fn describe_owner(saturation: &Saturation, owner: LimitOwner) -> String {
    match (owner, saturation.instance_type) {
        (LimitOwner::Instance, Some(instance_type)) => format!("{instance_type}'s limit"),
        _ => format!("the {}'s limit", owner.name()),
    }
}

/// Describes a limit by its owner: `r6i.4xlarge's limit of 20,000 IOPS`.
pub fn describe_named(saturation: &Saturation, one: &LimitMatch) -> String {
    format!("{} of {}", describe_owner(saturation, one.owner), describe_limit_level(one))
}

/// Describes what is not certain of a limit.
fn describe_doubt(limit: &ReachedLimit) -> Option<&'static str> {
    let named = limit.named().count();
    let is_one_kind = limit.named().all(|one| one.limited == limit.limited);
    match limit.source {
        _ if named == 0 => {
            Some("possible, not certain: the rate is some way below it, the queue is short, or clients set the rate")
        }
        LimitSource::Inferred if !limit.is_saturation_sure() => {
            Some("likely, not certain: no seconds below it show the latency without a queue")
        }
        LimitSource::Declared if !limit.is_saturation_sure() => {
            Some("likely, not certain: the rate is below it, the queue is short, or clients set the rate")
        }
        _ if limit.is_match_sure() => None,
        _ if named > 1 && !is_one_kind => {
            Some("requests of this size reach both limits at once, which binds is unknown")
        }
        _ if named > 1 => Some("unknown which of them binds"),
        _ => Some("not certain which binds"),
    }
}

/// Describes a plateau at the instance's limit: `the run was at 19,700 IOPS, 98 % of the instance's 20,000, in 100 % of seconds with
/// 237 requests in flight`.
pub fn describe_plateau(subject: &str, plateau: &InstancePlateau) -> String {
    let (limited, level) = (plateau.limit.limited, plateau.limit.level);
    let volume = plateau
        .volume
        .map_or(String::new(), |volume| format!(", as may be the volume's limit of {}", describe_limit_level(&volume)));
    format!(
        "{subject} was at {}, {} of the instance's limit of {}{volume}, in {} of seconds with a queue depth of {}",
        describe_rate(limited, plateau.rate),
        share(plateau.limit.share),
        describe_rate(limited, level),
        share(plateau.seconds_share),
        size(plateau.in_flight)
    )
}

/// Describes the condition under which a plateau is at the instance's limit: `, if the instance's burst credits were spent`; empty where there
/// is none.
pub fn describe_condition(plateau: &InstancePlateau) -> &'static str {
    if plateau.limit.requires_spent_credits { ", if the instance's burst credits were spent" } else { "" }
}

/// Describes the queue at the limit: `15.6 requests in flight there, 5.21 ms each, 5.7 times the 0.91 ms published without a
/// queue`; of a short closed loop at a declared limit `no queue: 0.33 ms each`.
fn describe_queue(saturation: &Saturation) -> String {
    let limit = &saturation.limit;
    if !limit.is_queued() {
        return format!("no queue: {} requests in flight, {} ms each", size(limit.in_flight), ms(limit.latency_ms));
    }
    let base = if limit.unqueued.is_measured() { "in seconds below it" } else { "published at most without a queue" };
    format!(
        "{} requests in the queue, {} ms each, {} times the {} ms {base}",
        size(limit.in_flight),
        ms(limit.latency_ms),
        size(limit.latency_ratio()),
        ms(limit.unqueued.ms)
    )
}

/// Describes the unmet demand: `without it the demand of the same sessions would be 1.4 (1.2 to 1.7) times as large there, …`.
fn describe_unmet_demand(unmet: &UnmetDemand) -> Vec<String> {
    let by = match unmet.published {
        Some(volume_type) => format!("the latency published for {}", volume_type.name()),
        None => "the latency in seconds below it".to_owned(),
    };
    let mut words = vec![format!(
        "without it the demand of the same sessions would be {} times as large there, by {by}: sized for that",
        range(&unmet.factor)
    )];
    if unmet.closed {
        let closed = "sessions hardly wait for their clients: such a load uses up any volume that it is given, and grows \
                      with their number";
        words.push(closed.to_owned());
    }
    words
}

/// Describes a flat rate: `3,000 IOPS in 100 % of seconds, which gp3 volumes have: the volume's limit or the demand, which cannot be told
/// without latency; the demand may be larger`.
pub fn describe_flat_rate(flat: &FlatRate) -> String {
    let limit = match flat.source {
        LevelSource::Known(LimitOwner::Instance) => ", the limit of the instance: that limit".to_owned(),
        LevelSource::Known(owner) => format!(", the declared limit of the {}: that limit", owner.name()),
        LevelSource::Published(volume_type) => {
            format!(", a limit that {} volumes have: the volume's limit", volume_type.name())
        }
        LevelSource::Unknown => ": a limit".to_owned(),
    };
    format!(
        "{} in {} of seconds{limit} or the demand, which cannot be told without latency; the demand may be larger",
        describe_level(flat),
        share(flat.seconds_share)
    )
}

/// Describes the level of a flat rate: `3,000 IOPS`.
pub fn describe_level(flat: &FlatRate) -> String {
    describe_rate(flat.limited, flat.level)
}

/// Describes the limits that are named: `3,000 IOPS`, `3,000 IOPS and 125 MiB/s`; where none is, `17,900 IOPS, possibly the instance's
/// limit of 20,000 IOPS`.
pub fn describe_limit(saturation: &Saturation) -> String {
    let limit = &saturation.limit;
    let mut named: Vec<String> = Vec::new();
    for one in limit.named() {
        let rate = describe_limit_level(one);
        if !named.contains(&rate) {
            named.push(rate);
        }
    }
    match limit.matches.first().filter(|_| named.is_empty()) {
        Some(one) => {
            format!("{}, possibly {}", describe_rate(limit.limited, limit.rate), describe_match(saturation, one, false))
        }
        None => named.join(" and "),
    }
}

/// Weight from which on a limit beside the named ones is told: one in four. A choice.
const POSSIBLE_WEIGHT: f64 = 0.25;

/// Describes limits that may bind in place of the named ones: `, or m6i.2xlarge's limit of 12,000 IOPS`; empty where none may.
pub fn describe_possible(saturation: &Saturation) -> String {
    let limit = &saturation.limit;
    if limit.named().next().is_none() {
        return String::new();
    }
    let is_possible = |one: &&LimitMatch| (POSSIBLE_WEIGHT..NAMED_WEIGHT).contains(&one.weight);
    limit
        .matches
        .iter()
        .filter(is_possible)
        .map(|one| format!(", or {}", describe_match(saturation, one, false)))
        .collect()
}

/// Describes the level of a limit; of one that the seconds alone show in the figures that they are good for: `about 12,700 IOPS`.
fn describe_limit_level(one: &LimitMatch) -> String {
    match (one.source, one.limited) {
        (LimitSource::Declared, _) => describe_rate(one.limited, one.level),
        (LimitSource::Inferred, LimitKind::Iops) => format!("about {} IOPS", brief_iops(one.level)),
        (LimitSource::Inferred, LimitKind::Throughput) => format!("about {} MiB/s", brief(one.level / MIB as f64)),
    }
}

/// Describes an instance that sustains less than the volume's limit: `, above the 12,000 IOPS that m6i.2xlarge sustains`.
pub fn describe_lower_instance(limited: LimitKind, instance: &InstanceSaturation) -> String {
    let sustained = describe_rate(limited, instance.baseline.counted(limited));
    format!(", above the {sustained} that {} sustains", instance.instance.instance_type)
}

/// Describes a rate of requests, or of bytes, a second.
fn describe_rate(limited: LimitKind, rate: f64) -> String {
    match limited {
        LimitKind::Iops => format!("{} IOPS", count(rate)),
        LimitKind::Throughput => format!("{} MiB/s", size(rate / MIB as f64)),
    }
}

#[cfg(test)]
#[path = "saturation_tests.rs"]
mod tests;
