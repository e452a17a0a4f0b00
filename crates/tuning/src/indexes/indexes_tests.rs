//! Tests of advice from plans, with a fake planner.

use super::condition::{Clause, Column, SortKey};
use super::derive::derive;
use super::existing::{KeyMatch, superfluous};
use super::pages::{COST_STEP, pages};
use super::plan::{Columns, Kind, Relation};
use super::statement::with_cast_at;
use super::table::{ColumnFacts, ExistingIndex};
use super::usage::uses;
use super::writes::{Rates, new_index};
use super::*;

fn table() -> Table {
    let column = |name: &str, distinct, correlation| ColumnFacts {
        name: name.to_owned(),
        quoted: name.to_owned(),
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
        qualified: "public.orders".to_owned(),
        pages: 10_000.0,
        rows: 1_000_000.0,
        columns,
        indexes: vec![primary],
        ..Table::default()
    }
}

fn column(name: &str) -> Column {
    Column { relation: 1, name: name.to_owned() }
}

fn columns(names: &[&str]) -> Columns {
    Columns { named: names.iter().map(|name| column(name)).collect(), ..Columns::default() }
}

fn equal(name: &str) -> Clause {
    Clause::Equal(column(name))
}

fn range(name: &str) -> Clause {
    Clause::Range(column(name))
}

/// The newest of the orders that pass these tests.
fn scan(tests: &[Clause], output: &[&str]) -> Plan {
    let downwards = SortKey { column: column("created_at"), descending: true, nulls_first: None };
    let above = |parent| Node { parent, output: columns(output), total_cost: 1_000.0, ..Node::default() };
    let sort = Node {
        kind: Kind::Spills,
        sort_key: vec![Some(downwards)],
        tested: columns(&["created_at"]),
        ..above(Some(0))
    };
    let tested = tests.iter().filter_map(|test| match test {
        Clause::Equal(column) | Clause::Range(column) | Clause::Fixed { column, .. } => Some(column.clone()),
        _ => None,
    });
    let read = Node {
        kind: Kind::Scan,
        relation: Some(Relation { number: 1, schema: "public".to_owned(), name: "orders".to_owned() }),
        clauses: tests.to_vec(),
        tested: Columns { named: tested.collect(), ..Columns::default() },
        output: columns(&["id", "customer_id", "status", "created_at", "total"]),
        ..above(Some(1))
    };
    Plan { nodes: vec![above(None), sort, read] }
}

fn commands(of: &Plan) -> Vec<String> {
    let uses = uses(of);
    derive(&table(), &uses[0]).iter().map(Candidate::command).collect()
}

#[test]
fn each_test_is_of_its_table() {
    let mut plan = scan(&[equal("customer_id")], &["id"]);
    let other = Column { relation: 2, name: "id".to_owned() };
    plan.nodes[1].clauses = vec![
        Clause::Join(column("id"), other.clone()),
        Clause::Other { relation: Some(1), kind: "OR".to_owned() },
        Clause::Other { relation: None, kind: "a subquery".to_owned() },
    ];
    let found = uses(&plan);
    assert_eq!(found.len(), 1);
    assert_eq!(
        (found[0].joins.as_slice(), found[0].unsupported_tests.as_slice()),
        (&["id".to_owned()][..], &["OR".to_owned()][..])
    );
    assert_eq!(found[0].order.len(), 1);
}

#[test]
fn equality_comes_before_order() {
    let found = commands(&scan(&[equal("customer_id")], &["id"]));
    let wanted = "CREATE INDEX CONCURRENTLY ON public.orders (customer_id, created_at)";
    assert!(found.iter().any(|command| command == wanted), "{found:#?}");
    assert!(found.iter().any(|command| command.ends_with("(customer_id)")));
    // All that is asked for is in the index: the table need not be read.
    assert!(found.iter().any(|command| command.ends_with("(customer_id, created_at) INCLUDE (id)")), "{found:#?}");
}

/// Ten times as many nodes, tests and columns as a plan that is analysed has, in a thread with a small stack.
#[allow(clippy::disallowed_types, reason = "a small stack is a thread's")]
#[test]
fn no_plan_is_too_wide_or_too_deep() {
    let wide = || {
        let columns: Vec<String> = (0..1_600).map(|number| format!("c{number}")).collect();
        let tests: Vec<Clause> = columns.iter().flat_map(|name| [equal(name), range(name)]).collect();
        let mut plan = scan(&tests, &[]);
        let deep = (3..100_000).map(|position| Node { parent: Some(position - 1), total_cost: 1.0, ..Node::default() });
        plan.nodes.extend(deep);
        let facts = |name: &String| ColumnFacts {
            name: name.clone(),
            quoted: name.clone(),
            ordered: true,
            ..ColumnFacts::default()
        };
        let table = Table { columns: columns.iter().map(facts).collect(), ..table() };
        assert_eq!(pages(&plan, &plan.clone()), Some(0.0));
        let candidates = derive(&table, &uses(&plan)[0]);
        assert!(!candidates.is_empty() && candidates.len() <= 48, "{}", candidates.len());
    };
    let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(wide);
    assert!(thread.expect("a thread").join().is_ok());
}

#[test]
fn a_constant_limits_an_index() {
    let open =
        Clause::Fixed { column: column("status"), predicate: "status = 'open'::text".to_owned(), equality: true };
    let found = commands(&scan(&[open, equal("customer_id")], &["id", "total"]));
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
    let of = uses(&scan(&[equal("customer_id")], &["id", "total", "status", "customer_id"]));
    let found = derive(&with, &of[0]);
    let plain = |of: &&Candidate| of.include.is_empty() && of.keys[0].column == "customer_id";
    assert!(!found.iter().any(|of| plain(&of)), "{found:#?}");
}

#[test]
fn a_row_that_is_changed_is_not_covered() {
    let mut changed = scan(&[equal("customer_id"), range("status")], &["id"]);
    changed.nodes[0].output.whole_rows.insert(1);
    let found = commands(&changed);
    assert!(found.iter().all(|command| !command.contains("INCLUDE")), "{found:#?}");
    let read = commands(&scan(&[equal("customer_id"), range("status")], &["id"]));
    assert!(read.iter().any(|command| command.contains("INCLUDE")), "{read:#?}");
}

#[test]
fn one_row_is_not_covered() {
    let found = commands(&scan(&[equal("id")], &["id", "total"]));
    assert!(found.iter().all(|command| !command.contains("(id) INCLUDE")), "{found:#?}");
    let range = commands(&scan(&[range("id")], &["id", "total"]));
    assert!(range.iter().any(|command| command.contains("(id) INCLUDE")), "{range:#?}");
}

#[test]
fn pages_are_what_the_cost_grows_by() {
    let with = |total_cost, sort| {
        let read = Node { parent: Some(0), kind: Kind::Scan, total_cost, ..Node::default() };
        Plan { nodes: vec![Node { kind: Kind::Spills, total_cost: sort, ..Node::default() }, read] }
    };
    // 500 pages are scanned, and 30 of a temporary file do not count.
    let (plan, raised) = (with(600.0, 700.0), with(600.0 + 500.0 * COST_STEP, 700.0 + 530.0 * COST_STEP));
    assert_eq!(pages(&plan, &raised), Some(500.0));
    let mut other = raised.clone();
    other.nodes[1].index = Some(1);
    assert_eq!(pages(&plan, &other), None);
    assert_eq!(pages(&plan, &Plan::default()), None);
}

#[test]
fn a_type_before_a_parameter_becomes_a_cast() {
    let cast = |text: &str, parameter: &str| with_cast_at(text, text.find(parameter).unwrap_or(text.len()));
    let text = "SELECT a FROM m WHERE b > now() - interval $1 AND c < date $2";
    let wanted = "SELECT a FROM m WHERE b > now() - $1::interval AND c < date $2";
    assert_eq!(cast(text, "$1").as_deref(), Some(wanted));
    assert_eq!(cast("SELECT EXTRACT ( $1 FROM d)", "$1").as_deref(), Some("SELECT EXTRACT (epoch FROM d)"));
    assert_eq!(cast("SELECT a -- é\n WHERE updated $1", "$1"), None);
    assert_eq!(cast("SELECT inté interval$1", "$1").as_deref(), Some("SELECT inté $1::interval"));
    assert_eq!(with_cast_at("SELECT $", 7), None);
    assert_eq!(with_cast_at("é", 1), None);
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

fn targets() -> Vec<Target> {
    let base = Price { cost: 1_000.0, pages: 1_000.0, used: Vec::new() };
    let of = |reads_s, candidates: &[usize]| Target { reads_s, base: base.clone(), candidates: candidates.to_vec() };
    vec![of(100.0, &[0, 1]), of(50.0, &[1])]
}

#[test]
fn one_index_for_two_statements_is_enough() {
    let offers = [Offer { size_bytes: 1.0, ..Offer::default() }; 2];
    let selection = choose(&targets(), &offers, &mut MadeUp { plans: 0 });
    assert_eq!(selection.indexes, [1]);
    let saved: f64 = targets().iter().zip(&selection.prices).map(|(of, price)| of.saved_s(price)).sum();
    assert!((saved - (98.8 + 49.0)).abs() < 1e-9, "{saved}");
}

#[test]
fn an_index_that_costs_more_than_it_spares_is_not_chosen() {
    let dear = Offer { cost_s: 200.0, ..Offer::default() };
    let selection = choose(&targets(), &[dear, dear], &mut MadeUp { plans: 0 });
    assert!(selection.indexes.is_empty());
    assert_eq!(selection.alone[0].len(), 2);
}

#[test]
fn an_update_of_a_key_ends_hot() {
    let mut table = table();
    (table.updated, table.hot_updated) = (100.0, 90.0);
    let memory = Memory { buffers: 2_048.0, checkpoint_s: 300.0, full_page_writes: true };
    let on = |column: &str| Candidate::on(&table, vec![candidate::Key::ascending(column)]);
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
    let found: Vec<(&str, Option<(&str, KeyMatch)>)> = superfluous(&tables)
        .iter()
        .map(|of| (of.index.name.as_str(), of.replacement.map(|(other, how)| (other.name.as_str(), how))))
        .collect();
    let primary = tables[0].indexes[0].name.as_str();
    assert_eq!(
        found,
        [
            ("a", Some((primary, KeyMatch::Same))),
            ("c", Some(("b", KeyMatch::Longer))),
            ("f", Some(("e", KeyMatch::Longer))),
            ("g", Some(("h", KeyMatch::Longer))),
            ("i", Some(("h", KeyMatch::Longer))),
            ("d", None)
        ]
    );
}
