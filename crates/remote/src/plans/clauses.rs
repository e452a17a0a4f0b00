//! Conditions of a node, taken apart into the tests of columns. ruleutils.c puts parentheses around each test and each operator, so
//! that outside of parentheses there is at most one of them.

use std::ops::Range;

use ebs_tuning::indexes::condition::Clause;

use super::scope::{BaseColumn, Scope, named_column};
use super::tokens::{Token, Tokens};

/// Ranges of the tests that are joined by AND.
pub(super) fn split_conjunction(tokens: &Tokens) -> Vec<Range<usize>> {
    let mut tests = Vec::new();
    let mut rest = vec![tokens.all()];
    while let Some(test) = rest.pop() {
        let test = tokens.without_parentheses(test);
        let mut begin = test.start;
        let mut parts = Vec::new();
        for (at, _) in tokens.top_level(&test).filter(|(_, token)| is_keyword(token, "AND")) {
            parts.push(begin..at);
            begin = at + 1;
        }
        if parts.is_empty() {
            tests.push(test);
        } else {
            parts.push(begin..test.end);
            rest.extend(parts.into_iter().rev());
        }
    }
    tests
}

/// A condition of a node, in which its own table has this number, if it scans one whose rows an index may be limited to.
pub(super) struct Condition<'a> {
    pub tokens: &'a Tokens,
    pub root: usize,
    pub scanned: Option<u32>,
}

impl Condition<'_> {
    /// Reads a test of this table, or of others beside it.
    pub(super) fn read(&self, scope: &mut Scope, test: Range<usize>, relation: Option<u32>) -> Clause {
        let list = &self.tokens.list[test.clone()];
        let clause = match list {
            [not, ..] if is_keyword(not, "NOT") => self.fixed(scope, test.start + 1..test.end, "NOT ", "", true),
            [.., is, null] if is_keyword(is, "IS") && is_keyword(null, "NULL") => {
                self.fixed(scope, test.start..test.end - 2, "", " IS NULL", true)
            }
            [.., is, not, null] if is_keyword(is, "IS") && is_keyword(not, "NOT") && is_keyword(null, "NULL") => {
                self.fixed(scope, test.start..test.end - 3, "", " IS NOT NULL", false)
            }
            _ => match self.operator(&test) {
                Some((at, name)) => self.comparison(scope, test.clone(), at, &name),
                None => self.fixed(scope, test.clone(), "", "", true),
            },
        };
        clause.unwrap_or_else(|| Clause::Other { relation, kind: self.kind(&test) })
    }

    /// Position and name of the operator of a test.
    fn operator(&self, test: &Range<usize>) -> Option<(Range<usize>, String)> {
        let (at, token) = self
            .tokens
            .top_level(test)
            .find(|(_, token)| matches!(token, Token::Operator(_)) || is_keyword(token, "OPERATOR"))?;
        if let Token::Operator(name) = token {
            return Some((at..at + 1, name.clone()));
        }
        // OPERATOR(public.=)
        let inside = self.tokens.inside(at + 1);
        match self.tokens.list.get(inside.clone())?.last()? {
            Token::Operator(name) if inside.end < test.end => Some((at..inside.end + 1, name.clone())),
            _ => None,
        }
    }

    fn comparison(&self, scope: &mut Scope, test: Range<usize>, at: Range<usize>, name: &str) -> Option<Clause> {
        let (left, right) = (test.start..at.start, at.end..test.end);
        let equal = name == "=";
        if self.is_list(&right) {
            let is_any = is_keyword(&self.tokens.list[right.start], "ANY");
            let base = scope.column(self.tokens, left, self.root).filter(|_| equal && is_any)?;
            return (!self.names(scope, right, &base)).then(|| named_column(base).map(Clause::OneOf))?;
        }
        let is_row = [&left, &right]
            .into_iter()
            .any(|side| self.tokens.list[side.clone()].first().is_some_and(|row| is_keyword(row, "ROW")));
        if left.is_empty() || is_row || !(equal || ["<", "<=", ">=", ">"].contains(&name)) {
            return None;
        }
        let sides = [&left, &right].map(|side| scope.column(self.tokens, side.clone(), self.root));
        let (base, against) = match sides {
            [Some(first), Some(second)] if equal && first.0 != second.0 => {
                return Some(Clause::Join(named_column(first)?, named_column(second)?));
            }
            [Some(_), Some(_)] | [None, None] => return None,
            [Some(base), None] => (base, right),
            [None, Some(base)] => (base, left),
        };
        if self.names(scope, against, &base) {
            return None;
        }
        let column = named_column(base)?;
        Some(if equal { Clause::Equal(column) } else { Clause::Range(column) })
    }

    /// True if an expression names a column of the same table.
    fn names(&self, scope: &mut Scope, range: Range<usize>, base: &BaseColumn) -> bool {
        scope.bases(self.tokens, range, self.root).columns.iter().any(|other| other.0 == base.0)
    }

    /// True of `ANY (…)` and `ALL (…)`.
    fn is_list(&self, side: &Range<usize>) -> bool {
        match &self.tokens.list[side.clone()] {
            [word, Token::Open, ..] => is_keyword(word, "ANY") || is_keyword(word, "ALL"),
            _ => false,
        }
    }

    /// A test of one column that needs nothing else, where it is one of the scan of its table.
    fn fixed(&self, scope: &Scope, tested: Range<usize>, before: &str, behind: &str, equality: bool) -> Option<Clause> {
        let tested = self.tokens.without_parentheses(tested);
        // A column that is relabelled is none of these tests.
        let written = match &self.tokens.list[tested.clone()] {
            [_, Token::Period, name] | [name] => quoted(name)?,
            _ => return None,
        };
        let column = named_column(scope.column(self.tokens, tested, self.root)?)?;
        let predicate = format!("{before}{written}{behind}");
        let is_bare = before.is_empty() && behind.is_empty();
        // PostgreSQL writes parentheses around it. The extension removes them where there are no others.
        let predicate = if predicate.contains(['(', ')']) && !is_bare { format!("({predicate})") } else { predicate };
        (Some(column.relation) == self.scanned).then_some(Clause::Fixed { column, predicate, equality })
    }

    /// The kind of a test that no b-tree serves.
    fn kind(&self, test: &Range<usize>) -> String {
        let list = &self.tokens.list[test.clone()];
        let is_or = self.tokens.top_level(test).any(|(_, token)| is_keyword(token, "OR"));
        if is_or {
            return "OR".to_owned();
        }
        let is_subquery = list.iter().any(|token| *token == Token::Word("SubPlan".to_owned()));
        match (list.first(), self.operator(test)) {
            (Some(not), _) if is_keyword(not, "NOT") => "NOT".to_owned(),
            (Some(Token::Word(word)), None)
                if is_subquery && ["SubPlan", "hashed", "EXISTS", "ANY", "ALL"].contains(&word.as_str()) =>
            {
                "a subquery".to_owned()
            }
            (Some(row), Some(_)) if is_keyword(row, "ROW") => "an expression".to_owned(),
            (_, Some((at, _))) if self.is_list(&(at.end..test.end)) => "a list of values".to_owned(),
            (_, Some((_, name))) => format!("operator {name}"),
            (_, None) => self.function(test).map_or("an expression".to_owned(), |name| format!("function {name}")),
        }
    }

    /// The name of the function, if a test is its call. Constructs of the grammar are in capitals.
    fn function(&self, test: &Range<usize>) -> Option<&str> {
        let (open, _) = self.tokens.top_level(test).find(|(_, token)| **token == Token::Open)?;
        let name = &self.tokens.list[test.start..open];
        let is_function = match name {
            [Token::Word(name)] => !name.bytes().any(|byte| byte.is_ascii_uppercase()),
            [Token::Quoted(_)] => true,
            [schema, Token::Period, _] => schema.name().is_some(),
            _ => false,
        };
        name.last()?.name().filter(|_| is_function && self.tokens.behind(open) == test.end)
    }
}

/// True of a keyword as ruleutils.c writes it, in capitals: no identifier is written so without quotes.
pub(super) fn is_keyword(token: &Token, keyword: &str) -> bool {
    matches!(token, Token::Word(word) if word == keyword)
}

/// An identifier as PostgreSQL wrote it.
fn quoted(name: &Token) -> Option<String> {
    match name {
        Token::Word(name) => Some(name.clone()),
        Token::Quoted(name) => Some(format!("\"{}\"", name.replace('"', "\"\""))),
        _ => None,
    }
}
