//! The table as text.

use ebs_fleet_row::Row;

use super::columns::Chosen;
use super::{grid, heading, sums};
use crate::sort::Sort;
use crate::totals::{By, Total, Totals};

/// Least width of the table, columns: a narrower terminal breaks its lines.
const MIN_WIDTH: usize = 60;

/// Form of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableOptions {
    /// Width of the terminal, columns.
    pub width: usize,
    /// Order of the volumes.
    pub sort: Sort,
    /// Most volumes that are listed; `None` for all. Totals are of all.
    pub limit: Option<usize>,
    /// Properties that totals are listed by, beside the total of all.
    pub totals: Vec<By>,
    /// True for a terminal that shows colours.
    pub colours: bool,
}

impl Default for TableOptions {
    fn default() -> TableOptions {
        TableOptions { width: 100, sort: Sort::Money, limit: None, totals: Vec::new(), colours: false }
    }
}

/// Renders rows as a table, each line ended by a line feed. Letters of names that would move the cursor or reverse text are shown as
/// question marks.
pub fn render_table(rows: &[Row], options: &TableOptions) -> String {
    let width = options.width.max(MIN_WIDTH);
    let mut sorted: Vec<&Row> = rows.iter().collect();
    sorted.sort_by(|one, other| options.sort.compare(one, other));
    let shown = sorted.get(..options.limit.unwrap_or(usize::MAX)).unwrap_or(&sorted);
    let mut lines = grid::wrap(&heading::describe(&sorted, shown.len(), options.sort), width);
    lines.push(String::new());
    if !shown.is_empty() {
        let chosen = Chosen::new(shown, options.sort, width);
        lines.push(grid::line(&chosen.columns, &chosen.titles(), options.colours));
        lines.extend(shown.iter().flat_map(|row| grid::lines(&chosen.columns, &chosen.cells(row), options.colours)));
        lines.push(String::new());
    }
    let groups: Vec<Totals> = options.totals.iter().map(|by| Totals::new(rows, by.clone())).collect();
    lines.extend(sums::render(&Total::from_rows(rows), &groups, width, options.colours));
    lines.into_iter().map(|line| line + "\n").collect()
}

#[cfg(test)]
#[path = "render_tests.rs"]
mod tests;
