//! Indexes that are there and serve nothing: unused ones, and those that another one stands in for.

use super::table::{ExistingIndex, Table};

/// An index that could be dropped.
#[derive(Clone, Debug, PartialEq)]
pub struct Superfluous<'a> {
    /// Its table.
    pub table: &'a Table,
    /// The index.
    pub index: &'a ExistingIndex,
    /// The one that stands in for it; `None` for one that nothing has used.
    pub instead: Option<(&'a ExistingIndex, Likeness)>,
}

/// Relation between an index and the one that replaces it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Likeness {
    /// It has the same keys.
    Same,
    /// It begins with the same keys.
    Longer,
}

/// Most indexes of one table that are compared with each other, in the order of the catalogue: 1,000 are a million pairs.
const MAX_INDEXES: usize = 1_000;

/// Indexes that are not needed by a constraint, and have no use; those that have a double first.
pub fn superfluous(tables: &[Table]) -> Vec<Superfluous<'_>> {
    let mut found: Vec<Superfluous> = tables.iter().flat_map(of_table).collect();
    found.sort_by_key(|found| found.instead.is_none());
    found
}

fn of_table(table: &Table) -> Vec<Superfluous<'_>> {
    let indexes = &table.indexes[..table.indexes.len().min(MAX_INDEXES)];
    let mut found: Vec<Superfluous> = Vec::new();
    let free = indexes.iter().enumerate().filter(|(_, index)| !index.needed && !index.unique && index.valid);
    for (at, index) in free {
        let instead = indexes.iter().enumerate().find_map(|(other, candidate)| {
            let likeness = stands_in(candidate, index).filter(|_| other != at)?;
            // Of two that are the same the first is kept, unless only the other one is needed.
            let kept = likeness == Likeness::Longer || candidate.needed || candidate.unique || other < at;
            kept.then_some((candidate, likeness))
        });
        if instead.is_some() || index.scans == Some(0) {
            found.push(Superfluous { table, index, instead });
        }
    }
    let stand_ins: Vec<_> = found.iter().map(|one| one.instead.map(|instead| last(&found, instead))).collect();
    for (one, instead) in found.iter_mut().zip(stand_ins) {
        one.instead = instead;
    }
    // One that takes over the work of another is not without use, whatever it did so far.
    let used = found.iter().filter(|found| found.index.scans != Some(0));
    let heirs: Vec<&ExistingIndex> = used.filter_map(|found| found.instead.map(|(other, _)| other)).collect();
    found.retain(|found| found.instead.is_some() || !heirs.iter().any(|heir| std::ptr::eq(*heir, found.index)));
    found
}

/// The index that stays, where what stands in for one has itself a double. Each step leads to an index with more keys, to one
/// that is needed, or to an earlier one of the same keys: it ends.
fn last<'a>(
    found: &[Superfluous<'a>],
    (mut index, mut likeness): (&'a ExistingIndex, Likeness),
) -> (&'a ExistingIndex, Likeness) {
    while let Some((further, how)) = found.iter().find(|one| std::ptr::eq(one.index, index)).and_then(|one| one.instead)
    {
        index = further;
        if how == Likeness::Longer {
            likeness = how;
        }
    }
    (index, likeness)
}

/// Relation by which `one` does all that `other` does for queries; `None` if it does not.
fn stands_in(one: &ExistingIndex, other: &ExistingIndex) -> Option<Likeness> {
    let alike = one.valid && one.method == other.method && one.predicate == other.predicate;
    let holds =
        |column: &String| one.include.contains(column) || one.key_columns.iter().flatten().any(|key| key == column);
    if !alike || !other.include.iter().all(holds) {
        return None;
    }
    match one.keys.len() {
        keys if keys == other.keys.len() && one.keys == other.keys => Some(Likeness::Same),
        keys if keys > other.keys.len() && one.method == "btree" => {
            one.keys.starts_with(&other.keys).then_some(Likeness::Longer)
        }
        _ => None,
    }
}
