//! Answers without advice: from documents alone.

use crate::answer::{Evidence, Reason, VolumeAnswer};
use crate::discovery::described::Described;
use crate::discovery::fleet::Unseen;
use crate::findings;
use crate::request::present;
use crate::settings::Settings;
use crate::unknown_fact::UnknownFact;
use ebs_advice::{Action, Finding};
use ebs_samples::evidence::{PendingCause, PendingChange};

/// An answer without counts.
pub fn without_counts(described: Described, settings: &Settings, reason: Reason) -> VolumeAnswer {
    let evidence = Evidence { from_us: settings.from_us, to_us: settings.to_us, ..Evidence::default() };
    let (present, unknown) = present(&described, settings);
    let unknown_type = described.unknown_type.clone().map(UnknownFact::VolumeType);
    let configuration = described.config.is_none().then(|| unknown_type.unwrap_or(UnknownFact::Configuration));
    let candidates = described.candidates.clone();
    let instance = (!candidates.is_empty()).then_some(UnknownFact::RdsInstance { candidates });
    VolumeAnswer {
        findings: findings::of_configuration(&described, settings),
        present,
        identity: described.identity,
        evidence,
        demand: None,
        recommended: None,
        action: Action::NoAnswer,
        saved: None,
        risk: None,
        confidence: None,
        binding: None,
        limit_share: None,
        space: None,
        reason,
        unknown: configuration.into_iter().chain(instance).chain(unknown).collect(),
    }
}

/// The answer for a volume that is attached to nothing, was not used, and was last seen at this time: it can be deleted, which saves its price,
/// unless a service manages it.
pub fn deletable(answer: VolumeAnswer, last_seen_us: Option<i64>) -> VolumeAnswer {
    let is_managed = |finding: &Finding| {
        matches!(finding, Finding::ModificationRuns(PendingChange { cause: PendingCause::Managed(_), .. }))
    };
    let is_managed = answer.findings.iter().any(is_managed);
    let answer = answer.with(Finding::Unattached { last_io_us: None, last_seen_us });
    if is_managed {
        return VolumeAnswer { action: Action::NoAnswer, reason: Reason::Unseen(Unseen::UnattachedManaged), ..answer };
    }
    VolumeAnswer {
        action: Action::Delete,
        saved: answer.present.as_ref().and_then(|present| present.usd_month),
        recommended: None,
        risk: None,
        confidence: None,
        binding: None,
        limit_share: None,
        ..answer
    }
}
