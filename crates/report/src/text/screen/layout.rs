//! Lines of the screen.

use crate::clip::{clip, display_width};
use crate::text::layout::{fill, wrap_at};

/// Most columns of a line.
pub(super) const COLUMNS: usize = 100;

/// Most lines of the screen.
pub(super) const LINES: usize = 30;

/// Column at which texts begin, behind their labels.
pub(super) const TEXT_COLUMN: usize = 13;

/// Breaks a text behind its label into at most so many lines; the last ends with an ellipsis where the text is longer.
pub(super) fn labelled(label: &str, text: &str, max_lines: usize) -> Vec<String> {
    let indent = " ".repeat(TEXT_COLUMN);
    let mut lines = wrap_at(&format!("{label:<TEXT_COLUMN$}{text}"), COLUMNS, &indent);
    if lines.len() > max_lines {
        let rest = lines.split_off(max_lines.saturating_sub(1));
        let begin = if max_lines > 1 { indent } else { format!("{label:<TEXT_COLUMN$}") };
        let words: Vec<&str> = rest.iter().map(|line| line.trim_start_matches(label.trim_end()).trim()).collect();
        lines.push(format!("{begin}{}", words.join(" ")));
    }
    lines.iter().map(|line| clip(line, COLUMNS)).collect()
}

/// Joins parts, at most what fits into so many lines behind the label; the others are counted: `… · 2 more`.
pub(super) fn labelled_list(label: &str, parts: &[String], separator: &str, max_lines: usize) -> Vec<String> {
    let line_count = |text: &str| labelled(label, text, usize::MAX).len();
    let with_first = |shown: usize| {
        let mut text = parts.iter().take(shown).map(String::as_str).collect::<Vec<_>>().join(separator);
        if shown < parts.len() {
            text.push_str(&format!("{separator}{} more", parts.len() - shown));
        }
        text
    };
    let fitting = (1..=parts.len()).rev().map(with_first).find(|text| line_count(text) <= max_lines);
    labelled(label, &fitting.unwrap_or_else(|| with_first(1)), max_lines)
}

/// Puts `right` at the end of the line of `left`, which is shortened where both have no room.
pub(super) fn justify(left: &str, right: &str) -> String {
    let right_width = display_width(right);
    let left = clip(left, COLUMNS.saturating_sub(right_width + 1));
    let space = COLUMNS.saturating_sub(display_width(&left) + right_width);
    format!("{left}{}{right}", " ".repeat(space))
}

/// Sets words that are not broken behind a label in at most so many lines; `None` where they have no room.
pub(super) fn labelled_words(label: &str, words: &[String], max_lines: usize) -> Option<Vec<String>> {
    let lines = fill(&format!("{label:<TEXT_COLUMN$}"), words, COLUMNS, &" ".repeat(TEXT_COLUMN));
    let fits = lines.len() <= max_lines && lines.iter().all(|line| display_width(line) <= COLUMNS);
    fits.then_some(lines)
}
