//! Parts of a statement's text that its plan does not show. They are found by PostgreSQL's reserved words outside of parentheses, in
//! the tokens of the text.

use super::tokens::{Token, Tokens};

/// Columns that a plain UPDATE sets, as they are named in the catalogue; `None` of any other statement.
pub fn columns_set(statement: &str) -> Option<Vec<String>> {
    let tokens = Tokens::read(statement)?;
    let top: Vec<(usize, &Token)> = tokens.top_level(&tokens.all()).collect();
    // A table may be called "set" without quotes: the keyword stands behind a name.
    let set = top.iter().skip(2).position(|(_, token)| token.is_word("SET"))? + 2;
    if !top[0].1.is_word("UPDATE") {
        return None;
    }
    let mut columns = Vec::new();
    let mut rest = &top[set + 1..];
    loop {
        let (named, behind) = targets(&tokens, rest)?;
        columns.extend(named);
        let ends = |at: usize| match behind[at].1 {
            Token::Comma | Token::Other => true,
            // a IS DISTINCT FROM b
            from if from.is_word("FROM") => at == 0 || !behind[at - 1].1.is_word("DISTINCT"),
            word => word.is_word("WHERE") || word.is_word("RETURNING"),
        };
        match (0..behind.len()).find(|&at| ends(at)) {
            Some(at) if *behind[at].1 == Token::Comma => rest = &behind[at + 1..],
            _ => return Some(columns),
        }
    }
}

/// Tokens outside of parentheses, with their positions.
type TopLevel<'a> = &'a [(usize, &'a Token)];

/// Columns before the sign of equality, and the tokens behind it.
fn targets<'a>(tokens: &'a Tokens, item: TopLevel<'a>) -> Option<(Vec<String>, TopLevel<'a>)> {
    let equal = item.iter().position(|(_, token)| token.is_operator("="))?;
    let (&(at, first), rest) = item[..equal].split_first()?;
    let columns = if *first == Token::Open {
        let inside = tokens.inside(at);
        let names = tokens
            .top_level(&inside)
            .filter(|(place, _)| *place == inside.start || tokens.list[place - 1] == Token::Comma);
        names.map(|(_, name)| stored(name)).collect::<Option<Vec<String>>>()?
    } else {
        vec![stored(first)?]
    };
    // A field or an element of the column.
    let is_part =
        |(_, token): &(usize, &Token)| matches!(token, Token::Period | Token::OpenBracket) || token.name().is_some();
    rest.iter().all(is_part).then_some((columns, &item[equal + 1..]))
}

/// An identifier as it is stored: folded to lower case unless it is in quotes.
pub(super) fn stored(name: &Token) -> Option<String> {
    match name {
        Token::Word(word) => Some(word.to_ascii_lowercase()),
        Token::Quoted(name) => Some(name.clone()),
        _ => None,
    }
}

/// The text with a number of rows in place of the parameter of the outermost LIMIT or FETCH FIRST of a SELECT. `None` where there is
/// none, or an OFFSET, of which nothing is known.
pub fn with_limit(statement: &str, rows: u64) -> Option<String> {
    let tokens = Tokens::read(statement)?;
    let top: Vec<(usize, &Token)> = tokens.top_level(&tokens.all()).collect();
    let is_select =
        ["SELECT", "WITH", "VALUES", "TABLE"].iter().any(|word| top.first().is_some_and(|first| first.1.is_word(word)));
    let changes = |at: usize| {
        let locks = at > 0 && ["FOR", "KEY"].iter().any(|word| top[at - 1].1.is_word(word));
        !locks && ["INSERT", "UPDATE", "DELETE", "MERGE", "INTO"].iter().any(|word| top[at].1.is_word(word))
    };
    let is_clause = |at: usize, word: &str| top[at].1.is_word(word) && (at == 0 || *top[at - 1].1 != Token::Period);
    let limits: Vec<usize> = (0..top.len()).filter(|&at| is_clause(at, "LIMIT") || is_clause(at, "FETCH")).collect();
    let has_offset = (0..top.len()).any(|at| is_clause(at, "OFFSET"));
    let ([limit], false, true, false) = (limits.as_slice(), has_offset, is_select, (0..top.len()).any(changes)) else {
        return None;
    };
    let is_fetch = top[*limit].1.is_word("FETCH");
    let parameter = limit + if is_fetch { 2 } else { 1 };
    let (position, name) = parameter_at(&tokens, *top.get(parameter)?)?;
    let ends = match top.get(parameter + 1) {
        None | Some((_, Token::Other)) => true,
        Some((_, next)) if is_fetch => next.is_word("ROW") || next.is_word("ROWS"),
        Some((_, next)) => next.is_word("FOR"),
    };
    let begin = tokens.byte(statement, position)?;
    let rest = statement.get(begin..)?.strip_prefix(name).filter(|_| ends)?;
    Some(format!("{}{}{rest}", &statement[..begin], rows.max(1)))
}

/// A parameter, also in parentheses.
fn parameter_at<'a>(tokens: &'a Tokens, (position, token): (usize, &'a Token)) -> Option<(usize, &'a str)> {
    let range = tokens
        .without_parentheses(position..if *token == Token::Open { tokens.behind(position) } else { position + 1 });
    match &tokens.list[range.clone()] {
        [Token::Parameter(name)] if is_numbered(name) => Some((range.start, name)),
        _ => None,
    }
}

/// True of `$1`.
fn is_numbered(parameter: &str) -> bool {
    parameter
        .strip_prefix('$')
        .is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(statement: &str) -> Option<String> {
        columns_set(statement).map(|columns| columns.join("|"))
    }

    #[test]
    fn columns_of_an_update_are_those_before_the_signs_of_equality() {
        let cases = [
            ("UPDATE t SET a = $1, B = b + $2 WHERE c = $3", "a|b"),
            ("update only s.t as x set \"Odd, \"\"One\"\"\" = $1 from u where x.id = u.id", "Odd, \"One\""),
            ("UPDATE t SET (a, b) = (SELECT c, d FROM u), e = DEFAULT RETURNING a, b", "a|b|e"),
            ("UPDATE t SET a = b IS DISTINCT FROM c, d[$1] = e, f.g = (h = i) /* x = 1, y */ -- , z = 2\n", "a|d|f"),
            ("UPDATE set SET set = coalesce(a, $1) ;", "set"),
            ("UPDATE t SET a = CASE WHEN b = c THEN $1 ELSE $2 END, d = 'x, y = z' FROM u", "a|d"),
        ];
        for (statement, columns) in cases {
            assert_eq!(set(statement).as_deref(), Some(columns), "{statement}");
        }
    }

    #[test]
    fn no_columns_are_read_of_what_is_no_plain_update() {
        for statement in [
            "",
            "UPDATE",
            "UPDATE t",
            "UPDATE t SET",
            "UPDATE t SET a",
            "UPDATE t SET = $1",
            "UPDATE t SET a = 'open",
            "SELECT a SET b = c",
            "WITH x AS (SELECT 1) UPDATE t SET a = 1",
            "INSERT INTO t VALUES ($1) ON CONFLICT (a) DO UPDATE SET a = 1",
        ] {
            assert_eq!(set(statement), None, "{statement}");
        }
    }

    #[test]
    fn the_parameter_of_the_outermost_limit_becomes_a_number() {
        let cases = [
            ("SELECT * FROM t ORDER BY a LIMIT $1", "SELECT * FROM t ORDER BY a LIMIT 20"),
            ("SELECT 'é' FROM t\n\t-- LIMIT $9\nlimit\n$12;", "SELECT 'é' FROM t\n\t-- LIMIT $9\nlimit\n20;"),
            (
                "SELECT * FROM (SELECT 1 LIMIT $1) x LIMIT ($2) FOR UPDATE",
                "SELECT * FROM (SELECT 1 LIMIT $1) x LIMIT (20) FOR UPDATE",
            ),
            ("SELECT 1 UNION SELECT 2 LIMIT $1", "SELECT 1 UNION SELECT 2 LIMIT 20"),
            (
                "WITH x AS (SELECT 1 LIMIT $1) SELECT * FROM x FETCH FIRST $2 ROWS ONLY",
                "WITH x AS (SELECT 1 LIMIT $1) SELECT * FROM x FETCH FIRST 20 ROWS ONLY",
            ),
            ("SELECT x.limit FROM x LIMIT $1", "SELECT x.limit FROM x LIMIT 20"),
        ];
        for (statement, limited) in cases {
            assert_eq!(with_limit(statement, 20).as_deref(), Some(limited), "{statement}");
        }
        assert_eq!(with_limit("SELECT 1 LIMIT $1", 0).as_deref(), Some("SELECT 1 LIMIT 1"));
    }

    #[test]
    fn other_limits_stay() {
        for statement in [
            "SELECT * FROM t",
            "SELECT * FROM t LIMIT 5",
            "SELECT * FROM t LIMIT $1 OFFSET $2",
            "SELECT * FROM t OFFSET $2 LIMIT $1",
            "SELECT * FROM t LIMIT $1::int",
            "SELECT * FROM t LIMIT $1 + 1",
            "SELECT * FROM t LIMIT",
            "SELECT * FROM t LIMIT $",
            "SELECT * FROM t LIMIT ALL",
            "SELECT * FROM t FETCH FIRST ROW ONLY",
            "SELECT * FROM (SELECT * FROM u LIMIT $1) x",
            "(SELECT * FROM u LIMIT $1)",
            "INSERT INTO t SELECT * FROM u LIMIT $1",
            "WITH x AS (SELECT 1) INSERT INTO t SELECT * FROM x LIMIT $1",
            "SELECT \"limit $1",
        ] {
            assert_eq!(with_limit(statement, 20), None, "{statement}");
        }
    }
}
