//! Existing indexes that serve nothing: unused ones, and those that another index replaces.

use super::table::{ExistingIndex, Table};

/// An index that could be dropped.
#[derive(Clone, Debug, PartialEq)]
pub struct Superfluous<'a> {
    /// Its table.
    pub table: &'a Table,
    /// The index.
    pub index: &'a ExistingIndex,
    /// The index that replaces it; `None` for an unused one.
    pub replacement: Option<(&'a ExistingIndex, KeyMatch)>,
}

/// Keys of the replacement, compared with those of the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyMatch {
    /// The same keys.
    Same,
    /// The same keys, and more behind them.
    Longer,
}

/// Most indexes of a table that are compared with each other, in the order of the catalogue: 1,000 are a million pairs.
const MAX_INDEXES: usize = 1_000;

/// Lists the indexes that no constraint requires and that serve nothing; those with a replacement first.
pub fn superfluous(tables: &[Table]) -> Vec<Superfluous<'_>> {
    let mut superfluous: Vec<Superfluous> = tables.iter().flat_map(superfluous_of_table).collect();
    superfluous.sort_by_key(|index| index.replacement.is_none());
    superfluous
}

fn superfluous_of_table(table: &Table) -> Vec<Superfluous<'_>> {
    let indexes = &table.indexes[..table.indexes.len().min(MAX_INDEXES)];
    let mut superfluous: Vec<Superfluous> = Vec::new();
    let droppable = indexes.iter().enumerate().filter(|(_, index)| !index.needed && !index.unique && index.valid);
    for (at, index) in droppable {
        let replacement = indexes.iter().enumerate().find_map(|(other, candidate)| {
            let key_match = match_keys(candidate, index).filter(|_| other != at)?;
            // Of two equal ones the first is kept, unless only the other one is required.
            let kept = key_match == KeyMatch::Longer || candidate.needed || candidate.unique || other < at;
            kept.then_some((candidate, key_match))
        });
        if replacement.is_some() || index.scans == Some(0) {
            superfluous.push(Superfluous { table, index, replacement });
        }
    }
    let replacements: Vec<_> =
        superfluous.iter().map(|entry| entry.replacement.map(|first| last_replacement(&superfluous, first))).collect();
    for (entry, replacement) in superfluous.iter_mut().zip(replacements) {
        entry.replacement = replacement;
    }
    // An index that replaces a used one will be used, even if it was not so far.
    let used = superfluous.iter().filter(|entry| entry.index.scans != Some(0));
    let replacing_used: Vec<&ExistingIndex> =
        used.filter_map(|entry| entry.replacement.map(|(index, _)| index)).collect();
    superfluous.retain(|entry| {
        entry.replacement.is_some() || !replacing_used.iter().any(|index| std::ptr::eq(*index, entry.index))
    });
    superfluous
}

/// The index that remains, where a replacement has a replacement itself. Each step leads to an index with more keys, to a
/// required one, or to an earlier one with the same keys, so that it ends.
fn last_replacement<'a>(
    superfluous: &[Superfluous<'a>],
    (mut index, mut key_match): (&'a ExistingIndex, KeyMatch),
) -> (&'a ExistingIndex, KeyMatch) {
    let next = |index| superfluous.iter().find(|entry| std::ptr::eq(entry.index, index))?.replacement;
    while let Some((replacement, step)) = next(index) {
        index = replacement;
        if step == KeyMatch::Longer {
            key_match = step;
        }
    }
    (index, key_match)
}

/// Compares the keys of an index with those of one that it may replace in all queries; `None` if it cannot.
fn match_keys(replacement: &ExistingIndex, index: &ExistingIndex) -> Option<KeyMatch> {
    let comparable =
        replacement.valid && replacement.method == index.method && replacement.predicate == index.predicate;
    if !comparable || !index.include.iter().all(|column| replacement.stores(column)) {
        return None;
    }
    match replacement.keys.len() {
        keys if keys == index.keys.len() && replacement.keys == index.keys => Some(KeyMatch::Same),
        keys if keys > index.keys.len() && replacement.method == "btree" => {
            replacement.keys.starts_with(&index.keys).then_some(KeyMatch::Longer)
        }
        _ => None,
    }
}
