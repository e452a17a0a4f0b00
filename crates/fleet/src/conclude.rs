//! Conclusion: advice on one volume by its counts, and the action that follows.

use ebs_advice::{
    Candidate, ConfidenceLevel, Insufficient, Request, Risk, RoleAdvice, advise_on_instance, insufficient,
};
use ebs_base::units::Usd;
use ebs_samples::evidence::{Coverage, Window};

use super::answer::{Action, DemandFigures, Finding, Grade, Priced, Reason, VolumeAnswer};
use super::confidence::{confidence, may_regret_bursts};
use super::decision::{DecisionFacts, decide, present_risk};
use super::demand::figures;
use super::evidence::{evidence, window_of_subject};
use super::findings;
use super::idle;
use super::request::{VolumeRequest, request};
use super::settings::Settings;
use super::subject::Subject;
use super::unanswered::without_counts;

/// Most share of time in which two instances may have counted the same volume at once: around a move scrapes overlap.
const MAX_SHARED: f64 = 0.05;

/// Concludes on a volume.
pub fn conclude(subject: Subject, settings: &Settings, pause: &dyn Fn()) -> VolumeAnswer {
    let counts = subject.counts;
    let window = window_of_subject(&subject, settings);
    let evidence = evidence(&subject, &window, settings);
    let mut answer = without_counts(subject.described.clone(), settings, Reason::TooFewCounts { seconds: 0.0 });
    answer.space = super::demand::space_figures(&window);
    answer.evidence = evidence;
    answer.findings.extend(findings::of_counts(&subject, &answer, &window));
    answer.unknown.extend(findings::unknown(&subject, &answer, settings));
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
    let with_demand = |answer| VolumeAnswer { demand: Some(demand(&subject, &window, None, pause)), ..answer };
    let Some(VolumeRequest { request, has_prices }) = request(&subject.described, settings) else {
        return with_demand(answer);
    };
    match insufficient(&window, &coverage) {
        Some(Insufficient::Idle { requests, device_s }) => {
            idle::conclude(with_demand(answer), (requests, device_s), &request, has_prices)
        }
        Some(Insufficient::TooShort { device_s, .. }) => {
            VolumeAnswer { reason: Reason::TooFewCounts { seconds: device_s }, ..with_demand(answer) }
        }
        Some(_) => with_demand(answer),
        None => advised(answer, &subject, (&window, &coverage), (&request, has_prices), pause),
    }
}

/// Figures of the demand; histograms alone do not tell reads from writes.
fn demand(subject: &Subject, window: &Window, role: Option<&RoleAdvice>, pause: &dyn Fn()) -> DemandFigures {
    let figures = figures(window, role, pause);
    let is_mixed = !subject.counts.merged.pieces.is_empty();
    DemandFigures { read_pct: figures.read_pct.filter(|_| is_mixed), ..figures }
}

fn seconds_asked(settings: &Settings) -> f64 {
    (settings.to_us - settings.from_us).max(0) as f64 / 1e6
}

/// The answer by advice.
fn advised(
    answer: VolumeAnswer,
    subject: &Subject,
    (window, coverage): (&Window, &Coverage),
    (request, has_prices): (&Request, bool),
    pause: &dyn Fn(),
) -> VolumeAnswer {
    let declared = subject.described.declarations();
    let advice = advise_on_instance(window, request, &declared, subject.load.as_ref(), pause);
    let Some(role) = advice.roles.first() else {
        return VolumeAnswer { demand: Some(demand(subject, window, None, pause)), ..answer };
    };
    let recommendation = role.recommendation(request);
    let priced = |candidate: &Candidate| Priced {
        config: candidate.config,
        volumes: candidate.volumes,
        usd_month: candidate.bill.filter(|_| has_prices).map(|bill| bill.total().rounded()),
    };
    let named = recommendation.volumes();
    let saved = named.and_then(|candidate| candidate.saving).filter(|_| has_prices);
    let is_filling = |finding: &Finding| matches!(finding, Finding::FillsUp { .. } | Finding::NearlyFull { .. });
    let needs_space = answer.findings.iter().any(is_filling);
    let facts = DecisionFacts { saved, request, need: advice.instance_need(), evidence: &answer.evidence, needs_space };
    let (action, reason) = decide(subject, role, recommendation, &facts);
    let is_change = matches!(action, Action::Modify | Action::LargerInstance);
    // An unknown size is that of no order.
    let is_unknown = subject.described.config.is_none() && role.state.size.size_gib.is_some();
    let recommended = match action {
        // A volume for a larger instance is sized once it is on that: what the present one lets through says too little.
        Action::Keep | Action::LargerInstance => answer.present.clone(),
        _ => named.map(priced),
    };
    let mut findings = answer.findings.clone();
    findings.extend(findings::of_advice(role, subject.load.as_ref(), &advice, window));
    let changed = named.zip(subject.described.config).filter(|_| action == Action::Modify);
    findings.extend(changed.into_iter().flat_map(|(best, present)| findings::of_change(role, best, present)));
    let confidence = confidence(&answer.evidence, &advice, (window, coverage), (request, &declared));
    let is_regretted = match &reason {
        Reason::PresentSuffices(carried) => answer.evidence.busy.is_some_and(|busy| carried.may_exceed(busy)),
        _ => changed.is_some_and(|(best, present)| may_regret_bursts(&answer.evidence, present, best)),
    };
    let mut unknown = answer.unknown.clone();
    if is_regretted && answer.evidence.grade == Grade::Checked {
        unknown.extend(findings::bursts(&answer.evidence));
    }
    VolumeAnswer {
        demand: Some(demand(subject, window, Some(role), pause)),
        recommended: recommended.filter(|_| is_change || is_unknown || action == Action::Keep),
        action,
        saved: match action {
            Action::Keep => answer.present.as_ref().and_then(|present| present.usd_month).map(|_| Usd::default()),
            // The price of the larger instance is part of it, and not known here.
            Action::LargerInstance => None,
            _ => saved,
        },
        risk: match &reason {
            Reason::PresentSuffices(_) | Reason::DescriptionRefuted { .. } => {
                present_risk(role, request.rule.max_throttled_pct)
            }
            _ => risk(named, &findings),
        },
        confidence: Some(lowered(confidence, role, is_regretted)),
        binding: super::demand::binding(role),
        limit_share: super::demand::limit_share(role),
        reason,
        findings,
        unknown,
        ..answer
    }
}

/// Confidence one step lower where the volumes may be regretted; low where the counts refute the description.
fn lowered(confidence: ConfidenceLevel, role: &RoleAdvice, is_regretted: bool) -> ConfidenceLevel {
    match (role.state.refuted_limit, is_regretted) {
        (Some(_), _) => ConfidenceLevel::Low,
        (None, true) => confidence.lower(),
        (None, false) => confidence,
    }
}

/// Risk of the recommended volumes: at least high where sessions would wait.
fn risk(named: Option<&Candidate>, findings: &[Finding]) -> Option<Risk> {
    let is_slower = findings.iter().any(|finding| matches!(finding, Finding::Slower(_)));
    let risk = named?.risk?;
    Some(if is_slower { risk.max(Risk::High) } else { risk })
}
