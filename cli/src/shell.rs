//! Shell words. Not by the crate shlex: it quotes otherwise (`-d bench`, not `-d "bench"`), and users see the commands.

/// A word for a shell, in double quotes, because statements have single ones; in single quotes where an interactive shell would
/// expand them even there.
pub fn quote(text: &str) -> String {
    if text.contains('!') {
        return format!("'{}'", text.replace('\'', r"'\''"));
    }
    let mut quoted = String::from("\"");
    for c in text.chars() {
        if matches!(c, '"' | '$' | '`' | '\\') {
            quoted.push('\\');
        }
        quoted.push(c);
    }
    quoted + "\""
}

/// Characters that no shell takes for anything else, beside letters and digits.
const PLAIN: &str = "-_./:=@%+,";

/// A word of a command line, in single quotes where a shell would read it otherwise.
pub fn word(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || PLAIN.contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_would_read_them_otherwise() {
        let quoted = ["a-1.txt", "a b", "it's", "", "$x", "!!"].map(word);
        assert_eq!(quoted, ["a-1.txt", "'a b'", r"'it'\''s'", "''", "'$x'", "'!!'"]);
    }

    #[test]
    fn history_is_not_expanded() {
        assert_eq!(quote("SELECT ebs_advise('!a')"), r"'SELECT ebs_advise('\''!a'\'')'");
    }

    #[test]
    fn a_statement_survives_a_shell() {
        assert_eq!(quote("SELECT ebs_advise('a \"b\" $c')"), r#""SELECT ebs_advise('a \"b\" \$c')""#);
    }
}
