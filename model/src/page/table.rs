//! Tables: what a plot shows, in figures.

use maud::{Markup, html};

/// A table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Names of the columns.
    pub head: Vec<&'static str>,
    /// Cells; what begins with a digit, a sign or a currency is set to the right.
    pub rows: Vec<Vec<String>>,
    /// The row that was chosen.
    pub chosen: Option<usize>,
}

/// From so many characters on a cell is prose, and gets room to be read.
const PROSE: usize = 46;
/// And a little from so many.
const PHRASE: usize = 20;

impl Table {
    /// A table without a chosen row.
    pub fn of(head: Vec<&'static str>, rows: Vec<Vec<String>>) -> Table {
        Table { head, rows, chosen: None }
    }

    /// As HTML; where it is wider than the page, it scrolls by itself.
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
                        tr class=[(self.chosen == Some(at)).then_some("chosen")] {
                            @for (column, cell) in row.iter().enumerate() { td class=[class(column, cell)] { (cell) } }
                        }
                    } }
                }
            }
        }
    }

    /// Whether every cell of a column is a figure, or not known.
    fn is_numeric(&self, column: usize) -> bool {
        let cells = || self.rows.iter().filter_map(|row| row.get(column)).filter(|cell| *cell != UNKNOWN);
        let figure = |cell: &String| {
            cell.chars().count() < 28
                && cell.trim_start_matches(['-', '+', '$', '~']).starts_with(|c: char| c.is_ascii_digit())
        };
        cells().next().is_some() && cells().all(figure)
    }
}

/// What is not known.
pub const UNKNOWN: &str = "–";

/// A cell of what may not be known.
pub fn cell<T>(value: Option<T>, shown: impl FnOnce(T) -> String) -> String {
    value.map_or_else(|| UNKNOWN.to_owned(), shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_stand_to_the_right_and_nothing_is_markup() {
        let rows = vec![vec!["<b>".to_owned(), "$1.00".to_owned()], vec!["x".to_owned(), UNKNOWN.to_owned()]];
        let shown = Table { chosen: Some(1), ..Table::of(vec!["what", "price"], rows) }.markup().into_string();
        assert!(shown.contains("<td>&lt;b&gt;</td><td class=\"n\">$1.00</td>"), "{shown}");
        assert!(shown.contains("<tr class=\"chosen\"><td>x</td><td class=\"n\">–</td>"), "{shown}");
    }
}
