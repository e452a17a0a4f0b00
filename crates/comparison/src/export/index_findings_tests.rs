//! Findings about indexes are read as they were written; those that would break an answer are refused, and never written.

use ebs_tuning::indexes::{NoIndex, NoPrice, Search};
use ebs_workload::statements::Missing;
use serde_json::{Value, json};

use super::*;
use crate::export::{Run, RunDocumentError, read, write};

fn advised() -> Finding {
    let reason = Reason::Saves { statements: 2, foreign_keys: true, limit_from_rows: false };
    Finding {
        advised: true,
        table: Some("public.orders".to_owned()),
        command: Some("CREATE INDEX CONCURRENTLY ON public.orders (customer_id)".to_owned()),
        query_id: Some(-4_711),
        statement: Some("SELECT * FROM orders WHERE customer_id = $1".to_owned()),
        before: Some(Price { cost: 1_000.25, pages: 900.5, used: vec![] }),
        after: Some(Price { cost: 8.5, pages: 4.1, used: vec![] }),
        reads_s: Some(120.75),
        saved_s: Some(119.1),
        cost: Some(Cost { entries_s: 1.5, reads_s: 0.1, writes_s: 0.2, wal_bytes_s: 8_192.0 }),
        size_bytes: Some(1 << 33),
        ..Finding::new(Kind::Index, reason)
    }
}

/// A finding for each reason.
pub fn rich() -> Vec<Finding> {
    let name = || "public.orders_customer_id_idx".to_owned();
    let statement = |search| {
        let reason = Reason::NoIndex(NoIndex { search, unsupported: vec!["operator ~~".to_owned()] });
        Finding { before: Some(Price { cost: 1e20, ..Price::default() }), ..Finding::new(Kind::Statement, reason) }
    };
    let others = [
        (Kind::Statement, Reason::NoTable),
        (Kind::Statement, Reason::OutOfPlans),
        (Kind::Statement, Reason::OutOfTime),
        (Kind::Statement, Reason::NotPlanned(NoPrice::OutOfTime)),
        (Kind::Statement, Reason::NotPlanned(NoPrice::Failed("permission denied".to_owned()))),
        (Kind::Statement, Reason::NotPlanned(NoPrice::OutOfPlans)),
        (Kind::Duplicate, Reason::SameKeys { index: name() }),
        (Kind::Duplicate, Reason::LongerKeys { index: name() }),
        (Kind::Unused, Reason::Unused { counted_s: Some(86_400.5) }),
        (Kind::Unused, Reason::Unused { counted_s: None }),
        (Kind::Missing, Reason::StatementsUnknown(Missing::NotCreated("app".to_owned()))),
        (Kind::Missing, Reason::StatementsHidden { statements: 3 }),
        (Kind::Missing, Reason::HypopgMissing { available: true }),
        (Kind::Missing, Reason::PlannerUnusable("only PostgreSQL 16".to_owned())),
    ];
    let indexes = [
        Reason::NegligibleGain,
        Reason::WritesExceedSaving,
        Reason::CommandRefused("it is not one statement".to_owned()),
    ];
    let searches =
        [Search::AlreadyEfficient, Search::NoCandidate, Search::NotUsed { tried: 3 }, Search::LittleSaved { tried: 1 }];
    let not_advised = |reason| Finding { advised: false, reason, ..advised() };
    std::iter::once(advised())
        .chain(indexes.map(not_advised))
        .chain(searches.map(statement))
        .chain(others.map(|(kind, reason)| Finding::new(kind, reason)))
        .collect()
}

/// The findings of a document with these findings.
fn written(findings: Vec<Finding>) -> Vec<Finding> {
    let run = Run { label: "a".to_owned(), index_findings: Some(findings), ..Run::default() };
    let mut runs = read(&write(&[run], "0.1.0", &|| ()).unwrap(), &|| ()).unwrap();
    runs.remove(0).index_findings.unwrap()
}

/// The error of a document whose first finding has this value.
fn refused(pointer: &str, value: Value) -> String {
    let run = Run { label: "a".to_owned(), index_findings: Some(rich()), ..Run::default() };
    let mut document = write(&[run], "0.1.0", &|| ()).unwrap();
    *document.pointer_mut(&format!("/runs/0/index_findings{pointer}")).unwrap() = value;
    read(&document, &|| ()).unwrap_err().to_string()
}

#[test]
fn each_finding_is_read_as_it_was_written() {
    assert_eq!(written(rich()), rich());
    assert_eq!(written(Vec::new()), []);
}

#[test]
fn without_the_key_the_planner_was_not_asked() {
    let mut document = write(&[Run { label: "a".to_owned(), ..Run::default() }], "0.1.0", &|| ()).unwrap();
    let of = |document: &Value| read(document, &|| ()).map(|mut runs| runs.remove(0).index_findings);
    assert_eq!(document.pointer("/runs/0/index_findings"), None);
    assert_eq!(of(&document), Ok(None));
    document["runs"][0]["index_findings"] = Value::Null;
    assert_eq!(of(&document), Ok(None));
    document["runs"][0]["index_findings"] = json!({});
    assert!(matches!(of(&document), Err(RunDocumentError::Shape { .. })));
}

#[test]
fn findings_that_would_break_an_answer_are_refused_by_number() {
    let out_of_range = "\"index_findings\" of run 1: row 1 has a figure out of range";
    for (pointer, value) in [
        ("/0/before/pages", json!(-1)),
        ("/0/after/cost", json!(1e101)),
        ("/0/saved_s", json!(-1e10)),
        ("/0/reads_s", json!(1e10)),
        ("/0/cost/writes_s", json!(1e10)),
        ("/0/cost/wal_bytes_s", json!(-1e16)),
        ("/0/size_bytes", json!(-1)),
    ] {
        assert_eq!(refused(pointer, value), out_of_range, "{pointer}");
    }
    let counted = rich().iter().position(|finding| matches!(finding.reason, Reason::Unused { .. })).unwrap();
    let problem = refused(&format!("/{counted}/reason/unused/counted_s"), json!(-1));
    assert_eq!(problem, format!("\"index_findings\" of run 1: row {} has a figure out of range", counted + 1));
    assert_eq!(
        refused("/0/cost", Value::Null),
        "\"index_findings\" of run 1: row 1 is an index without prices, saving or cost"
    );
    assert_eq!(
        refused("/0/statement", json!("x".repeat(MAX_INDEX_FINDINGS_BYTES))),
        "\"index_findings\" of run 1: it has more than 4 MiB"
    );
    assert_eq!(refused("", json!(vec![&rich()[5]; 1_001])), "\"index_findings\" of run 1: it has more than 1000 rows");
}

#[test]
fn unknown_kinds_and_reasons_are_refused() {
    for (pointer, value) in [
        ("/0/kind", json!("table")),
        ("/0/reason", json!("weather")),
        ("/0/reason", json!({ "saves": { "statements": -1, "foreign_keys": false, "limit_from_rows": false } })),
        ("/0/command", json!(["DROP TABLE a"])),
        ("/0", json!("DROP TABLE a")),
    ] {
        let problem = refused(pointer, value);
        assert!(problem.starts_with("row 1 of \"index_findings\" of run 1: "), "{problem}");
    }
}

#[test]
fn what_would_be_refused_is_not_written() {
    let infinite = Finding { saved_s: Some(f64::NAN), ..advised() };
    let long = |bytes| Finding { statement: Some("x".repeat(bytes)), ..advised() };
    let without_cost = Finding { cost: None, ..advised() };
    let large = MAX_INDEX_FINDINGS_BYTES / 2;
    let kept = written(vec![infinite, without_cost, long(large), long(large), advised()]);
    assert_eq!(kept, [long(large), advised()]);
    assert_eq!(written(vec![advised(); 1_500]).len(), MAX_INDEX_FINDINGS);
}
