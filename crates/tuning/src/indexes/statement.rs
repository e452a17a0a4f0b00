//! Statements, as pg_stat_statements has them.

use ebs_workload::statements::StatementDemand;

/// Pages that a statement asked the kernel for, a second; 0 where it was counted for no time.
pub fn reads_s(of: &StatementDemand) -> f64 {
    of.per_second(of.blocks_read as f64).unwrap_or(0.0)
}

/// Rows that it gave or changed, a second; likewise.
pub fn rows_s(of: &StatementDemand) -> f64 {
    of.per_second(of.rows as f64).unwrap_or(0.0)
}

/// Types that a literal can be preceded by: of `interval '1 day'` pg_stat_statements makes `interval $1`, which is no SQL.
const TYPES: [&str; 7] = ["interval", "date", "time", "timestamp", "timestamptz", "timetz", "numeric"];

/// A statement's text with the parameter at this byte, where the parser refused it, written so that the grammar takes it:
/// `$1::interval` for a type before its literal, and in `extract($1 FROM d)` some field, since neither type nor plan depends
/// on which. `None` if what was refused is no such parameter.
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

/// A text and the word that it ends with.
fn last_word(text: &str) -> (&str, &str) {
    let word = text.bytes().rev().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii());
    text.split_at(text.len() - word.count())
}

/// True if a text could be one of those that change rows.
pub fn may_write(text: &str) -> bool {
    let first = text.trim_start().split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
    ["insert", "update", "delete", "merge", "with"].iter().any(|word| first.eq_ignore_ascii_case(word))
}

/// Most statements whose reads are looked at, and as many that write. A choice: the first few cause nearly all.
pub const MAX_STATEMENTS: usize = 40;
/// Statements that cause less than this share of all reads are not looked at. A choice.
pub const WORTH_A_LOOK: f64 = 0.005;

/// Statements to look at because they read, most reads first.
pub fn readers(statements: &[StatementDemand]) -> Vec<usize> {
    let all: f64 = statements.iter().map(reads_s).sum();
    let worth = |index: &usize| {
        let own = reads_s(&statements[*index]);
        own > 0.0 && own >= WORTH_A_LOOK * all
    };
    let mut found: Vec<usize> = (0..statements.len()).filter(worth).collect();
    found.sort_by(|&a, &b| reads_s(&statements[b]).total_cmp(&reads_s(&statements[a])));
    found.truncate(MAX_STATEMENTS);
    found
}
