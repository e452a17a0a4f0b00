use ebs_schema::{assert_published, problems};
use serde_json::json;

use super::*;
use ebs_imports::drivers::{Job, Procedure, Query, QuerySet};

/// A report of everything that drivers report.
fn rich_report() -> Report {
    let percentiles = vec![Percentile { percent: 95.0, ms: 3.5 }, Percentile { percent: 99.9, ms: 33.6 }];
    let figures = Figures {
        tps: Some(988.5),
        latency_stddev_ms: Some(0.25),
        latency_max_ms: Some(40.0),
        percentiles: percentiles.clone(),
        clients: Some(16),
        seconds: Some(60.0),
        transactions: Some(59_310),
        failed: Some(0),
        ..Figures::default()
    };
    let procedure =
        |name: &str, percentiles| Procedure { name: name.to_owned(), calls: None, mean_ms: Some(1.5), percentiles };
    let job = Job { id: "674F".to_owned(), began: Some("2026-01-15T10:00:00Z".to_owned()), ended: None };
    Report {
        job: Some(job),
        version: Some("18.6".to_owned()),
        figures,
        series: vec![
            Progress { epoch_s: Some(1.7e9), tps: Some(5.0), failed: Some(0.0), ..Progress::default() },
            Progress { epoch_s: Some(1.7e9 + 1.0), ..Progress::default() },
        ],
        queries: vec![Query { user: Some(1), number: 14, seconds: 0.8 }],
        query_sets: vec![QuerySet { user: None, seconds: Some(21.0), geometric_mean_s: None }],
        procedures: vec![procedure("NEWORD", percentiles), procedure("PAYMENT", Vec::new())],
        failures: vec![ReportedError { user: Some(2), message: "gone".to_owned() }],
    }
}

#[test]
fn members_that_are_not_known_are_left_out() {
    let details = Details::from_report(Driver::Pgbench, &Report::default());
    assert_eq!(details.to_json(), json!({ "driver": "pgbench" }));
    let point = |at, latency_ms| Progress { elapsed_s: Some(at), tps: Some(5.0), latency_ms, ..Progress::default() };
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
fn the_document_is_as_programs_know_it() {
    let expected = concat!(
        r#"{"clients":16,"driver":"pgbench","driver_version":"18.6","failed_transactions":0,"#,
        r#""failures":["virtual user 2: gone"],"job":"674F","job_began":"2026-01-15T10:00:00Z","latency_max_ms":40.0,"#,
        r#""latency_percentiles_ms":{"p95":3.5,"p99.9":33.6},"latency_stddev_ms":0.25,"measured_s":60.0,"#,
        r#""procedures":[{"calls":null,"latency_percentiles_ms":{"p95":3.5,"p99.9":33.6},"mean_ms":1.5,"#,
        r#""procedure":"NEWORD"},{"calls":null,"latency_percentiles_ms":{},"mean_ms":1.5,"procedure":"PAYMENT"}],"#,
        r#""queries":[{"query":14,"seconds":0.8,"user":1}],"#,
        r#""query_sets":[{"geometric_mean_s":null,"seconds":21.0,"user":null}],"#,
        r#""series":{"columns":["epoch_s","tps","failed"],"rows":[[1700000000.0,5.0,0.0],[1700000001.0,null,null]]},"#,
        r#""transactions":59310}"#,
    );
    assert_eq!(Details::from_report(Driver::Pgbench, &rich_report()).to_json().to_string(), expected);
}

#[test]
fn documents_are_as_their_schema_says() {
    let schema = assert_published::<ResultDocument>("result", "Result of a run, and its details");
    let figures = Figures { tps: Some(9.5), ..Figures::default() };
    let run = Details {
        source: Some("ebsctl run"),
        command: vec!["pgbench".to_owned()],
        ended: Some("failed"),
        took_s: Some(61.5),
        exit_status: Some(2),
        exit_signal: Some("SIGTERM".to_owned()),
        interrupted_by: Some("SIGINT".to_owned()),
        sweep_clients: Some(8),
        ramp_up_s: Some(5.0),
        figures_without_ramp_up: Some(false),
        incomplete: Some("it has no end".to_owned()),
        until_then: UntilThen::new(&figures),
        ..Details::default()
    };
    let import = Details {
        files: vec!["pgbench.out".to_owned()],
        partial: Some(true),
        ..Details::from_report(Driver::Pgbench, &rich_report())
    };
    for details in [Details::default(), run, import] {
        let document = ResultDocument { tps: None, latency_ms: Some(1.5), nopm: None, tpm: None, details: &details };
        assert_eq!(problems(&schema, &json!(document)), [""; 0]);
    }
}
