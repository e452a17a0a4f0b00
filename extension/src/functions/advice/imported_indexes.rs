//! Index advice that came with a run of another server, whose planner was asked there.

use ebs_base::labels::quoted_label;
use ebs_comparison::export::{NO_INDEX_ADVICE, WATCH_SOURCE};
use ebs_tuning::indexes::statement::MAX_STATEMENTS;
use ebs_tuning::indexes::{DEFAULT_MAX_PLANS, Finding, Kind};
use pgrx::PgSqlErrorCode;

use crate::errors::Error;
use crate::{planner, storage};

/// Findings of an imported run, their commands checked; `None` of a run of this server, whose planner can be asked. Refuses an
/// imported run without: its statements and tables are not here.
pub fn imported_findings(label: &str) -> Result<Option<Vec<Finding>>, Error> {
    let run = storage::find_run(label)?;
    if !run.imported {
        return Ok(None);
    }
    checked_findings(&run)?.map_or_else(|| Err(without_findings(&run)), |findings| Ok(Some(findings)))
}

/// Recommended indexes of an imported run, as many at most as a server's planner would be asked for.
pub fn imported_recommendations(run: &storage::Run) -> Result<Vec<Finding>, Error> {
    let mut findings = checked_findings(run)?.unwrap_or_default();
    findings.retain(|finding| finding.kind == Kind::Index && finding.advised);
    findings.truncate(MAX_STATEMENTS);
    Ok(findings)
}

/// Refuses a number of plans, of which none is made. The default is accepted, because it cannot be distinguished from none.
pub fn refuse_max_plans(label: &str, max_plans: Option<i64>) -> Result<(), Error> {
    if max_plans.is_none_or(|plans| usize::try_from(plans) == Ok(DEFAULT_MAX_PLANS)) {
        return Ok(());
    }
    let message = format!("max_plans is for no run of another server, and run \"{}\" is named", quoted_label(label));
    let detail = "Its statements were planned there, when it ended.";
    Err(Error::invalid_parameter(message, "Leave out max_plans.").with_detail(detail))
}

fn checked_findings(run: &storage::Run) -> Result<Option<Vec<Finding>>, Error> {
    let mut findings = storage::read_index_findings(run)?;
    planner::check_imported_commands(findings.as_deref_mut().unwrap_or_default());
    Ok(findings)
}

fn without_findings(run: &storage::Run) -> Error {
    let label = quoted_label(&run.label);
    let reason = run.doubts.iter().find_map(|doubt| doubt.strip_prefix(NO_INDEX_ADVICE)?.strip_prefix(": "));
    let (message, hint) = if run.source.as_deref() == Some(WATCH_SOURCE) {
        (
            format!(
                "run \"{label}\" has no index advice: {}",
                reason.unwrap_or("it ended before the planner was asked")
            ),
            "docs/watch.md#index-advice names what it needs. Watch the server again with ebsctl watch --planner.",
        )
    } else {
        (
            format!("run \"{label}\" was imported: its statements and tables are unknown here"),
            "Ask on the server where the run was made.",
        )
    };
    Error::new(PgSqlErrorCode::ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE, message, hint)
}
