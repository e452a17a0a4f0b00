//! Names of SQL objects.

/// Name of an SQL object as an identifier in double quotes, which no name can leave. Always by us, from the name as the catalogue has it:
/// what a server calls quoted (`quote_ident`) is a text like any other.
pub fn identifier(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Names of a list of identifiers as PostgreSQL's settings have it, such as search_path: separated by commas, those without double quotes
/// in lower case.
pub fn parse_identifiers(list: &str) -> Vec<String> {
    let mut names = Vec::new();
    let (mut name, mut is_quoted, mut inside) = (String::new(), false, false);
    let mut letters = list.chars().chain([',']).peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if inside && letters.next_if_eq(&'"').is_some() => name.push('"'),
            '"' => (is_quoted, inside) = (true, !inside),
            ',' if !inside => {
                let found = std::mem::take(&mut name);
                names.extend((is_quoted || !found.is_empty()).then_some(found));
                is_quoted = false;
            }
            _ if inside => name.push(letter),
            _ if letter.is_whitespace() => {}
            _ => name.extend(letter.to_lowercase()),
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_leaves_its_quotes() {
        assert_eq!(identifier("o\"b"), "\"o\"\"b\"");
        assert_eq!(identifier("x \\! touch ran #"), "\"x \\! touch ran #\"");
    }

    #[test]
    fn a_list_is_taken_apart() {
        let list = r#" "$user", Public ,"a""b, C",x"#;
        assert_eq!(parse_identifiers(list), ["$user", "public", "a\"b, C", "x"]);
        assert_eq!(parse_identifiers(""), [""; 0]);
        assert_eq!(parse_identifiers(r#""""#), [""]);
        let names = ["o\"b", "A,b", "$user"];
        assert_eq!(parse_identifiers(&names.map(identifier).join(",")), names);
    }
}
