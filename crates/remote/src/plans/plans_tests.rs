//! Documents that PostgreSQL 16, 17 and 18 wrote of the statements in `recorded/statements.txt`, on the tables of `recorded/schema.sql`.
//! Each line of `recorded/pg18.uses.txt` is what the extension reads from the plan of the same statement on PostgreSQL 18, but for the
//! differences that are listed in the description of the module.

use ebs_tuning::indexes::condition::{Clause, SortKey};
use ebs_tuning::indexes::plan::{Kind, Operation};
use ebs_tuning::indexes::usage::{Use, uses};
use proptest::prelude::*;
use serde_json::json;

use super::*;

const RECORDED: [(&str, &str, &str); 3] = [
    ("16", include_str!("recorded/pg16.txt"), include_str!("recorded/pg16.uses.txt")),
    ("17", include_str!("recorded/pg17.txt"), include_str!("recorded/pg17.uses.txt")),
    ("18", include_str!("recorded/pg18.txt"), include_str!("recorded/pg18.uses.txt")),
];

fn describe_keys(keys: &[SortKey]) -> Vec<String> {
    let describe = |key: &SortKey| {
        let order = if key.descending { " DESC" } else { "" };
        let nulls = key.nulls_first.map_or("", |first| if first { " NULLS FIRST" } else { " NULLS LAST" });
        format!("{}{order}{nulls}", key.column.name)
    };
    keys.iter().map(describe).collect()
}

/// A use of a table, without what is empty: `shop.orders equal (customer_id) needed (note)`.
fn describe(used: &Use) -> String {
    let mut text = format!("{}.{}", used.relation.schema, used.relation.name);
    let needed = used.needed.as_ref().map(|columns| columns.iter().cloned().collect());
    let fixed = |fixed: &ebs_tuning::indexes::usage::Fixed| {
        format!("{}: {}{}", fixed.column, fixed.predicate, if fixed.equality { "" } else { ", several values" })
    };
    let parts: [(&str, Vec<String>); 9] = [
        ("equal", used.equal.clone()),
        ("one of", used.one_of.clone()),
        ("joins", used.joins.clone()),
        ("ranges", used.ranges.clone()),
        ("fixed", used.fixed.iter().map(fixed).collect()),
        ("order", describe_keys(&used.order)),
        ("extremes", describe_keys(&used.extremes)),
        ("needed", needed.unwrap_or(vec!["whole rows".to_owned()])),
        ("other", used.unsupported_tests.clone()),
    ];
    for (name, values) in parts.into_iter().filter(|(_, values)| !values.is_empty()) {
        text.push_str(&format!(" {name} ({})", values.join(", ")));
    }
    text
}

/// Uses of a plan, a text each.
fn described(document: &str) -> Vec<String> {
    let plan = PlanReader::new().read(document).expect("a plan");
    let mut lines: Vec<String> = uses(&plan).iter().map(describe).collect();
    lines.sort();
    lines
}

fn recorded(name: &str) -> &'static str {
    let find = |text: &'static str| text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('|'));
    find(RECORDED[2].1).expect("a recorded document")
}

#[test]
fn recorded_plans_are_read_as_the_extension_reads_them() {
    for (version, documents, expected) in RECORDED {
        let mut actual = String::new();
        for (name, document) in documents.lines().map(|line| line.split_once('|').expect("a name")) {
            described(document).iter().for_each(|line| actual.push_str(&format!("{name}: {line}\n")));
        }
        assert!(documents.lines().count() > 70);
        for (actual, expected) in actual.lines().zip(expected.lines()) {
            assert_eq!(actual, expected, "PostgreSQL {version}");
        }
        assert_eq!(actual.lines().count(), expected.lines().count());
    }
}

#[test]
fn two_readings_of_a_plan_have_one_shape() {
    let mut reader = PlanReader::new();
    let documents: Vec<&str> = RECORDED[2].1.lines().filter_map(|line| Some(line.split_once('|')?.1)).collect();
    let first: Vec<Plan> = documents.iter().map(|document| reader.read(document).expect("a plan")).collect();
    for (at, document) in documents.iter().enumerate() {
        let again = reader.read(document).expect("a plan");
        let alike: Vec<usize> = (0..first.len()).filter(|&other| first[other].same_shape(&again)).collect();
        assert!(alike.contains(&at), "{document}");
        assert_eq!(again, first[at]);
    }
    let one = reader.read(recorded("index_scan")).expect("a plan");
    let other = reader.read(&recorded("index_scan").replace("orders_pkey", "orders_too")).expect("a plan");
    assert!(!one.same_shape(&other));
}

#[test]
fn hypothetical_indexes_have_the_number_that_hypopg_gave_them() {
    let mut reader = PlanReader::new();
    let mut indexes = |name: &str| {
        let document = recorded("index_scan").replace("orders_pkey", name);
        reader.read(&document).expect("a plan").indexes().collect::<Vec<u32>>()
    };
    assert_eq!(indexes("<13543>btree_shop_orders_customer_id"), [13_543]);
    assert_eq!(indexes("orders_pkey"), [u32::MAX]);
    assert_eq!(indexes("<x>"), [u32::MAX - 1]);
    // A real index with the name of a number that is not hypopg's.
    assert_eq!(indexes("<4294967295>btree"), [u32::MAX - 2]);
    assert_eq!(indexes("orders_pkey"), [u32::MAX]);
}

#[test]
fn subqueries_come_last_below_the_node_that_runs_them() {
    let plan = PlanReader::new().read(recorded("cte_update")).expect("a plan");
    let places: Vec<Option<usize>> = plan.nodes.iter().map(|node| node.parent).collect();
    assert!(places.iter().enumerate().all(|(at, parent)| parent.is_none_or(|parent| parent < at)));
    let kinds: Vec<Kind> = plan.nodes.iter().map(|node| node.kind).collect();
    assert_eq!(kinds[0], Kind::Modify(Operation::Update));
    let delete = kinds.iter().position(|kind| *kind == Kind::Modify(Operation::Delete)).expect("the deletion");
    assert_eq!(plan.nodes[delete].parent, Some(0));
    // Only what it is made of stands behind it.
    assert!(places[delete + 1..].iter().all(|parent| parent.is_some_and(|parent| parent >= delete)));
}

/// A scan of a table of these keys.
fn scan(more: serde_json::Value) -> String {
    let mut node =
        json!({"Node Type": "Seq Scan", "Relation Name": "t", "Schema": "s", "Alias": "t", "Total Cost": 1.0});
    node.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    json!([{"Plan": node}]).to_string()
}

fn clauses(filter: &str) -> Vec<Clause> {
    let plan = PlanReader::new().read(&scan(json!({"Filter": filter}))).expect("a plan");
    plan.nodes.into_iter().flat_map(|node| node.clauses).collect()
}

fn describe_clause(clause: &Clause) -> String {
    match clause {
        Clause::Equal(column) => format!("{} =", column.name),
        Clause::OneOf(column) => format!("{} in", column.name),
        Clause::Range(column) => format!("{} <", column.name),
        Clause::Join(one, two) => format!("{} = {}", one.name, two.name),
        Clause::Fixed { predicate, .. } => predicate.clone(),
        Clause::Other { kind, .. } => format!("({kind})"),
    }
}

#[test]
fn conditions_are_taken_apart() {
    let cases = [
        ("((t.a = 5) AND (t.b > $1) AND (t.c <= 'x AND y'::text))", "a =; b <; c <"),
        ("(((t.a)::text = $1) AND (t.b OPERATOR(public.=) $2))", "a =; b ="),
        (
            "((t.a = ANY ($1)) AND (t.b = ANY ('{1,2}'::integer[])) AND (t.c <> ALL ($2)))",
            "a in; b in; (a list of values)",
        ),
        ("((t.a IS NULL) AND (t.b IS NOT NULL) AND t.c AND (NOT t.d))", "a IS NULL; b IS NOT NULL; c; NOT d"),
        (r#"((t."B (c)" IS NULL) AND t."d""e" AND (NOT t."F"))"#, r#"("B (c)" IS NULL); "d""e"; NOT "F""#),
        ("((t.a ~~ $1) AND (t.b OPERATOR(x.<@@>) $2) AND (@ t.c))", "(operator ~~); (operator <@@>); (operator @)"),
        ("((t.a = t.b) AND (t.a = (t.b + 1)) AND (t.a = ($1 + 1)))", "(operator =); (operator =); a ="),
        ("((t.a = $1) OR (t.b = $2))", "(OR)"),
        (
            "(public.f(t.a, 'g(x)'::text) AND COALESCE(t.b, true) AND (NOT (t.a = $1)))",
            "(function f); (an expression); (NOT)",
        ),
        (
            "((t.a = (SubPlan 1)) AND (NOT (ANY (t.b = (hashed SubPlan 2).col1))) AND EXISTS(SubPlan 3))",
            "a =; (NOT); (a subquery)",
        ),
        ("((t.a > (InitPlan 1).col1) AND (t.b = $0) AND (hashed SubPlan 1))", "a <; b =; (a subquery)"),
        ("((ROW(t.a, t.b) < ROW($1, $2)) AND (t.c IS DISTINCT FROM $3))", "(an expression); (an expression)"),
        ("((t.a)::date = $1)", "(operator =)"),
        ("((t.ctid = $1) AND (u.a = t.b))", "(operator =); b ="),
        ("(t.a = 'it''s'::text COLLATE \"C\")", "a ="),
        ("(t.a = 'unterminated", "(an expression)"),
        ("((t.a = $1)", "(an expression)"),
        ("", "(an expression)"),
    ];
    for (filter, expected) in cases {
        let read: Vec<String> = clauses(filter).iter().map(describe_clause).collect();
        assert_eq!(read.join("; "), expected, "{filter}");
    }
}

#[test]
fn a_condition_that_is_not_read_needs_the_whole_row() {
    assert_eq!(described(&scan(json!({"Output": ["a"], "Filter": "(b = $1"}))), ["s.t needed (whole rows)"]);
    let hidden = scan(json!({"Output": ["t.a"], "Filter": "(NOT (hashed SubPlan 1))"}));
    assert_eq!(described(&hidden), ["s.t needed (whole rows) other (NOT)"]);
}

#[test]
fn words_of_expressions_are_no_columns() {
    let output = [
        "EXTRACT(year FROM a)",
        "(b)::timestamp(3) without time zone",
        "(c)::character varying(10)",
        "((d ->> 'e'::text))::interval day to second",
        "rank() OVER w1",
        "count(DISTINCT f) FILTER (WHERE (g IS TRUE))",
        "(h)::public.mood[]",
        "public.k(l => m, VARIADIC n[1])",
        "CASE WHEN o THEN NULL::text ELSE true END",
        "XMLELEMENT(NAME p, q COLLATE \"de_DE\")",
        "\"R s\"",
    ];
    let plan = PlanReader::new().read(&scan(json!({"Output": output}))).expect("a plan");
    let named: Vec<&str> = plan.nodes[0].output.named.iter().map(|column| column.name.as_str()).collect();
    assert_eq!(named, ["R s", "a", "b", "c", "d", "f", "g", "h", "m", "n", "o", "q"]);
}

#[test]
fn what_exceeds_a_bound_is_refused() {
    let error = |more| PlanReader::new().read(&scan(more)).expect_err("too wide").to_string();
    let long = "t.a ".repeat(MAX_TEXT);
    assert_eq!(error(json!({"Filter": long})), "too wide to be analysed: an expression has more than 256 KiB");
    let many = vec!["t.a + t.b + t.c + t.d".repeat(10_000); 8];
    let most = format!("too wide to be analysed: its expressions have more than {MAX_TOKENS} words and signs");
    assert_eq!(error(json!({"Output": many})), most);
    let bare = json!([{"Plan": {"Node Type": "Seq Scan", "Relation Name": "t", "Alias": "t"}}]).to_string();
    let bare = PlanReader::new().read(&bare).expect_err("not verbose").to_string();
    assert_eq!(bare, "the plan does not name the schema of \"t\": it was made without VERBOSE");
}

/// Pieces of conditions, in any order.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "(",
        ")",
        "[",
        "]",
        "t.a",
        "t.*",
        "u.",
        ".b",
        " = ",
        " AND ",
        " OR ",
        "NOT ",
        " IS NULL",
        "::text",
        "::",
        "ANY ",
        "$1",
        "'x'",
        "'",
        "\"Q\"",
        "SubPlan 1",
        "hashed ",
        "OPERATOR(public.",
        ",",
        " COLLATE ",
        "max(",
        "DESC",
        " NULLS FIRST",
        "CASE ",
        "é",
        "ROW",
    ]);
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_text_may_stand_in_any_place(text in prop_oneof![pieces(), any::<String>()], kind in "(Seq Scan|Sort|Aggregate|Nested Loop)") {
        let keys = json!({"Node Type": kind, "Filter": text, "Join Filter": text, "Output": [text, text], "Sort Key": [text], "Subplan Name": text,
            "Cache Key": text, "Index Name": text});
        let read = PlanReader::new().read(&scan(keys));
        prop_assert!(read.is_ok(), "{:?}", read);
        let (_, _) = (statement::columns_set(&text), statement::with_limit(&text, 5));
    }

    #[test]
    fn any_document_is_read_or_refused(document in any::<String>()) {
        prop_assert!(PlanReader::new().read(&document).is_err());
    }

    #[test]
    fn a_limit_replaces_one_parameter(before in "[a-z (),.'\"é\n]{0,20}", after in "[; \n]{0,5}") {
        let statement = format!("SELECT {before} LIMIT $7{after}");
        if let Some(limited) = statement::with_limit(&statement, 5) {
            prop_assert_eq!(limited, format!("SELECT {before} LIMIT 5{after}"));
        }
    }
}
