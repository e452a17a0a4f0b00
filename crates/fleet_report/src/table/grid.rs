//! Cells in columns of equal width.

use ebs_base::format::plain;
use ebs_report::{clip, display_width};

use super::style::Style;

/// A cell: its text, and its style.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) text: String,
    pub(super) style: Option<Style>,
    /// True of a name, whose end tells it from others as much as its beginning: it is shortened in its middle.
    pub(super) is_name: bool,
}

impl Cell {
    pub(super) fn new(text: impl Into<String>) -> Cell {
        Cell { text: text.into(), ..Cell::default() }
    }

    pub(super) fn name(text: impl Into<String>) -> Cell {
        Cell { text: text.into(), is_name: true, ..Cell::default() }
    }

    pub(super) fn styled(text: impl Into<String>, style: Option<Style>) -> Cell {
        Cell { text: text.into(), style, ..Cell::default() }
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

/// Shortens a text in its middle to so many columns: `db/data-l…er-0`.
fn clip_middle(text: &str, room: usize) -> String {
    let text = plain(text);
    if display_width(&text) <= room {
        return text;
    }
    let columns = |letter: &char| display_width(letter.encode_utf8(&mut [0; 4]));
    let fitting = |letters: &mut dyn Iterator<Item = char>, room: usize| {
        let mut left = room;
        let fits = |letter: &char| {
            let fits = columns(letter) <= left;
            left = left.saturating_sub(columns(letter));
            fits
        };
        letters.take_while(fits).collect::<Vec<char>>()
    };
    let tail = fitting(&mut text.chars().rev(), room.saturating_sub(1) / 2);
    let tail: String = tail.into_iter().rev().collect();
    let head = fitting(&mut text.chars(), room.saturating_sub(1 + display_width(&tail)));
    head.into_iter().chain(['…']).collect::<String>() + &tail
}

/// Renders one line, a blank between two columns, none at its end. Texts that are too long are clipped.
pub(super) fn line(columns: &[Column], cells: &[Cell], colours: bool) -> String {
    let mut line = String::new();
    for (position, (column, cell)) in columns.iter().zip(cells).enumerate() {
        let clip = if cell.is_name { clip_middle } else { clip };
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

#[cfg(test)]
mod tests {
    use super::clip_middle;

    #[test]
    fn a_name_keeps_both_its_ends() {
        assert_eq!(clip_middle("db/data-ledger-0", 14), "db/data…dger-0");
        assert_eq!(clip_middle("db/data-ledger-0", 16), "db/data-ledger-0");
        // Letters of two columns: none is cut in half.
        assert_eq!(clip_middle("日本語の名前", 8), "日本…前");
        assert_eq!(clip_middle("a\u{202e}bcdefgh", 6), "a?b…gh");
    }
}
