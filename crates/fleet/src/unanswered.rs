//! Answers without advice: from documents alone.

use super::answer::{Action, Evidence, Reason, UnknownFact, VolumeAnswer};
use super::described::Described;
use super::findings;
use super::request::present;
use super::settings::Settings;

/// An answer without counts.
pub fn without_counts(described: Described, settings: &Settings, reason: Reason) -> VolumeAnswer {
    let evidence = Evidence { from_us: settings.from_us, to_us: settings.to_us, ..Evidence::default() };
    let (present, unknown) = present(&described, settings);
    let is_known = described.config.is_some();
    let configuration = (!is_known).then_some(UnknownFact::Configuration);
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
