//! Updates that were not heap-only because their page had no room: fillfactor.

use super::basis::Basis;
use super::cause::{Cause, PageMisses};
use super::finding::{Finding, Saving};
use super::rates::Rates;
use ebs_base::counter::Counters;
use ebs_workload::reading::{TableCounts, TableDelta, tables_between};

/// Smallest share of a table's updates that miss their page for which a lower fillfactor outweighs a larger table. A choice.
const MIN_MISSED_SHARE: f64 = 0.1;

/// Lowest fillfactor to recommend: pages with more free space hold too few rows. A choice.
const MIN_FILLFACTOR: u8 = 70;

/// Collects the tables whose updates often do not fit on their page, in the database in which the run was started.
pub(super) fn collect_findings(basis: &Basis, rates: &Rates) -> Vec<Finding> {
    let Some(readings) = basis.readings else { return Vec::new() };
    let (Some(before), Some(after)) = (&readings.before.tables, &readings.after.tables) else { return Vec::new() };
    let tables = tables_between(before, after);
    tables.iter().filter_map(|table| finding(basis, rates, table, readings.seconds())).collect()
}

fn finding(basis: &Basis, rates: &Rates, delta: &TableDelta, seconds: f64) -> Option<Finding> {
    let TableCounts { updated, hot_updated, newpage_updated, .. } = delta.counted;
    let missed_share = newpage_updated as f64 / updated.max(1) as f64;
    if delta.counted.is_zero()
        || seconds <= 0.0
        || missed_share < MIN_MISSED_SHARE
        || delta.table.fillfactor <= MIN_FILLFACTOR
    {
        return None;
    }
    let block = basis.readings.map_or(8192, |readings| readings.after.block_size) as f64;
    let missed_s = newpage_updated as f64 / seconds;
    // Another page of the table, and one of each index.
    let pages = 1.0 + f64::from(delta.table.indexes);
    let high = rates.writes((missed_s * pages * block).min(rates.relations_written_s?));
    let cause = PageMisses {
        table: delta.table.name.clone(),
        updated_s: updated as f64 / seconds,
        missed_s,
        missed_share,
        hot_share: hot_updated as f64 / updated.max(1) as f64,
        indexes: delta.table.indexes,
        fillfactor: (delta.table.fillfactor - 10).max(MIN_FILLFACTOR),
    };
    Some(Finding::new(Cause::Pages(cause), rates.share(high), Some(Saving { low: 0.0, high })))
}
