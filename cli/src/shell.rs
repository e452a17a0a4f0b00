//! Words for a shell.

/// For a shell, in double quotes, because statements have single ones.
pub fn quoted(text: &str) -> String {
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
    fn a_statement_survives_a_shell() {
        assert_eq!(quoted("SELECT ebs_advise('a \"b\" $c')"), r#""SELECT ebs_advise('a \"b\" \$c')""#);
    }
}
