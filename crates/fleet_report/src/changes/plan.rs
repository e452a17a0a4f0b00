//! The changes that are possible, in waves; and those that are not, with the reason.

use ebs_advice::{AwsResource, MIN_CHANGE_S, StorageAttributes};
use ebs_aws::catalogue::{Platform, VolumeConfig, VolumeType, grown_storage_gib};
use ebs_fleet_row::{Action, Evidence, Row, Volumes};
use jiff::Timestamp;

use super::change::Change;
use super::options::{ChangeFormat, ChangeOptions};
use super::waves::{Wave, waves};
use crate::volume_type::volume_type;

/// Code of the finding of a volume whose last modification is not completed.
pub(super) const MODIFICATION_RUNS: &str = "modification_runs";

/// Code of the finding of a volume with Multi-Attach.
const MULTI_ATTACH: &str = "multi_attach";

/// Reason why a row is no change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LeftOut {
    /// Its instance binds.
    LargerInstance,
    /// It is not attached.
    Delete,
    /// The platform, or its identifier, is not one of AWS's.
    Identifier,
    /// The present configuration is not known, so that there is no way back.
    PresentUnknown,
    /// No recommended configuration, or of a type that is not sold there.
    NotSold,
    /// Another number of volumes.
    Number,
    /// The recommended size is smaller.
    Shrinks,
    /// Its last modification is not completed.
    Modifying,
    /// It has Multi-Attach, and the change is not one that its type allows.
    MultiAttach,
    /// Less than a day of evidence.
    ShortEvidence,
    /// Storage of RDS, in a form for EBS volumes alone.
    NotAVolume,
    /// Its zone is not known, which Terraform requires.
    ZoneUnknown,
    /// It has no claim whose name Kubernetes could have.
    NoClaim,
}

/// The changes of a fleet.
pub(super) struct Plan<'a> {
    pub(super) waves: Vec<Wave<'a>>,
    /// Rows with less than a day of evidence.
    pub(super) short: Vec<&'a Row>,
    /// Rows that something is to be done with by hand, with the reason.
    pub(super) left_out: Vec<(&'a Row, LeftOut)>,
}

impl<'a> Plan<'a> {
    pub(super) fn new(rows: &'a [Row], format: ChangeFormat, options: &ChangeOptions) -> Plan<'a> {
        let (mut changes, mut left_out) = (Vec::new(), Vec::new());
        for row in rows {
            match change(row, format) {
                None => {}
                Some(Ok(change)) => changes.push(change),
                Some(Err(reason)) => left_out.push((row, reason)),
            }
        }
        left_out.sort_by(|one, other| one.0.volume.cmp(&other.0.volume));
        let is_short = |(_, reason): &(&Row, LeftOut)| *reason == LeftOut::ShortEvidence;
        let (short, left_out): (Vec<_>, Vec<_>) = left_out.into_iter().partition(is_short);
        let short = short.into_iter().map(|(row, _)| row).collect();
        Plan { waves: waves(changes, rows, options.per_wave), short, left_out }
    }

    /// Returns the number of volumes that are changed.
    pub(super) fn volumes(&self) -> usize {
        self.waves.iter().map(|wave| wave.changes.len()).sum()
    }
}

/// The change of a row, or the reason why there is none; `None` for a volume that nothing is to be done with.
fn change(row: &Row, format: ChangeFormat) -> Option<Result<Change<'_>, LeftOut>> {
    match row.action {
        Action::Keep | Action::NoAnswer => None,
        Action::LargerInstance => Some(Err(LeftOut::LargerInstance)),
        Action::Delete => Some(Err(LeftOut::Delete)),
        Action::Modify => match modification(row).and_then(|change| suits(format, &change).map(|()| change)) {
            Ok(change) if change.before == change.after => None,
            change => Some(change),
        },
    }
}

fn modification(row: &Row) -> Result<Change<'_>, LeftOut> {
    if known_s(&row.evidence).is_none_or(|seconds| seconds < MIN_CHANGE_S) {
        return Err(LeftOut::ShortEvidence);
    }
    let platform: Platform = row.platform.parse().map_err(|_| LeftOut::Identifier)?;
    let resource = AwsResource::new(platform);
    if !resource.accepts(&row.volume) {
        return Err(LeftOut::Identifier);
    }
    let present = row.present.as_ref().ok_or(LeftOut::PresentUnknown)?;
    let recommended = row.recommended.as_ref().ok_or(LeftOut::NotSold)?;
    if present.volumes != recommended.volumes {
        return Err(LeftOut::Number);
    }
    if recommended.size_gib < present.size_gib {
        return Err(LeftOut::Shrinks);
    }
    if row.findings.iter().any(|finding| finding.code == MODIFICATION_RUNS) {
        return Err(LeftOut::Modifying);
    }
    let is_modifiable = volume_type(recommended).is_some_and(VolumeType::is_modifiable_with_multi_attach);
    let stays_modifiable = is_modifiable && present.volume_type == recommended.volume_type;
    if row.findings.iter().any(|finding| finding.code == MULTI_ATTACH) && !stays_modifiable {
        return Err(LeftOut::MultiAttach);
    }
    let attributes = |volumes, size_gib| attributes(platform, volumes, size_gib);
    let before = attributes(present, present.size_gib).ok_or(LeftOut::PresentUnknown)?;
    let size_gib = match resource {
        AwsResource::Volume => recommended.size_gib,
        _ => grown_storage_gib(present.size_gib, recommended.size_gib),
    };
    let after = attributes(recommended, size_gib).ok_or(LeftOut::NotSold)?;
    // The present type may have no volume as large.
    let back = attributes(present, size_gib).unwrap_or(after);
    Ok(Change { row, resource, before, after, back })
}

/// The attributes of volumes at this size, with the limits that are nearest there; `None` for a type that is not sold with it.
fn attributes(platform: Platform, volumes: &Volumes, size_gib: u64) -> Option<StorageAttributes> {
    let Volumes { iops, throughput_mibps, .. } = *volumes;
    let volume_type = volume_type(volumes)?;
    let config = VolumeConfig { platform, volume_type, size_gib: volumes.size_gib, iops, throughput_mibps };
    config.class()?;
    let config = if size_gib == config.size_gib { config } else { config.at_size(size_gib)? };
    Some(StorageAttributes::new(AwsResource::new(platform), &config))
}

/// Returns the seconds with samples; `None` where the time that was asked for is not known.
fn known_s(evidence: &Evidence) -> Option<f64> {
    let time = |time: &Option<String>| time.as_deref().and_then(|time| time.parse::<Timestamp>().ok());
    let asked_s = time(&evidence.to)?.duration_since(time(&evidence.from)?).as_secs_f64();
    Some(evidence.coverage_pct / 100.0 * asked_s)
}

/// Refuses a change that a format has no form for.
fn suits(format: ChangeFormat, change: &Change) -> Result<(), LeftOut> {
    let is_volume = change.resource == AwsResource::Volume;
    match format {
        ChangeFormat::Cli => Ok(()),
        _ if !is_volume => Err(LeftOut::NotAVolume),
        ChangeFormat::Terraform if change.row.zone.is_none() => Err(LeftOut::ZoneUnknown),
        ChangeFormat::Vac if change.claim().is_none() => Err(LeftOut::NoClaim),
        _ => Ok(()),
    }
}
