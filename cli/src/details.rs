//! What is kept of a result beside its figures, as one document.

use ebs_imports::driver::{Driver, Failure, Figures, Percentile, Procedure, Progress, Query, QuerySet, Report, thin};
use serde_json::{Map, Value, json};

use crate::session::literal;

/// Points of the driver's series that are kept: an hour of seconds. A row of ebs.run_result is to stay below 200 kB.
const POINTS: usize = 3_600;

/// All that a driver reported. What is not known is left out.
pub fn of(driver: Driver, report: &Report) -> Map<String, Value> {
    let Figures { clients, seconds, transactions, failed, latency_stddev_ms, latency_max_ms, .. } = report.figures;
    let all = [
        ("driver", json!(driver.name())),
        ("driver_version", json!(report.version)),
        ("clients", json!(clients)),
        ("measured_s", json!(seconds)),
        ("transactions", json!(transactions)),
        ("failed_transactions", json!(failed)),
        ("latency_stddev_ms", json!(latency_stddev_ms)),
        ("latency_max_ms", json!(latency_max_ms)),
        ("latency_percentiles_ms", percentiles(&report.figures.percentiles)),
        ("queries", queries(&report.queries)),
        ("query_sets", query_sets(&report.query_sets)),
        ("procedures", procedures(&report.procedures)),
        ("failures", json!(report.failures.iter().map(Failure::to_string).collect::<Vec<_>>())),
        ("series", series(&report.series)),
    ];
    let known = |value: &Value| !value.is_null() && *value != json!([]) && *value != json!({});
    all.into_iter().filter(|(_, value)| known(value)).map(|(key, value)| (key.to_owned(), value)).collect()
}

/// `{"p50": 1.9, "p99.9": 33.6}`.
fn percentiles(percentiles: &[Percentile]) -> Value {
    percentiles
        .iter()
        .map(|percentile| (format!("p{}", percentile.percent), json!(percentile.ms)))
        .collect::<Map<_, _>>()
        .into()
}

fn queries(queries: &[Query]) -> Value {
    let query = |query: &Query| json!({ "user": query.user, "query": query.number, "seconds": query.seconds });
    queries.iter().map(query).collect()
}

fn query_sets(sets: &[QuerySet]) -> Value {
    let set =
        |set: &QuerySet| json!({ "user": set.user, "seconds": set.seconds, "geometric_mean_s": set.geometric_mean_s });
    sets.iter().map(set).collect()
}

fn procedures(procedures: &[Procedure]) -> Value {
    let procedure = |procedure: &Procedure| {
        let percentiles = percentiles(&procedure.percentiles);
        json!({
            "procedure": procedure.name, "calls": procedure.calls, "mean_ms": procedure.mean_ms,
            "latency_percentiles_ms": percentiles,
        })
    };
    procedures.iter().map(procedure).collect()
}

/// Columns by name, then rows: a name in each point would be most of it. Columns that know nothing are left out.
fn series(points: &[Progress]) -> Value {
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
    let points = thin(points, POINTS);
    let columns: Vec<Column> =
        COLUMNS.into_iter().filter(|(_, of)| points.iter().any(|point| of(point).is_some())).collect();
    if columns.is_empty() {
        return Value::Null;
    }
    let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
    let row = |point: &Progress| columns.iter().map(|(_, of)| of(point)).collect::<Vec<_>>();
    json!({ "columns": names, "rows": points.iter().map(row).collect::<Vec<_>>() })
}

/// `ebs_run_result` for these.
pub fn statement(label: &str, figures: &Figures, details: &Value) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_is_left_out() {
        assert_eq!(Value::from(of(Driver::Pgbench, &Report::default())), json!({ "driver": "pgbench" }));
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
        assert_eq!(Value::from(of(Driver::Hammerdb, &report)), expected);
    }

    #[test]
    fn a_figure_that_is_not_known_is_null() {
        let figures = Figures { tps: Some(988.5), nopm: Some(0.0), ..Figures::default() };
        assert_eq!(
            statement("it's", &figures, &json!({ "command": ["a'b"] })),
            "SELECT '' AS value FROM ebs_run_result('it''s', tps => 988.5, latency_ms => NULL, nopm => 0, tpm => NULL, \
             details => '{\"command\":[\"a''b\"]}'::jsonb)"
        );
    }
}
