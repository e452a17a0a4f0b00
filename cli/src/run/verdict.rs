//! What the server makes of a run that has ended, and what to type next.

use ebs_base::format::{count, ms, plain, rate};
use ebs_imports::driver::Report;

use super::ledger::Ledger;
use crate::session::{Connection, literal};
use crate::shell::quoted;

/// `989 tps, 4.00 ms`, as far as it is known; `None` where nothing is.
pub fn figures(report: &Report) -> Option<String> {
    let figures = &report.figures;
    let mut parts = Vec::new();
    parts.extend(figures.tps.map(|tps| format!("{} tps", rate(tps))));
    parts.extend(figures.nopm.map(|nopm| format!("{} NOPM", count(nopm))));
    parts.extend(figures.tpm.map(|tpm| format!("{} TPM", count(tpm))));
    parts.extend(figures.latency_ms.map(|latency_ms| format!("{} ms", ms(latency_ms))));
    parts.extend(figures.failed.filter(|failed| *failed > 0).map(|failed| format!("{} failed", count(failed as f64))));
    let sets = report.query_sets.iter().filter_map(|set| set.geometric_mean_s);
    parts.extend(sets.map(|seconds| format!("geometric mean of queries {} s", ms(seconds))));
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// The report's own lines that decide: too little evidence, what holds the database back, the volume recommended.
pub fn lines(ledger: &mut Ledger, label: &str) -> Vec<String> {
    let query = format!(
        "SELECT coalesce((SELECT pg_catalog.json_agg(line ORDER BY n)
             FROM ebs_advise({}) WITH ORDINALITY a (line, n)
             WHERE line ~ '^(Insufficient data|Held back by|Recommended)'), '[]')::text AS value",
        literal(label)
    );
    let answer = ledger.ask(&query).unwrap_or_default();
    let lines: Vec<String> = serde_json::from_str(&answer).unwrap_or_default();
    lines.iter().map(|line| first(line).to_owned()).collect()
}

/// Without what goes on in the report's next line.
fn first(line: &str) -> &str {
    line.split(" · ").next().unwrap_or(line).trim_end()
}

/// Commands for a shell.
pub fn next(ledger: &mut Ledger, connection: &Connection, label: &str) -> Vec<String> {
    let mut statements = vec![format!("SELECT ebs_advise({})", literal(label))];
    if let Some(sibling) = sibling(ledger, label) {
        statements.push(format!("SELECT * FROM ebs_compare({}, {})", literal(&sibling), literal(label)));
    }
    // What cannot be shown as it is cannot be typed from there.
    statements.retain(|statement| plain(statement) == *statement);
    statements.iter().map(|statement| format!("{} -c {}", connection.psql_command(), quoted(statement))).collect()
}

/// The run before this one that has a result, if there is anything to compare them with.
fn sibling(ledger: &mut Ledger, label: &str) -> Option<String> {
    let query = format!(
        "SELECT coalesce((SELECT r.label FROM ebs.runs r
             WHERE r.label <> {0} AND r.ended_at IS NOT NULL AND coalesce(r.tps, r.nopm, r.tpm) IS NOT NULL
               AND r.run_id < (SELECT own.run_id FROM ebs.runs own WHERE own.label = {0})
               AND EXISTS (SELECT FROM pg_catalog.pg_proc p WHERE p.proname = 'ebs_compare')
             ORDER BY r.run_id DESC LIMIT 1), '') AS value",
        literal(label)
    );
    ledger.ask(&query)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_said() {
        let mut report = Report::default();
        assert_eq!(figures(&report), None);
        (report.figures.nopm, report.figures.tpm, report.figures.failed) = (Some(20_753.0), Some(48_102.0), Some(0));
        assert_eq!(figures(&report).as_deref(), Some("20,753 NOPM, 48,102 TPM"));
        report.figures.failed = Some(3);
        assert!(figures(&report).unwrap().ends_with(", 3 failed"));
    }
}
