//! Counts of each statement between two readings, with statements that were evicted or reset in between told apart.

use std::collections::BTreeMap;

use super::counts::{StatementCounts, StatementKey};
use super::demand::{Known, StatementDemand};
use super::entry::Entry;
use super::reading::Statements;
use ebs_base::counter::{Counters, Delta, counters};

/// Counts of all statements between two readings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Observed {
    /// The first, microseconds since 1970.
    pub from_us: i64,
    /// The second.
    pub to_us: i64,
    /// Bytes of a block.
    pub block_size: u64,
    /// Statements that did anything, those that read most first.
    pub statements: Vec<StatementDemand>,
    /// Statements that the first reading has and the second has not.
    pub lost: Vec<Lost>,
    /// Time of a reset of all statements in between, microseconds since 1970.
    pub reset_us: Option<i64>,
    /// Number of times that statements were evicted in between; `None` where it is not known.
    pub evictions: Option<u64>,
    /// Statements of others that could not be read.
    pub hidden: u64,
    /// Texts by query id that are kept with the second reading.
    pub texts: BTreeMap<i64, String>,
}

/// A statement that was evicted, or reset by itself, and did not come back: what it did meanwhile is not known.
#[derive(Clone, Debug, PartialEq)]
pub struct Lost {
    /// Key of the statement.
    pub key: StatementKey,
    /// Its role.
    pub role: Option<String>,
    /// Its database.
    pub database: Option<String>,
}

counters! {
    /// Number of times that pg_stat_statements evicted statements.
    Evictions { times, }
}

/// Microseconds as seconds; nothing for a clock that was set back.
fn seconds(from_us: i64, to_us: i64) -> f64 {
    (to_us.saturating_sub(from_us)).max(0) as f64 / 1e6
}

/// Subtracts the reading `before` from the reading `after`, each with its time, microseconds since 1970. Blocks have
/// `block_size` bytes.
pub fn between(before: (i64, &Statements), after: (i64, &Statements), block_size: u64) -> Observed {
    let (from_us, old) = before;
    let (to_us, new) = after;
    let reset_us = new.reset_us.filter(|_| new.reset_us != old.reset_us);
    let pair = Pair { from_us, to_us, old, new, reset_us, evictions: evictions(old, new, reset_us) };
    let mut statements: Vec<StatementDemand> =
        new.entries.iter().filter_map(|(key, entry)| pair.statement(key, entry)).collect();
    statements.sort_by(|a, b| {
        let rank = |of: &StatementDemand| (of.blocks_read, of.wal_bytes, of.temp_blocks_written);
        rank(b).cmp(&rank(a)).then_with(|| a.key().cmp(&b.key()))
    });
    let gone = old.entries.keys().filter(|key| !new.entries.contains_key(key));
    let lost = |key: &StatementKey| Lost {
        key: *key,
        role: old.roles.get(&key.user_id).cloned(),
        database: old.databases.get(&key.database_id).cloned(),
    };
    Observed {
        from_us,
        to_us,
        block_size,
        statements,
        // After a reset of all, those that did not come back are no news.
        lost: if reset_us.is_some() { Vec::new() } else { gone.map(lost).collect() },
        reset_us,
        evictions: pair.evictions,
        hidden: new.hidden,
        texts: new.texts.clone(),
    }
}

/// Returns the counts of one reading, since the last reset of all statements. Before the first reset, the start of the
/// counting is not known.
pub fn standing(at_us: i64, now: &Statements, block_size: u64) -> Observed {
    let nothing = Statements { reset_us: now.reset_us, evictions: Some(0), timed: now.timed, ..Statements::default() };
    let from_us = now.reset_us.unwrap_or(at_us);
    between((from_us, &nothing), (at_us, now), block_size)
}

fn evictions(old: &Statements, new: &Statements, reset_us: Option<i64>) -> Option<u64> {
    let count = |times: u64| Evictions { times };
    match count(new.evictions?).since(count(old.evictions?)) {
        Delta::Advanced(between) if reset_us.is_none() => Some(between.times),
        // Counted from zero since the reset; counts before it are lost with the statements.
        _ => new.evictions,
    }
}

struct Pair<'a> {
    from_us: i64,
    to_us: i64,
    old: &'a Statements,
    new: &'a Statements,
    reset_us: Option<i64>,
    evictions: Option<u64>,
}

impl Pair<'_> {
    /// `None` for one that did nothing.
    fn statement(&self, key: &StatementKey, now: &Entry) -> Option<StatementDemand> {
        let (counts, known) = self.counted(key, now);
        if counts.is_zero() {
            return None;
        }
        let since_us = match known {
            Known::SinceReset => self.reset_us.unwrap_or(self.from_us),
            // Before 17 nobody says since when: rates are over the whole stretch then, and the lower for it.
            Known::SinceAnew => now.since_us.unwrap_or(self.from_us),
            Known::Whole | Known::AtLeast => self.from_us,
        };
        let since_us = since_us.clamp(self.from_us.min(self.to_us), self.to_us);
        Some(StatementDemand {
            role: self.new.roles.get(&key.user_id).cloned(),
            database: self.new.databases.get(&key.database_id).cloned(),
            seconds: seconds(since_us, self.to_us),
            since_us,
            known,
            ..StatementDemand::from_counts(key, &counts, self.old.timed && self.new.timed)
        })
    }

    /// Counts of a statement between the readings, and their completeness. Counts of a statement that was counted from 0
    /// again are those since then.
    fn counted(&self, key: &StatementKey, now: &Entry) -> (StatementCounts, Known) {
        if self.reset_us.is_some() {
            return (now.counts, Known::SinceReset);
        }
        let Some(before) = self.old.entries.get(key) else {
            let known = if self.evictions == Some(0) { Known::Whole } else { Known::AtLeast };
            return (now.counts, known);
        };
        let same = before.since_us == now.since_us;
        match now.counts.since(before.counts) {
            Delta::Advanced(counts) if same => (counts, self.whole_or_not(now)),
            _ => (now.counts, Known::SinceAnew),
        }
    }

    /// Counters that only grew are one statement's whole count, where it is known since when they are counted; before 17 one
    /// that was evicted and came back with more than it had looks the same.
    fn whole_or_not(&self, now: &Entry) -> Known {
        let certain = now.since_us.is_some() || self.evictions == Some(0);
        if certain { Known::Whole } else { Known::AtLeast }
    }
}
