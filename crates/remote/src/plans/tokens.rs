//! Tokens of SQL, and which parentheses belong together. The lexer is sqlparser's, with the rules of PostgreSQL.

use std::ops::Range;

use sqlparser::dialect::PostgreSqlDialect;
use sqlparser::tokenizer::{Token as Lexed, TokenWithSpan, Tokenizer};

/// Most bytes of one expression, and of one statement, as the extension plans them.
pub const MAX_TEXT: usize = 256 << 10;

/// A token.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    /// A keyword, or an identifier that needs no quotes.
    Word(String),
    /// An identifier in quotes, without them.
    Quoted(String),
    /// An operator, whether PostgreSQL's or another's.
    Operator(String),
    /// A parameter, `$1`.
    Parameter(String),
    /// A number.
    Number(String),
    /// A text.
    Literal,
    Open,
    Close,
    OpenBracket,
    CloseBracket,
    Comma,
    Period,
    /// `::`
    Cast,
    /// A semicolon, or what is in no SQL of PostgreSQL's.
    Other,
}

impl Token {
    /// True of this keyword, however it is written.
    pub(super) fn is_word(&self, word: &str) -> bool {
        matches!(self, Token::Word(text) if text.eq_ignore_ascii_case(word))
    }

    /// The name, if it is an identifier.
    pub(super) fn name(&self) -> Option<&str> {
        match self {
            Token::Word(name) | Token::Quoted(name) => Some(name),
            _ => None,
        }
    }

    pub(super) fn is_operator(&self, operator: &str) -> bool {
        matches!(self, Token::Operator(text) if text == operator)
    }
}

/// Tokens of a text.
pub(super) struct Tokens {
    pub list: Vec<Token>,
    /// Position of each token in the text, by line and column as the lexer counts them.
    places: Vec<(u64, u64)>,
    /// Position of the parenthesis or bracket that closes each one, or opens it; of any other token its own.
    partners: Vec<usize>,
}

impl Tokens {
    /// Tokens of a text; `None` if it is none of PostgreSQL's: longer than [`MAX_TEXT`], a text without an end, parentheses that
    /// do not match.
    pub(super) fn read(text: &str) -> Option<Tokens> {
        if text.len() > MAX_TEXT {
            return None;
        }
        let lexed = Tokenizer::new(&PostgreSqlDialect {}, text).tokenize_with_location().ok()?;
        let (mut list, mut places) = (Vec::new(), Vec::new());
        // True if nothing stands between an operator and the token behind it: then it is a part of the same operator.
        let mut continues = false;
        for TokenWithSpan { token, span } in lexed {
            let Some(token) = simplify(token) else {
                continues = false;
                continue;
            };
            match (list.last_mut(), &token) {
                (Some(Token::Operator(before)), Token::Operator(part)) if continues => before.push_str(part),
                _ => {
                    continues = matches!(token, Token::Operator(_));
                    list.push(token);
                    places.push((span.start.line, span.start.column));
                }
            }
        }
        let partners = partners(&list)?;
        Some(Tokens { list, places, partners })
    }

    /// All of them.
    pub(super) fn all(&self) -> Range<usize> {
        0..self.list.len()
    }

    /// Tokens of a range that are in no parentheses of it, with their positions; of a pair of parentheses only the first.
    pub(super) fn top_level(&self, range: &Range<usize>) -> impl Iterator<Item = (usize, &Token)> {
        let (mut at, end) = (range.start, range.end);
        std::iter::from_fn(move || {
            let position = at;
            let token = self.list[..end].get(position)?;
            at = self.partners[position].max(position) + 1;
            Some((position, token))
        })
    }

    /// The range inside of the parentheses that open at a position.
    pub(super) fn inside(&self, open: usize) -> Range<usize> {
        open + 1..self.partners.get(open).copied().unwrap_or(open).max(open + 1)
    }

    /// The token behind the parentheses that open at a position.
    pub(super) fn behind(&self, open: usize) -> usize {
        self.partners.get(open).copied().unwrap_or(open) + 1
    }

    /// A range without parentheses around all of it.
    pub(super) fn without_parentheses(&self, mut range: Range<usize>) -> Range<usize> {
        while range.len() >= 2 && self.list[range.start] == Token::Open && self.partners[range.start] == range.end - 1 {
            range = range.start + 1..range.end - 1;
        }
        range
    }

    /// The byte at which a token begins in its text.
    pub(super) fn byte(&self, text: &str, position: usize) -> Option<usize> {
        let &(line, column) = self.places.get(position)?;
        let before: usize = text.split_inclusive('\n').take(usize::try_from(line).ok()? - 1).map(str::len).sum();
        let characters = usize::try_from(column).ok()?.checked_add_signed(-1)?;
        text.get(before..)?.char_indices().nth(characters).map(|(byte, _)| before + byte)
    }
}

/// A token of the lexer; `None` of space and comments.
fn simplify(token: Lexed) -> Option<Token> {
    let simple = match token {
        Lexed::Whitespace(_) => return None,
        Lexed::Word(word) if word.quote_style.is_some() => Token::Quoted(word.value),
        Lexed::Word(word) => Token::Word(word.value),
        Lexed::Placeholder(name) => Token::Parameter(name),
        Lexed::LParen => Token::Open,
        Lexed::RParen => Token::Close,
        Lexed::LBracket => Token::OpenBracket,
        Lexed::RBracket => Token::CloseBracket,
        Lexed::Comma => Token::Comma,
        Lexed::Period => Token::Period,
        Lexed::DoubleColon => Token::Cast,
        Lexed::Number(digits, _) => Token::Number(digits),
        Lexed::SingleQuotedString(_)
        | Lexed::DollarQuotedString(_)
        | Lexed::SingleQuotedByteStringLiteral(_)
        | Lexed::NationalStringLiteral(_)
        | Lexed::EscapedStringLiteral(_)
        | Lexed::UnicodeStringLiteral(_)
        | Lexed::HexStringLiteral(_) => Token::Literal,
        other => {
            let text = other.to_string();
            let is_operator = !text.is_empty() && text.bytes().all(|byte| b"+-*/<>=~!@#%^&|`?".contains(&byte));
            if is_operator { Token::Operator(text) } else { Token::Other }
        }
    };
    Some(simple)
}

/// Pairs of parentheses; `None` if one has no partner.
fn partners(list: &[Token]) -> Option<Vec<usize>> {
    let mut partners: Vec<usize> = (0..list.len()).collect();
    let mut open = Vec::new();
    for (position, token) in list.iter().enumerate() {
        match token {
            Token::Open | Token::OpenBracket => open.push(position),
            Token::Close | Token::CloseBracket => {
                let begin = open.pop()?;
                if (list[begin] == Token::Open) != (*token == Token::Close) {
                    return None;
                }
                (partners[begin], partners[position]) = (position, begin);
            }
            _ => {}
        }
    }
    open.is_empty().then_some(partners)
}
