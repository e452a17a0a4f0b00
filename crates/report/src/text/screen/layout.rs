//! Lines of the screen.

use crate::clip::{clip, display_width};
use crate::text::layout::{PER_CENT, fill, wrap_around};
use ebs_base::format::plain;

/// Most columns of a line: those of a terminal that nobody has widened.
pub(super) const COLUMNS: usize = 80;

/// Most lines of the screen: those of the same terminal.
pub(super) const LINES: usize = 24;

/// The arrow of a named argument, which no line is broken at.
const ARROW: &str = " => ";

/// Column at which texts begin, behind their labels.
pub(super) const TEXT_COLUMN: usize = 13;

/// Breaks a text behind its label into at most so many lines; where it is longer, whole clauses at its end are left out.
pub(super) fn labelled(label: &str, text: &str, max_lines: usize) -> Vec<String> {
    let mut text = text.to_owned();
    let mut lines = wrapped(label, &text);
    while lines.len() > max_lines
        && let Some(shorter) = without_last_clause(&text)
    {
        lines = wrapped(label, &shorter);
        text = shorter;
    }
    if lines.len() > max_lines {
        let rest = lines.split_off(max_lines.saturating_sub(1));
        lines.push(clip(&format!("{} {}", rest[0], rest[1].trim_start()), COLUMNS));
    }
    lines
}

/// Puts a text behind the beginning of its line; where there is no room, whole clauses at its end are left out, the only one too.
pub(super) fn with_aside(begin: &str, aside: &str) -> String {
    let fits = |aside: &String| display_width(begin) + display_width(aside) <= COLUMNS;
    let asides = std::iter::successors(Some(plain(aside)), |aside| without_last_clause(aside));
    format!("{begin}{}", asides.into_iter().find(fits).unwrap_or_default()).trim_end().to_owned()
}

/// Breaks a text behind its label into lines, but no argument from its name.
pub(super) fn wrapped(label: &str, text: &str) -> Vec<String> {
    let text = format!("{label:<TEXT_COLUMN$}{}", plain(text));
    wrap_around(&text, COLUMNS, &" ".repeat(TEXT_COLUMN), &[PER_CENT, ARROW])
}

/// Leaves out the last clause behind a semicolon, or else behind a comma or a colon, or in parentheses; `None` where there is one alone.
/// Marks within parentheses separate nothing.
pub(super) fn without_last_clause(text: &str) -> Option<String> {
    let mut depth = 0_u32;
    let (mut semicolon, mut other) = (None, None);
    // From the end, where no name stands whose parenthesis has no other.
    for (at, letter) in text.char_indices().rev() {
        match letter {
            ')' => depth += 1,
            '(' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let follows = |separator: &&str| depth == 0 && text[at..].starts_with(*separator);
        semicolon = semicolon.or(Some(at).filter(|_| follows(&"; ")));
        other = other.or(Some(at).filter(|_| [", ", ": ", " ("].iter().any(&follows)));
    }
    semicolon.or(other).filter(|at| *at > 0).map(|at| text[..at].to_owned())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_clauses_are_left_out() {
        let clauses = |text: &str| {
            let rest = std::iter::successors(Some(text.to_owned()), |text| without_last_clause(text));
            rest.skip(1).collect::<Vec<_>>()
        };
        assert_eq!(
            clauses("681 TPS (90 %: 563; 973), 91 % of 1,750; read 1 ms, write 2 ms"),
            ["681 TPS (90 %: 563; 973), 91 % of 1,750", "681 TPS (90 %: 563; 973)", "681 TPS"]
        );
        assert_eq!(clauses("(a, b)"), Vec::<String>::new());
        let line = labelled("WHY", &format!("{}: {}; {}", "a".repeat(40), "b".repeat(20), "c".repeat(10)), 1);
        assert_eq!(line, [format!("WHY          {}: {}", "a".repeat(40), "b".repeat(20))]);
    }

    #[test]
    fn no_argument_is_broken_from_its_name() {
        let lines = labelled("", &format!("{} min_size_gib => …", "a".repeat(56)), 2);
        assert_eq!(lines[1].trim(), "min_size_gib => …");
    }
}
