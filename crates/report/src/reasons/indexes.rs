//! Sentences of index advice.

use super::statements;
use ebs_base::format::{count, pct, rate};
use ebs_tuning::indexes::choose::MIN_SAVED_SHARE;
use ebs_tuning::indexes::to_drop::MIN_COUNTED_S;
use ebs_tuning::indexes::{Cost, Finding, NoIndex, NoPrice, Reason, Search};

/// Reason of a statement that was not planned, because the limit of plans was reached.
const OUT_OF_PLANS: &str = "plans ran out (max_plans)";

/// Reason of one that was not planned, because planning took too long.
const OUT_OF_TIME: &str = "planning took too long";

/// Describes the reason of a finding about an index or a statement.
pub fn describe_reason(finding: &Finding) -> String {
    match &finding.reason {
        Reason::Saves { .. } | Reason::NegligibleGain | Reason::WritesExceedSaving => describe_index(finding),
        Reason::NoTable | Reason::NoIndex(_) | Reason::OutOfPlans | Reason::OutOfTime | Reason::NotPlanned(_) => {
            describe_statement(finding)
        }
        Reason::SameKeys { .. } | Reason::LongerKeys { .. } | Reason::Unused { .. } => describe_drop(finding),
        Reason::CommandRefused(message) => format!("the index is not shown: {message}"),
        Reason::StatementsUnknown(missing) => {
            format!(
                "which statements read is unknown: {}. {}",
                statements::describe_reason(missing),
                statements::describe_remedy(missing)
            )
        }
        Reason::StatementsHidden { statements } => {
            let plural = if *statements == 1 { "" } else { "s" };
            format!("{statements} statement{plural} of other roles may not be read: that takes pg_read_all_stats")
        }
        Reason::PlannerUnusable(reason) => format!("the planner of the watched server tries no indexes: {reason}"),
        Reason::HypopgMissing { available } => hypopg(*available),
    }
}

fn describe_index(finding: &Finding) -> String {
    let cost = cost(finding.cost.unwrap_or_default());
    match &finding.reason {
        Reason::Saves { statements, foreign_keys, limit_from_rows } => {
            let pages = |price: &Option<_>| rate(count_pages(price));
            let mut text =
                format!("estimated {} instead of {} pages a call", pages(&finding.after), pages(&finding.before));
            if *foreign_keys {
                text.push_str(", most of them looking for rows that refer to those deleted");
            }
            if *statements > 1 {
                text.push_str(&format!("; serves {statements} statements, this one most"));
            }
            if *limit_from_rows {
                text.push_str("; LIMIT taken to be the rows that a call gave");
            }
            text + &cost
        }
        Reason::NegligibleGain => format!("it would spare less than 1 % of all reads{cost}"),
        _ => format!(
            "its writes would cost more than it spares: {} reads/s spared{cost}",
            rate(finding.saved_s.unwrap_or(0.0))
        ),
    }
}

fn cost(cost: Cost) -> String {
    if cost.entries_s > 0.0 {
        format!(
            "; {} entries/s would cost {} reads and {} writes/s",
            rate(cost.entries_s),
            rate(cost.reads_s),
            rate(cost.writes_s)
        )
    } else {
        "; no inserts or updates were seen".to_owned()
    }
}

fn describe_statement(finding: &Finding) -> String {
    let pages = rate(count_pages(&finding.before));
    match &finding.reason {
        Reason::NoIndex(NoIndex { search, unsupported }) => no_index(search, &pages) + &skipped(unsupported),
        Reason::OutOfPlans => format!("not tried to the end: {OUT_OF_PLANS}; {pages} pages a call"),
        Reason::OutOfTime => format!("not tried to the end: {OUT_OF_TIME}; {pages} pages a call"),
        Reason::NotPlanned(NoPrice::Failed(message)) => format!("not planned: {message}"),
        Reason::NotPlanned(NoPrice::OutOfPlans) => format!("not planned: {OUT_OF_PLANS}"),
        Reason::NotPlanned(NoPrice::OutOfTime) => format!("not planned: {OUT_OF_TIME}"),
        _ => "its plan reads no table: what a function does inside is told apart with pg_stat_statements.track = all"
            .to_owned(),
    }
}

fn no_index(search: &Search, pages: &str) -> String {
    match search {
        Search::AlreadyEfficient => format!("it has what it needs: {pages} pages a call"),
        Search::NoCandidate => format!("no condition or order that a b-tree would serve; {pages} pages a call"),
        Search::NotUsed { tried: 1 } => format!("the index that was tried would not be used; {pages} pages a call"),
        Search::NotUsed { tried } => format!("none of {tried} indexes tried would be used; {pages} pages a call"),
        Search::LittleSaved { tried } => {
            let least = pct(100.0 * MIN_SAVED_SHARE);
            let which = match tried {
                1 => "the index that was tried does not spare".to_owned(),
                tried => format!("none of {tried} indexes tried spares"),
            };
            format!("{which} {least} of its {pages} pages a call")
        }
    }
}

fn skipped(unsupported: &[String]) -> String {
    match unsupported {
        [] => String::new(),
        [one] => format!("; not looked into: {one}"),
        [first, more @ ..] => format!("; not looked into: {first} and {} more", more.len()),
    }
}

fn describe_drop(finding: &Finding) -> String {
    let reason = match &finding.reason {
        Reason::SameKeys { index } => format!("{index} has the same keys"),
        Reason::LongerKeys { index } => format!("{index} begins with the same keys"),
        Reason::Unused { counted_s: Some(seconds) } if *seconds >= MIN_COUNTED_S => {
            format!("not used once in {} days; look at standbys too", count(seconds / 86_400.0))
        }
        Reason::Unused { counted_s: Some(seconds) } => {
            format!("not used once, but its use is counted for {} hours only", count(seconds / 3_600.0))
        }
        _ => "not used once, but since when that is counted is unknown: statistics were never reset".to_owned(),
    };
    match finding.cost {
        Some(saved) => {
            format!("{reason}; {} entries/s cost {} writes/s", rate(-saved.entries_s), rate(-saved.writes_s))
        }
        None => reason,
    }
}

fn hypopg(available: bool) -> String {
    let what_for = "which index would help is unknown without it (packages postgresql-<major>-hypopg, hypopg_<major>)";
    let missing = if available {
        "hypopg is not in this database:"
    } else {
        "hypopg is not installed on this server: install its package, then"
    };
    format!("{missing} CREATE EXTENSION hypopg; {what_for}")
}

fn count_pages(price: &Option<ebs_tuning::indexes::Price>) -> f64 {
    price.as_ref().map_or(0.0, |price| price.pages)
}

#[cfg(test)]
#[path = "indexes_tests.rs"]
mod tests;
