//! A recommendation: the decision on a volume.

use serde::Serialize;

use super::current_volume::CurrentVolume;
use crate::Report;
use crate::reasons::decided::{Coded, Decided, describe_finding, describe_reason};
use ebs_advice::{self as advice, Decision, PricedVolumes, RoleAdvice, UsedSpace};
use ebs_base::units::Usd;

/// A recommendation.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Recommendation {
    /// `volumes`; `larger instance`; or `nothing`, where no volumes meet everything requested.
    kind: &'static str,
    /// Position of the volumes among the options, from zero: those to order, those until the instance is larger, or the nearest
    /// miss; null where there are none.
    option: Option<usize>,
    /// Action on the present volumes: `keep`, `modify`, `larger_instance` (it comes first), or `no_answer`, where nothing meets the request
    /// or the present volumes are not declared.
    action: &'static str,
    /// The volumes that the action leads to; null without any.
    volumes: Option<CurrentVolume>,
    /// Saving of the action, US dollars a month; negative where it costs more, null where a price is not known.
    usd_month_saved: Option<f64>,
    /// Risk of these volumes: `very low`, `low`, `medium`, `high`, `very high`.
    risk: Option<&'static str>,
    /// Reason for the action.
    reason: CodedText,
    /// Findings beside it: `fills_up`, `saturated`, `previous_generation`, `instance_binds`, …
    findings: Vec<CodedText>,
}

/// A code for programs, and its sentence.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct CodedText {
    /// Code, `snake_case`, stable.
    code: &'static str,
    /// Sentence.
    text: String,
}

impl From<Coded> for CodedText {
    fn from((code, text): Coded) -> CodedText {
        CodedText { code, text }
    }
}

impl Recommendation {
    /// The recommendation for a role.
    pub(super) fn from_role(role: &RoleAdvice, report: &Report) -> Recommendation {
        let recommendation = role.recommendation(report.request);
        let kind = match recommendation {
            advice::Recommendation::Volumes(_) => "volumes",
            advice::Recommendation::LargerInstance(_) => "larger instance",
            advice::Recommendation::Nothing(_) => "nothing",
        };
        let position =
            |volumes: &advice::Candidate| role.candidates.iter().position(|candidate| std::ptr::eq(candidate, volumes));
        let option = recommendation.volumes().and_then(position);
        let present = role.current.as_ref().and_then(PricedVolumes::from_current);
        Recommendation::new(&role.decision, report, (kind, option), (present, role.state.size.used_space()))
    }

    /// The recommendation for an idle volume, of which there is no other advice.
    pub(super) fn idle(decision: &Decision, report: &Report) -> Recommendation {
        let present = report.idle_volume().and_then(|idle| idle.present);
        Recommendation::new(decision, report, ("volumes", None), (present, None))
    }

    fn new(
        decision: &Decision,
        report: &Report,
        (kind, option): (&'static str, Option<usize>),
        (present, space): (Option<PricedVolumes>, Option<UsedSpace>),
    ) -> Recommendation {
        let decided = Decided::of_run(report, decision, present, space);
        let findings = decision.findings.iter().map(|finding| describe_finding(finding, &decided).into());
        Recommendation {
            kind,
            option,
            action: decision.action.name(),
            volumes: decision.volumes.as_ref().map(|one| CurrentVolume::from(&(one.config, one.volumes))),
            usd_month_saved: decision.saved.map(Usd::dollars),
            risk: decision.risk.map(|risk| risk.name()),
            reason: describe_reason(&decision.reason, &decided).into(),
            findings: findings.collect(),
        }
    }
}
