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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn history_is_not_expanded() {
        assert_eq!(quote("SELECT ebs_advise('!a')"), r"'SELECT ebs_advise('\''!a'\'')'");
    }

    #[test]
    fn a_statement_survives_a_shell() {
        assert_eq!(quote("SELECT ebs_advise('a \"b\" $c')"), r#""SELECT ebs_advise('a \"b\" \$c')""#);
    }
}
