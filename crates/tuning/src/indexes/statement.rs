//! Statements of pg_stat_statements.

use ebs_workload::statements::StatementDemand;

/// Pages a second that a statement read from the kernel; 0 where it was counted for no time.
pub fn reads_s(statement: &StatementDemand) -> f64 {
    statement.per_second(statement.blocks_read as f64).unwrap_or(0.0)
}

/// Rows a second that a statement returned or changed; 0 where it was counted for no time.
pub fn rows_s(statement: &StatementDemand) -> f64 {
    statement.per_second(statement.rows as f64).unwrap_or(0.0)
}

/// Types that may precede a literal: pg_stat_statements replaces `interval '1 day'` by `interval $1`, which is not valid SQL.
const TYPES: [&str; 7] = ["interval", "date", "time", "timestamp", "timestamptz", "timetz", "numeric"];

/// Most parameters of one statement that get a cast so that it parses (`interval $1`); each costs a parse of the text.
pub const MAX_CASTS: usize = 32;

/// Rewrites the parameter at this byte, which the parser refused, so that the grammar accepts it: as `$1::interval` behind a
/// type, and in `extract($1 FROM d)` as some field, since neither type nor plan depends on it. `None` if there is no such
/// parameter at this byte.
pub fn with_cast_at(text: &str, refused: usize) -> Option<String> {
    let (before, rest) = text.split_at_checked(refused)?;
    let digits = rest.strip_prefix('$')?.bytes().take_while(u8::is_ascii_digit).count();
    let (parameter, after) = rest.split_at_checked(1 + digits).filter(|_| digits > 0)?;
    let before = before.trim_end();
    let (head, word) = last_word(before);
    if TYPES.iter().any(|known| word.eq_ignore_ascii_case(known)) {
        return Some(format!("{head}{parameter}::{word}{after}"));
    }
    let (_, function) = last_word(before.strip_suffix('(')?.trim_end());
    function.eq_ignore_ascii_case("extract").then(|| format!("{before}epoch{after}"))
}

/// Splits off the last word of a text.
fn last_word(text: &str) -> (&str, &str) {
    let word = text.bytes().rev().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii());
    text.split_at(text.len() - word.count())
}

/// First keyword of a statement, behind parentheses and comments, such as those that name the part of a program.
pub fn first_word(text: &str) -> &str {
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '(');
        let comment_end = match rest.get(..2) {
            Some("/*") => rest.find("*/").map(|end| end + 2),
            Some("--") => rest.find('\n'),
            _ => {
                let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
                return &rest[..end];
            }
        };
        rest = comment_end.map_or("", |end| &rest[end..]);
    }
}

/// True if a statement may change rows, by its first word.
pub fn may_write(text: &str) -> bool {
    let first = first_word(text);
    ["insert", "update", "delete", "merge", "with"].iter().any(|word| first.eq_ignore_ascii_case(word))
}

/// Most statements to analyze that read, and as many that write. A choice: the first few cause nearly all.
pub const MAX_STATEMENTS: usize = 40;
/// Smallest share of all reads for which a statement is analyzed. A choice.
pub const MIN_READ_SHARE: f64 = 0.005;

/// Selects the statements to analyze for their reads, most reads first.
pub fn readers(statements: &[StatementDemand]) -> Vec<usize> {
    let total_s: f64 = statements.iter().map(reads_s).sum();
    let reads_enough = |index: &usize| {
        let reads_s = reads_s(&statements[*index]);
        reads_s > 0.0 && reads_s >= MIN_READ_SHARE * total_s
    };
    let mut readers: Vec<usize> = (0..statements.len()).filter(reads_enough).collect();
    readers.sort_by(|&a, &b| reads_s(&statements[b]).total_cmp(&reads_s(&statements[a])));
    readers.truncate(MAX_STATEMENTS);
    readers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_word_stands_behind_comments() {
        let texts = ["/* svc:a, /b */ -- c\n ((SELECT 1))", "select 1", " \n(SELECT", "SELECT"];
        assert!(texts.into_iter().all(|text| first_word(text).eq_ignore_ascii_case("select")));
        assert_eq!(["/* never ends", "--", "", "42", "/*é*/"].map(first_word), [""; 5]);
        assert!(may_write("/* app */ UPDATE t SET a = $1") && !may_write("/* UPDATE */ SELECT 1"));
    }
}
