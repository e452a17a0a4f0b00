//! A table of the screen: names, columns of figures as wide as their widest, and remarks behind them.

use super::layout::COLUMNS;
use crate::clip::{clip, display_width};

/// Columns between two cells.
const GAP: usize = 2;

/// A column of figures, aligned to the right.
pub(super) struct Column {
    head: &'static str,
    cells: Vec<String>,
    /// Place in the order in which columns yield where the table is too wide; `None` of one that stays.
    yields: Option<u8>,
}

impl Column {
    /// A column that stays.
    pub(super) fn new(head: &'static str, cells: Vec<String>) -> Column {
        Column { head, cells, yields: None }
    }

    /// The same, which yields where the table is too wide, the one of the lowest place first.
    pub(super) fn yielding(self, place: u8) -> Column {
        Column { yields: Some(place), ..self }
    }

    /// Width with the gap before it.
    fn width(&self) -> usize {
        let cells = self.cells.iter().map(String::as_str).chain([self.head]);
        GAP + cells.map(display_width).max().unwrap_or(0)
    }
}

/// Renders rows of names with their columns, below a title. The first remark of a row always has room, for which columns yield and names
/// are shortened; the others where there is some.
pub(super) fn render(title: &str, names: &[String], mut columns: Vec<Column>, remarks: &[Vec<String>]) -> Vec<String> {
    let widest = |widths: &mut dyn Iterator<Item = usize>| widths.max().unwrap_or(0);
    let name_width = widest(&mut names.iter().map(String::as_str).chain([title]).map(display_width));
    let remark_width = widest(&mut remarks.iter().filter_map(|row| Some(display_width(row.first()?) + GAP)));
    let room =
        |columns: &[Column]| COLUMNS.saturating_sub(remark_width + columns.iter().map(Column::width).sum::<usize>());
    while room(&columns) < name_width
        && let Some(first) = columns.iter().filter_map(|column| column.yields).min()
    {
        columns.retain(|column| column.yields != Some(first));
    }
    let name_width = name_width.min(room(&columns));
    let line = |name: &str, cell: &dyn Fn(&Column) -> String| {
        let cells: String = columns.iter().map(|column| pad(&cell(column), column.width())).collect();
        let name = clip(name, name_width);
        format!("{name}{}{cells}", " ".repeat(name_width - display_width(&name)))
    };
    let head = line(title, &|column| column.head.to_owned());
    let rows = names.iter().zip(remarks).enumerate();
    let rows =
        rows.map(|(number, (name, remarks))| with_remarks(line(name, &|column| column.cells[number].clone()), remarks));
    std::iter::once(head).chain(rows).collect()
}

/// Aligns a cell to the right.
fn pad(cell: &str, width: usize) -> String {
    format!("{}{cell}", " ".repeat(width.saturating_sub(display_width(cell))))
}

/// Adds the remarks behind a row, as far as they have room.
fn with_remarks(mut line: String, remarks: &[String]) -> String {
    let mut separator = " ".repeat(GAP);
    for remark in remarks {
        let part = format!("{separator}{remark}");
        if display_width(&line) + display_width(&part) <= COLUMNS {
            line.push_str(&part);
        }
        separator = ", ".to_owned();
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_yield_in_their_order_and_the_first_remark_stays() {
        let cells = |text: &str| vec![text.to_owned()];
        let table = |name_width: usize| {
            let columns = vec![
                Column::new("price", cells("$8.00")),
                Column::new("ratio", cells("100 %")).yielding(0),
                Column::new("used", cells("3,000")).yielding(1),
            ];
            let remarks = [vec!["at its limit".to_owned(), "another remark".to_owned()]];
            render("NAMES", &["n".repeat(name_width)], columns, &remarks)[1].trim_start_matches('n').to_owned()
        };
        assert_eq!(table(20), "  $8.00  100 %  3,000  at its limit, another remark");
        assert_eq!(table(45), "  $8.00  100 %  3,000  at its limit");
        assert_eq!(table(46), "  $8.00  3,000  at its limit");
        assert_eq!(table(59), "  $8.00  at its limit");
        assert_eq!(table(60), "…  $8.00  at its limit");
    }
}
