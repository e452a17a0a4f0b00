//! Tables: the data of a plot, and the candidates.

use maud::{Markup, html};

/// A table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Names of the columns.
    pub head: Vec<&'static str>,
    /// Cells. Columns of figures are aligned to the right.
    pub rows: Vec<Vec<String>>,
    /// The row that was chosen.
    pub chosen: Option<usize>,
    /// A sentence below each row, across all columns; empty where there are none.
    pub below: Vec<String>,
}

/// Length from which a cell is prose and gets a wide column, characters.
const PROSE: usize = 46;
/// Length from which a cell gets a wider column, characters.
const PHRASE: usize = 20;

impl Table {
    /// Returns a table without a chosen row.
    pub fn new(head: Vec<&'static str>, rows: Vec<Vec<String>>) -> Table {
        Table { head, rows, chosen: None, below: Vec::new() }
    }

    /// Renders the table as HTML; where it is wider than the page, it scrolls by itself.
    pub fn markup(&self) -> Markup {
        let right: Vec<bool> = (0..self.head.len()).map(|column| self.is_numeric(column)).collect();
        let class = |column: usize, cell: &str| match right.get(column) {
            Some(true) => Some("n"),
            _ if cell.chars().count() >= PROSE => Some("w"),
            _ if cell.chars().count() >= PHRASE => Some("m"),
            _ => None,
        };
        html! {
            div class="scroll" tabindex="0" role="region" aria-label="table" {
                table {
                    thead { tr { @for (column, name) in self.head.iter().enumerate() {
                        th scope="col" class=[class(column, "")] { (name) }
                    } } }
                    tbody { @for (at, row) in self.rows.iter().enumerate() {
                        tr class=[self.class(at)] {
                            @for (column, cell) in row.iter().enumerate() { td class=[class(column, cell)] { (cell) } }
                        }
                        @if let Some(sentence) = self.below.get(at) {
                            tr class="below" { td colspan=(self.head.len()) { span { (sentence) } } }
                        }
                    } }
                }
            }
        }
    }

    fn class(&self, row: usize) -> Option<&'static str> {
        match (self.chosen == Some(row), self.below.is_empty()) {
            (true, true) => Some("chosen"),
            (true, false) => Some("chosen told"),
            (false, false) => Some("told"),
            (false, true) => None,
        }
    }

    /// Returns true where every cell of a column is a figure or unknown.
    fn is_numeric(&self, column: usize) -> bool {
        let cells = || self.rows.iter().filter_map(|row| row.get(column)).filter(|cell| *cell != UNKNOWN);
        let figure = |cell: &String| {
            cell.chars().count() < 28
                && cell.trim_start_matches(['-', '+', '$', '~']).starts_with(|c: char| c.is_ascii_digit())
        };
        cells().next().is_some() && cells().all(figure)
    }
}

/// Text of an unknown value.
pub const UNKNOWN: &str = "–";

/// Formats a value that may be unknown.
pub fn cell<T>(value: Option<T>, text: impl FnOnce(T) -> String) -> String {
    value.map_or_else(|| UNKNOWN.to_owned(), text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_stand_to_the_right_and_nothing_is_markup() {
        let rows = vec![vec!["<b>".to_owned(), "$1.00".to_owned()], vec!["x".to_owned(), UNKNOWN.to_owned()]];
        let shown = Table { chosen: Some(1), ..Table::new(vec!["what", "price"], rows) }.markup().into_string();
        assert!(shown.contains("<td>&lt;b&gt;</td><td class=\"n\">$1.00</td>"), "{shown}");
        assert!(shown.contains("<tr class=\"chosen\"><td>x</td><td class=\"n\">–</td>"), "{shown}");
    }
    #[test]
    fn a_sentence_stands_below_its_row_across_all_columns() {
        let rows = vec![vec!["x".to_owned(), "$1.00".to_owned()]];
        let below = vec!["because <i>".to_owned()];
        let shown = Table { below, ..Table::new(vec!["what", "price"], rows) }.markup().into_string();
        assert!(
            shown.contains("</tr><tr class=\"below\"><td colspan=\"2\"><span>because &lt;i&gt;</span></td></tr>"),
            "{shown}"
        );
    }
}
