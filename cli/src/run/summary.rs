//! Summary of a run that has ended: the server's advice, and commands to type next.

use ebs_base::format::plain;

use super::record::RunRecord;
use crate::psql::{Connection, literal};
use crate::shell;

/// The lines of the report that decide: too little evidence, the bottleneck, the volume recommended.
pub fn advice_lines(record: &mut RunRecord, label: &str) -> Vec<String> {
    let query = format!(
        "SELECT coalesce((SELECT pg_catalog.json_agg(line ORDER BY n)
             FROM ebs_advise({}, show => 'all') WITH ORDINALITY a (line, n)
             WHERE line ~ '^(Insufficient data|Bottleneck|Recommended)'), '[]')::text AS value",
        literal(label)
    );
    let lines: Vec<String> = serde_json::from_str(&record.query(&query).unwrap_or_default()).unwrap_or_default();
    lines.iter().map(|line| first_part(line).to_owned()).collect()
}

/// A line of the report without what its next lines continue.
fn first_part(line: &str) -> &str {
    line.split(" · ").next().unwrap_or(line).trim_end()
}

/// Commands for a shell.
pub fn next_commands(record: &mut RunRecord, connection: &Connection, label: &str) -> Vec<String> {
    let mut statements = vec![format!("SELECT ebs_advise({})", literal(label))];
    if let Some(previous) = previous_run(record, label) {
        statements.push(format!("SELECT * FROM ebs_compare({}, {})", literal(&previous), literal(label)));
    }
    // A label that cannot be shown as it is cannot be typed either.
    statements.retain(|statement| plain(statement) == *statement);
    let command = connection.shell_command();
    statements.iter().map(|statement| format!("{command} -c {}", shell::quote(statement))).collect()
}

/// The last run before this one that has a result, if the server can compare them.
fn previous_run(record: &mut RunRecord, label: &str) -> Option<String> {
    let query = format!(
        "SELECT coalesce((SELECT r.label FROM ebs.runs_detail r
             WHERE r.label <> {0} AND r.ended_at IS NOT NULL AND coalesce(r.tps, r.nopm, r.tpm) IS NOT NULL
               AND r.run_id < (SELECT own.run_id FROM ebs.runs_detail own WHERE own.label = {0})
               AND EXISTS (SELECT FROM pg_catalog.pg_proc p WHERE p.proname = 'ebs_compare')
             ORDER BY r.run_id DESC LIMIT 1), '') AS value",
        literal(label)
    );
    record.query(&query)
}
