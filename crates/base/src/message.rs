//! Messages to users, in which names and documents are quoted that others have written: of bounded length, without letters that
//! mislead.

use crate::format::plain_page;
use crate::names::truncated;

/// Warning of a run that no sampler samples, by which ebsctl knows it.
pub const MAY_LACK_SAMPLES: &str = "this run may be missing samples";

/// Longest message, detail and hint, characters: a quoted name may be as long as an argument of SQL, 1 GB.
const MAX_CHARACTERS: usize = 4_000;

/// Returns a text of bounded length, without letters that mislead; its lines stay.
pub fn printable(text: &str) -> String {
    plain_page(&truncated(text, MAX_CHARACTERS))
}

/// Returns the same as one line: a quoted text cannot look like a line of its own.
pub fn single_line(text: &str) -> String {
    printable(text).replace('\n', "?")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quoted_text_is_one_line_of_a_message() {
        let text = "run \"a\u{202e}b\nHINT:  drop it\" is open";
        assert_eq!(printable(text), "run \"a?b\nHINT:  drop it\" is open");
        assert_eq!(single_line(text), "run \"a?b?HINT:  drop it\" is open");
    }

    #[test]
    fn a_long_text_ends_in_an_ellipsis() {
        let (long, longer) = ("é".repeat(MAX_CHARACTERS), "é".repeat(1_000_000));
        assert_eq!(printable(&long), long);
        assert_eq!(printable(&longer), format!("{long}…"));
    }
}
