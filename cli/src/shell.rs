//! Words for a shell.

/// For a shell, in double quotes, because statements have single ones; what an interactive one expands all the same, in single ones.
pub fn quoted(text: &str) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn history_is_not_expanded() {
        assert_eq!(quoted("SELECT ebs_advise('!a')"), r"'SELECT ebs_advise('\''!a'\'')'");
    }

    #[test]
    fn a_statement_survives_a_shell() {
        assert_eq!(quoted("SELECT ebs_advise('a \"b\" $c')"), r#""SELECT ebs_advise('a \"b\" \$c')""#);
    }
}
