//! Line breaking.

use crate::calls::Call;
use crate::clip::display_width;

/// Maximum width of the report, columns.
pub(super) const WIDTH: usize = 110;

/// A unit that stays on the line of its number, and the same with a space that no line is broken at.
const PER_CENT: &str = " %";
const UNBROKEN_PER_CENT: &str = "\u{a0}%";

/// Breaks `text` at [`WIDTH`]; lines after the first begin with `indent`.
pub(super) fn wrap(text: &str, indent: &str) -> Vec<String> {
    wrap_at(text, WIDTH, indent)
}

/// Breaks `text` at `width` columns; lines after the first begin with `indent`.
pub(crate) fn wrap_at(text: &str, width: usize, indent: &str) -> Vec<String> {
    let options = textwrap::Options::new(width).subsequent_indent(indent).break_words(true);
    // A date is not broken at its hyphens.
    let options = options.word_splitter(textwrap::WordSplitter::NoHyphenation);
    let text = text.replace(PER_CENT, UNBROKEN_PER_CENT);
    textwrap::wrap(&text, options).into_iter().map(|line| line.replace(UNBROKEN_PER_CENT, PER_CENT)).collect()
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
