//! Updates that were not heap-only because their page had no room: fillfactor.

use super::basis::Basis;
use super::finding::{Finding, Kind, Saving};
use super::rates::Rates;
use ebs_base::counter::Counters;
use ebs_base::format::{count, rate, share};
use ebs_workload::reading::{TableCounts, TableDelta, tables_between};

/// Below this share of a table's updates more room is not worth larger tables. A choice.
const MISSES: f64 = 0.1;

/// A page that is emptier than this holds too few rows. A choice.
const LEAST_FILLFACTOR: u8 = 70;

/// Tables whose updates often found no room, of the database in which the run was begun.
pub(super) fn findings(basis: &Basis, rates: &Rates) -> Vec<Finding> {
    let Some(span) = basis.span else { return Vec::new() };
    let (Some(before), Some(after)) = (&span.before.tables, &span.after.tables) else { return Vec::new() };
    let tables = tables_between(before, after);
    tables.iter().filter_map(|table| one(basis, rates, table, span.seconds())).collect()
}

fn one(basis: &Basis, rates: &Rates, of: &TableDelta, seconds: f64) -> Option<Finding> {
    let TableCounts { updated, hot_updated, newpage_updated, .. } = of.counted;
    let missed = newpage_updated as f64 / updated.max(1) as f64;
    if of.counted.is_zero() || seconds <= 0.0 || missed < MISSES || of.table.fillfactor <= LEAST_FILLFACTOR {
        return None;
    }
    let block = basis.span.map_or(8192, |span| span.after.block_size) as f64;
    let missed_s = newpage_updated as f64 / seconds;
    // Another page of the table, and a page of each index.
    let pages = 1.0 + f64::from(of.table.indexes);
    let high = rates.writes((missed_s * pages * block).min(rates.relations_written_s?));
    let wanted = (of.table.fillfactor - 10).max(LEAST_FILLFACTOR);
    let name = &of.table.name;
    Some(Finding {
        kind: Kind::Pages,
        subject: name.clone(),
        measured: format!(
            "{} of {} updates/s went to another page ({}), {} were heap-only",
            rate(missed_s),
            rate(updated as f64 / seconds),
            share(missed),
            share(hot_updated as f64 / updated.max(1) as f64),
        ),
        share: rates.share(high),
        saving: Some(Saving { low: 0.0, high }),
        usd_month_saved: None,
        reason: format!(
            "each dirties another page of the table and one of each index ({}); at most so many writes, as if none of these \
             pages were dirtied by anything else before a checkpoint",
            count(of.table.indexes.into())
        ),
        remedy: format!(
            "ALTER TABLE {name} SET (fillfactor = {wanted}); holds for new pages: VACUUM FULL rewrites the others"
        ),
    })
}
