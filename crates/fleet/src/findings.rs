//! Findings on a volume, and facts on it that are not known.

use ebs_prediction::{BindingLimit, LimitOwner};
use std::collections::BTreeSet;

use ebs_advice::{Advice, Candidate, InstanceLoad, RoleAdvice};
use ebs_aws::catalogue::{VolumeConfig, VolumeType, known_instance};
use ebs_samples::evidence::{ChangeTime, CheckedTime, PendingCause, PendingChange, Window};
use ebs_workload::growth::{Growth, HORIZON_DAYS};

use super::answer::{Evidence, Finding, Grade, VolumeAnswer};
use super::confidence::MIN_CHANGE_S;
use super::demand::has_spent_credits;
use super::described::Described;
use super::readings::Timer;
use super::settings::Settings;
use super::source::Source;
use super::subject::Subject;
use super::track::Track;
use super::unknown_fact::UnknownFact;

/// Share of the time without counts from which on it is named. A choice.
const MISSING: f64 = 0.05;

/// Used share of the space from which on it is named. A choice.
const NEARLY_FULL: f64 = 0.9;

/// Share of the time from which on EBS's own time above a limit is named. A choice.
const EXCEEDED: f64 = 0.01;

/// Findings by documents alone.
pub fn of_configuration(described: &Described, settings: &Settings) -> Vec<Finding> {
    let volume_type = described.config.map(|config| config.volume_type);
    let previous =
        volume_type.filter(|known| matches!(known, VolumeType::Gp2 | VolumeType::Io1 | VolumeType::Standard));
    let previous = previous.map(|known| Finding::PreviousGeneration { volume_type: known.name() });
    let modified = described.changes.iter().filter_map(|change| match change.time {
        ChangeTime::Modification { started_us, .. } if change.time.is_within(settings.from_us, settings.to_us) => {
            Some(Finding::Modified { started_us, change: format!("{} to {}", change.before, change.after) })
        }
        _ => None,
    });
    let runs = described.pending.as_ref().filter(|pending| forbids(pending, settings.to_us)).cloned();
    let runs = runs.map(Finding::ModificationRuns);
    let multi_attach = described.is_multi_attach.then_some(Finding::MultiAttach);
    previous.into_iter().chain(modified).chain(runs).chain(multi_attach).collect()
}

/// True where a pending change still forbids the next one at this time: four in a day do so for a day.
fn forbids(pending: &PendingChange, at_us: i64) -> bool {
    pending.forbids_change() && is_current(pending, at_us)
}

fn is_current(pending: &PendingChange, at_us: i64) -> bool {
    pending.cause != PendingCause::FourInADay || pending.earliest_us.is_none_or(|earliest_us| earliest_us > at_us)
}

/// Findings by counts and space, without advice.
pub fn of_counts(subject: &Subject, answer: &VolumeAnswer, window: &Window) -> Vec<Finding> {
    let instances: BTreeSet<String> = subject.counts.used_tracks().filter_map(|track| track.host.clone()).collect();
    let moved = (instances.len() > 1).then(|| Finding::Moved { instances: instances.into_iter().collect() });
    let points = window.space.first().map(|series| series.points().collect::<Vec<_>>()).unwrap_or_default();
    let growth = Growth::from_points(&points);
    let days = answer.space.and_then(|space| space.full_in_days).filter(|days| *days <= HORIZON_DAYS);
    let fills = days.zip(growth).map(|(days, growth)| Finding::FillsUp { days, per_day: growth.per_day });
    let is_filling = fills.is_some();
    let used = answer.space.map(|space| space.used / space.size.max(1.0));
    let full = used.filter(|used| *used >= NEARLY_FULL && !is_filling).map(|used| Finding::NearlyFull { used });
    moved.into_iter().chain(fills).chain(full).collect()
}

/// Time above a limit of the volume by EBS's own counters; `None` of little.
fn exceeded(window: &Window) -> Option<Finding> {
    let checks = window.checks.first()?;
    let share = |check: Option<CheckedTime>, bound| Some((check?.share()?, bound));
    let each = [
        share(checks.volume_iops, BindingLimit::VOLUME_IOPS),
        share(checks.volume_throughput, BindingLimit::VOLUME_THROUGHPUT),
    ];
    let (share, bound) = each.into_iter().flatten().max_by(|a, b| a.0.total_cmp(&b.0))?;
    (share >= EXCEEDED).then_some(Finding::Saturated { bound, share })
}

/// Findings by advice.
pub fn of_advice(role: &RoleAdvice, load: Option<&InstanceLoad>, advice: &Advice, window: &Window) -> Vec<Finding> {
    let instance = role.instance_saturation.as_ref().map(|saturation| {
        let alone = || advice.instance_need().and_then(|need| need.sufficient);
        Finding::InstanceBinds {
            instance_type: &saturation.instance.instance_type,
            bound: saturation.bound,
            throttled: saturation.outcome.throttled_pct() / 100.0,
            sufficient: load.map_or_else(alone, InstanceLoad::sufficient).map(|found| found.instance_type.as_str()),
        }
    });
    let current = role.current.as_ref();
    // Credits of volumes that the counts refute end nowhere.
    let replayed = current.filter(|current| current.exceeded.is_none()).and_then(|current| current.outcome);
    let credits = replayed.and_then(|outcome| outcome.credits);
    let credits =
        credits.map(|credits| Finding::CreditsExhausted { after_s: Some(credits.after_s), for_good: credits.for_good });
    let spent = has_spent_credits(role).then_some(Finding::CreditsExhausted { after_s: None, for_good: false });
    let credits = credits.or(spent);
    let saturated = role.state.saturation.as_ref().map(|saturation| Finding::Saturated {
        bound: BindingLimit::Rate(saturation.limit.owner, saturation.limit.limited),
        share: saturation.limit.seconds_share,
    });
    let refuted = role.state.refuted_limit.map(|refuted| Finding::Saturated {
        bound: BindingLimit::Rate(LimitOwner::Volume, refuted.limited),
        share: refuted.seconds_share,
    });
    let saturated = saturated.or(refuted).or_else(|| exceeded(window));
    let exceeded = current.and_then(|current| current.exceeded).map(Finding::DescriptionExceeded);
    let refuted = role.state.refuted_limit.map(Finding::DescriptionRefuted);
    [instance, credits, saturated, exceeded, refuted].into_iter().flatten().collect()
}

/// Findings on a change: what is worse, or right, about the recommended volumes beside their price.
pub fn of_change(role: &RoleAdvice, best: &Candidate, present: VolumeConfig) -> Vec<Finding> {
    let is_unfit = |candidate: &&Candidate| {
        candidate.config.volume_type == present.volume_type && candidate.bound == BindingLimit::Unfit
    };
    let unsuitable = role.candidates.iter().find(is_unfit);
    let unsuitable = unsuitable.map(|_| Finding::UnsuitableType { volume_type: present.volume_type.name() });
    let slower = best.queue_limit.map(Finding::Slower);
    let (now, then) = (present.volume_type.durability_pct(), best.durability_pct());
    let durability = (then < now).then_some(Finding::LowerDurability { now_pct: now, then_pct: then });
    [unsuitable, slower, durability].into_iter().flatten().collect()
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
pub fn unknown(subject: &Subject, answer: &VolumeAnswer, settings: &Settings) -> Vec<UnknownFact> {
    let evidence = &answer.evidence;
    let counts = subject.counts;
    let has_counts = !counts.is_empty();
    let has_pieces = !counts.merged.pieces.is_empty();
    let is_timed = || has_pieces && counts.merged.pieces.iter().all(|(_, track)| counts.tracks[*track].is_timed);
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
        answer.space.is_none().then_some(UnknownFact::Space),
        answer.space.is_some_and(|space| space.per_day.is_none()).then_some(UnknownFact::Growth),
        (has_counts && missing > MISSING && settings.to_us > settings.from_us)
            .then_some(UnknownFact::Coverage { missing }),
        matches!(evidence.source, Some(Source::YaceEbs | Source::YaceRds)).then_some(UnknownFact::NilToZero),
        subject.volume.is_rds().then_some(UnknownFact::Merging),
    ];
    facts.into_iter().flatten().collect()
}
