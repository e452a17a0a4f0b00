//! A recommendation: the decision on a volume.

use super::current_volume::CurrentVolume;
use crate::Report;
use crate::reasons::decided::{Coded, Decided, describe_finding, describe_reason};
use ebs_advice::{self as advice, Decision, PricedVolumes, RoleAdvice};
use ebs_base::object;
use ebs_base::units::Usd;

object! {
    /// A recommendation.
    pub(super) struct Recommendation(
        (decision, decided, kind, option): (&Decision, Decided<'_>, &'static str, Option<usize>)
    ) {
        /// `volumes`; `larger instance`; or `nothing`, where no volumes meet everything requested.
        kind: &'static str = kind,
        /// Position of the volumes among the options, from zero: those to order, those until the instance is larger, or the nearest
        /// miss; null where there are none.
        option: Option<usize> = option,
        /// Action on the present volumes: `keep`, `modify`, `larger_instance` (it comes first), or `no_answer`, where nothing meets the request
        /// or the present volumes are not declared.
        action: &'static str = decision.action.name(),
        /// The volumes that the action leads to; null without any.
        volumes: Option<CurrentVolume> =
            decision.volumes.as_ref().map(|one| CurrentVolume::from(&(one.config, one.volumes))),
        /// Saving of the action, US dollars a month; negative where it costs more, null where a price is not known.
        usd_month_saved: Option<f64> = decision.saved.map(Usd::dollars),
        /// Risk of these volumes: `very low`, `low`, `medium`, `high`, `very high`.
        risk: Option<&'static str> = decision.risk.map(|risk| risk.name()),
        /// Reason for the action.
        reason: CodedText = describe_reason(&decision.reason, &decided).into(),
        /// Findings beside it: `fills_up`, `saturated`, `previous_generation`, `instance_binds`, …
        findings: Vec<CodedText> =
            decision.findings.iter().map(|finding| describe_finding(finding, &decided).into()).collect(),
    }
}

object! {
    /// A code for programs, and its sentence.
    struct CodedText((code, text): Coded) {
        /// Code, `snake_case`, stable.
        code: &'static str = code,
        /// Sentence.
        text: String = text,
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
        let decided = Decided::of_run(report, &role.decision, present, role.state.size.used_space());
        Recommendation::from((&role.decision, decided, kind, option))
    }

    /// The recommendation for an idle volume, of which there is no other advice.
    pub(super) fn idle(report: &Report) -> Option<Recommendation> {
        let (idle, decision) = report.idle()?;
        let decided = Decided::of_run(report, &decision, idle.present, None);
        Some(Recommendation::from((&decision, decided, "volumes", None)))
    }
}
