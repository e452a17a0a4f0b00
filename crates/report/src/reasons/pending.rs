//! Changes that AWS has not completed, and that forbid the next one or are applied with it.

use crate::Report;
use ebs_base::format::plain;
use ebs_samples::evidence::{PendingCause, PendingChange};

const TIME: &str = "%Y-%m-%d %H:%M";

/// Effect of any change on values that are pending
/// (<https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/USER_ModifyInstance.ApplyImmediately.html>).
const APPLIED_TOO: &str = "--apply-immediately applies it too, with the downtime that it takes: run the commands where that is allowed, or \
                           withdraw it first.";

/// Most pending changes that are described.
const MAX_PENDING: usize = 5;

/// Lists the pending changes that matter for the advice: those that forbid the next change, and those that its commands would apply too.
pub fn list<'a>(report: &'a Report) -> Vec<&'a PendingChange> {
    let has_commands = report.roles().any(|role| {
        let commands = role.procedure.as_ref().map(|procedure| &procedure.change.lines);
        role.instance_saturation.is_some() || commands.is_some_and(|lines| !lines.is_empty())
    });
    report.window.pending.iter().filter(|one| has_commands || one.forbids_change()).collect()
}

/// Describes the pending changes of the volumes, two or three sentences each.
pub fn describe_all(report: &Report) -> Vec<String> {
    let pending = list(report);
    let mut texts: Vec<String> = pending.iter().take(MAX_PENDING).map(|one| describe(report, one)).collect();
    if pending.len() > MAX_PENDING {
        texts.push(format!("{} more volumes have a pending change.", pending.len() - MAX_PENDING));
    }
    texts
}

/// Describes a pending change, the time of the document that shows it, and the time of the next change.
pub fn describe(report: &Report, pending: &PendingChange) -> String {
    let PendingChange { name, cause, values, .. } = pending;
    let seen = format!("in the configuration imported at {}", describe_time(report, pending.seen_us));
    let values = values.as_deref().filter(|values| !values.is_empty());
    let state = match cause {
        PendingCause::Status(status) => {
            let values = values.map_or(String::new(), |values| format!(", pending {values}"));
            format!("{name} has status {status}{values}, {seen}.")
        }
        PendingCause::Maintenance => {
            format!("{name} has a pending change to {} at its maintenance window, {seen}.", values.unwrap_or("…"))
        }
        PendingCause::Queued => format!("{name} has a pending change to {}, {seen}.", values.unwrap_or("…")),
        PendingCause::Modification(state) => {
            format!("The modification of {name} to {} is {state}, {seen}.", values.unwrap_or("…"))
        }
        PendingCause::FourInADay => format!("{name} was modified four times within 24 hours, {seen}."),
        PendingCause::Managed(service) => format!("{name} is managed by {}, {seen}.", plain(service)),
    };
    let refused = match cause {
        PendingCause::Queued => return format!("{state} {APPLIED_TOO}"),
        PendingCause::Managed(_) => {
            return format!("{state} AWS refuses a change of it by anyone else: change it there.");
        }
        PendingCause::Status(_) => "AWS refuses another change of its storage until it is available again",
        PendingCause::Maintenance => {
            "Apply or withdraw it first: another change of the storage replaces it or is mixed with it"
        }
        PendingCause::Modification(_) => "AWS refuses another until it is completed",
        PendingCause::FourInADay => "AWS refuses a fifth",
    };
    let earliest = match pending.earliest_us {
        Some(earliest_us) => format!(", and not before {}", describe_time(report, earliest_us)),
        None => ", at a time that is not known".to_owned(),
    };
    let earliest = if *cause == PendingCause::Maintenance { String::new() } else { earliest };
    format!("{state} {refused}{earliest}. Import the configuration again after that.")
}

/// Describes a time in the session's time zone: `2026-11-20 10:30 UTC`.
fn describe_time(report: &Report, at_us: i64) -> String {
    let text = report.utc_offset.format(at_us.div_euclid(1_000_000), TIME);
    format!("{text} {}", report.utc_offset.name).trim_end().to_owned()
}
