//! Line breaking.

use crate::calls::Call;
use crate::clip::display_width;

/// Maximum width of the report, columns.
pub(super) const WIDTH: usize = 110;

/// A unit that stays on the line of its number.
pub(super) const PER_CENT: &str = " %";

/// Breaks `text` at [`WIDTH`]; lines after the first begin with `indent`.
pub(super) fn wrap(text: &str, indent: &str) -> Vec<String> {
    wrap_at(text, WIDTH, indent)
}

/// Breaks `text` at `width` columns, but before no per cent sign; lines after the first begin with `indent`.
pub(crate) fn wrap_at(text: &str, width: usize, indent: &str) -> Vec<String> {
    wrap_around(text, width, indent, &[PER_CENT])
}

/// Breaks `text` at `width` columns, but at no space of these parts; lines after the first begin with `indent`.
pub(super) fn wrap_around(text: &str, width: usize, indent: &str, unbroken: &[&str]) -> Vec<String> {
    let options = textwrap::Options::new(width).subsequent_indent(indent).break_words(true);
    // A date is not broken at its hyphens.
    let options = options.word_splitter(textwrap::WordSplitter::NoHyphenation);
    let joined = |part: &str| part.replace(' ', "\u{a0}");
    let text = unbroken.iter().fold(text.to_owned(), |text, part| text.replace(part, &joined(part)));
    let parted = |line: String| unbroken.iter().fold(line, |line, part| line.replace(&joined(part), part));
    textwrap::wrap(&text, options).into_iter().map(|line| parted(line.into_owned())).collect()
}

/// Sets words behind a text, none of them broken, in lines of `width` columns; those after the first begin with `indent`.
pub(crate) fn fill(begin: &str, words: &[String], width: usize, indent: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = begin.to_owned();
    for word in words {
        let space = if line.ends_with(' ') { "" } else { " " };
        if display_width(&line) + space.len() + display_width(word) <= width {
            line.push_str(&format!("{space}{word}"));
        } else {
            lines.push(std::mem::replace(&mut line, format!("{indent}{word}")));
        }
    }
    lines.push(line);
    lines
}

/// Sets a call behind a text, broken at [`WIDTH`] between arguments alone: a literal on two lines would be another one.
pub(super) fn fill_call(begin: &str, call: &Call) -> Vec<String> {
    fill(begin, &call.parts(), WIDTH, "    ")
}
