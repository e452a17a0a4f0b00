//! Findings about indexes that came with an imported run: a column of ebs.run.

use ebs_tuning::indexes::Finding;

use super::json_text::to_json;
use super::runs::Run;
use crate::errors::Error;
use crate::sql::{JsonColumn, execute, first_row};

const INDEX_FINDINGS: JsonColumn = JsonColumn {
    subject: "The index advice",
    name: "index advice of a run",
    hint: "Table ebs.run was changed by hand, or written by a later version.",
};

/// Reads the findings of a run; `None` where no planner was asked.
pub fn read_index_findings(run: &Run) -> Result<Option<Vec<Finding>>, Error> {
    let query = "SELECT index_findings::pg_catalog.text FROM ebs.run WHERE run_id = $1";
    Ok(first_row(query, &[run.run_id.into()], |row| INDEX_FINDINGS.read(row, 1))?.flatten())
}

/// Stores those of an imported run.
pub(super) fn import_index_findings(run_id: i64, findings: &[Finding]) -> Result<(), Error> {
    execute(
        "UPDATE ebs.run SET index_findings = $2::pg_catalog.jsonb WHERE run_id = $1",
        &[run_id.into(), to_json(&findings, "The index advice")?.into()],
    )
}
