//! Cells in columns of equal width.

use ebs_base::format::plain;
use ebs_report::{clip, display_width};

use super::style::Style;

/// Treatment of a text that is longer than its column is wide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Fit {
    /// Its end is clipped.
    #[default]
    Clip,
    /// Its middle is clipped: the end of a name tells it from others as much as its beginning.
    ClipMiddle,
    /// It goes on below, on at most [`MAX_LINES`] lines.
    Wrap,
}

/// Most lines of a cell. Two neighbouring ones of 20 columns hold 20 letters at least, as the next word did not fit: five hold the 60 of the
/// longest reason in few words.
const MAX_LINES: usize = 5;

/// A cell: its text, and its style.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) text: String,
    pub(super) style: Option<Style>,
    pub(super) fit: Fit,
}

impl Cell {
    pub(super) fn new(text: impl Into<String>) -> Cell {
        Cell { text: text.into(), ..Cell::default() }
    }

    pub(super) fn name(text: impl Into<String>) -> Cell {
        Cell { text: text.into(), fit: Fit::ClipMiddle, ..Cell::default() }
    }

    pub(super) fn sentence(text: impl Into<String>) -> Cell {
        Cell { text: text.into(), fit: Fit::Wrap, ..Cell::default() }
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

/// Renders a row: one line, and below it the rest of those texts that wrap.
pub(super) fn lines(columns: &[Column], cells: &[Cell], colours: bool) -> Vec<String> {
    let parts = |(column, cell): (&Column, &Cell)| match cell.fit {
        Fit::Wrap => break_lines(&cell.text, column.width).into_iter().map(Cell::new).collect(),
        _ => vec![cell.clone()],
    };
    let parts: Vec<Vec<Cell>> = columns.iter().zip(cells).map(parts).collect();
    let number = parts.iter().map(Vec::len).max().unwrap_or_default().max(1);
    let cells = |at: usize| parts.iter().map(|parts| parts.get(at).cloned().unwrap_or_default()).collect::<Vec<Cell>>();
    (0..number).map(|at| line(columns, &cells(at), colours)).collect()
}

/// Breaks a text into lines of a column, at most [`MAX_LINES`]: what is left makes the last one too long.
fn break_lines(text: &str, room: usize) -> Vec<String> {
    let options = textwrap::Options::new(room.max(1)).word_splitter(textwrap::WordSplitter::NoHyphenation);
    // No line begins with a per cent sign.
    let text = plain(text).replace(" %", "\u{a0}%");
    let lines: Vec<String> = textwrap::wrap(&text, options).iter().map(|line| line.replace('\u{a0}', " ")).collect();
    let (whole, rest) = lines.split_at(lines.len().min(MAX_LINES - 1));
    let last = Some(rest.join(" ")).filter(|last| !last.is_empty());
    whole.iter().cloned().chain(last).collect()
}

/// Renders one line, a blank between two columns, none at its end. Texts that are too long are clipped.
pub(super) fn line(columns: &[Column], cells: &[Cell], colours: bool) -> String {
    let mut line = String::new();
    for (position, (column, cell)) in columns.iter().zip(cells).enumerate() {
        let clip = if cell.fit == Fit::ClipMiddle { clip_middle } else { clip };
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
    use super::{break_lines, clip_middle};

    #[test]
    fn a_name_keeps_both_its_ends() {
        assert_eq!(clip_middle("db/data-ledger-0", 14), "db/data…dger-0");
        assert_eq!(clip_middle("db/data-ledger-0", 16), "db/data-ledger-0");
        // Letters of two columns: none is cut in half.
        assert_eq!(clip_middle("日本語の名前", 8), "日本…前");
        assert_eq!(clip_middle("a\u{202e}bcdefgh", 6), "a?b…gh");
    }

    #[test]
    fn a_figure_keeps_its_per_cent_sign() {
        assert_eq!(break_lines("p99 3,766 + 20 %", 15), ["p99 3,766 +", "20 %"]);
        assert_eq!(break_lines(&"word ".repeat(9), 4).len(), 5);
    }
}
