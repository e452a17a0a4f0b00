//! Summary of a run that has ended: the server's advice, and commands to type next.

use ebs_base::format::plain;
use ebs_remote::parse_answer;
use ebs_report::sql_literal;

use super::record::RunRecord;
use crate::postgres::Connection;
use crate::postgres::function::{RUNS, advise};
use crate::report::values_of_run;
use crate::shell;

/// The lines of the report that decide: too little evidence, the bottleneck, the volume recommended.
pub fn advice_lines(record: &mut RunRecord, label: &str) -> Vec<String> {
    let query = "SELECT coalesce((SELECT pg_catalog.json_agg(line ORDER BY n) FROM {call} WITH ORDINALITY a (line, n)
             WHERE line ~ '^(Insufficient data|Bottleneck|Recommended)'), '[]')::text AS value";
    let values = [values_of_run(label), vec![Some("all".to_owned())]].concat();
    let lines = record.query(&advise(), query, values).unwrap_or_default();
    let lines: Vec<String> = parse_answer(&lines).unwrap_or_default();
    lines.iter().map(|line| first_part(line).to_owned()).collect()
}

/// A line of the report without what its next lines continue.
fn first_part(line: &str) -> &str {
    line.split(" · ").next().unwrap_or(line).trim_end()
}

/// Commands for a shell.
pub fn next_commands(record: &mut RunRecord, connection: &Connection, label: &str) -> Vec<String> {
    let mut statements = vec![format!("SELECT ebs_advise({})", sql_literal(label))];
    if let Some(previous) = previous_run(record, label) {
        statements.push(format!("SELECT * FROM ebs_compare({}, {})", sql_literal(&previous), sql_literal(label)));
    }
    // A label that cannot be shown as it is cannot be typed either.
    statements.retain(|statement| plain(statement) == *statement);
    let command = connection.shell_command();
    statements.iter().map(|statement| format!("{command} -c {}", shell::quote(statement))).collect()
}

/// The last run before this one that has a result, if the server can compare them.
fn previous_run(record: &mut RunRecord, label: &str) -> Option<String> {
    let query = "SELECT r.label AS value FROM {call} r
         WHERE r.label <> $3 AND r.ended_at IS NOT NULL AND coalesce(r.tps, r.nopm, r.tpm) IS NOT NULL
           AND r.run_id < (SELECT own.run_id FROM ebs.runs_detail own WHERE own.label = $3)
         ORDER BY r.run_id DESC LIMIT 1";
    record.query(&RUNS, query, vec![Some("*".to_owned()), None, Some(label.to_owned())])
}
