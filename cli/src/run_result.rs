//! The result of a run as it is stored: figures, and a document of everything else that is known of it.

use ebs_base::format::{count, ms, rate};
use ebs_imports::driver::{Driver, Failure, Figures, Percentile, Procedure, Progress, Query, QuerySet, Report, thin};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::psql::literal;

/// Points of the driver's series that are stored: an hour of seconds. A row of ebs.run_result is to stay below 200 kB.
const MAX_POINTS: usize = 3_600;

/// The document `details` of ebs.run_result. Its JSON has only the members that are known.
#[derive(Default, Serialize)]
pub struct Details {
    pub driver: Option<&'static str>,
    pub driver_version: Option<String>,
    pub clients: Option<u64>,
    pub measured_s: Option<f64>,
    pub transactions: Option<u64>,
    pub failed_transactions: Option<u64>,
    pub latency_stddev_ms: Option<f64>,
    pub latency_max_ms: Option<f64>,
    /// `{"p50": 1.9, "p99.9": 33.6}`.
    pub latency_percentiles_ms: Map<String, Value>,
    pub queries: Vec<Value>,
    pub query_sets: Vec<Value>,
    pub procedures: Vec<Value>,
    pub failures: Vec<String>,
    /// Progress: `columns`, and `rows` in their order.
    pub series: Option<Value>,
    /// The command of ebsctl that stored it.
    pub source: Option<&'static str>,
    /// Of an import: the names of the files.
    pub files: Vec<String>,
    /// Of an import: output without its end was accepted.
    pub partial: Option<bool>,
    /// Of a run: its command, without passwords.
    pub command: Vec<String>,
    /// Of a run: `finished`, `failed` or `interrupted`.
    pub ended: Option<&'static str>,
    pub took_s: Option<f64>,
    pub exit_status: Option<u8>,
    pub exit_signal: Option<String>,
    pub interrupted_by: Option<String>,
    /// Clients of a step of a sweep.
    pub sweep_clients: Option<u64>,
    /// Length of the ramp-up that the user asked for.
    pub ramp_up_s: Option<f64>,
    /// With a ramp-up: the figures exclude it. Runs are compared only where this is the same.
    pub figures_without_ramp_up: Option<bool>,
    /// Reason for a missing result.
    pub incomplete: Option<String>,
    /// Figures of a run that did not finish: they are no result that another run could be compared with.
    pub until_then: Map<String, Value>,
}

impl Details {
    /// The part that a driver reported.
    pub fn from_report(driver: Driver, report: &Report) -> Details {
        let figures = &report.figures;
        Details {
            driver: Some(driver.name()),
            driver_version: report.version.clone(),
            clients: figures.clients,
            measured_s: figures.seconds,
            transactions: figures.transactions,
            failed_transactions: figures.failed,
            latency_stddev_ms: figures.latency_stddev_ms,
            latency_max_ms: figures.latency_max_ms,
            latency_percentiles_ms: percentiles(&figures.percentiles),
            queries: report.queries.iter().map(query).collect(),
            query_sets: report.query_sets.iter().map(query_set).collect(),
            procedures: report.procedures.iter().map(procedure).collect(),
            failures: report.failures.iter().map(Failure::to_string).collect(),
            series: series(&report.series),
            ..Details::default()
        }
    }

    /// As JSON, without the members that are not known.
    pub fn to_json(&self) -> Value {
        let mut document = json!(self);
        if let Some(members) = document.as_object_mut() {
            members.retain(|_, value| !value.is_null() && *value != json!([]) && *value != json!({}));
        }
        document
    }
}

/// `{"p50": 1.9, "p99.9": 33.6}`.
fn percentiles(percentiles: &[Percentile]) -> Map<String, Value> {
    percentiles.iter().map(|percentile| (format!("p{}", percentile.percent), json!(percentile.ms))).collect()
}

fn query(query: &Query) -> Value {
    json!({ "user": query.user, "query": query.number, "seconds": query.seconds })
}

fn query_set(set: &QuerySet) -> Value {
    json!({ "user": set.user, "seconds": set.seconds, "geometric_mean_s": set.geometric_mean_s })
}

fn procedure(procedure: &Procedure) -> Value {
    json!({
        "procedure": procedure.name, "calls": procedure.calls, "mean_ms": procedure.mean_ms,
        "latency_percentiles_ms": percentiles(&procedure.percentiles),
    })
}

/// Columns by name, then rows: a name in each point would be most of it. Columns without a value are left out.
fn series(points: &[Progress]) -> Option<Value> {
    type Column = (&'static str, fn(&Progress) -> Option<f64>);
    const COLUMNS: [Column; 7] = [
        ("elapsed_s", |point| point.elapsed_s),
        ("epoch_s", |point| point.epoch_s),
        ("tps", |point| point.tps),
        ("nopm", |point| point.nopm),
        ("tpm", |point| point.tpm),
        ("latency_ms", |point| point.latency_ms),
        ("failed", |point| point.failed),
    ];
    let points = thin(points, MAX_POINTS);
    let has_value = |(_, value): &Column| points.iter().any(|point| value(point).is_some());
    let columns: Vec<Column> = COLUMNS.into_iter().filter(has_value).collect();
    if columns.is_empty() {
        return None;
    }
    let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
    let row = |point: &Progress| columns.iter().map(|(_, value)| value(point)).collect::<Vec<_>>();
    Some(json!({ "columns": names, "rows": points.iter().map(row).collect::<Vec<_>>() }))
}

/// Query that stores a result, by ebs_run_result.
pub fn store_query(label: &str, figures: &Figures, details: &Value) -> String {
    let number = |value: Option<f64>| value.map_or("NULL".to_owned(), |value| value.to_string());
    format!(
        "SELECT '' AS value FROM ebs_run_result({}, tps => {}, latency_ms => {}, nopm => {}, tpm => {}, details => {}::jsonb)",
        literal(label),
        number(figures.tps),
        number(figures.latency_ms),
        number(figures.nopm),
        number(figures.tpm),
        literal(&details.to_string()),
    )
}

/// `989 tps, 4.00 ms`, as far as it is known; `None` where nothing is.
pub fn describe_figures(report: &Report) -> Option<String> {
    let figures = &report.figures;
    let mut parts = Vec::new();
    parts.extend(figures.tps.map(|tps| format!("{} tps", rate(tps))));
    parts.extend(figures.nopm.map(|nopm| format!("{} NOPM", count(nopm))));
    parts.extend(figures.tpm.map(|tpm| format!("{} TPM", count(tpm))));
    parts.extend(figures.latency_ms.map(|latency_ms| format!("{} ms", ms(latency_ms))));
    parts.extend(figures.failed.filter(|failed| *failed > 0).map(|failed| format!("{} failed", count(failed as f64))));
    let means = report.query_sets.iter().filter_map(|set| set.geometric_mean_s);
    parts.extend(means.map(|seconds| format!("geometric mean of queries {} s", ms(seconds))));
    (!parts.is_empty()).then(|| parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_that_are_not_known_are_left_out() {
        let details = Details::from_report(Driver::Pgbench, &Report::default());
        assert_eq!(details.to_json(), json!({ "driver": "pgbench" }));
        let point =
            |at, latency_ms| Progress { elapsed_s: Some(at), tps: Some(5.0), latency_ms, ..Progress::default() };
        let mut report = Report { series: vec![point(1.0, Some(2.0)), point(2.0, None)], ..Report::default() };
        report.figures.percentiles = vec![Percentile { percent: 99.9, ms: 33.6 }];
        report.queries = vec![Query { user: None, number: 14, seconds: 0.8 }];
        let expected = json!({
            "driver": "hammerdb",
            "latency_percentiles_ms": { "p99.9": 33.6 },
            "queries": [{ "user": null, "query": 14, "seconds": 0.8 }],
            "series": { "columns": ["elapsed_s", "tps", "latency_ms"], "rows": [[1.0, 5.0, 2.0], [2.0, 5.0, null]] },
        });
        assert_eq!(Details::from_report(Driver::Hammerdb, &report).to_json(), expected);
    }

    #[test]
    fn a_figure_that_is_not_known_is_null() {
        let figures = Figures { tps: Some(988.5), nopm: Some(0.0), ..Figures::default() };
        assert_eq!(
            store_query("it's", &figures, &json!({ "command": ["a'b"] })),
            "SELECT '' AS value FROM ebs_run_result('it''s', tps => 988.5, latency_ms => NULL, nopm => 0, tpm => NULL, \
             details => '{\"command\":[\"a''b\"]}'::jsonb)"
        );
    }

    #[test]
    fn known_figures_are_described() {
        let mut report = Report::default();
        assert_eq!(describe_figures(&report), None);
        (report.figures.nopm, report.figures.tpm, report.figures.failed) = (Some(20_753.0), Some(48_102.0), Some(0));
        assert_eq!(describe_figures(&report).as_deref(), Some("20,753 NOPM, 48,102 TPM"));
        report.figures.failed = Some(3);
        assert!(describe_figures(&report).unwrap().ends_with(", 3 failed"));
    }
}
