//! Labels and tags of runs: limits, and patterns of labels.

use crate::names;

/// Maximum length of a label and of a phase, characters.
pub const LABEL_LIMIT: usize = 200;
/// Maximum length of a tag, characters.
pub const TAG_LIMIT: usize = 63;
/// Maximum number of tags of a run.
pub const MAX_TAGS: usize = 50;

/// Returns a label without the blanks around it; `None` if it is longer than any label.
pub fn bounded_label(label: &str) -> Option<&str> {
    names::bounded(label).filter(|label| label.chars().count() <= LABEL_LIMIT)
}

/// Returns a label or phase to be stored, without the blanks around it; `None` if it is empty, too long or has control characters.
pub fn printable_label(label: &str) -> Option<&str> {
    bounded_label(label).filter(|label| is_printable(label))
}

/// Returns a tag to be stored, without the blanks around it; `None` if it is empty, too long or has control characters.
pub fn printable_tag(tag: &str) -> Option<&str> {
    names::bounded(tag).filter(|tag| tag.chars().count() <= TAG_LIMIT && is_printable(tag))
}

fn is_printable(text: &str) -> bool {
    !text.is_empty() && !text.chars().any(char::is_control)
}

/// Returns a label or a pattern as messages quote it.
pub fn quoted_label(label: &str) -> String {
    names::truncated(names::bounded(label).unwrap_or(label), LABEL_LIMIT)
}

/// Converts a pattern of labels, in which `*` stands for any characters, into one of LIKE.
pub fn like_pattern(pattern: &str) -> String {
    pattern.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_").replace('*', "%")
}

#[cfg(test)]
#[path = "labels_tests.rs"]
mod tests;
