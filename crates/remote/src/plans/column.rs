//! Expressions that are one column.

use std::ops::Range;

use super::tokens::{Token, Tokens};

/// Types to which a column is relabelled when it is compared: the value stays what it is, and an index on the column serves.
const RELABELLED: [&[&str]; 5] = [&["text"], &["character", "varying"], &["bpchar"], &["oid"], &["inet"]];

/// The range of a column in parentheses, casts and a collation.
pub(super) fn strip_relabels(tokens: &Tokens, range: Range<usize>) -> Range<usize> {
    let mut range = range;
    loop {
        range = tokens.without_parentheses(range);
        let list = &tokens.list[range.clone()];
        let kept = match list {
            [.., Token::Word(collate), _] if collate == "COLLATE" => list.len() - 2,
            [.., Token::Word(collate), _, Token::Period, _] if collate == "COLLATE" => list.len() - 4,
            // (orders.status)::text
            [Token::Open, ..] => {
                let behind = tokens.behind(range.start);
                match &tokens.list[behind.min(range.end)..range.end] {
                    [Token::Cast, words @ ..] if is_relabel(words) => behind - range.start,
                    _ => return range,
                }
            }
            _ => return range,
        };
        range.end = range.start + kept;
    }
}

fn is_relabel(words: &[Token]) -> bool {
    RELABELLED.iter().any(|known| {
        words.len() == known.len() && words.iter().zip(*known).all(|(word, known)| word.name() == Some(known))
    })
}

/// The column, if an expression is `alias.column`.
pub(super) fn sole_name<'a>(tokens: &'a Tokens, alias: &str) -> Option<&'a str> {
    match tokens.list.as_slice() {
        [first, Token::Period, name] if first.name() == Some(alias) => name.name(),
        _ => None,
    }
}

/// The name that PostgreSQL gives to an output: of its column, or of its function.
pub(super) fn label(tokens: &Tokens) -> Option<&str> {
    let range = tokens.without_parentheses(tokens.all());
    match &tokens.list[range] {
        [_, Token::Period, name] | [name] => name.name(),
        [function, Token::Open, ..] => function.name(),
        _ => None,
    }
}
