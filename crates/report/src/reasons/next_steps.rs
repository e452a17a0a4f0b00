//! Statements to type next.

use ebs_samples::evidence::Tier;

use crate::Report;
use crate::calls::{Call, Function};

/// The statement that was typed, once more with these arguments.
pub const MORE: &str = "show => 'commands' or 'all'";

/// The call of the commands of the change.
pub(crate) fn commands_call(report: &Report) -> Call {
    report.arguments.call(Function::Advise).with("show => 'commands'")
}

/// Calls of the page, and of predictions for other volumes, or of the demand in figures where nothing is predicted.
pub(crate) fn other_calls(report: &Report) -> [Call; 2] {
    // Without its input ebs_whatif predicts nothing.
    let is_predicted = report.roles().any(|role| role.state.predictor.is_ok());
    let last = if is_predicted { Function::WhatIf } else { Function::IoMix };
    [Function::ReportHtml, last].map(|function| report.arguments.call(function))
}

/// The call of the rows behind a report.
pub(crate) fn rows_call(report: &Report) -> Call {
    report.arguments.call(Function::OptionRows)
}

/// Describes the statements that follow a report, with its arguments.
pub fn describe_statements(report: &Report) -> Vec<String> {
    let [page, last] = other_calls(report);
    let all = report.arguments.call(Function::Advise).with("show => 'all'");
    let scalar = [commands_call(report), all, page].map(|call| format!("SELECT {call}"));
    let rows = [last, rows_call(report)].map(|call| format!("SELECT * FROM {call}"));
    scalar.into_iter().chain(rows).collect()
}

/// Describes the statements that lead to sufficient data.
pub fn describe_sampling(report: &Report) -> String {
    if report.window.sampling.tier == Tier::Remote {
        return "ebs_waits, ebs_io_sources, ebs_queries and ebs_workload need no devices. For a volume grant the right that is missing, and \
                watch again for 10 min (docs/watch.md)."
            .to_owned();
    }
    let again = if report.arguments.run.is_none() { "" } else { " in a new run (ebs_run_begin)" };
    format!(
        "SELECT * FROM ebs_status(); it shows what is sampled. Then let the workload run for 10 min{again} and repeat this statement."
    )
}
