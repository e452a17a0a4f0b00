//! Evaluation: the counts of a batch, and an answer for each of its volumes.

use ebs_advice::Finding;
use ebs_imports::configuration::{Configuration, Database};
use ebs_prometheus::Series;

use crate::answer::{Reason, VolumeAnswer};
use crate::conclude::conclude;
use crate::discovery::described::{Described, limits_since_us};
use crate::discovery::fleet::{Batch, FleetVolume, Unobserved, Unseen};
use crate::identity::Identity;
use crate::series::collect::{Counts, collect};
use crate::series::exported::exported;
use crate::series::index::Index;
use crate::series::period::usual_period_ms;
use crate::series::space::{Space, space, storage_space};
use crate::series::usage::Usage;
use crate::settings::Settings;
use crate::subject::Subject;
use crate::unanswered::{deletable, without_counts};
use crate::window::loads::Loads;

/// Answers the volumes of a batch that are selected. `pause` is called between pieces of the work, and may unwind.
pub fn evaluate(
    batch: &Batch,
    series: Vec<Series>,
    configuration: &Configuration,
    settings: &Settings,
    pause: &dyn Fn(),
) -> Vec<VolumeAnswer> {
    let index = Index::new(&series, &batch.replica_labels);
    let period_ms = usual_period_ms(&batch.volumes, &index);
    let counted = |volume| collect_checked(volume, &index, period_ms, configuration, pause);
    let counts: Vec<Counts> = batch.volumes.iter().map(counted).collect();
    let spaces: Vec<_> = batch.volumes.iter().map(|volume| used_space(volume, &index, configuration)).collect();
    let usage = |volume: &FleetVolume| {
        is_unattached(volume, configuration).then(|| Usage::find(volume, &index, settings.from_us))
    };
    let usage: Vec<Option<Usage>> = batch.volumes.iter().map(usage).collect();
    let exported: Vec<_> = batch.volumes.iter().map(|volume| exported(volume, &index)).collect();
    drop(index);
    drop(series);
    let documented = batch.volumes.iter().zip(&counts).zip(&exported);
    let documented =
        documented.map(|((volume, counts), exported)| describe(volume, counts, configuration, exported.as_ref()));
    let documented: Vec<Described> = documented.collect();
    let mut loads = Loads::new(&counts, &documented);
    let mut answers = Vec::new();
    for (position, (volume, space)) in batch.volumes.iter().zip(spaces).enumerate() {
        if volume.is_selected {
            let load = loads.find(position, settings, pause);
            let described = documented[position].clone();
            let unseen = unseen_beside(&described, batch, &counts, configuration);
            let subject = Subject { volume, counts: &counts[position], space, described, load, unseen };
            answers.push(match usage[position] {
                None => conclude(subject, settings, pause),
                Some(Usage::NoSamples) => answer_unobserved(&unattached(volume), configuration, settings),
                Some(usage) => conclude_unattached(subject, usage, settings, pause),
            });
        }
    }
    answers
}

/// True where documents attach the volume to no instance.
fn is_unattached(volume: &FleetVolume, configuration: &Configuration) -> bool {
    let described = configuration.volumes.get(&volume.id).filter(|_| !volume.is_rds());
    described.is_some_and(|described| described.state.as_deref() == Some("available"))
}

/// A volume that documents attach to no instance, without samples in this time.
fn unattached(volume: &FleetVolume) -> Unobserved {
    Unobserved { id: volume.id.clone(), rds: None, claim: volume.claim.clone(), reason: Unseen::Unattached }
}

/// Concludes on a volume that documents attach to no instance. Documents are of one moment: nothing that was used within the time is
/// advised to be deleted, nothing that was mounted, and nothing of which that is not known.
fn conclude_unattached(subject: Subject, usage: Usage, settings: &Settings, pause: &dyn Fn()) -> VolumeAnswer {
    let answer = conclude(subject, settings, pause);
    let unattached = |last_io_us, last_seen_us| Finding::Unattached { last_io_us, last_seen_us };
    match usage {
        Usage::Used { last_us } => answer.with(unattached(Some(last_us), None)),
        Usage::Unused { last_us } => {
            let is_other = |finding: &Finding| !matches!(finding, Finding::Idle { .. });
            let findings = answer.findings.into_iter().filter(is_other).collect();
            let reason = Reason::Unseen(Unseen::Unattached);
            deletable(VolumeAnswer { reason, findings, ..answer }, Some(last_us))
        }
        Usage::Mounted { last_us } | Usage::Unknown { last_us } => answer.with(unattached(None, Some(last_us))),
        Usage::NoSamples => answer.with(unattached(None, None)),
    }
}

/// Counts of a volume, with the time above its present limits.
pub(crate) fn collect_checked(
    volume: &FleetVolume,
    index: &Index,
    period_ms: Option<i64>,
    configuration: &Configuration,
    pause: &dyn Fn(),
) -> Counts {
    let mut counts = collect(volume, index, period_ms, pause);
    if let Some(since_us) = limits_since_us(&volume.id, configuration) {
        counts.drop_checks_before(since_us);
    }
    counts
}

/// Answers of the selected volumes of a batch whose series were not fetched.
pub fn unfetched(batch: &Batch, configuration: &Configuration, settings: &Settings) -> Vec<VolumeAnswer> {
    let answer = |volume: &FleetVolume| {
        let described = describe(volume, &Counts::default(), configuration, None);
        without_counts(described, settings, Reason::NotFetched)
    };
    batch.selected().map(answer).collect()
}

/// Answer for a volume without series, from its configuration.
pub fn answer_unobserved(volume: &Unobserved, configuration: &Configuration, settings: &Settings) -> VolumeAnswer {
    let described = match &volume.rds {
        Some(rds) => Described::from_database(&volume.id, rds, configuration, None),
        None => Described::from_volume(&volume.id, configuration),
    };
    let is_unattached = described.is_unattached;
    let described = Described { identity: Identity { claim: volume.claim.clone(), ..described.identity }, ..described };
    let answer = without_counts(described, settings, Reason::Unseen(volume.reason));
    match volume.reason {
        Unseen::Unattached => deletable(answer, None),
        _ if is_unattached => answer.with(Finding::Unattached { last_io_us: None, last_seen_us: None }),
        _ => answer,
    }
}

/// Used space of a volume; `None` where no series tells it.
pub(crate) fn used_space(volume: &FleetVolume, index: &Index, configuration: &Configuration) -> Option<Space> {
    let allocated_gib = || volume.database(configuration)?.configured.allocated_gib;
    match volume.is_rds() {
        true => storage_space(volume, index, allocated_gib()),
        false => space(volume, index),
    }
}

/// A volume of a batch with its documents; what these do not tell, its series may.
pub(crate) fn describe(
    volume: &FleetVolume,
    counts: &Counts,
    configuration: &Configuration,
    exported: Option<&Database>,
) -> Described {
    let described = match &volume.rds {
        Some(rds) => Described::from_database(&volume.id, rds, configuration, exported),
        None => Described::from_volume(&volume.id, configuration),
    };
    let last = counts.pieces().next_back().map(|(_, track)| track);
    let origin = volume.origins.first();
    let host = last.and_then(|track| track.host.clone()).or_else(|| origin.and_then(|origin| origin.host.clone()));
    let shown = last.and_then(|track| track.instance_type.clone()).or_else(|| origin?.instance_type.clone());
    let is_there = described.identity.instance.is_none() || described.identity.instance == host;
    let identity = Identity {
        claim: volume.claim.clone(),
        mountpoints: volume.mountpoints.clone(),
        instance: described.identity.instance.clone().or(host),
        instance_type: described.identity.instance_type.clone().or(shown.filter(|_| is_there)),
        ..described.identity.clone()
    };
    Described { identity, ..described }.on_instance(configuration)
}

/// Number of volumes that are attached to the same instance, as documents describe it, and have no counts.
fn unseen_beside(described: &Described, batch: &Batch, counts: &[Counts], configuration: &Configuration) -> usize {
    let Some(instance) = &described.identity.instance else { return 0 };
    let is_attached = |volume: &FleetVolume| {
        let known = configuration.volumes.get(&volume.id);
        known.is_some_and(|known| known.instances.contains(instance))
    };
    let all = batch.volumes.iter().zip(counts);
    let without_counts = all.filter(|(volume, counts)| counts.is_empty() && is_attached(volume)).count();
    batch.unscraped.get(instance).copied().unwrap_or(0) + without_counts
}
