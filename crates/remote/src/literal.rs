//! SQL string constants.

/// A string constant, for sessions with `standard_conforming_strings` on.
pub fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
