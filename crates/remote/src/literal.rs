//! SQL string constants and names.

/// A string constant, for sessions with `standard_conforming_strings` on.
pub fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// A name in quotes.
pub fn identifier(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_does_not_end_a_constant() {
        assert_eq!(literal("it's"), "'it''s'");
        assert_eq!(identifier("o\"b"), "\"o\"\"b\"");
    }
}
