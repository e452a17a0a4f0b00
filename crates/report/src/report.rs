//! The content of a report, independent of its format.

use crate::{Arguments, UtcOffset};
use ebs_advice::{
    Advice, Bottleneck, Confidence, ConfidenceEvidence, Decision, IdleVolume, Request, RoleAdvice, Saturation,
};
use ebs_prediction::predict::MissingInput;
use ebs_samples::evidence::{Coverage, Volume, Window};
use ebs_tuning::findings::Finding;
use ebs_workload::declarations::Declarations;
use ebs_workload::io_share::IoShares;
use ebs_workload::io_sources::Sources;
use ebs_workload::steady_state::Steadiness;
use ebs_workload::waits::Wait;

/// The content of a report: evidence, request and answer.
pub struct Report<'a> {
    /// Subject: `run tpcc-100`, `the last 14 days`.
    pub subject: String,
    /// Version of the server that was sampled: `PostgreSQL 18.6`.
    pub server: String,
    /// The window in words, `2026-11-21 10:41:00 to 10:42:00 UTC`.
    pub when: String,
    /// Offset of its times from UTC.
    pub utc_offset: UtcOffset,
    /// The arguments, checked, with defaults for those that were not given.
    pub request: &'a Request,
    /// The evidence.
    pub window: &'a Window,
    /// Amount of the evidence.
    pub coverage: Coverage,
    /// Steadiness of the run; `None` for a look-back.
    pub steadiness: Option<Steadiness>,
    /// checkpoint_timeout while the evidence was sampled, seconds; `None` where it is not known.
    pub checkpoint_timeout_s: Option<f64>,
    /// The advice; `None` where the evidence is insufficient.
    pub advice: Option<Advice>,
    /// PostgreSQL's I/O by source.
    pub sources: Sources,
    /// Wait events of sessions.
    pub waits: Vec<Wait>,
    /// Declarations of volumes and instance, as they held at the end of the window.
    pub declared: &'a Declarations,
    /// The arguments as given, for further calls.
    pub arguments: Arguments,
    /// Causes of I/O to remove before volumes are bought, the largest saving first.
    pub findings: Vec<Finding>,
}

impl Report<'_> {
    /// Advice for each volume.
    pub(crate) fn roles(&self) -> impl Iterator<Item = &RoleAdvice> {
        self.advice.iter().flat_map(|advice| &advice.roles)
    }

    /// Bottleneck of the cluster as a whole; `None` where the evidence does not show it.
    pub(crate) fn bottleneck(&self) -> Option<&Bottleneck> {
        self.whole()?.state.bottleneck.as_ref().ok()
    }

    /// Input that the bottleneck of the cluster is unknown for; `None` where it is known, or the evidence is insufficient.
    pub(crate) fn missing_input(&self) -> Option<MissingInput> {
        self.whole()?.state.bottleneck.as_ref().err().copied()
    }

    /// Saturation of the cluster's volumes together; `None` where they were at no limit.
    pub(crate) fn saturation(&self) -> Option<&Saturation> {
        self.whole()?.state.saturation.as_ref()
    }

    /// Advice for all volumes together.
    pub(crate) fn whole(&self) -> Option<&RoleAdvice> {
        let advice = self.advice.as_ref()?;
        advice.consolidated.as_ref().or(advice.roles.first())
    }

    /// PostgreSQL's share of the device's bytes and others'; `None` where it is not known.
    pub(crate) fn io_shares(&self) -> Option<IoShares> {
        IoShares::from_window(self.window)
    }

    /// Confidence in the advice; `None` where the evidence is insufficient for one.
    pub(crate) fn confidence(&self) -> Option<Confidence> {
        let advice = self.advice.as_ref()?;
        let evidence = ConfidenceEvidence {
            window: self.window,
            coverage: &self.coverage,
            checkpoint_cycles: self.steadiness.as_ref().and_then(|steadiness| steadiness.checkpoint_cycles),
            checkpoint_timeout_s: self.checkpoint_timeout_s,
            declared: self.declared,
            request: self.request,
            // A run is tested for steadiness, a look-back is not.
            is_lookback: self.steadiness.is_none(),
            is_production: false,
        };
        Some(Confidence::new(&evidence, advice.roles.iter()))
    }

    /// The current volume where it was idle, of which there is no other advice, and the decision on it; `None` of another, and of less than
    /// a day.
    pub(crate) fn idle(&self) -> Option<(IdleVolume, Decision)> {
        if self.advice.is_some() {
            return None;
        }
        let idle = IdleVolume::from_window(self.window, self.declared, self.request)?;
        let decision = idle.decide(self.request)?;
        Some((idle, decision))
    }

    /// Volume of a role; `None` where the role is on several.
    pub(crate) fn volume(&self, role: &RoleAdvice) -> Option<&Volume> {
        self.window.layout.volumes.iter().find(|volume| volume.role() == role.state.group.role)
    }

    /// Volumes of a role: several where these are sized together.
    pub(crate) fn volumes(&self, role: &RoleAdvice) -> impl Iterator<Item = &Volume> {
        role.state.group.volumes.iter().filter_map(|&volume| self.window.layout.volumes.get(volume))
    }

    /// Instance type: declared, else detected.
    pub(crate) fn instance(&self) -> Option<&str> {
        self.declared.instance.as_deref().or(self.window.layout.instance.as_deref())
    }
}
