//! SQL string constants.

/// A string constant, for sessions with `standard_conforming_strings` on.
pub fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_does_not_end_a_constant() {
        assert_eq!(literal("it's"), "'it''s'");
    }
}
