//! Changes of the configuration of volumes within the samples.

use crate::Report;
use crate::calls::Function;
use ebs_samples::evidence::{ChangeTime, ConfigurationChange};
use ebs_workload::declarations::Declared;

/// Format of times: to the minute, as imports and modifications are.
const TIME: &str = "%Y-%m-%d %H:%M";
const DATE: &str = "%Y-%m-%d";

/// Most changes that are described.
const MAX_CHANGES: usize = 5;

/// Describes the changes, a sentence each.
pub fn describe_all(report: &Report) -> Vec<String> {
    let changes = &report.window.changes;
    let mut sentences: Vec<String> = changes.iter().take(MAX_CHANGES).map(|change| describe(report, change)).collect();
    if changes.len() > MAX_CHANGES {
        sentences.push(format!("{} more changes of the configuration within the samples", changes.len() - MAX_CHANGES));
    }
    sentences
}

fn describe(report: &Report, change: &ConfigurationChange) -> String {
    let ConfigurationChange { name, before, after, is_after_current, .. } = change;
    let taken = if *is_after_current { "the later" } else { "the earlier" };
    format!(
        "the demand of one configuration alone: {name} was changed {} from {before} to {after}; Today is {taken} one, the samples are of \
         both ({} compares them)",
        describe_time(report, change),
        describe_comparison(report, change)
    )
}

/// Describes the call that compares the samples before and after a change: `ebs_compare_change('mydb')`, with the time where AWS prints none.
pub fn describe_comparison(report: &Report, change: &ConfigurationChange) -> String {
    let call = report.arguments.call(Function::CompareChange);
    match change.time {
        ChangeTime::Modification { .. } => call.to_string(),
        ChangeTime::BetweenImports { .. } => call.with("at => '…'").to_string(),
    }
}

/// Describes which of two configurations a current volume has, `after the change from 2026-11-20 10:30 to 10:35 UTC`, by its latest change
/// within the samples; `None` without one, and where the configuration was declared.
pub fn describe_current(report: &Report, declared: &[&Declared]) -> Option<String> {
    let is_of = |change: &&ConfigurationChange| {
        let names = |one: &Declared| change.volume.as_ref().is_none_or(|name| *name == one.volume);
        declared.iter().any(|one| one.imported_us.is_some() && names(one))
    };
    let change = report.window.changes.iter().rfind(is_of)?;
    let side = if change.is_after_current { "after" } else { "before" };
    Some(format!("{side} the change {}", describe_time(report, change)))
}

/// Describes the time of a change: `from 2026-11-20 10:30 to 10:35 UTC`.
fn describe_time(report: &Report, change: &ConfigurationChange) -> String {
    let format = |at_us: i64, pattern| report.utc_offset.format(at_us.div_euclid(1_000_000), pattern);
    let text = |at_us| format(at_us, TIME);
    // With its date where that is another one.
    let end = |from_us, to_us| {
        if format(from_us, DATE) == format(to_us, DATE) { format(to_us, "%H:%M") } else { text(to_us) }
    };
    let zone = &report.utc_offset.name;
    let words = match change.time {
        ChangeTime::Modification { started_us, ended_us: Some(ended_us) } => {
            format!("from {} to {} {zone}", text(started_us), end(started_us, ended_us))
        }
        ChangeTime::Modification { started_us, ended_us: None } => format!("at {} {zone}", text(started_us)),
        ChangeTime::BetweenImports { earliest_us, latest_us } => {
            format!("between the imports of {} and {} {zone}", text(earliest_us), end(earliest_us, latest_us))
        }
    };
    words.trim_end().to_owned()
}
