//! Conditions of a plan, taken apart: which columns they hold against what.

use sqlparser::ast::{BinaryOperator, Expr, UnaryOperator, Value};
use sqlparser::dialect::PostgreSqlDialect;
use sqlparser::parser::Parser;
use sqlparser::tokenizer::{Token, Tokenizer};

/// A column, with the name its relation has in the plan, where that is written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Column {
    /// `o` in `o.customer_id`.
    pub alias: Option<String>,
    /// `customer_id`.
    pub name: String,
}

/// One of the tests that are joined by AND.
#[derive(Clone, Debug, PartialEq)]
pub enum Clause {
    /// Equal to a parameter or to what is computed from elsewhere.
    Equal(Column),
    /// Equal to one of several.
    OneOf(Column),
    /// Below or above something.
    Range(Column),
    /// Columns of two relations that are to be equal.
    Join(Column, Column),
    /// Held against a constant that the statement (or a view, or a policy) has: what a partial index can be limited to.
    Fixed {
        /// The column.
        column: Column,
        /// The test, without the relation's name.
        text: String,
        /// Whether one value of the column passes it.
        equality: bool,
    },
    /// What no b-tree column serves, or what was not understood, as written.
    Other(String),
}

/// The tests in a condition of EXPLAIN's.
pub fn clauses(text: &str) -> Vec<Clause> {
    let mut found = Vec::new();
    match parse(text) {
        Some(condition) => split(&condition, &mut found),
        None => found.push(Clause::Other(text.to_owned())),
    }
    found
}

/// An expression of EXPLAIN's; what stands for a subplan's result is a parameter like others.
fn parse(text: &str) -> Option<Expr> {
    let text = without_subplans(text);
    let mut parser = Parser::new(&PostgreSqlDialect {}).try_with_sql(&text).ok()?;
    let parsed = parser.parse_expr().ok()?;
    (parser.peek_token().token == Token::EOF).then_some(parsed)
}

/// `(InitPlan 1).col1`, as 17 writes it, is what 16 writes as `$0`.
fn without_subplans(text: &str) -> String {
    let mut rest = text;
    let mut plain = String::new();
    while let Some((before, after)) = rest.split_once("(InitPlan ") {
        plain.push_str(before);
        plain.push_str("$0");
        let after = after.split_once(").col").map_or(after, |(_, column)| column);
        rest = after.trim_start_matches(|c: char| c.is_ascii_digit());
    }
    plain + rest
}

fn split(condition: &Expr, found: &mut Vec<Clause>) {
    match condition {
        Expr::Nested(inner) => split(inner, found),
        Expr::BinaryOp { left, op: BinaryOperator::And, right } => {
            split(left, found);
            split(right, found);
        }
        single => found.push(clause(single)),
    }
}

fn clause(test: &Expr) -> Clause {
    use BinaryOperator::{Eq, Gt, GtEq, Lt, LtEq};
    let other = || Clause::Other(test.to_string());
    match test {
        Expr::BinaryOp { left, op: op @ (Eq | Gt | GtEq | Lt | LtEq), right } => {
            compared(test, (left, right), *op == Eq).unwrap_or_else(other)
        }
        Expr::AnyOp { left, compare_op: Eq, right, .. } => match (column(left), is_constant(right)) {
            (Some(column), _) if !mentions(right, &column) => Clause::OneOf(column),
            _ => other(),
        },
        Expr::IsNull(of) => fixed(of, test, true).unwrap_or_else(other),
        Expr::IsNotNull(of) => fixed(of, test, false).unwrap_or_else(other),
        Expr::UnaryOp { op: UnaryOperator::Not, expr } => fixed(expr, test, true).unwrap_or_else(other),
        Expr::Identifier(_) | Expr::CompoundIdentifier(_) => fixed(test, test, true).unwrap_or_else(other),
        _ => other(),
    }
}

fn compared(test: &Expr, (left, right): (&Expr, &Expr), equal: bool) -> Option<Clause> {
    let (one, two) = (column(left), column(right));
    let (found, against) = match (one, two) {
        (Some(one), Some(two)) if equal && one.alias != two.alias => return Some(Clause::Join(one, two)),
        (Some(_), Some(_)) => return None,
        (Some(one), None) => (one, right),
        (None, Some(two)) => (two, left),
        (None, None) => return None,
    };
    if mentions(against, &found) {
        return None;
    }
    if is_constant(against) {
        return Some(Clause::Fixed { text: bare(test, found.alias.as_deref()), column: found, equality: equal });
    }
    Some(if equal { Clause::Equal(found) } else { Clause::Range(found) })
}

fn fixed(of: &Expr, test: &Expr, equality: bool) -> Option<Clause> {
    let column = column(of)?;
    Some(Clause::Fixed { text: bare(test, column.alias.as_deref()), column, equality })
}

/// A column by itself, or one that is cast, as a varchar is to text wherever it is compared: whether an index on the column
/// serves then is what the planner is asked.
fn column(of: &Expr) -> Option<Column> {
    match of {
        Expr::Nested(inner) => column(inner),
        Expr::Cast { expr, .. } => column(expr),
        Expr::Identifier(name) => Some(Column { alias: None, name: name.value.clone() }),
        Expr::CompoundIdentifier(parts) => match parts.as_slice() {
            [alias, name] => Some(Column { alias: Some(alias.value.clone()), name: name.value.clone() }),
            _ => None,
        },
        _ => None,
    }
}

fn is_constant(of: &Expr) -> bool {
    match of {
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => is_constant(inner),
        Expr::UnaryOp { op: UnaryOperator::Minus, expr } => is_constant(expr),
        Expr::Value(value) => !matches!(value.value, Value::Placeholder(_)),
        Expr::TypedString(_) => true,
        _ => false,
    }
}

fn mentions(of: &Expr, column: &Column) -> bool {
    references(&of.to_string()).is_none_or(|found| found.iter().any(|other| other.alias == column.alias))
}

/// The test as CREATE INDEX takes it.
fn bare(test: &Expr, alias: Option<&str>) -> String {
    let text = test.to_string();
    let text = match alias {
        Some(alias) => text.replace(&format!("{alias}."), "").replace(&format!("\"{alias}\"."), ""),
        None => text,
    };
    match text.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
        Some(inner) if !inner.contains(['(', ')']) => inner.to_owned(),
        _ => text,
    }
}

/// Every column that an expression names; `None` where it names whole rows or cannot be read.
pub fn references(text: &str) -> Option<Vec<Column>> {
    let tokens = Tokenizer::new(&PostgreSqlDialect {}, text).tokenize().ok()?;
    let tokens: Vec<&Token> = tokens.iter().filter(|token| !matches!(token, Token::Whitespace(_))).collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        match tokens[at..] {
            [Token::Word(alias), Token::Period, Token::Word(name), ..] => {
                found.push(Column { alias: Some(alias.value.clone()), name: name.value.clone() });
                at += 3;
            }
            [Token::Word(_), Token::Period, Token::Mul, ..] => return None,
            // A function or a type.
            [Token::Word(_), Token::LParen, ..] => at += 1,
            [Token::DoubleColon, Token::Word(_), ..] => at += 2,
            [Token::Word(name), ..] => {
                found.push(Column { alias: None, name: name.value.clone() });
                at += 1;
            }
            _ => at += 1,
        }
    }
    Some(found)
}

/// A key that is sorted by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SortKey {
    /// The column.
    pub column: Column,
    /// Downwards.
    pub descending: bool,
    /// Where NULLs go, if it is not where they go by default.
    pub nulls_first: Option<bool>,
}

/// A sort key of EXPLAIN's; `None` if it is no column.
pub fn sort_key(text: &str) -> Option<SortKey> {
    let (text, nulls_first) = match (text.strip_suffix(" NULLS FIRST"), text.strip_suffix(" NULLS LAST")) {
        (Some(text), _) => (text, Some(true)),
        (_, Some(text)) => (text, Some(false)),
        _ => (text, None),
    };
    let (text, descending) = text.strip_suffix(" DESC").map_or((text, false), |text| (text, true));
    match parse(text)? {
        Expr::Nested(inner) => column_alone(&inner),
        of => column_alone(&of),
    }
    .map(|column| SortKey { column, descending, nulls_first })
}

/// The column of which the least or greatest value is asked for, `max(o.created_at)`.
pub fn extreme(text: &str) -> Option<SortKey> {
    let inner = ["min(", "max("].iter().find_map(|name| text.strip_prefix(name))?.strip_suffix(')')?;
    sort_key(inner)
}

fn column_alone(of: &Expr) -> Option<Column> {
    matches!(of, Expr::Identifier(_) | Expr::CompoundIdentifier(_)).then(|| column(of)).flatten()
}
