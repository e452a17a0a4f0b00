//! Cost of an index in writes: entries, pages and WAL a second.

use std::ops::Neg;

use serde::{Deserialize, Serialize};

use super::candidate::Candidate;
use super::table::{ExistingIndex, Table};
use ebs_base::units::PAGE_BYTES;

/// Bytes of a page.
pub const PAGE: f64 = PAGE_BYTES as f64;
/// WAL of one entry without the tuple: the record's header (24 bytes), the block's (20), that of the data (2) and the
/// offset (2) (src/include/access/xlogrecord.h, nbtxlog.h: XLogRecord, XLogRecordBlockHeader with RelFileLocator and block
/// number, xl_btree_insert).
const WAL_RECORD: f64 = 48.0;
/// Fill of leaf pages of a b-tree that grew in random order, ln 2 (A. C. Yao, "On random 2-3 trees", Acta Informatica
/// 9, 1978); so much of a page is in its image in the WAL, which leaves the hole out (xloginsert.c).
const RANDOM_FILL: f64 = 0.69;

/// Rows written to a table a second, by statement where that is known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rates {
    /// Rows inserted.
    pub inserted_s: f64,
    /// Rows updated, and the columns that were set; `None` where these are not known.
    pub updated: Vec<(f64, Option<Vec<String>>)>,
}

impl Rates {
    /// Rows updated a second.
    pub fn updated_s(&self) -> f64 {
        self.updated.iter().map(|(rows_s, _)| rows_s).sum()
    }
}

/// Memory and checkpoints, which determine how often pages are read and written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Memory {
    /// Pages of shared_buffers.
    pub buffers: f64,
    /// Seconds between checkpoints.
    pub checkpoint_s: f64,
    /// True if the WAL has an image of each page that is first changed after a checkpoint.
    pub full_page_writes: bool,
}

/// Cost of an index a second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Cost {
    /// Entries added to it, and to the other indexes because its updates are no longer heap-only (HOT).
    pub entries_s: f64,
    /// Leaf pages read to be changed.
    pub reads_s: f64,
    /// Leaf pages written.
    pub writes_s: f64,
    /// Bytes of WAL.
    pub wal_bytes_s: f64,
}

impl Cost {
    /// Requests a second.
    pub fn requests_s(&self) -> f64 {
        self.reads_s + self.writes_s
    }

    /// Adds up several costs.
    pub fn sum(costs: impl IntoIterator<Item = Cost>) -> Cost {
        costs.into_iter().fold(Cost::default(), |sum, cost| Cost {
            entries_s: sum.entries_s + cost.entries_s,
            reads_s: sum.reads_s + cost.reads_s,
            writes_s: sum.writes_s + cost.writes_s,
            wal_bytes_s: sum.wal_bytes_s + cost.wal_bytes_s,
        })
    }
}

impl Neg for Cost {
    type Output = Cost;

    fn neg(self) -> Cost {
        Cost {
            entries_s: -self.entries_s,
            reads_s: -self.reads_s,
            writes_s: -self.writes_s,
            wal_bytes_s: -self.wal_bytes_s,
        }
    }
}

/// Cost of a new index of this size.
pub fn new_index(candidate: &Candidate, table: &Table, size_bytes: f64, rates: &Rates, memory: &Memory) -> Cost {
    let hot = table.hot_share();
    let touches = |set: &Option<Vec<String>>| {
        set.as_ref().is_none_or(|set| candidate.columns().any(|column| set.iter().any(|name| name == column)))
    };
    let touched_s: f64 = rates.updated.iter().filter(|(_, set)| touches(set)).map(|(rows_s, _)| rows_s).sum();
    let untouched_s = rates.updated_s() - touched_s;
    let leaves = Leaves {
        pages: (size_bytes / PAGE).max(1.0),
        tuple: tuple_bytes(table, candidate.keys.iter().map(|key| &key.column).chain(&candidate.include)),
        random: randomness(table, candidate.keys.first().map(|key| key.column.as_str())),
    };
    let resident = resident(table, leaves.pages, memory);
    let new_index = leaves.insertion_cost(rates.inserted_s + touched_s + untouched_s * (1.0 - hot), resident, memory);
    // An update of an indexed column is not heap-only: every index of the table gets an entry.
    let others = table
        .indexes
        .iter()
        .map(|index| Leaves::from_existing(index, table).insertion_cost(touched_s * hot, resident, memory));
    Cost::sum(std::iter::once(new_index).chain(others))
}

/// Cost of an existing index.
pub fn existing_index(index: &ExistingIndex, table: &Table, rates: &Rates, memory: &Memory) -> Cost {
    let leaves = Leaves::from_existing(index, table);
    let resident = resident(table, leaves.pages, memory);
    leaves.insertion_cost(rates.inserted_s + rates.updated_s() * (1.0 - table.hot_share()), resident, memory)
}

/// Share of a table's and this index's pages that fit into shared_buffers, which is the probability that a random page is in
/// memory. A choice: other tables use memory too, and a busy index gets more than its share.
fn resident(table: &Table, pages: f64, memory: &Memory) -> f64 {
    (memory.buffers / (table.pages + pages)).min(1.0)
}

/// Share of entries that go to a random leaf: entries in ascending order go to the last leaf.
fn randomness(table: &Table, first: Option<&str>) -> f64 {
    let correlation = first.and_then(|first| table.column(first)?.correlation);
    correlation.map_or(1.0, |correlation| 1.0 - correlation * correlation)
}

/// Bytes of an entry: header, columns, aligned, and its line pointer (src/include/access/itup.h, bufpage.h).
fn tuple_bytes<'a>(table: &Table, columns: impl Iterator<Item = &'a String>) -> f64 {
    let width = |column: &String| table.column(column).and_then(|facts| facts.width).unwrap_or(8.0);
    let data: f64 = columns.map(width).sum();
    ((8.0 + data) / 8.0).ceil() * 8.0 + 4.0
}

/// Leaf pages of an index.
struct Leaves {
    pages: f64,
    tuple: f64,
    random: f64,
}

impl Leaves {
    fn from_existing(index: &ExistingIndex, table: &Table) -> Leaves {
        Leaves {
            pages: (index.size_bytes.unwrap_or(0) as f64 / PAGE).max(1.0),
            tuple: tuple_bytes(table, index.key_names().chain(&index.include)),
            random: randomness(table, index.key_names().next().map(String::as_str)),
        }
    }

    /// Cost of so many entries a second, of which the share `resident` find their page in memory.
    fn insertion_cost(&self, entries_s: f64, resident: f64, memory: &Memory) -> Cost {
        if entries_s <= 0.0 {
            return Cost::default();
        }
        let (random_s, rising_s) = (entries_s * self.random, entries_s * (1.0 - self.random));
        let entries = random_s * memory.checkpoint_s;
        // Distinct pages among random draws (A. F. Cardenas, CACM 18(5), 1975), each written once per checkpoint; pages that are
        // evicted earlier are written as often as they are read.
        let distinct = self.pages * (1.0 - (1.0 - 1.0 / self.pages.max(1.000_001)).powf(entries));
        let filled_s = rising_s * self.tuple / (PAGE * RANDOM_FILL);
        let first_changes_s = distinct / memory.checkpoint_s + filled_s;
        let missed_s = random_s * (1.0 - resident);
        let images = if memory.full_page_writes { first_changes_s * PAGE * RANDOM_FILL } else { 0.0 };
        Cost {
            entries_s,
            reads_s: missed_s,
            writes_s: (distinct / memory.checkpoint_s).max(missed_s) + filled_s,
            wal_bytes_s: entries_s * (WAL_RECORD + self.tuple) + images,
        }
    }
}
