//! Derives indexes that might serve a plan's use of a table. The planner decides.

use super::candidate::{Candidate, Key};
use super::table::{ExistingIndex, Table};
use super::usage::Use;

/// Most candidates for one use of a table. A choice: each costs the planner some plans.
const MAX_CANDIDATES: usize = 48;
/// Most columns of one kind of test, those with most distinct values first: more than fit into an index, and few enough to
/// combine.
const MAX_TESTED: usize = 16;
/// Most lists of keys for one use of a table.
const MAX_LISTS: usize = 1_000;
/// Most columns of a candidate, keys and included ones: wider indexes cost more writes than they save reads.
const MAX_COLUMNS: usize = 6;
/// Largest width of an included column, bytes. A choice: entries of an index stay small compared with the table's rows.
const MAX_WIDTH: f64 = 64.0;

/// Derives indexes that might serve this use of `table`, narrow before wide. Prefixes of existing indexes are left out: the
/// planner could already choose them.
pub fn derive(table: &Table, of: &Use) -> Vec<Candidate> {
    let mut candidates: Vec<Candidate> = Vec::new();
    for keys in key_lists(table, of).into_iter().take(MAX_LISTS) {
        let candidate = Candidate::on(table, keys);
        let covering = covering(table, of, &candidate);
        let partial = partial(of, &candidate);
        let all = [Some(candidate), partial, covering].into_iter().flatten();
        for candidate in all.filter_map(|candidate| candidate.defined(table)) {
            if !candidates.contains(&candidate) && !exists(table, &candidate) {
                candidates.push(candidate);
            }
        }
    }
    // Plain ones first, so that the limit cuts off covering ones.
    candidates.sort_by_key(|candidate| (!candidate.include.is_empty(), candidate.keys.len()));
    candidates.truncate(MAX_CANDIDATES);
    candidates
}

fn key_lists(table: &Table, of: &Use) -> Vec<Vec<Key>> {
    let usable = |column: &&String| table.column(column).is_some_and(|facts| facts.ordered);
    // The column with most distinct values first: it selects the fewest rows.
    let sorted = |columns: &[String]| {
        let mut columns: Vec<String> = columns.iter().filter(usable).cloned().collect();
        columns.sort_by(|a, b| {
            let distinct = |column: &String| table.distinct(column).unwrap_or(0.0);
            distinct(b).total_cmp(&distinct(a)).then_with(|| a.cmp(b))
        });
        columns.truncate(MAX_TESTED);
        columns
    };
    let fixed: Vec<String> = of.fixed.iter().filter(|fixed| fixed.equality).map(|fixed| fixed.column.clone()).collect();
    let (params, fixed, one_of) = (sorted(&of.equal), sorted(&fixed), sorted(&of.one_of));
    let all_equal: Vec<String> = params.iter().chain(&fixed).chain(&one_of).cloned().collect();
    let (joins, ranges) = (sorted(&of.joins), sorted(&of.ranges));
    let limits: Vec<String> =
        of.fixed.iter().filter(|fixed| !fixed.equality).map(|fixed| fixed.column.clone()).collect();
    let ranges: Vec<String> = ranges.into_iter().chain(sorted(&limits)).collect();
    let order: Vec<Key> = of
        .order
        .iter()
        .take(MAX_TESTED)
        .filter(|key| table.column(&key.column.name).is_some())
        .map(|key| Key { column: key.column.name.clone(), descending: key.descending, nulls_first: key.nulls_first })
        .collect();
    let mut lists: Vec<Vec<Key>> = Vec::new();
    let mut add = |columns: &[&[String]], order: &[Key]| lists.extend(list(columns, order));
    // Equality first, then a range or an order: only one of them can follow.
    for equal in prefixes(&params, &fixed, &all_equal, &joins) {
        add(&[&equal], &[]);
        add(&[&equal], &order);
        for range in &ranges {
            add(&[&equal, std::slice::from_ref(range)], &[]);
        }
    }
    for column in all_equal.iter().chain(&joins).chain(&ranges) {
        add(&[std::slice::from_ref(column)], &[]);
    }
    add(&[], &order);
    for key in of.extremes.iter().take(MAX_TESTED) {
        let key = Key::ascending(&key.column.name);
        add(&[&all_equal], std::slice::from_ref(&key));
        add(&[], std::slice::from_ref(&key));
    }
    lists
}

/// Lists of columns that are tested for equality.
fn prefixes(params: &[String], fixed: &[String], all: &[String], joins: &[String]) -> Vec<Vec<String>> {
    let mut lists = vec![all.to_vec(), params.to_vec()];
    for join in joins {
        let one = std::slice::from_ref(join);
        lists.extend([[one, all].concat(), [all, one].concat(), [params, one].concat(), [fixed, one].concat()]);
    }
    if joins.len() > 1 {
        lists.push(joins.to_vec());
        lists.push([joins, all].concat());
    }
    lists
}

fn list(columns: &[&[String]], order: &[Key]) -> Option<Vec<Key>> {
    let mut keys: Vec<Key> = Vec::new();
    let columns = columns.iter().flat_map(|columns| columns.iter()).map(|column| Key::ascending(column));
    for key in columns.chain(order.iter().cloned()) {
        if keys.iter().all(|known| known.column != key.column) {
            keys.push(key);
        }
    }
    // A throughout descending order is scanned backwards; only a mixed order requires descending keys.
    let ordered = keys.iter().filter(|key| order.iter().any(|sorted| sorted.column == key.column));
    let mut shapes: Vec<_> = ordered.map(|key| (key.descending, key.nulls_first)).collect();
    shapes.dedup();
    if let [(true, None)] = shapes.as_slice() {
        keys.iter_mut().for_each(|key| key.descending = false);
    }
    (1..=MAX_COLUMNS).contains(&keys.len()).then_some(keys)
}

/// The candidate as a partial index, limited to the rows that the statement's constants select.
fn partial(of: &Use, candidate: &Candidate) -> Option<Candidate> {
    if of.fixed.is_empty() {
        return None;
    }
    let mut partial = candidate.clone();
    let constant = |key: &Key| of.fixed.iter().any(|fixed| fixed.equality && fixed.column == key.column);
    // A column with one value in the index does not distinguish its entries.
    if !candidate.keys.iter().all(constant) {
        partial.keys.retain(|key| !constant(key));
    }
    let mut tests: Vec<&str> = of.fixed.iter().map(|fixed| fixed.predicate.as_str()).collect();
    tests.dedup();
    partial.predicate = Some(tests.join(" AND "));
    partial.predicate_columns = of.fixed.iter().map(|fixed| fixed.column.clone()).collect();
    partial.predicate_columns.dedup();
    Some(partial)
}

/// The candidate as a covering index, with the other columns that the statement needs, for an index-only scan.
fn covering(table: &Table, of: &Use, candidate: &Candidate) -> Option<Candidate> {
    if finds_single_row(table, of, candidate) {
        return None;
    }
    let needed = of.needed.as_ref()?;
    let is_no_key = |column: &&String| !candidate.keys.iter().any(|key| key.column == **column);
    let include: Vec<String> = needed.iter().filter(is_no_key).cloned().collect();
    let narrow = |column: &String| table.column(column).and_then(|facts| facts.width).is_some_and(|w| w <= MAX_WIDTH);
    let fits = (1..=MAX_COLUMNS - candidate.keys.len().min(MAX_COLUMNS)).contains(&include.len());
    (fits && include.iter().all(narrow)).then(|| {
        let mut covering = candidate.clone();
        covering.include = include;
        covering
    })
}

/// True if these keys select a single row, which a unique index finds already. A covering index would only replace pages of the
/// table by pages of a copy: fewer by the plan's count, but as many to read from storage.
fn finds_single_row(table: &Table, of: &Use, candidate: &Candidate) -> bool {
    let fixed = |column: &String| of.fixed.iter().any(|fixed| fixed.equality && fixed.column == *column);
    let tested = |column: &String| {
        [&of.equal, &of.one_of, &of.joins].into_iter().any(|columns| columns.contains(column)) || fixed(column)
    };
    let is_tested_key = |column: &Option<String>| {
        column.as_ref().is_some_and(|column| tested(column) && candidate.keys.iter().any(|key| key.column == *column))
    };
    let unique = |index: &&ExistingIndex| index.unique && index.valid && index.predicate.is_none();
    table.indexes.iter().filter(unique).any(|index| index.key_columns.iter().all(is_tested_key))
}

/// True if an existing index begins with the same keys.
fn exists(table: &Table, candidate: &Candidate) -> bool {
    let begins = |index: &&ExistingIndex| {
        let keys = index.key_columns.iter().map(Option::as_deref);
        let candidate_keys = candidate.keys.iter().map(|key| Some(key.column.as_str()));
        index.valid
            && index.method == "btree"
            && index.predicate.is_none()
            && index.key_columns.len() >= candidate.keys.len()
            && keys.zip(candidate_keys).all(|(existing, candidate)| existing == candidate)
            && candidate.include.iter().all(|column| index.stores(column))
    };
    // Partly descending keys are another order, which the planner has to price.
    let plain = candidate.keys.iter().all(|key| !key.descending && key.nulls_first.is_none());
    plain && candidate.predicate.is_none() && table.indexes.iter().any(|index| begins(&index))
}
