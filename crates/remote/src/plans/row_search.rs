//! Search for the rows that a statement changes, as a SELECT: EXPLAIN of an UPDATE needs the privilege to update, which a role that plans
//! over a connection must not have.

use serde_json::{Map, Value, json};

use super::statement::stored;
use super::tokens::{Token, Tokens};
use crate::answer::parse_document;

/// The search for the rows that a statement changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowSearch {
    /// The search, a SELECT.
    pub select: String,
    /// The operation, as EXPLAIN names it.
    operation: &'static str,
    /// Name of the changed table in the search.
    alias: String,
}

impl RowSearch {
    /// The search of an UPDATE or DELETE, or a read of the table of an INSERT of VALUES. `None` of any other statement, and of what is
    /// not parsed: a CTE, a cursor, INSERT with a SELECT.
    pub fn parse(statement: &str) -> Option<RowSearch> {
        let tokens = Tokens::read(statement)?;
        let top: Vec<(usize, &Token)> =
            tokens.top_level(&tokens.all()).filter(|(_, token)| **token != Token::Other).collect();
        let text = Text { statement, tokens: &tokens, top: &top };
        match text.word(0)?.as_str() {
            "UPDATE" => text.update(),
            "DELETE" if text.is(1, "FROM") => text.delete(),
            "INSERT" if text.is(1, "INTO") => text.insert(),
            _ => None,
        }
    }

    /// The plan of the search below a node that changes the table, as EXPLAIN shows the statement itself; of an INSERT without the search.
    /// `None` where the plan does not read the table by its name: a view, a partitioned table, or nothing.
    pub fn add_modification(&self, document: &str) -> Option<String> {
        let document = parse_document(document).ok()?;
        let plan = document.get(0)?.get("Plan")?;
        let (schema, table) = find_table(plan, &self.alias)?;
        let mut node = Map::new();
        for (name, value) in [
            ("Node Type", json!("ModifyTable")),
            ("Operation", json!(self.operation)),
            ("Schema", json!(schema)),
            ("Relation Name", json!(table)),
            ("Alias", json!(self.alias)),
            ("Plan Rows", json!(0)),
            ("Plan Width", json!(0)),
        ] {
            node.insert(name.to_owned(), value);
        }
        let is_insert = self.operation == "Insert";
        for cost in ["Startup Cost", "Total Cost"] {
            node.insert(cost.to_owned(), if is_insert { json!(0.0) } else { plan.get(cost)?.clone() });
        }
        if !is_insert {
            let mut below = plan.clone();
            below.as_object_mut()?.insert("Parent Relationship".to_owned(), json!("Outer"));
            node.insert("Plans".to_owned(), json!([below]));
        }
        Some(json!([{ "Plan": node }]).to_string())
    }
}

/// Schema and name of the table that a plan reads under an alias.
fn find_table(plan: &Value, alias: &str) -> Option<(String, String)> {
    let mut rest = vec![plan];
    while let Some(node) = rest.pop() {
        let text = |name: &str| node.get(name).and_then(Value::as_str);
        if let (Some(schema), Some(table)) = (text("Schema"), text("Relation Name"))
            && text("Alias") == Some(alias)
        {
            return Some((schema.to_owned(), table.to_owned()));
        }
        rest.extend(node.get("Plans").and_then(Value::as_array).into_iter().flatten());
    }
    None
}

/// A statement with its tokens outside of parentheses.
struct Text<'a> {
    statement: &'a str,
    tokens: &'a Tokens,
    top: &'a [(usize, &'a Token)],
}

/// The changed table.
struct Target {
    /// Place of its first token.
    begin: usize,
    /// Place behind its alias.
    end: usize,
    /// The name by which columns are qualified, as it is written.
    name: String,
    /// The same as it is stored.
    alias: String,
}

impl Text<'_> {
    fn is(&self, place: usize, word: &str) -> bool {
        self.top.get(place).is_some_and(|(_, token)| token.is_word(word))
    }

    fn word(&self, place: usize) -> Option<String> {
        match self.top.get(place)? {
            (_, Token::Word(word)) => Some(word.to_ascii_uppercase()),
            _ => None,
        }
    }

    /// The text from a place to another.
    fn slice(&self, begin: usize, end: usize) -> Option<&str> {
        let byte = |place: usize| match self.top.get(place) {
            Some((position, _)) => self.tokens.byte(self.statement, *position),
            None => Some(self.statement.trim_end().trim_end_matches(';').len()),
        };
        self.statement.get(byte(begin)?..byte(end)?).map(str::trim)
    }

    /// The place of the first of these words from a place on, of which FROM is none in IS DISTINCT FROM.
    fn find(&self, from: usize, words: &[&str]) -> usize {
        let is_clause = |place: &usize| {
            words.iter().any(|word| self.is(*place, word))
                && self.top[*place - 1].1 != &Token::Period
                && !self.is(*place - 1, "DISTINCT")
        };
        (from..self.top.len()).find(is_clause).unwrap_or(self.top.len())
    }

    /// The table behind the keywords, with its alias, up to one of `ends`, or the end.
    fn target(&self, begin: usize, ends: &[&str]) -> Option<Target> {
        let mut place = begin + usize::from(self.is(begin, "ONLY"));
        let mut name = place;
        while matches!(self.top.get(place + 1), Some((_, Token::Period))) {
            place += 2;
            name = place;
        }
        place += 1;
        place += usize::from(self.top.get(place).is_some_and(|(_, token)| token.is_operator("*")));
        let is_end = |place: usize| place == self.top.len() || ends.iter().any(|word| self.is(place, word));
        if self.is(place, "AS") {
            name = place + 1;
            place += 2;
        } else if !is_end(place) {
            name = place;
            place += 1;
        }
        is_end(place).then_some(())?;
        let alias = stored(self.top.get(name)?.1)?;
        Some(Target { begin, end: place, name: self.slice(name, name + 1)?.to_owned(), alias })
    }

    fn search(
        &self,
        target: &Target,
        operation: &'static str,
        more: (usize, usize),
        condition: usize,
    ) -> Option<RowSearch> {
        if self.is(condition, "WHERE") && self.is(condition + 1, "CURRENT") && self.is(condition + 2, "OF") {
            return None;
        }
        let table = self.slice(target.begin, target.end)?;
        let more = match more {
            (begin, end) if begin < end => format!("\n, {}", self.slice(begin + 1, end)?),
            _ => String::new(),
        };
        let end = self.find(condition, &["RETURNING"]);
        let condition = self.slice(condition, end)?;
        let name = &target.name;
        // A comment may stand at the end of each part.
        let select = format!("SELECT {name}.ctid, {name}.* FROM {table}{more}\n{condition}");
        Some(RowSearch { select: select.trim_end().to_owned(), operation, alias: target.alias.clone() })
    }

    fn update(&self) -> Option<RowSearch> {
        let target = self.target(1, &["SET"]).filter(|target| target.end < self.top.len())?;
        let from = self.find(target.end, &["FROM", "WHERE", "RETURNING"]);
        let condition = self.find(from, &["WHERE", "RETURNING"]);
        self.search(&target, "Update", (from, condition), condition)
    }

    fn delete(&self) -> Option<RowSearch> {
        let target = self.target(2, &["USING", "WHERE", "RETURNING"])?;
        let condition = self.find(target.end, &["WHERE", "RETURNING"]);
        self.search(&target, "Delete", (target.end, condition), condition)
    }

    fn insert(&self) -> Option<RowSearch> {
        let mut end = 2;
        while matches!(self.top.get(end + 1), Some((_, Token::Period))) {
            end += 2;
        }
        let alias = stored(self.top.get(end)?.1)?;
        // Keywords of a query are reserved, except that a column may be called VALUES.
        let has = |word: &str| self.find(end + 1, &[word]) < self.top.len();
        let inserts_values = has("VALUES") && !["SELECT", "WITH", "TABLE"].into_iter().any(has);
        let table = self.slice(2, end + 1)?;
        let select = format!("SELECT FROM {table}");
        inserts_values.then_some(RowSearch { select, operation: "Insert", alias })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn select(statement: &str) -> Option<String> {
        RowSearch::parse(statement).map(|search| format!("{} {}: {}", search.operation, search.alias, search.select))
    }

    #[test]
    fn rows_to_change_are_those_of_a_select() {
        let expected = [
            ("UPDATE s.t SET a = $1 WHERE id = $2", "Update t: SELECT t.ctid, t.* FROM s.t\nWHERE id = $2"),
            (
                "update only S.\"T t\" as X set a = a is distinct from b, (b, c) = (select 1, 2 from y where z) from u join v on u.a = v.a where x.id = u.id returning x.id;",
                "Update x: SELECT X.ctid, X.* FROM only S.\"T t\" as X\n, u join v on u.a = v.a\nwhere x.id = u.id",
            ),
            ("UPDATE t SET a = 1", "Update t: SELECT t.ctid, t.* FROM t"),
            ("DELETE FROM t", "Delete t: SELECT t.ctid, t.* FROM t"),
            (
                "DELETE FROM t x USING u WHERE x.a = u.a -- all\n RETURNING x.a",
                "Delete x: SELECT x.ctid, x.* FROM t x\n, u\nWHERE x.a = u.a -- all",
            ),
            (
                "INSERT INTO s.t (a, b) VALUES ($1, (SELECT 2)) ON CONFLICT (a) DO UPDATE SET b = 3",
                "Insert t: SELECT FROM s.t",
            ),
            ("INSERT INTO t DEFAULT VALUES", "Insert t: SELECT FROM t"),
        ];
        for (statement, search) in expected {
            assert_eq!(select(statement).as_deref(), Some(search), "{statement}");
        }
    }

    #[test]
    fn what_is_not_parsed_has_no_search() {
        for statement in [
            "SELECT 1",
            "INSERT INTO t SELECT * FROM u",
            "INSERT INTO t (a) (SELECT 1)",
            "WITH x AS (SELECT 1) UPDATE t SET a = 1",
            "UPDATE t SET a = 1 WHERE CURRENT OF c",
            "MERGE INTO t USING u ON t.a = u.a WHEN MATCHED THEN DELETE",
            "UPDATE t",
            "DELETE",
            "",
        ] {
            assert_eq!(select(statement), None, "{statement}");
        }
    }

    #[test]
    fn the_plan_of_the_search_is_below_the_change() {
        let plan = json!([{ "Plan": { "Node Type": "Seq Scan", "Schema": "s", "Relation Name": "t", "Alias": "x", "Startup Cost": 0.0,
            "Total Cost": 7.5 } }])
        .to_string();
        let search = RowSearch::parse("DELETE FROM t x").unwrap();
        let document: Value = serde_json::from_str(&search.add_modification(&plan).unwrap()).unwrap();
        let node = &document[0]["Plan"];
        assert_eq!(
            (&node["Operation"], &node["Relation Name"], &node["Total Cost"]),
            (&json!("Delete"), &json!("t"), &json!(7.5))
        );
        assert_eq!(node["Plans"][0]["Node Type"], json!("Seq Scan"));
        assert_eq!(RowSearch::parse("DELETE FROM t").unwrap().add_modification(&plan), None);
    }
}
