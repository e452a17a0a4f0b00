//! Characters of a command that came from elsewhere and that users will copy: names, keywords and nothing that a parser passes over.

use ebs_base::format::plain;

/// Longest command, bytes.
const MAX_COMMAND: usize = 10_000;
/// Longest name that PostgreSQL takes whole, bytes (NAMEDATALEN - 1).
const MAX_NAME: usize = 63;

/// Refuses a command with a comment, a literal, a second line or anything else that a terminal or psql could take for another
/// command than the parser does; with the reason. The grammar is for PostgreSQL's own parser to check.
pub fn check_text(command: &str) -> Result<(), &'static str> {
    if command.len() > MAX_COMMAND {
        return Err("it is too long");
    }
    if command.matches('"').count() % 2 == 1 {
        return Err("a name in quotes has no end");
    }
    // A name in quotes is every second part; two quotes in one name are two names with nothing between them.
    for (number, part) in command.split('"').enumerate() {
        let is_quoted = number % 2 == 1;
        if is_quoted && plain(part) != part {
            return Err("a name has characters that do not show");
        }
        if !is_quoted && !part.chars().all(is_plain) {
            return Err("it has comments, literals or other characters than those of names");
        }
        let is_long = |word: &str| word.len() > MAX_NAME;
        if if is_quoted { is_long(part) } else { part.split(|c: char| !is_of_name(c)).any(is_long) } {
            return Err("a name is too long");
        }
    }
    Ok(())
}

fn is_plain(c: char) -> bool {
    is_of_name(c) || " .,()".contains(c)
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_of_the_search_pass() {
        for command in [
            "CREATE INDEX CONCURRENTLY ON public.orders (customer_id, status DESC NULLS LAST) INCLUDE (total)",
            "CREATE INDEX CONCURRENTLY ON \"My Shop\".\"Order -- \"\"new\"\"; \\! ls\" (\"größe\") WHERE NOT done AND (a IS NULL)",
            "DROP INDEX CONCURRENTLY public.orders_pkey_2",
            "CREATE EXTENSION hypopg",
        ] {
            assert_eq!(check_text(command), Ok(()), "{command}");
        }
    }

    #[test]
    fn what_a_parser_passes_over_is_refused() {
        let begin = "CREATE INDEX CONCURRENTLY ON a.b (c)";
        for end in [
            "; DROP TABLE x",
            ";",
            " -- x",
            " /* x */",
            "\n",
            "\r",
            "\t",
            " \\! ls",
            " :x",
            " 'x'",
            " $$x$$",
            " ä",
            "\0",
        ] {
            assert!(check_text(&format!("{begin}{end}")).is_err(), "{end:?}");
        }
    }

    #[test]
    fn names_that_do_not_show_are_refused() {
        for name in ["a\nb", "a\u{1b}[2K", "a\u{202e}b", "a\u{200b}b", "\u{3}"] {
            let command = format!("DROP INDEX CONCURRENTLY a.\"{name}\"");
            assert_eq!(check_text(&command), Err("a name has characters that do not show"), "{name:?}");
        }
    }

    #[test]
    fn long_names_and_commands_are_refused() {
        let drop = |name: &str| check_text(&format!("DROP INDEX CONCURRENTLY a.{name}"));
        assert_eq!(drop(&"x".repeat(63)), Ok(()));
        assert_eq!(drop(&"x".repeat(64)), Err("a name is too long"));
        assert_eq!(drop(&format!("\"{}\"", "ä".repeat(32))), Err("a name is too long"));
        assert_eq!(drop(&"x,".repeat(6_000)), Err("it is too long"));
    }
}
