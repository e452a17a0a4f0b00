//! Texts as the C library takes them.

/// True for white space of the C locale.
pub(super) fn is_space(letter: char) -> bool {
    matches!(letter, ' ' | '\t' | '\n' | '\u{b}' | '\u{c}' | '\r')
}

/// Parses an integer of 32 bits with white space around it, as libpq's pqParseIntParam does.
pub(super) fn parse_integer(text: &str) -> Option<i32> {
    let digits = text.trim_matches(is_space);
    let unsigned = digits.strip_prefix(['+', '-']).unwrap_or(digits);
    let is_number = !unsigned.is_empty() && unsigned.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().ok()).flatten()
}
