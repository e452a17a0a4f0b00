//! Code that planning a statement may reach, and its owners: a function of another role would run as the planner's role, and read for its
//! owner what that role may read. PostgreSQL names what a statement touches only after planning, so the names are taken from its text.
//!
//! No lexer is asked, whose rules could differ from PostgreSQL's: each run of letters in the text counts as an identifier, also in a
//! comment or a constant, so do all characters between two double quotes, and each part of a run of the characters of operators.

use std::collections::BTreeSet;

use serde::Deserialize;

use crate::Query;
use ebs_base::identifier::identifier;

/// Most identifiers of a text, and most operators.
const MAX_NAMES: usize = 5_000;
/// Most characters of an operator (NAMEDATALEN).
const MAX_OPERATOR: usize = 63;
/// Most objects of users that a text may reach.
const MAX_OBJECTS: usize = 20_000;

/// Operators that a statement may use without naming them: BETWEEN, IN, LIKE, SIMILAR TO, ORDER BY and the like.
const KEYWORD_OPERATORS: [&str; 12] = ["=", "<>", "<", "<=", ">", ">=", "~~", "!~~", "~~*", "!~~*", "~", "!~"];

/// Characters of operators (src/backend/parser/scan.l).
const OPERATOR_CHARACTERS: &str = "~!@#^&|`?+-*/%<>=";

/// Code of users that planning a statement may reach.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct TouchedCode {
    /// Number of objects of users.
    objects: usize,
    /// A function of a role that may not act as the planner's.
    code: Option<ForeignFunction>,
    /// A foreign table.
    foreign_table: Option<String>,
    /// True if functions of PostgreSQL that take a text for a query or a type are among it.
    dynamic: bool,
}

/// A function of another role.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct ForeignFunction {
    /// The function with its argument types, quoted.
    function: String,
    /// Its owner.
    owner: String,
}

/// Returns the query of the code that planning a text may reach; its one value is parsed by [`crate::parse_answer`]. An error is the reason
/// not to plan the text.
pub fn touched_query(statement: &str) -> Result<Query, String> {
    let names = identifiers(statement)?;
    let operators = operators(statement)?;
    let array =
        |texts: &BTreeSet<String>| Some(serde_json::Value::from_iter(texts.iter().map(String::as_str)).to_string());
    Ok(Query::new(include_str!("touched_code.sql")).bind(array(&names)).bind(array(&operators)))
}

impl TouchedCode {
    /// Reason not to plan the statement as this role; `None` if it may be planned.
    pub fn refusal(&self, planner: &str) -> Option<String> {
        let planner = identifier(planner);
        if let Some(ForeignFunction { function, owner }) = &self.code {
            let owner = identifier(owner);
            return Some(format!(
                "function {function} belongs to role {owner}, which may not act as role {planner} (GRANT {planner} TO {owner} permits it)"
            ));
        }
        if let Some(table) = &self.foreign_table {
            return Some(format!("it reads foreign table {table}"));
        }
        if self.dynamic {
            return Some("it calls a function that takes a text as a query or a type".to_owned());
        }
        (self.objects > MAX_OBJECTS).then(|| format!("it reaches more than {MAX_OBJECTS} objects of users"))
    }
}

/// All that may be an identifier, as it is stored.
fn identifiers(statement: &str) -> Result<BTreeSet<String>, String> {
    let lower = statement.to_ascii_lowercase();
    if lower.contains("u&\"") || statement.contains("\"\"") {
        return Err("its text has identifiers with escapes".to_owned());
    }
    let is_part =
        |character: char| character.is_ascii_alphanumeric() || "_$".contains(character) || !character.is_ascii();
    let words = lower.split(|character| !is_part(character)).filter(|word| !word.is_empty());
    let mut names: BTreeSet<String> = words.map(str::to_owned).collect();
    // In a single-byte encoding the server folds letters beyond ASCII, too.
    names.extend(
        statement.split(|character| !is_part(character)).filter(|word| !word.is_ascii()).map(str::to_lowercase),
    );
    // Between any two quotes: one of a comment or a constant may stand before those of an identifier.
    let quoted: Vec<&str> = statement.split('"').collect();
    names.extend(quoted.iter().skip(1).rev().skip(1).map(|name| (*name).to_owned()));
    // The server lets a word follow a number without space: 1from, $1from.
    let is_number = |character: char| character.is_ascii_digit() || character == '$';
    let behind: Vec<String> = names.iter().map(|name| name.trim_start_matches(is_number).to_owned()).collect();
    names.extend(behind.into_iter().filter(|name| !name.is_empty()));
    if names.len() > MAX_NAMES {
        return Err(format!("its text has more than {MAX_NAMES} identifiers"));
    }
    Ok(names)
}

/// All that may be an operator.
fn operators(statement: &str) -> Result<BTreeSet<String>, String> {
    let mut operators: BTreeSet<String> = KEYWORD_OPERATORS.map(str::to_owned).into();
    for run in statement.split(|character| !OPERATOR_CHARACTERS.contains(character)) {
        for begin in 0..run.len() {
            let ends = begin + 1..=run.len().min(begin + MAX_OPERATOR);
            operators.extend(ends.map(|end| run[begin..end].to_owned()));
        }
        if operators.len() > MAX_NAMES {
            return Err(format!("its text has more than {MAX_NAMES} operators"));
        }
    }
    Ok(operators)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_answer;

    fn names(statement: &str) -> String {
        identifiers(statement).unwrap().into_iter().collect::<Vec<_>>().join("|")
    }

    #[test]
    fn every_name_of_a_text_counts_as_the_server_stores_it() {
        assert_eq!(names("SELECT A.b1 FROM s.\"T t\" WHERE f($1)"), "$1|T t|a|b1|f|from|s|select|t|where");
        // A quote in a comment, and a name behind a number.
        let quoted = names("/* \" */ \"x y\" 1or2z");
        assert!(["x y", "or2z"].iter().all(|name| quoted.split('|').any(|part| part == *name)), "{quoted}");
        assert!(names("SELECT É.x").contains("É|é"));
        assert!(identifiers("SELECT U&\"d\\0061\"").is_err());
        assert!(identifiers("SELECT \"a\"\"b\"").is_err());
        assert!(identifiers(&(0..6_000).map(|n| format!("c{n} ")).collect::<String>()).is_err());
    }

    #[test]
    fn every_part_of_a_run_may_be_an_operator() {
        let operators = operators("a @>-b --x").unwrap();
        assert!(["@>", "@", ">", "@>-", "-", "=", "~~"].iter().all(|operator| operators.contains(*operator)));
        assert!(super::operators(&"-".repeat(9_000)).is_ok());
        let mixed: String = (0..9_000).map(|n| if n * n % 7 < 3 { '+' } else { '#' }).collect();
        assert!(super::operators(&format!("{mixed}@<>{}", mixed.replace('#', "~"))).is_ok());
    }

    #[test]
    fn the_query_has_the_names_as_parameters() {
        let query = touched_query("SELECT 'it''s' FROM \"o'b\"").unwrap();
        assert!(!query.text.contains("o'b") && query.text.contains("$1::pg_catalog.jsonb"));
        let names: Vec<String> = serde_json::from_str(query.parameters[0].as_deref().unwrap()).unwrap();
        assert!(names.contains(&"o'b".to_owned()) && query.parameters.len() == 2);
    }

    #[test]
    fn each_reason_not_to_plan_is_named() {
        let parse = |text: &str| parse_answer::<TouchedCode>(text).unwrap().refusal("p");
        // As PostgreSQL 17 and 18 answered.
        let function = r#"{"code": {"owner": "tenant", "function": "app.evil(integer)"}, "dynamic": false, "objects": 4, "foreign_table": null}"#;
        assert_eq!(
            parse(function).as_deref(),
            Some(
                "function app.evil(integer) belongs to role \"tenant\", which may not act as role \"p\" \
                 (GRANT \"p\" TO \"tenant\" permits it)"
            )
        );
        let clean = r#"{"code": null, "dynamic": false, "objects": 4, "foreign_table": null}"#;
        assert_eq!(parse(clean), None);
        assert!(parse(&clean.replace("false", "true")).unwrap().contains("a text as a query"));
        assert!(parse(&clean.replace("null}", "\"app.ft\"}")).unwrap().ends_with("foreign table app.ft"));
        assert!(parse(&clean.replace('4', "20001")).is_some());
        assert!(parse_answer::<TouchedCode>("{}").is_err());
    }
}
