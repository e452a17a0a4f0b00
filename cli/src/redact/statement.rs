//! Passwords in statements of SQL: `CREATE ROLE a PASSWORD '…'`, `IDENTIFIED BY '…'`.

use super::names::HIDDEN;

/// Words before a password, in lower case.
const BEFORE: [&str; 2] = ["password", "identified by"];

/// Hides strings behind these words, to the end of each string, or of the text.
pub fn redact_statements(text: &str) -> String {
    let lower = text.to_ascii_lowercase();
    let mut output = String::with_capacity(text.len());
    let mut done = 0;
    for (at, _) in text.char_indices() {
        let word = BEFORE.iter().find(|word| lower[at..].starts_with(**word));
        let Some(word) = word.filter(|_| at >= done) else { continue };
        let behind = &text[at + word.len()..];
        let value = behind.trim_start();
        if value.len() == behind.len() || !value.starts_with(['\'', '$', 'E', 'e']) || !value.contains(['\'', '$']) {
            continue;
        }
        let start = text.len() - value.len();
        output.push_str(&text[done..start]);
        output.push_str(HIDDEN);
        done = start + string_length(value);
    }
    output + &text[done..]
}

/// Length of a string of SQL in bytes: to its last closing quote before white space or the end of a word.
fn string_length(value: &str) -> usize {
    let ends =
        |at: usize| value[at + 1..].chars().next().is_none_or(|c| c.is_whitespace() || matches!(c, ';' | ')' | '"'));
    let start = value.find(['\'', '$']).map_or(0, |at| at + 1);
    let end = value[start..].char_indices().find(|&(at, c)| matches!(c, '\'' | '$') && ends(start + at));
    end.map_or(value.len(), |(at, _)| start + at + 1)
}
