//! Columns and subqueries that an expression names, as ruleutils.c writes them: `alias.column`, or the column alone where a plan has
//! one table.

use std::ops::Range;

use super::tokens::{Token, Tokens};

/// A name in an expression.
#[derive(Debug, PartialEq)]
pub(super) enum Reference<'a> {
    /// A column, with the alias in front of it.
    Column { alias: &'a str, name: &'a str },
    /// A column without an alias, or a word that could be one.
    Unqualified(&'a str),
    /// A whole row of a table, by its alias.
    Row(&'a str),
    /// A subquery that is planned apart.
    Subplan {
        number: &'a str,
        /// True if the columns that are compared with its rows are not written, as before PostgreSQL 17.
        hides_test: bool,
    },
}

/// Words of a type's name behind its first one. `character varying`, `time with time zone`, `interval day to second`.
const TYPE_WORDS: [&str; 13] = [
    "varying",
    "precision",
    "with",
    "without",
    "time",
    "zone",
    "year",
    "month",
    "day",
    "hour",
    "minute",
    "second",
    "to",
];
/// Keywords before a word that is no column: of a collation, a window, an argument of XML or JSON.
const BEFORE_NAMES: [&str; 6] = ["COLLATE", "OVER", "NAME", "AS", "RETURNING", "FORMAT"];

/// Names in a range of an expression.
pub(super) fn references(tokens: &Tokens, range: Range<usize>) -> Vec<Reference<'_>> {
    let mut found = Vec::new();
    let list = &tokens.list[..range.end];
    let mut at = range.start;
    while let Some(token) = list.get(at) {
        at = match token {
            Token::Cast => behind_type(tokens, list, at + 1),
            Token::Word(word) if word == "SubPlan" => {
                found.extend(subplan(list, at));
                at + 1
            }
            Token::Word(_) | Token::Quoted(_) => {
                let (reference, next) = name(list, at);
                found.extend(reference);
                next
            }
            _ => at + 1,
        };
    }
    found
}

/// The position behind the name of a type.
fn behind_type(tokens: &Tokens, list: &[Token], begin: usize) -> usize {
    let mut at = begin;
    while list.get(at).is_some_and(|token| token.name().is_some()) {
        at += 1;
        if list.get(at) != Some(&Token::Period) {
            break;
        }
        at += 1;
    }
    loop {
        match list.get(at) {
            Some(Token::Word(word)) if TYPE_WORDS.contains(&word.as_str()) => at += 1,
            // Its length or its precision, or the brackets of an array.
            Some(Token::Open | Token::OpenBracket)
                if tokens.behind(at) <= list.len() && is_modifier(&list[tokens.inside(at)]) =>
            {
                at = tokens.behind(at);
            }
            _ => return at,
        }
    }
}

fn is_modifier(inside: &[Token]) -> bool {
    inside.iter().all(|token| matches!(token, Token::Number(_) | Token::Comma))
}

fn subplan(list: &[Token], at: usize) -> Option<Reference<'_>> {
    let Some(Token::Number(number)) = list.get(at + 1) else { return None };
    let is_hashed = at.checked_add_signed(-1).is_some_and(|before| list[before].is_word("hashed"));
    // (hashed SubPlan 1).col1
    let is_compared = matches!(list.get(at + 2..at + 4), Some([Token::Close, Token::Period]));
    Some(Reference::Subplan { number, hides_test: is_hashed && !is_compared })
}

/// A name, and the position behind it.
fn name(list: &[Token], at: usize) -> (Option<Reference<'_>>, usize) {
    let before = at.checked_add_signed(-1).and_then(|before| list.get(before));
    let Some(first) = list[at].name().filter(|_| before != Some(&Token::Period)) else { return (None, at + 1) };
    if before.is_some_and(|word| BEFORE_NAMES.iter().any(|known| *word == Token::Word((*known).to_owned()))) {
        return (None, at + 1);
    }
    if list.get(at + 1) != Some(&Token::Period) {
        return (is_column(list, at).then_some(Reference::Unqualified(first)), at + 1);
    }
    let reference = match list.get(at + 2) {
        Some(Token::Operator(star)) if star == "*" => Some(Reference::Row(first)),
        // A function or a type with its schema is no column.
        Some(second) if list.get(at + 3) != Some(&Token::Open) => {
            second.name().map(|name| Reference::Column { alias: first, name })
        }
        _ => None,
    };
    (reference, at + 3)
}

/// True if a word that stands by itself can be a column. Keywords are written in capitals, and identifiers with capitals in quotes.
fn is_column(list: &[Token], at: usize) -> bool {
    let is_identifier = match &list[at] {
        Token::Word(word) => {
            !word.bytes().any(|byte| byte.is_ascii_uppercase()) && !["true", "false"].contains(&word.as_str())
        }
        _ => true,
    };
    let is_apart = match list.get(at + 1) {
        Some(Token::Operator(arrow)) => arrow != "=>",
        Some(Token::Word(word)) => word.bytes().all(|byte| byte.is_ascii_uppercase()),
        Some(Token::Open | Token::Quoted(_) | Token::Number(_) | Token::Literal | Token::Parameter(_)) => false,
        _ => true,
    };
    // EXTRACT(year FROM placed)
    let is_field = at >= 2 && list[at - 1] == Token::Open && list[at - 2].is_word("extract");
    is_identifier && is_apart && !is_field
}
