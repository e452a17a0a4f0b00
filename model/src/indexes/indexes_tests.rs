//! From plans to advice, with a planner that is made up.

use super::condition::{Clause, clauses, references, sort_key};
use super::derive::derive;
use super::existing::{Likeness, superfluous};
use super::pages::{SCALE, STEP, pages, scaled};
use super::statement::{columns_set, with_measured_limit};
use super::table::{ColumnFacts, ExistingIndex};
use super::usage::uses;
use super::writes::{Rates, new_index};
use super::*;

fn table() -> Table {
    let column = |name: &str, distinct, correlation| ColumnFacts {
        name: name.to_owned(),
        ordered: true,
        width: Some(8.0),
        distinct: Some(distinct),
        correlation: Some(correlation),
    };
    let columns = vec![
        column("id", -1.0, 1.0),
        column("customer_id", 10_000.0, 0.0),
        column("status", 5.0, 0.2),
        column("created_at", -1.0, 0.0),
        column("total", -0.5, 0.0),
    ];
    let primary = ExistingIndex {
        name: "orders_pkey".to_owned(),
        method: "btree".to_owned(),
        unique: true,
        needed: true,
        valid: true,
        keys: vec!["id/1978/0/0".to_owned()],
        key_columns: vec![Some("id".to_owned())],
        ..ExistingIndex::default()
    };
    Table {
        schema: "public".to_owned(),
        name: "orders".to_owned(),
        pages: 10_000.0,
        rows: 1_000_000.0,
        columns,
        indexes: vec![primary],
        ..Table::default()
    }
}

/// A scan of orders with this condition, 10,000 pages.
fn scan(filter: &str, output: &[&str]) -> Node {
    let document = serde_json::json!([{ "Plan": {
        "Node Type": "Limit", "Total Cost": 1_000.0, "Output": output,
        "Plans": [{ "Node Type": "Sort", "Total Cost": 1_000.0, "Sort Key": ["o.created_at DESC"], "Output": output,
            "Plans": [{ "Node Type": "Seq Scan", "Schema": "public", "Relation Name": "orders", "Alias": "o",
                        "Total Cost": 1_000.0, "Filter": filter, "Output": ["id", "customer_id", "status", "o.created_at", "total"] }] }],
    }}]);
    Node::parse(&document.to_string()).expect("a plan")
}

fn commands(of: &Node) -> Vec<String> {
    let uses = uses(of);
    derive(&table(), &uses[0]).iter().map(Candidate::command).collect()
}

#[test]
fn conditions_are_told_apart() {
    let found = clauses("((o.customer_id = $1) AND (o.status = 'open'::text) AND (o.created_at >= $2))");
    assert!(matches!(&found[0], Clause::Equal(column) if column.name == "customer_id"));
    assert!(
        matches!(&found[1], Clause::Fixed { text, equality: true, .. } if text.to_lowercase() == "status = 'open'::text")
    );
    assert!(matches!(&found[2], Clause::Range(column) if column.name == "created_at"));
    assert!(matches!(clauses("(o.customer_id = c.id)").as_slice(), [Clause::Join(_, _)]));
    assert!(matches!(clauses("((o.name)::text = $1)").as_slice(), [Clause::Equal(_)]));
    assert!(matches!(clauses("(o.id = ANY ($1))").as_slice(), [Clause::OneOf(_)]));
    assert!(matches!(clauses("(o.id = (InitPlan 1).col1)").as_slice(), [Clause::Equal(_)]));
    assert!(matches!(clauses("(o.deleted_at IS NULL)").as_slice(), [Clause::Fixed { equality: true, .. }]));
    assert!(matches!(clauses("(NOT o.done)").as_slice(), [Clause::Fixed { equality: true, .. }]));
    assert!(matches!(clauses("(o.name ~~ $1)").as_slice(), [Clause::Other(_)]));
    assert!(matches!(clauses("(o.a = o.b)").as_slice(), [Clause::Other(_)]));
    assert!(matches!(clauses("this is )( no condition").as_slice(), [Clause::Other(_)]));
}

#[test]
fn references_and_sort_keys_are_read() {
    assert_eq!(references("sum(o.total)").map(|found| found.len()), Some(1));
    assert_eq!(references("o.*"), None);
    let key = sort_key("o.created_at DESC NULLS LAST").expect("a key");
    assert!(key.descending && key.nulls_first == Some(false));
    assert_eq!(sort_key("lower(o.name)"), None);
}

#[test]
fn equality_comes_before_order() {
    let found = commands(&scan("(o.customer_id = $1)", &["o.id"]));
    let wanted = "CREATE INDEX CONCURRENTLY ON public.orders (customer_id, created_at)";
    assert!(found.iter().any(|command| command == wanted), "{found:#?}");
    assert!(found.iter().any(|command| command.ends_with("(customer_id)")));
    // All that is asked for is in the index: the table need not be read.
    assert!(found.iter().any(|command| command.ends_with("(customer_id, created_at) INCLUDE (id)")), "{found:#?}");
}

#[test]
fn a_constant_limits_an_index() {
    let found = commands(&scan("((o.status = 'open'::text) AND (o.customer_id = $1))", &["o.id", "o.total"]));
    let limited = |command: &String| command.contains("(customer_id) WHERE status = 'open'");
    assert!(found.iter().any(limited), "{found:#?}");
}

#[test]
fn what_is_there_is_not_derived() {
    let mut with = table();
    with.indexes.push(ExistingIndex {
        name: "there".to_owned(),
        method: "btree".to_owned(),
        valid: true,
        key_columns: vec![Some("customer_id".to_owned()), Some("created_at".to_owned())],
        ..ExistingIndex::default()
    });
    let of = uses(&scan("(o.customer_id = $1)", &["o.id", "o.total", "o.status", "o.customer_id"]));
    let found = derive(&with, &of[0]);
    let plain = |of: &&Candidate| of.include.is_empty() && of.keys[0].column == "customer_id";
    assert!(!found.iter().any(|of| plain(&of)), "{found:#?}");
}

#[test]
fn a_row_that_is_changed_is_not_covered() {
    let found = commands(&scan("((o.customer_id = $1) AND (o.status > $2))", &["o.id", "o.ctid"]));
    assert!(found.iter().all(|command| !command.contains("INCLUDE")), "{found:#?}");
    let read = commands(&scan("((o.customer_id = $1) AND (o.status > $2))", &["o.id"]));
    assert!(read.iter().any(|command| command.contains("INCLUDE")), "{read:#?}");
}

#[test]
fn one_row_is_not_covered() {
    let found = commands(&scan("(o.id = $1)", &["o.id", "o.total"]));
    assert!(found.iter().all(|command| !command.contains("(id) INCLUDE")), "{found:#?}");
    let range = commands(&scan("(o.id > $1)", &["o.id", "o.total"]));
    assert!(range.iter().any(|command| command.contains("(id) INCLUDE")), "{range:#?}");
}

#[test]
fn pages_are_what_the_cost_grows_by() {
    let with = |total: f64, sort: f64| {
        let document = serde_json::json!([{ "Plan": { "Node Type": "Sort", "Total Cost": sort, "Plans": [
            { "Node Type": "Seq Scan", "Total Cost": total, "Alias": "o" }] } }]);
        Node::parse(&document.to_string()).expect("a plan")
    };
    // 500 pages are scanned, and 30 of a temporary file do not count.
    let (plan, raised) = (with(600_000.0, 700_000.0), with(600_500.0 * STEP, 700_530.0));
    assert_eq!(pages(&plan, &raised), Some(500.0));
    assert_eq!(pages(&plan, &with(1.0, 1.0).children[0]), None);
    let now = [1.0, 4.0, 0.01, 0.005, 0.0025, 0.1, 1_000.0];
    assert_eq!(
        scaled(&now, true)[..3],
        [("seq_page_cost", SCALE + STEP), ("random_page_cost", 4.0 * SCALE + STEP), ("cpu_tuple_cost", 10.0)]
    );
}

#[test]
fn a_limit_is_what_was_measured() {
    let text = "SELECT * FROM m -- LIMIT $9\nWHERE a = $1 ORDER BY b LIMIT $2";
    assert_eq!(
        with_measured_limit(text, 9.3).as_deref(),
        Some("SELECT * FROM m -- LIMIT $9\nWHERE a = $1 ORDER BY b LIMIT 10")
    );
    assert_eq!(
        with_measured_limit("SELECT 'é', a FROM m LIMIT $1", 1.0).as_deref(),
        Some("SELECT 'é', a FROM m LIMIT 1")
    );
    assert_eq!(with_measured_limit("SELECT a FROM (SELECT a FROM m LIMIT $1) x", 1.0), None);
    assert_eq!(with_measured_limit("SELECT a FROM m LIMIT $1 OFFSET $2", 1.0), None);
}

#[test]
fn a_type_before_a_parameter_becomes_a_cast() {
    use super::statement::with_casts;
    let text = "SELECT a FROM m WHERE b > now() - interval $1 AND c < date $2 AND 'interval $3' = d LIMIT $4";
    let wanted = "SELECT a FROM m WHERE b > now() - $1::interval AND c < $2::date AND 'interval $3' = d LIMIT $4";
    assert_eq!(with_casts(text), wanted);
    let text = "SELECT extract($1 FROM d), a - $2 FROM m";
    assert_eq!(with_casts(text), "SELECT extract(epoch FROM d), a - $2 FROM m");
}

#[test]
fn set_columns_are_found() {
    let found = columns_set("UPDATE t SET a = $1, \"B\" = b + $2 WHERE id = $3");
    assert_eq!(found, Some(vec!["a".to_owned(), "B".to_owned()]));
    assert_eq!(columns_set("DELETE FROM t"), None);
}

/// Statement 0 is served by candidates 0 and 1, statement 1 by 1 alone.
struct MadeUp {
    plans: usize,
}

impl Planner for MadeUp {
    fn price(&mut self, statement: usize, indexes: &[usize]) -> Result<Price, NoPrice> {
        self.plans += 1;
        let price = |pages, used: &[usize]| Ok(Price { cost: pages, pages, used: used.to_vec() });
        match (statement, indexes) {
            (0, [1]) => price(12.0, &[1]),
            (0, with) if with.contains(&0) => price(10.0, &[0]),
            (1, with) if with.contains(&1) => price(20.0, &[1]),
            _ => price(1_000.0, &[]),
        }
    }
}

fn asked() -> Vec<Asked> {
    let base = Price { cost: 1_000.0, pages: 1_000.0, used: Vec::new() };
    let of = |reads_s, candidates: &[usize]| Asked { reads_s, base: base.clone(), candidates: candidates.to_vec() };
    vec![of(100.0, &[0, 1]), of(50.0, &[1])]
}

#[test]
fn one_index_for_two_statements_is_enough() {
    let offers = [Offer { size_bytes: 1.0, ..Offer::default() }; 2];
    let chosen = choose(&asked(), &offers, &mut MadeUp { plans: 0 });
    assert_eq!(chosen.indexes, [1]);
    let saved: f64 = asked().iter().zip(&chosen.prices).map(|(of, price)| of.saved_s(price)).sum();
    assert!((saved - (98.8 + 49.0)).abs() < 1e-9, "{saved}");
}

#[test]
fn an_index_that_costs_more_than_it_spares_is_not_chosen() {
    let dear = Offer { cost_s: 200.0, ..Offer::default() };
    let chosen = choose(&asked(), &[dear, dear], &mut MadeUp { plans: 0 });
    assert!(chosen.indexes.is_empty());
    assert_eq!(chosen.alone[0].len(), 2);
}

#[test]
fn an_update_of_a_key_ends_hot() {
    let mut table = table();
    (table.updated, table.hot_updated) = (100.0, 90.0);
    let memory = Memory { buffers: 2_048.0, checkpoint_s: 300.0, full_page_writes: true };
    let on = |column: &str| Candidate::on("public", "orders", vec![candidate::Key::of(column)]);
    let updates = |column: &str| Rates { inserted_s: 0.0, updated: vec![(50.0, Some(vec![column.to_owned()]))] };
    let touched = new_index(&on("total"), &table, 8e6, &updates("total"), &memory);
    let untouched = new_index(&on("total"), &table, 8e6, &updates("status"), &memory);
    // Each update an entry, and 45 of 50 one more in the primary key; untouched, the 5 that were not HOT.
    assert!((touched.entries_s - 95.0).abs() < 1e-9, "{touched:?}");
    assert!((untouched.entries_s - 5.0).abs() < 1e-9, "{untouched:?}");
    assert_eq!(new_index(&on("total"), &table, 8e6, &Rates::default(), &memory), Cost::default());
}

#[test]
fn doubles_are_found_and_constraints_kept() {
    let index = |name: &str, keys: &[&str], scans| ExistingIndex {
        name: name.to_owned(),
        method: "btree".to_owned(),
        valid: true,
        keys: keys.iter().map(|key| format!("{key}/1978/0/0")).collect(),
        scans: Some(scans),
        ..ExistingIndex::default()
    };
    let mut table = table();
    table.indexes.extend([
        index("a", &["id"], 9),
        index("b", &["x", "y"], 9),
        index("c", &["x"], 9),
        index("d", &["z"], 0),
        index("e", &["v", "w"], 0),
        index("f", &["v"], 9),
        index("g", &["m"], 0),
        index("h", &["m", "n"], 0),
        index("i", &["m"], 9),
    ]);
    let tables = [table];
    // e has not been used, but is what is left for f's work, and h for that of i, whose first double goes as well.
    let found: Vec<(&str, Option<(&str, Likeness)>)> = superfluous(&tables)
        .iter()
        .map(|of| (of.index.name.as_str(), of.instead.map(|(other, how)| (other.name.as_str(), how))))
        .collect();
    let primary = tables[0].indexes[0].name.as_str();
    assert_eq!(
        found,
        [
            ("a", Some((primary, Likeness::Same))),
            ("c", Some(("b", Likeness::Longer))),
            ("f", Some(("e", Likeness::Longer))),
            ("g", Some(("h", Likeness::Longer))),
            ("i", Some(("h", Likeness::Longer))),
            ("d", None)
        ]
    );
}
