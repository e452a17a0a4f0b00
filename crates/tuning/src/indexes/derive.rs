//! Derives indexes that might serve a plan's use of a table. The planner decides.

use super::candidate::{Candidate, Key};
use super::table::Table;
use super::usage::Use;

/// Most candidates for one use of a table. A choice: each costs the planner some plans.
const MAX_CANDIDATES: usize = 48;
/// Most columns of one kind of test that are looked at, those with most values first: more than fit into an index, and few
/// enough that their combinations are.
const MAX_TESTED: usize = 16;
/// Most lists of keys that are looked at for one use of a table.
const MAX_LISTS: usize = 1_000;
/// Most columns in one candidate, keys and those merely held: wider ones cost more in writes than they spare in reads.
const MAX_COLUMNS: usize = 6;
/// Most bytes of a column that an index merely holds. A choice: tuples of an index are to stay small beside the table's.
const MAX_WIDTH: f64 = 64.0;

/// Indexes that might serve this use of `table`, narrow before wide. Beginnings of existing indexes are
/// left out: the planner had that choice.
pub fn derive(table: &Table, of: &Use) -> Vec<Candidate> {
    let mut found: Vec<Candidate> = Vec::new();
    for keys in key_lists(table, of).into_iter().take(MAX_LISTS) {
        let candidate = Candidate::on(table, keys);
        let covering = covering(table, of, &candidate);
        let limited = limited(of, &candidate);
        let all = [Some(candidate), limited, covering].into_iter().flatten();
        for candidate in all.filter_map(|candidate| candidate.defined(table)) {
            if !found.contains(&candidate) && !is_there(table, &candidate) {
                found.push(candidate);
            }
        }
    }
    // Plain ones first, so that a bound cuts off what is special.
    found.sort_by_key(|candidate| (!candidate.include.is_empty(), candidate.keys.len()));
    found.truncate(MAX_CANDIDATES);
    found
}

fn key_lists(table: &Table, of: &Use) -> Vec<Vec<Key>> {
    let usable = |column: &&String| table.column(column).is_some_and(|facts| facts.ordered);
    // The column with most values first: it alone leaves fewest rows.
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
    // Equality first, then what is a range or an order: only one of these two can follow.
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

/// Lists of columns of which each is to be equal to one value.
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
    // An order that is descending throughout is read backwards; only a mixture needs keys that are kept downwards.
    let ordered = keys.iter().filter(|key| order.iter().any(|wanted| wanted.column == key.column));
    let mut shapes: Vec<_> = ordered.map(|key| (key.descending, key.nulls_first)).collect();
    shapes.dedup();
    if let [(true, None)] = shapes.as_slice() {
        keys.iter_mut().for_each(|key| key.descending = false);
    }
    (1..=MAX_COLUMNS).contains(&keys.len()).then_some(keys)
}

/// The same, limited to the rows that the constants in the statement leave.
fn limited(of: &Use, candidate: &Candidate) -> Option<Candidate> {
    if of.fixed.is_empty() {
        return None;
    }
    let mut limited = candidate.clone();
    let constant = |key: &Key| of.fixed.iter().any(|fixed| fixed.equality && fixed.column == key.column);
    // A column that has one value in the index tells its entries not apart.
    if !candidate.keys.iter().all(constant) {
        limited.keys.retain(|key| !constant(key));
    }
    let mut tests: Vec<&str> = of.fixed.iter().map(|fixed| fixed.predicate.as_str()).collect();
    tests.dedup();
    limited.predicate = Some(tests.join(" AND "));
    limited.predicate_columns = of.fixed.iter().map(|fixed| fixed.column.clone()).collect();
    limited.predicate_columns.dedup();
    Some(limited)
}

/// The same, with what else the statement needs of the table, so that it need not be read.
fn covering(table: &Table, of: &Use, candidate: &Candidate) -> Option<Candidate> {
    if finds_one(table, of, candidate) {
        return None;
    }
    let needed = of.needed.as_ref()?;
    let held = |column: &&String| !candidate.keys.iter().any(|key| key.column == **column);
    let include: Vec<String> = needed.iter().filter(held).cloned().collect();
    let narrow = |column: &String| table.column(column).and_then(|facts| facts.width).is_some_and(|w| w <= MAX_WIDTH);
    let fits = (1..=MAX_COLUMNS - candidate.keys.len().min(MAX_COLUMNS)).contains(&include.len());
    (fits && include.iter().all(narrow)).then(|| {
        let mut covering = candidate.clone();
        covering.include = include;
        covering
    })
}

/// True if these keys name one row at a time, which a unique index finds already. Storing more would only put pages of a copy
/// of the table in place of the table's: fewer by the plan's count, but no fewer that have to come from storage.
fn finds_one(table: &Table, of: &Use, candidate: &Candidate) -> bool {
    let fixed = |column: &String| of.fixed.iter().any(|fixed| fixed.equality && fixed.column == *column);
    let named = |column: &String| {
        [&of.equal, &of.one_of, &of.joins].into_iter().any(|columns| columns.contains(column)) || fixed(column)
    };
    let held = |column: &Option<String>| {
        column.as_ref().is_some_and(|column| named(column) && candidate.keys.iter().any(|key| key.column == *column))
    };
    let unique = |index: &&super::table::ExistingIndex| index.unique && index.valid && index.predicate.is_none();
    table.indexes.iter().filter(unique).any(|index| index.key_columns.iter().all(held))
}

/// True if an existing index begins with the same keys.
fn is_there(table: &Table, candidate: &Candidate) -> bool {
    let begins = |index: &&super::table::ExistingIndex| {
        let keys = index.key_columns.iter().map(Option::as_deref);
        let wanted = candidate.keys.iter().map(|key| Some(key.column.as_str()));
        index.valid
            && index.method == "btree"
            && index.predicate.is_none()
            && index.key_columns.len() >= candidate.keys.len()
            && keys.zip(wanted).all(|(one, two)| one == two)
            && candidate.include.iter().all(|column| {
                index.include.contains(column) || index.key_columns.iter().flatten().any(|key| key == column)
            })
    };
    // Kept downwards in part is another order; the planner is asked.
    let plain = candidate.keys.iter().all(|key| !key.descending && key.nulls_first.is_none());
    plain && candidate.predicate.is_none() && table.indexes.iter().any(|index| begins(&index))
}
