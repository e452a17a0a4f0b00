//! Statements to type next.

use super::idle::IdleAnswer;
use ebs_advice::{Insufficient, insufficient};
use ebs_samples::evidence::Tier;

use crate::Report;
use crate::calls::{Call, Function};

/// The statement that was typed, once more with these arguments.
pub const MORE: &str = "show => 'commands' or 'all'";

/// The call of the commands of the change.
pub(crate) fn commands_call(report: &Report) -> Call {
    report.arguments.call(Function::Advise).with("show => 'commands'")
}

/// Command that prints the commands of the change; in SQL a statement.
fn describe_commands(report: &Report) -> String {
    match &report.arguments.commands {
        Some(commands) => format!("{} --commands", commands.advise),
        None => format!("SELECT {}", commands_call(report)),
    }
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

/// Describes what follows where there is no other advice: the commands of an idle volume's change, or what leads to sufficient data.
pub fn describe_without_advice(report: &Report, idle: Option<&IdleAnswer>) -> String {
    match idle {
        Some(IdleAnswer { procedure: Some(_), .. }) => describe_commands(report),
        Some(_) => "Record again while its workload runs, if it has one.".to_owned(),
        None => describe_sampling(report),
    }
}

/// Describes what leads to sufficient data: of samples that another program took, that program's, not the state of this server's sampler.
fn describe_sampling(report: &Report) -> String {
    let missing = insufficient(report.window, &report.coverage);
    match report.window.sampling.tier {
        Tier::Remote => describe_watching(missing.as_ref()).to_owned(),
        Tier::Imported => describe_importing(missing.as_ref()).to_owned(),
        Tier::Sampler | Tier::OnDemand => {
            let again = if report.arguments.run.is_none() { "" } else { " in a new run (ebs_run_begin)" };
            format!(
                "SELECT * FROM ebs_status(); it shows what is sampled. Then let the workload run for 10 min{again} and repeat this statement."
            )
        }
    }
}

fn describe_importing(missing: Option<&Insufficient>) -> &'static str {
    match missing {
        Some(Insufficient::NoDevice { .. }) => {
            "Import what was recorded of a block device: its requests, and its bytes (docs/importing.md)."
        }
        Some(Insufficient::Idle { .. }) => {
            "Record 10 min or longer while the workload runs, and import that as another run (docs/importing.md)."
        }
        _ => "Record 10 min or longer, and import that as another run (docs/importing.md).",
    }
}

fn describe_watching(missing: Option<&Insufficient>) -> &'static str {
    let has_unknown_devices = match missing {
        Some(Insufficient::NoDevice { .. }) => true,
        Some(Insufficient::TooShort { unreadable_s, .. }) => *unreadable_s > 0.0,
        Some(Insufficient::NoSamples | Insufficient::Idle { .. }) | None => false,
    };
    if has_unknown_devices {
        return "ebs_waits, ebs_io_sources, ebs_queries and ebs_workload need no devices. For a volume grant the right that is missing, and \
                watch again for 10 min (docs/watch.md).";
    }
    match missing {
        Some(Insufficient::Idle { .. }) => {
            "Watch again for 10 min while the workload runs: ebsctl watch --for 10m (docs/watch.md)."
        }
        _ => "Watch again for 10 min or longer: ebsctl watch --for 10m (docs/watch.md).",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imported_samples_lead_to_another_recording() {
        let idle = Insufficient::Idle { requests: 3, device_s: 600.0 };
        let short = Insufficient::TooShort { device_s: 14.0, unreadable_s: 0.0 };
        let steps = [Some(&idle), Some(&short), Some(&Insufficient::NoSamples)].map(describe_importing);
        assert!(steps.iter().all(|step| step.starts_with("Record 10 min or longer")), "{steps:?}");
        assert!(steps[0].contains("while the workload runs") && !steps[1].contains("while the workload runs"));
        assert!(describe_importing(Some(&Insufficient::NoDevice { reasons: Vec::new() })).contains("block device"));
    }

    #[test]
    fn a_right_is_missing_only_where_devices_are_unknown() {
        let too_short = |unreadable_s| Insufficient::TooShort { device_s: 14.0, unreadable_s };
        for unknown in [Insufficient::NoDevice { reasons: Vec::new() }, too_short(20.0)] {
            assert!(describe_watching(Some(&unknown)).contains("grant the right that is missing"), "{unknown:?}");
        }
        let again = "Watch again for 10 min or longer: ebsctl watch --for 10m (docs/watch.md).";
        assert_eq!([Some(&too_short(0.0)), Some(&Insufficient::NoSamples), None].map(describe_watching), [again; 3]);
        let idle = Insufficient::Idle { requests: 3, device_s: 600.0 };
        assert!(describe_watching(Some(&idle)).starts_with("Watch again for 10 min while the workload runs"));
    }
}
