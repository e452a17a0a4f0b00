//! Grammar of the one command that users may copy from a file, where no parser of PostgreSQL's is at hand.

use super::command_text::check_text;
use super::{Finding, Kind};

/// Withdraws the command of each finding that is not exactly one CREATE INDEX CONCURRENTLY on columns of a table: users will run it.
pub fn withdraw_other_commands(findings: &mut [Finding]) {
    for finding in findings {
        let Some(command) = &finding.command else { continue };
        let is_expected = finding.kind == Kind::Index && is_create_index(command);
        let checked = check_text(command).and_then(|()| {
            is_expected.then_some(()).ok_or("it is not CREATE INDEX CONCURRENTLY on columns of a table")
        });
        if let Err(reason) = checked {
            finding.withdraw_command(reason.to_owned());
        }
    }
}

/// True of `CREATE INDEX CONCURRENTLY ON schema.table (column DESC NULLS LAST, …) INCLUDE (…) WHERE column IS NULL AND …`, whose condition has
/// tests of one column each.
fn is_create_index(command: &str) -> bool {
    let tokens = tokens(command);
    let mut rest = Tokens(&tokens);
    let begin = ["CREATE", "INDEX", "CONCURRENTLY", "ON"].into_iter().all(|word| rest.take(word));
    let table = begin && rest.name() && rest.take(".") && rest.name();
    table
        && rest.list(Tokens::column)
        && (!rest.take("INCLUDE") || rest.list(Tokens::name))
        && (!rest.take("WHERE") || rest.condition())
        && rest.0.is_empty()
}

/// Words, names in quotes and single characters.
fn tokens(command: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    // Two quotes in one name are two names with nothing between them.
    let mut is_continued = false;
    for (number, part) in command.split('"').enumerate() {
        if number % 2 == 1 {
            let name = if is_continued { tokens.pop().unwrap_or_default() } else { String::new() };
            tokens.push(format!("{name}\"{part}\""));
            continue;
        }
        is_continued = number > 0 && part.is_empty();
        let mut word = String::new();
        for c in part.chars().chain([' ']) {
            if c.is_ascii_alphanumeric() || c == '_' {
                word.push(c);
                continue;
            }
            if !word.is_empty() {
                tokens.push(std::mem::take(&mut word));
            }
            if c != ' ' {
                tokens.push(c.to_string());
            }
        }
    }
    tokens
}

/// Tokens that are not read yet.
struct Tokens<'a>(&'a [String]);

/// Words that are no names where a column may end.
const KEYWORDS: [&str; 10] = ["ASC", "DESC", "NULLS", "FIRST", "LAST", "INCLUDE", "WHERE", "AND", "NOT", "IS"];

impl Tokens<'_> {
    fn take(&mut self, word: &str) -> bool {
        let is_next = self.0.first().is_some_and(|next| next == word);
        if is_next {
            self.0 = &self.0[1..];
        }
        is_next
    }

    fn name(&mut self) -> bool {
        let is_word = |token: &String| {
            let is_bare = token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
            token.starts_with('"') || is_bare && !KEYWORDS.contains(&token.as_str())
        };
        let taken = usize::from(self.0.first().is_some_and(is_word));
        self.0 = &self.0[taken..];
        taken > 0
    }

    fn column(&mut self) -> bool {
        let is_named = self.name();
        let _ = self.take("DESC") || self.take("ASC");
        is_named && (!self.take("NULLS") || self.take("FIRST") || self.take("LAST"))
    }

    fn list(&mut self, element: fn(&mut Self) -> bool) -> bool {
        if !self.take("(") || !element(self) {
            return false;
        }
        while self.take(",") {
            if !element(self) {
                return false;
            }
        }
        self.take(")")
    }

    /// The words behind IS.
    fn null_test(&mut self) -> bool {
        self.take("NOT");
        self.take("NULL")
    }

    fn condition(&mut self) -> bool {
        loop {
            let in_parentheses = self.take("(");
            let is_negated = self.take("NOT");
            let is_test = self.name() && (is_negated || !self.take("IS") || self.null_test());
            if !is_test || in_parentheses && !self.take(")") {
                return false;
            }
            if !self.take("AND") {
                return true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_create_index_on_columns_is_accepted() {
        for command in [
            "CREATE INDEX CONCURRENTLY ON public.orders (customer_id, status DESC NULLS LAST) INCLUDE (total)",
            "CREATE INDEX CONCURRENTLY ON \"My Shop\".\"Order \"\"new\"\"\" (\"größe\") WHERE NOT done AND (a IS NULL)",
            "CREATE INDEX CONCURRENTLY ON a.b (c) WHERE (d IS NOT NULL)",
        ] {
            assert!(is_create_index(command), "{command}");
        }
        for command in [
            "CREATE INDEX ON a.b (c)",
            "CREATE INDEX CONCURRENTLY ON b (c)",
            "CREATE INDEX CONCURRENTLY ON a.b (lower(c))",
            "CREATE INDEX CONCURRENTLY ON a.b (c) WHERE f(d)",
            "CREATE INDEX CONCURRENTLY ON a.b (c) WHERE d IS NULL OR e IS NULL",
            "CREATE INDEX CONCURRENTLY ON a.b (c) DROP TABLE d",
            "CREATE INDEX CONCURRENTLY ON a.b ()",
            "DROP INDEX CONCURRENTLY a.b",
            "CREATE INDEX CONCURRENTLY ON public.\"t\" \"u\" (a)",
            "CREATE INDEX CONCURRENTLY ON a.b (\"c\" \"d\")",
            "",
        ] {
            assert!(!is_create_index(command), "{command}");
        }
    }
}
