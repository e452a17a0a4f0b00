//! Findings on a volume, and facts on it that are not known.

use std::collections::BTreeSet;

use ebs_advice::{ConfigurationFacts, Finding, MIN_CHANGE_S, UsedSpace};
use ebs_aws::catalogue::known_instance;
use ebs_samples::evidence::ConfigurationChange;

use crate::answer::{Evidence, Grade};
use crate::discovery::described::Described;
use crate::discovery::source::Source;
use crate::series::readings::Timer;
use crate::series::track::Track;
use crate::settings::Settings;
use crate::subject::Subject;
use crate::unknown_fact::UnknownFact;

/// Share of the time without counts from which on it is named. A choice.
const MISSING: f64 = 0.05;

/// Findings by documents alone.
pub fn of_configuration(described: &Described, settings: &Settings) -> Vec<Finding> {
    let is_within = |change: &&ConfigurationChange| change.time.is_within(settings.from_us, settings.to_us);
    let facts = ConfigurationFacts {
        volume_type: described.config.map(|config| config.volume_type),
        changes: &described.changes.iter().filter(is_within).cloned().collect::<Vec<_>>(),
        pending: described.pending.as_slice(),
        to_us: settings.to_us,
        is_multi_attach: described.is_multi_attach,
    };
    facts.findings()
}

/// Findings by counts and space, without advice.
pub fn of_counts(subject: &Subject, space: Option<UsedSpace>) -> Vec<Finding> {
    let instances: BTreeSet<String> = subject.counts.used_tracks().filter_map(|track| track.host.clone()).collect();
    let moved = (instances.len() > 1).then(|| Finding::Moved { instances: instances.into_iter().collect() });
    moved.into_iter().chain(space.and_then(|space| space.finding())).collect()
}

/// Bursts within the intervals, where these hide them.
pub fn bursts(evidence: &Evidence) -> Option<UnknownFact> {
    let interval_s = evidence.interval_s.filter(|_| evidence.hides_bursts())?;
    Some(UnknownFact::Bursts { interval_s, busy: evidence.busy, timer: evidence.busy_timer })
}

fn unknown_instance(instance_type: Option<&str>) -> Option<UnknownFact> {
    let Some(name) = instance_type else { return Some(UnknownFact::Instance) };
    known_instance(name).is_none().then(|| UnknownFact::InstanceLimits(name.to_owned()))
}

/// Facts that are not known.
pub fn unknown(
    subject: &Subject,
    (evidence, space): (&Evidence, Option<UsedSpace>),
    settings: &Settings,
) -> Vec<UnknownFact> {
    let counts = subject.counts;
    let has_counts = !counts.is_empty();
    let has_pieces = !counts.merged.sections.is_empty();
    let is_timed = || has_pieces && counts.used_tracks().all(|track| track.is_timed);
    let has_requests = counts.has_requests();
    let bursts = bursts(evidence).filter(|_| evidence.grade != Grade::Checked && has_requests);
    let is_still = |track: &Track| track.timers.requests == Timer::Still;
    let timer = if counts.used_tracks().any(is_still) { Timer::Still } else { Timer::Missing };
    let missing = 1.0 - evidence.coverage;
    let facts = [
        unknown_instance(subject.described.identity.instance_type.as_deref()),
        (subject.unseen > 0).then_some(UnknownFact::InstanceVolumes { count: subject.unseen }),
        bursts,
        (has_counts && evidence.known_s() < MIN_CHANGE_S)
            .then(|| UnknownFact::DailyCycle { known_s: evidence.known_s() }),
        (has_requests && !is_timed()).then_some(UnknownFact::Latency(timer)),
        (evidence.grade == Grade::Seconds).then_some(UnknownFact::JointDemand),
        space.is_none().then_some(UnknownFact::Space),
        space.is_some_and(|space| space.per_day.is_none()).then_some(UnknownFact::Growth),
        (has_counts && missing > MISSING && settings.to_us > settings.from_us)
            .then_some(UnknownFact::Coverage { missing }),
        matches!(evidence.source, Some(Source::YaceEbs | Source::YaceRds)).then_some(UnknownFact::NilToZero),
        subject.volume.is_rds().then_some(UnknownFact::Merging),
    ];
    facts.into_iter().flatten().collect()
}
