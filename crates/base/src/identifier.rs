//! Names of SQL objects.

/// Name of an SQL object as an identifier in double quotes, which no name can leave. Always by us, from the name as the catalogue has it:
/// what a server calls quoted (`quote_ident`) is a text like any other.
pub fn identifier(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_leaves_its_quotes() {
        assert_eq!(identifier("o\"b"), "\"o\"\"b\"");
        assert_eq!(identifier("x \\! touch ran #"), "\"x \\! touch ran #\"");
    }
}
