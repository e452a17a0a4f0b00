//! Statements, as pg_stat_statements has them.

use sqlparser::ast::{AssignmentTarget, Statement as Parsed};
use sqlparser::dialect::PostgreSqlDialect;
use sqlparser::parser::Parser;
use sqlparser::tokenizer::{Location, Token, Tokenizer};

use crate::queries::StatementDemand;

/// Pages that a statement asked the kernel for, a second; 0 where it was counted for no time.
pub fn reads_s(of: &StatementDemand) -> f64 {
    of.per_second(of.blocks_read as f64).unwrap_or(0.0)
}

/// Rows that it gave or changed, a second; likewise.
pub fn rows_s(of: &StatementDemand) -> f64 {
    of.per_second(of.rows as f64).unwrap_or(0.0)
}

/// A statement's text with the parameter of its outermost LIMIT replaced by the rows that one execution gave: without
/// that the planner takes a tenth of all rows to be wanted (preprocess_limit in planner.c). It is measured, not guessed.
/// `None` where there is no such parameter, or an OFFSET, of which nothing is known.
pub fn with_measured_limit(text: &str, rows_a_call: f64) -> Option<String> {
    let tokens = Tokenizer::new(&PostgreSqlDialect {}, text).tokenize_with_location().ok()?;
    let tokens: Vec<_> = tokens.iter().filter(|token| !matches!(token.token, Token::Whitespace(_))).collect();
    let is = |token: &Token, word: &str| matches!(token, Token::Word(found) if found.value.eq_ignore_ascii_case(word));
    let mut depth = 0;
    let mut found = None;
    for (at, token) in tokens.iter().enumerate() {
        match &token.token {
            Token::LParen => depth += 1,
            Token::RParen => depth -= 1,
            word if depth == 0 && is(word, "offset") => return None,
            Token::Placeholder(_) if depth == 0 && at > 0 => {
                let before = |back: usize, word| at >= back && is(&tokens[at - back].token, word);
                if before(1, "limit") || (before(2, "fetch") && (before(1, "first") || before(1, "next"))) {
                    found = Some(token.span);
                }
            }
            _ => {}
        }
    }
    let span = found?;
    let (from, to) = (offset(text, span.start)?, offset(text, span.end)?);
    let rows = rows_a_call.ceil().max(1.0);
    Some(format!("{}{rows}{}", text.get(..from)?, text.get(to..)?))
}

/// Types that a literal can be preceded by: of `interval '1 day'` pg_stat_statements makes `interval $1`, which is no SQL.
const TYPES: [&str; 7] = ["interval", "date", "time", "timestamp", "timestamptz", "timetz", "numeric"];

/// A statement's text with parameters where the grammar takes none written so that it does: `$1::interval` for a type before
/// its literal, and in `extract($1 FROM d)` some field, since which one changes neither type nor plan.
pub fn with_casts(text: &str) -> String {
    let Ok(tokens) = Tokenizer::new(&PostgreSqlDialect {}, text).tokenize_with_location() else {
        return text.to_owned();
    };
    let tokens: Vec<_> = tokens.iter().filter(|token| !matches!(token.token, Token::Whitespace(_))).collect();
    let is = |at: usize, word: &str| {
        tokens
            .get(at)
            .is_some_and(|of| matches!(&of.token, Token::Word(found) if found.value.eq_ignore_ascii_case(word)))
    };
    let mut plain = String::new();
    let mut done = 0;
    for (at, parameter) in tokens.iter().enumerate().skip(1) {
        let Token::Placeholder(number) = &parameter.token else { continue };
        let (first, instead) = if let Some(typed) = TYPES.iter().find(|typed| is(at - 1, typed)) {
            (at - 1, format!("{number}::{typed}"))
        } else if at > 1 && is(at - 2, "extract") && tokens[at - 1].token == Token::LParen && is(at + 1, "from") {
            (at, "epoch".to_owned())
        } else {
            continue;
        };
        let place = (offset(text, tokens[first].span.start), offset(text, parameter.span.end));
        if let (Some(from), Some(to)) = place
            && let Some(between) = text.get(done..from)
        {
            plain.push_str(between);
            plain.push_str(&instead);
            done = to;
        }
    }
    plain + text.get(done..).unwrap_or_default()
}

/// The byte where a place of the tokenizer's is: lines and characters, from 1.
fn offset(text: &str, place: Location) -> Option<usize> {
    let before = |place: u64| usize::try_from(place).ok().map(|place| place.max(1) - 1);
    let start = text.split_inclusive('\n').take(before(place.line)?).map(str::len).sum::<usize>();
    let rest = text.get(start..)?;
    Some(start + rest.char_indices().nth(before(place.column)?).map_or(rest.len(), |(at, _)| at))
}

/// The columns that an UPDATE sets; `None` if that cannot be told.
pub fn columns_set(text: &str) -> Option<Vec<String>> {
    let parsed = Parser::parse_sql(&PostgreSqlDialect {}, text).ok()?;
    let [Parsed::Update(update)] = parsed.as_slice() else { return None };
    let mut columns = Vec::new();
    for assignment in &update.assignments {
        let names = match &assignment.target {
            AssignmentTarget::ColumnName(name) => std::slice::from_ref(name),
            AssignmentTarget::Tuple(names) => names.as_slice(),
        };
        for name in names {
            // The first part is the column; what follows is inside a composite.
            let ident = name.0.first()?.as_ident()?;
            columns.push(if ident.quote_style.is_some() { ident.value.clone() } else { ident.value.to_lowercase() });
        }
    }
    Some(columns)
}

/// Whether a text could be one of those that change rows.
pub fn may_write(text: &str) -> bool {
    let first = text.trim_start().split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
    ["insert", "update", "delete", "merge", "with"].iter().any(|word| first.eq_ignore_ascii_case(word))
}

/// Most statements whose reads are looked at, and as many that write. A choice: the first few cause nearly all.
pub const MOST_STATEMENTS: usize = 40;
/// Statements that cause less than this share of all reads are not looked at. A choice.
pub const WORTH_A_LOOK: f64 = 0.005;

/// Which statements to look at because they read, most reads first.
pub fn readers(statements: &[StatementDemand]) -> Vec<usize> {
    let all: f64 = statements.iter().map(reads_s).sum();
    let worth = |index: &usize| {
        let own = reads_s(&statements[*index]);
        own > 0.0 && own >= WORTH_A_LOOK * all
    };
    let mut found: Vec<usize> = (0..statements.len()).filter(worth).collect();
    found.sort_by(|&a, &b| reads_s(&statements[b]).total_cmp(&reads_s(&statements[a])));
    found.truncate(MOST_STATEMENTS);
    found
}
