//! Statements to type next.

use crate::Report;
use crate::clip::clip;

/// Describes the statements that follow the first screen.
pub fn describe(report: &Report) -> String {
    let argument = clip(&report.argument, 24);
    let more = if argument.is_empty() { "…".to_owned() } else { format!("{argument}, …") };
    // Without its input ebs_whatif predicts nothing.
    let is_predicted = report.roles().any(|role| role.state.predictor.is_ok());
    let last = if is_predicted { format!("ebs_whatif({more})") } else { format!("ebs_io_mix({argument})") };
    format!("show => 'commands' or 'all' · ebs_report_html({argument}) · {last}")
}

/// Describes the statements that lead to sufficient data.
pub fn describe_sampling(report: &Report) -> String {
    let again = if report.argument.is_empty() { String::new() } else { " in a new run (ebs_run_begin)".to_owned() };
    format!(
        "SELECT * FROM ebs_status(); it shows what is sampled. Then let the workload run for 10 min{again} and repeat this statement."
    )
}
