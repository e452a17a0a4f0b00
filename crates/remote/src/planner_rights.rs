//! Rights of a role that plans statements over a connection. Planning runs functions, checks of domains and operators of the server's
//! users, and over a connection nothing can stand between them and the role. So the role has to be harmless: such code can also become,
//! by SET ROLE, each role that it is a member of, and none of them may change anything.

use serde::Deserialize;

use crate::Query;
use ebs_base::identifier::identifier;

/// Most reasons that a message has.
const MAX_REASONS: usize = 3;
/// Most schemas that are named one by one.
const MAX_SCHEMAS: usize = 10;
/// Name of the role that the statements create.
const NEW_ROLE: &str = "ebs_planner";

/// Attributes that ALTER ROLE takes away.
const ATTRIBUTES: [&str; 3] = ["CREATEROLE", "REPLICATION", "BYPASSRLS"];
/// Privileges that REVOKE takes away.
const PRIVILEGES: [&str; 10] =
    ["INSERT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER", "MAINTAIN", "USAGE", "CREATE", "EXECUTE"];

/// Rights of the role of a connection.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct PlannerRights {
    /// The role that connected.
    pub role: String,
    /// Rights that it must not have, the first 20.
    pub harms: Vec<Harm>,
    /// Number of rights that it must not have.
    pub total: usize,
    /// Schemas with tables of users, 11 at most.
    schemas: Vec<String>,
    /// Schema of hypopg, if it is in the database.
    hypopg: Option<String>,
}

/// A right by which code that planning runs could do harm.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Harm {
    /// The role that has the right: the planner's, or one that it may become; empty for PUBLIC.
    pub role: String,
    /// The role that the planner's is a direct member of, by which it may become that role.
    pub via: Option<String>,
    /// The right.
    #[serde(flatten)]
    pub right: Right,
}

/// A right that does more than read.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Right {
    /// SUPERUSER, CREATEROLE, REPLICATION or BYPASSRLS.
    Attribute {
        /// The attribute, as ALTER ROLE has it.
        object: String,
    },
    /// Membership in a predefined role.
    Predefined,
    /// Ownership of an object.
    Owner {
        /// The object, as `pg_describe_object` names it.
        object: String,
    },
    /// Privileges on a table, sequence, schema, database or function.
    Privilege {
        /// The privileges.
        privilege: Privilege,
    },
    /// Any privilege on a parameter, large object, foreign server or foreign-data wrapper.
    Granted {
        /// The object, as `pg_describe_object` names it.
        object: String,
    },
}

/// Privileges on one object.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Privilege {
    class: Class,
    /// Schema and name, or the name; not quoted.
    names: Vec<String>,
    column: Option<String>,
    /// Schemas and names of the types of a function's arguments.
    arguments: Option<Vec<(String, String)>>,
    /// INSERT, and so on.
    rights: Vec<String>,
}

ebs_base::named! {
    /// Class of an object, by its key word.
    #[derive(Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Class {
        Table = "TABLE",
        Sequence = "SEQUENCE",
        Schema = "SCHEMA",
        Database = "DATABASE",
        Function = "FUNCTION",
    }
}

impl PlannerRights {
    /// The query, of the role of the session; its one value is parsed by [`crate::parse_answer`].
    pub fn query() -> Query {
        Query::new(include_str!("planner_rights.sql"))
    }

    /// True if statements may be planned as this role.
    pub fn is_harmless(&self) -> bool {
        self.total == 0 && self.harms.is_empty()
    }

    /// The reasons not to plan as this role, without a full stop.
    pub fn reason(&self) -> String {
        let reasons: Vec<String> = self.harms.iter().take(MAX_REASONS).map(Harm::message).collect();
        let more = self.total.saturating_sub(reasons.len());
        let more = if more > 0 { format!("; and {more} more") } else { String::new() };
        format!("role {} may do more than read: {}{more}", identifier(&self.role), reasons.join("; "))
    }

    /// Statements after which a role is harmless: this one, if nothing but grants and attributes has to go and all of them are known, and
    /// otherwise another.
    pub fn remedies(&self) -> Vec<String> {
        let mut remedies: Vec<String> = Vec::new();
        let mut add = |remedy: String| {
            if !remedies.contains(&remedy) {
                remedies.push(remedy);
            }
        };
        let fixes: Option<Vec<String>> = self.harms.iter().map(|harm| harm.remedy(&self.role)).collect();
        match fixes {
            Some(fixes) if self.total == self.harms.len() => fixes.into_iter().for_each(&mut add),
            _ => {
                let for_all = self.harms.iter().filter(|harm| harm.is_public());
                for_all.filter_map(|harm| harm.remedy(&self.role)).for_each(&mut add);
                self.new_role().into_iter().for_each(&mut add);
            }
        }
        remedies
    }

    /// Statements that create a role which may read the tables of this database and use hypopg, and nothing else.
    pub fn new_role(&self) -> Vec<String> {
        let mut statements = vec![format!("CREATE ROLE {NEW_ROLE} LOGIN;")];
        if self.schemas.len() > MAX_SCHEMAS || self.schemas.is_empty() {
            statements.push(format!("GRANT pg_read_all_data TO {NEW_ROLE};"));
        } else {
            let schemas: Vec<String> = self.schemas.iter().map(|schema| identifier(schema)).collect();
            let schemas = schemas.join(", ");
            statements.push(format!("GRANT USAGE ON SCHEMA {schemas} TO {NEW_ROLE};"));
            statements.push(format!("GRANT SELECT ON ALL TABLES IN SCHEMA {schemas} TO {NEW_ROLE};"));
        }
        if let Some(schema) = self.hypopg.as_ref().filter(|schema| !self.schemas.contains(schema)) {
            statements.push(format!("GRANT USAGE ON SCHEMA {} TO {NEW_ROLE};", identifier(schema)));
        }
        statements
    }
}

impl Harm {
    /// The right, with "it" for the planner's role.
    pub fn message(&self) -> String {
        let right = match &self.right {
            Right::Predefined => return format!("it is a member of {}", self.role),
            Right::Attribute { object } if object == "SUPERUSER" => "is a superuser".to_owned(),
            Right::Attribute { object } => format!("has {object}"),
            Right::Owner { object } => format!("owns {object}"),
            Right::Privilege { privilege } => format!("has {}", privilege.describe()),
            Right::Granted { object } => format!("has privileges on {object}"),
        };
        match &self.via {
            _ if self.is_public() => format!("PUBLIC {right}"),
            Some(_) => format!("it is a member of {}, which {right}", identifier(&self.role)),
            None => format!("it {right}"),
        }
    }

    fn is_public(&self) -> bool {
        self.role.is_empty()
    }

    /// Statement after which this role does not have the right; `None` where another role is needed. A server may lie, so names are quoted
    /// here, and keywords are those that are known.
    fn remedy(&self, planner: &str) -> Option<String> {
        let planner = identifier(planner);
        if let Some(via) = &self.via {
            return Some(format!("REVOKE {} FROM {planner};", identifier(via)));
        }
        match &self.right {
            Right::Attribute { object } => {
                let attribute = ATTRIBUTES.into_iter().find(|attribute| attribute == object)?;
                Some(format!("ALTER ROLE {planner} NO{attribute};"))
            }
            Right::Privilege { privilege } => {
                let role = if self.is_public() { "PUBLIC" } else { &planner };
                Some(format!("REVOKE {} FROM {role};", privilege.in_sql()?))
            }
            Right::Predefined | Right::Owner { .. } | Right::Granted { .. } => None,
        }
    }
}

impl Privilege {
    /// The privileges and the object, for a message.
    fn describe(&self) -> String {
        let column = self.column.as_ref().map(|column| format!(" ({column})")).unwrap_or_default();
        let class = self.class.name().to_ascii_lowercase();
        format!("{}{column} on {class} {}", self.rights.join(", "), self.names.join("."))
    }

    /// The same as REVOKE has it; `None` if a privilege is not known.
    fn in_sql(&self) -> Option<String> {
        let quoted = |names: &[&String]| names.iter().map(|name| identifier(name)).collect::<Vec<_>>().join(".");
        let column = self.column.as_ref().map(|column| format!(" ({})", identifier(column))).unwrap_or_default();
        let known = |right: &String| {
            PRIVILEGES.into_iter().find(|known| known == right).map(|known| format!("{known}{column}"))
        };
        let rights: Vec<String> = self.rights.iter().map(known).collect::<Option<_>>()?;
        let arguments = self.arguments.as_ref().map(|types| {
            let types: Vec<String> = types.iter().map(|(schema, name)| quoted(&[schema, name])).collect();
            format!("({})", types.join(", "))
        });
        let (name, class) = (quoted(&self.names.iter().collect::<Vec<_>>()), self.class.name());
        Some(format!("{} ON {class} {name}{}", rights.join(", "), arguments.unwrap_or_default()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_answer;

    /// An answer as PostgreSQL 17 gave it, with these harms.
    fn rights(harms: &str, total: usize) -> PlannerRights {
        let text = format!(
            r#"{{"role": "a\"b", "harms": [{harms}], "total": {total}, "hypopg": "tools", "schemas": ["app", "Shop"]}}"#
        );
        parse_answer::<PlannerRights>(&text).unwrap()
    }

    #[test]
    fn a_role_that_reads_alone_is_harmless() {
        assert!(rights("", 0).is_harmless());
        assert!(parse_answer::<PlannerRights>(r#"{"role": "a", "harms": []}"#).is_err());
    }

    /// A harm as PostgreSQL 17 gave it.
    fn harm(kind: &str, object: &str, role: &str, via: &str) -> String {
        format!(
            r#"{{"via": {via}, "kind": "{kind}", "rank": 1, "role": "{role}", "object": {object}, "privilege": null}}"#
        )
    }

    fn privilege(
        class: &str,
        names: &str,
        column: &str,
        arguments: &str,
        rights: &str,
        role: &str,
        via: &str,
    ) -> String {
        let privilege = format!(
            r#"{{"class": "{class}", "names": {names}, "column": {column}, "arguments": {arguments}, "rights": {rights}}}"#
        );
        harm("privilege", "\"x\"", role, via).replace("\"privilege\": null", &format!("\"privilege\": {privilege}"))
    }

    #[test]
    fn rights_that_can_be_taken_have_the_statements() {
        let table = r#"["app", "t t"]"#;
        let harms = [
            harm("attribute", "\"CREATEROLE\"", "a\\\"b", "null"),
            harm("predefined", "null", "pg_write_all_data", "\"mid\""),
            privilege("table", table, "null", "null", r#"["INSERT"]"#, "deep", "\"mid\""),
            privilege("table", table, "\"b\"", "null", r#"["UPDATE", "INSERT"]"#, "a", "null"),
            privilege("table", table, "null", "null", r#"["DELETE", "INSERT"]"#, "", "null"),
            privilege(
                "function",
                r#"["pg_catalog", "f"]"#,
                "null",
                r#"[["pg_catalog", "text"]]"#,
                r#"["EXECUTE"]"#,
                "a",
                "null",
            ),
        ];
        let rights = rights(&harms.join(","), 6);
        assert!(!rights.is_harmless());
        assert_eq!(
            rights.reason(),
            "role \"a\"\"b\" may do more than read: it has CREATEROLE; it is a member of pg_write_all_data; \
             it is a member of \"deep\", which has INSERT on table app.t t; and 3 more"
        );
        let expected = [
            "ALTER ROLE \"a\"\"b\" NOCREATEROLE;",
            "REVOKE \"mid\" FROM \"a\"\"b\";",
            "REVOKE UPDATE (\"b\"), INSERT (\"b\") ON TABLE \"app\".\"t t\" FROM \"a\"\"b\";",
            "REVOKE DELETE, INSERT ON TABLE \"app\".\"t t\" FROM PUBLIC;",
            "REVOKE EXECUTE ON FUNCTION \"pg_catalog\".\"f\"(\"pg_catalog\".\"text\") FROM \"a\"\"b\";",
        ];
        assert_eq!(rights.remedies(), expected);
    }

    #[test]
    fn an_owner_or_a_superuser_is_replaced_by_a_new_role() {
        let owner = harm("owner", "\"table app.o\"", "a", "null");
        let public = privilege("table", r#"["app", "u"]"#, "null", "null", r#"["INSERT"]"#, "", "null");
        let new_role = [
            "CREATE ROLE ebs_planner LOGIN;",
            "GRANT USAGE ON SCHEMA \"app\", \"Shop\" TO ebs_planner;",
            "GRANT SELECT ON ALL TABLES IN SCHEMA \"app\", \"Shop\" TO ebs_planner;",
            "GRANT USAGE ON SCHEMA \"tools\" TO ebs_planner;",
        ];
        assert_eq!(rights(&owner, 1).remedies(), new_role);
        let both = rights(&format!("{owner}, {public}"), 2);
        assert_eq!(both.remedies()[0], "REVOKE INSERT ON TABLE \"app\".\"u\" FROM PUBLIC;");
        assert_eq!(both.reason().split_once("; ").unwrap().1, "PUBLIC has INSERT on table app.u");
        // More than are listed.
        assert_eq!(rights(&public, 30).remedies()[1..], new_role);
        assert_eq!(rights(&harm("attribute", "\"SUPERUSER\"", "a", "null"), 1).remedies(), new_role);
        // What a server makes up is no part of a statement.
        let forged = [harm("attribute", "\"X; DROP\"", "a", "null"), public.replace("INSERT", "X; DROP")];
        assert!(forged.iter().all(|harm| rights(harm, 1).remedies() == new_role));
    }

    #[test]
    fn the_query_is_one_statement_without_parameters() {
        let query = PlannerRights::query();
        assert!(query.parameters.is_empty() && !query.text.contains(['$', ';']));
    }
}
