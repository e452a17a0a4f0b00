//! Kind of the load, its evidence, and the demand that follows from it.

use super::month;
use super::prediction::describe_missing_input;
use ebs_advice::{Candidate, LoadBasis, LoadKind, RoleAdvice};
use ebs_aws::catalogue::VolumeType;
use ebs_base::format::{count, share, size, usd, whole_pct};
use ebs_prediction::predict::MissingInput;

/// Describes the load of a role: the kind with its evidence, the demand on the recommended volumes, and the other sizing. A
/// sentence each, without full stop.
pub fn describe(role: &RoleAdvice) -> Vec<String> {
    let mut sentences = vec![describe_kind(role)];
    sentences.extend(role.best().and_then(describe_scale));
    sentences.extend(role.closed_option.as_ref().and_then(|option| describe_option("If the loop is closed", option)));
    sentences
        .extend(role.peak_option.as_ref().and_then(|option| describe_option("For the demand as observed", option)));
    sentences
}

/// Describes the kind and its evidence: `Closed loop: sessions wait for the volume (clients think 2 % of the time)`.
fn describe_kind(role: &RoleAdvice) -> String {
    let load = &role.state.load;
    let kind = match load.kind {
        LoadKind::Closed => "Closed loop: sessions wait for the volume",
        LoadKind::Open => "Open loop: clients keep their own pace",
        LoadKind::Unsure => "Closed or open loop: the evidence does not tell",
    };
    match load.basis {
        LoadBasis::Driver => format!("{kind} (by the command of the load driver)"),
        LoadBasis::ThinkTime { share: thinking } => format!("{kind} (clients think {} of the time)", share(thinking)),
        LoadBasis::FewWaits { active_sessions, io_share } => format!(
            "{kind} ({} active sessions on average, which wait for the volume {} of the time)",
            size(active_sessions),
            share(io_share)
        ),
        LoadBasis::Missing(missing) => {
            format!("The demand counts as observed, as in an open loop: {}", describe_missing_input(missing))
        }
    }
}

/// Demand relative to the observed one that rounds to all of it.
const MAX_LESS: f64 = 0.995;

/// Describes the demand on the recommended volumes; `None` where it is the observed one.
fn describe_scale(best: &Candidate) -> Option<String> {
    let name = best.config.volume_type.name();
    let is_less = best.scale < MAX_LESS;
    is_less.then(|| format!("On {name} the demand is {} of the observed one", share(best.scale)))
}

/// Describes volumes for another demand: `For the demand as observed: gp3 with 13,668 IOPS, $60.66 a month`.
fn describe_option(condition: &str, option: &Candidate) -> Option<String> {
    let (name, iops) = (option.config.volume_type.name(), option.config.iops * option.volumes);
    Some(format!("{condition}: {name} with {} IOPS, {}", count(iops as f64), month::describe(option.usd_month())))
}

/// Describes kind of the load and the demand that counts in one line; both sizes where the kind is not sure.
pub fn describe_briefly(role: &RoleAdvice) -> String {
    let load = &role.state.load;
    // A larger instance is sized for the demand on the general purpose type.
    let is_general_purpose = |one: &&Candidate| one.config.volume_type == VolumeType::general_purpose();
    let general_purpose = || role.candidates.iter().find(is_general_purpose);
    let smaller = role.best().or_else(general_purpose).filter(|best| best.scale < MAX_LESS);
    let demand = match smaller {
        _ if role.state.has_unmet_demand() => ": sized for the demand without the limit".to_owned(),
        // Volumes for a part of the request are for less than that.
        Some(best) if best.is_within_budget_alone() => String::new(),
        Some(best) => format!(": sized for {} of the observed demand", whole_pct(best.scale)),
        None => ": sized for the observed demand".to_owned(),
    };
    match (load.kind, load.basis) {
        (_, LoadBasis::Missing(MissingInput::Sessions)) => {
            "closed or open loop unknown (client sessions were hardly at work): sized for the observed demand"
                .to_owned()
        }
        (LoadKind::Closed, LoadBasis::Missing(_)) => {
            "clients wait for each answer (closed loop), and their waits are unknown: sized for the observed demand"
                .to_owned()
        }
        (_, LoadBasis::Missing(_)) => "closed or open loop unknown: sized for the observed demand".to_owned(),
        (LoadKind::Closed, _) => format!("clients wait for each answer (closed loop){demand}"),
        (LoadKind::Open, _) => format!("clients keep their own pace (open loop){demand}"),
        (LoadKind::Unsure, LoadBasis::FewWaits { .. }) if role.best().is_none_or(|best| best.scale >= 1.0) => {
            format!("closed or open loop unknown (sessions hardly wait for it){demand}")
        }
        (LoadKind::Unsure, _) => describe_both(role, &demand),
    }
}

/// Describes both sizes: `closed or open loop not certain: 5,000 IOPS $12.24 if clients wait for answers, 13,700 IOPS $60.66 if not`.
fn describe_both(role: &RoleAdvice, demand: &str) -> String {
    let size = |option: &Candidate| {
        let (name, iops) = (option.config.volume_type.name(), option.config.iops * option.volumes);
        let price = option.usd_month().map_or(String::new(), |price| format!(" {}", usd(price)));
        format!("{name} {} IOPS{price}", count(iops as f64))
    };
    match (&role.closed_option, &role.peak_option) {
        (Some(closed), Some(open)) if size(closed) == size(open) => {
            format!("closed or open loop not certain: {} for either", size(open))
        }
        (Some(closed), Some(open)) => {
            format!(
                "closed or open loop not certain: {} if clients wait for answers, {} if not",
                size(closed),
                size(open)
            )
        }
        _ => format!("closed or open loop not certain{demand}"),
    }
}

#[cfg(test)]
#[path = "load_tests.rs"]
mod tests;
