//! Cells in columns of equal width.

use ebs_base::format::plain;
use ebs_report::{clip, display_width};

use super::style::Style;

/// A cell: its text, and its style.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) text: String,
    pub(super) style: Option<Style>,
}

impl Cell {
    pub(super) fn new(text: impl Into<String>) -> Cell {
        Cell { text: text.into(), style: None }
    }

    pub(super) fn styled(text: impl Into<String>, style: Option<Style>) -> Cell {
        Cell { text: text.into(), style }
    }
}

/// A column of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Column {
    pub(super) width: usize,
    /// True where its cells end at its right edge.
    pub(super) is_right: bool,
}

/// Columns of a text as it is shown: letters that mislead count as the question mark that replaces them.
pub(super) fn width(text: &str) -> usize {
    display_width(&plain(text))
}

/// Breaks a sentence into lines, those after the first indented.
pub(super) fn wrap(text: &str, room: usize) -> Vec<String> {
    let options = textwrap::Options::new(room).subsequent_indent("  ");
    let options = options.word_splitter(textwrap::WordSplitter::NoHyphenation);
    textwrap::wrap(&plain(text), options).into_iter().map(|line| line.into_owned()).collect()
}

/// Renders one line, a blank between two columns, none at its end. Texts that are too long are clipped.
pub(super) fn line(columns: &[Column], cells: &[Cell], colours: bool) -> String {
    let mut line = String::new();
    for (position, (column, cell)) in columns.iter().zip(cells).enumerate() {
        let text = clip(&cell.text, column.width);
        let padding = " ".repeat(column.width.saturating_sub(display_width(&text)));
        let text = match cell.style {
            Some(style) if colours && !text.is_empty() => style.paint(&text),
            _ => text,
        };
        let between = if position == 0 { "" } else { " " };
        let (before, after) = if column.is_right { (padding, String::new()) } else { (String::new(), padding) };
        line.push_str(&format!("{between}{before}{text}{after}"));
    }
    line.trim_end().to_owned()
}
