//! Tables: the data of a plot, and the candidates.

use maud::{Markup, html};

/// A table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Names of the columns.
    pub head: Vec<String>,
    /// Cells. Columns of figures are aligned to the right.
    pub rows: Vec<Vec<String>>,
    /// True where the first cell of each row names it.
    pub names_rows: bool,
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
    pub fn new(head: impl IntoIterator<Item = impl Into<String>>, rows: Vec<Vec<String>>) -> Table {
        Table { head: head.into_iter().map(Into::into).collect(), rows, ..Table::default() }
    }

    /// Renders the table as HTML.
    pub fn markup(&self) -> Markup {
        let names = |column: usize| self.names_rows && column == 0;
        let right: Vec<bool> = (0..self.head.len()).map(|column| !names(column) && self.is_numeric(column)).collect();
        let class = |column: usize, cell: &str| match right.get(column) {
            Some(true) => Some("n"),
            _ if cell.chars().count() >= PROSE => Some("w"),
            _ if cell.chars().count() >= PHRASE => Some("m"),
            _ => None,
        };
        scrolling(&html! {
            table {
                thead { tr { @for (column, name) in self.head.iter().enumerate() {
                    th scope="col" class=[class(column, "")] { (name) }
                } } }
                tbody { @for (at, row) in self.rows.iter().enumerate() {
                    tr class=[self.class(at)] {
                        @for (column, cell) in row.iter().enumerate() {
                            @if names(column) {
                                th scope="row" { (cell) }
                            } @else {
                                td class=[class(column, cell)] { (cell) }
                            }
                        }
                    }
                    @if let Some(sentence) = self.below.get(at) {
                        tr class="below" { td colspan=(self.head.len()) { span { (sentence) } } }
                    }
                } }
            }
        })
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

/// Renders a table that scrolls by itself where it is wider than the page.
pub fn scrolling(table: &Markup) -> Markup {
    html! { div class="scroll" tabindex="0" role="region" aria-label="table" { (table) } }
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
    fn the_name_of_a_row_is_no_figure() {
        let rows = vec![vec!["123456789012".to_owned(), "7".to_owned()]];
        let shown = Table { names_rows: true, ..Table::new(["account", "volumes"], rows) }.markup().into_string();
        assert!(shown.contains("<th scope=\"col\">account</th><th scope=\"col\" class=\"n\">volumes</th>"), "{shown}");
        assert!(shown.contains("<th scope=\"row\">123456789012</th><td class=\"n\">7</td>"), "{shown}");
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
