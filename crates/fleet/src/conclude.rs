//! Conclusion: advice on one volume by its counts, and the action that follows.

use ebs_advice::{
    Confidence, ConfidenceEvidence, Decision, IdleVolume, Insufficient, Request, RoleAdvice, UsedSpace,
    advise_on_instance, insufficient,
};
use ebs_prediction::BindingLimit;
use ebs_samples::evidence::{Coverage, Window};
use ebs_workload::busy_rates::BusyRates;
use ebs_workload::io_profile::Metric;

use crate::answer::{DemandFigures, Grade, Reason, VolumeAnswer};
use crate::demand::figures;
use crate::discovery::described::Described;
use crate::findings;
use crate::request::request;
use crate::settings::Settings;
use crate::subject::Subject;
use crate::unanswered::without_counts;
use crate::window::evidence::{evidence, window_of_subject};

/// Most share of time in which two instances may have counted the same volume at once: around a move scrapes overlap.
const MAX_SHARED: f64 = 0.05;

/// Concludes on a volume.
pub fn conclude(subject: Subject, settings: &Settings, pause: &dyn Fn()) -> VolumeAnswer {
    let counts = subject.counts;
    let window = window_of_subject(&subject, settings);
    let busy = BusyRates::from_window(&window);
    let evidence = evidence(&subject, (&window, busy), settings);
    let documented = without_counts(subject.described.clone(), settings, Reason::TooFewCounts { seconds: 0.0 });
    let space = UsedSpace::from_window(&window, 0);
    let unknown = findings::unknown(&subject, (&evidence, space), settings);
    let answer = VolumeAnswer {
        findings: documented.findings.into_iter().chain(findings::of_counts(&subject, space)).collect(),
        unknown: documented.unknown.into_iter().chain(unknown).collect(),
        space,
        evidence,
        ..documented
    };
    let shared = counts.merged.shared_s > MAX_SHARED * answer.evidence.coverage * seconds_asked(settings);
    if subject.described.is_shared || shared && counts.merged.shared_s > 600.0 {
        return VolumeAnswer { reason: Reason::MultiAttach, ..answer };
    }
    if counts.is_empty() {
        let reason = match (counts.lacks_bytes, counts.lacks_period) {
            (true, _) => Reason::BytesMissing,
            (_, true) => Reason::PeriodUnknown,
            _ => Reason::TooFewCounts { seconds: 0.0 },
        };
        return VolumeAnswer { reason, ..answer };
    }
    let coverage = Coverage::from_window(&window);
    let with_demand = |answer| VolumeAnswer { demand: Some(demand(&subject, &window, None)), ..answer };
    let Some(request) = request(&subject.described, settings) else { return with_demand(answer) };
    match insufficient(&window, &coverage) {
        Some(Insufficient::Idle { requests, device_s }) => {
            idle(with_demand(answer), &subject.described, (requests, device_s), &request)
        }
        Some(Insufficient::TooShort { device_s, .. }) => {
            VolumeAnswer { reason: Reason::TooFewCounts { seconds: device_s }, ..with_demand(answer) }
        }
        Some(_) => with_demand(answer),
        None => advised(answer, &subject, (&window, &coverage, busy), &request, pause),
    }
}

/// Figures of the demand; histograms alone do not tell reads from writes.
fn demand(subject: &Subject, window: &Window, role: Option<&RoleAdvice>) -> DemandFigures {
    let mut demand = figures(window, role);
    let is_mixed = !subject.counts.merged.sections.is_empty();
    demand.figures.retain(|figure| is_mixed || figure.metric != Metric::ReadShare);
    demand
}

fn seconds_asked(settings: &Settings) -> f64 {
    (settings.to_us - settings.from_us).max(0) as f64 / 1e6
}

/// The answer by advice.
fn advised(
    answer: VolumeAnswer,
    subject: &Subject,
    (window, coverage, busy): (&Window, &Coverage, Option<BusyRates>),
    request: &Request,
    pause: &dyn Fn(),
) -> VolumeAnswer {
    let declared = &subject.described.declarations();
    let advice = advise_on_instance(window, request, declared, (subject.load.as_ref(), busy), pause);
    let Some(role) = advice.roles.first() else {
        return VolumeAnswer { demand: Some(demand(subject, window, None)), ..answer };
    };
    let evidence = ConfidenceEvidence {
        window,
        coverage,
        checkpoint_cycles: None,
        checkpoint_timeout_s: None,
        declared,
        request,
        is_lookback: false,
        is_production: true,
    };
    let demand = Some(demand(subject, window, Some(role)));
    let confidence = Some(Confidence::new(&evidence, advice.roles.iter()).level());
    let (binding, limit_share) = (role.present().binding_limit(), role.present().limit_share());
    let is_checked = answer.evidence.grade == Grade::Checked;
    let bursts = findings::bursts(&answer.evidence).filter(|_| is_checked && role.decision.may_regret_bursts);
    let unknown = answer.unknown.iter().cloned().chain(bursts).collect();
    VolumeAnswer { demand, confidence, binding, limit_share, unknown, ..decided(answer, &role.decision) }
}

/// The answer with a decision; findings that it has already stand once.
fn decided(answer: VolumeAnswer, decision: &Decision) -> VolumeAnswer {
    let others = decision.findings.iter().filter(|finding| !answer.findings.contains(finding));
    VolumeAnswer {
        recommended: decision.volumes,
        action: decision.action,
        saved: decision.saved,
        risk: decision.risk,
        reason: Reason::Decided(decision.reason.clone()),
        findings: answer.findings.iter().chain(others).cloned().collect(),
        ..answer
    }
}

/// The answer for an idle volume.
fn idle(
    answer: VolumeAnswer,
    described: &Described,
    (requests, seconds): (u64, f64),
    request: &Request,
) -> VolumeAnswer {
    let (present, findings) = (answer.present, answer.findings.clone());
    let idle = IdleVolume { present, is_multi_attach: described.is_multi_attach, requests, seconds, findings };
    let known = answer.present.is_some();
    match idle.decide(request) {
        Some(decision) => VolumeAnswer {
            binding: known.then_some(BindingLimit::None),
            limit_share: known.then_some(0.0),
            ..decided(answer, &decision)
        },
        None => VolumeAnswer { reason: Reason::TooFewCounts { seconds }, ..answer },
    }
}
