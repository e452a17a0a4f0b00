//! Rights of a role that plans statements over a connection. Planning runs functions, checks of domains and operators of the server's
//! users, and over a connection nothing can stand between them and the role. So the role has to be harmless: such code can also become,
//! by SET ROLE, each role that it is a member of, and none of them may change anything.

use std::borrow::Cow;

use serde::Deserialize;

use crate::error::AnswerError;
use ebs_base::identifier::identifier;
use crate::Query;

/// Most reasons that a message has.
const MAX_REASONS: usize = 3;
/// Most schemas that are named one by one.
const MAX_SCHEMAS: usize = 10;
/// Name of the role that the statements create.
const NEW_ROLE: &str = "ebs_planner";

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

/// A right by which code that planning runs could do harm. `via` is the role that the planner's role is a direct member of, and by which
/// it has the right.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Harm {
    /// SUPERUSER, CREATEROLE, REPLICATION or BYPASSRLS.
    Attribute {
        /// The attribute, as ALTER ROLE has it.
        #[serde(rename = "privilege")]
        attribute: String,
        /// The role that has it.
        role: String,
        /// See [`Harm`].
        via: Option<String>,
    },
    /// Membership in a predefined role that does more than read.
    Predefined {
        /// The predefined role.
        role: String,
        /// See [`Harm`].
        via: Option<String>,
    },
    /// Ownership of an object.
    Owner {
        /// The object, as `pg_describe_object` names it.
        object: String,
        /// Its owner.
        role: String,
        /// See [`Harm`].
        via: Option<String>,
    },
    /// A privilege that does more than read.
    Privilege {
        /// Privileges, as REVOKE has them.
        #[serde(rename = "privilege")]
        privileges: String,
        /// The object, as REVOKE has it.
        object: String,
        /// The role that they are granted to; empty for PUBLIC.
        role: String,
        /// See [`Harm`].
        via: Option<String>,
    },
}

impl PlannerRights {
    /// The query, of the role of the session; its one value is parsed by [`Self::parse`].
    pub fn query() -> Query {
        Query { text: Cow::Borrowed(include_str!("planner_rights.sql")), parameters: Vec::new() }
    }

    /// Parses the answer.
    pub fn parse(text: &str) -> Result<PlannerRights, AnswerError> {
        Ok(serde_json::from_str(text)?)
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
        let member = |via: &Option<String>, role: &str, has: String| match via {
            Some(_) => format!("it is a member of {}, which {has}", identifier(role)),
            None => format!("it {has}"),
        };
        match self {
            Harm::Attribute { attribute, role, via } if attribute == "SUPERUSER" => {
                member(via, role, "is a superuser".to_owned())
            }
            Harm::Attribute { attribute, role, via } => member(via, role, format!("has {attribute}")),
            Harm::Predefined { role, .. } => format!("it is a member of {role}"),
            Harm::Owner { object, role, via } => member(via, role, format!("owns {object}")),
            Harm::Privilege { privileges, object, role, .. } if role.is_empty() => {
                format!("PUBLIC has {privileges} on {object}")
            }
            Harm::Privilege { privileges, object, role, via } => {
                member(via, role, format!("has {privileges} on {object}"))
            }
        }
    }

    fn is_public(&self) -> bool {
        matches!(self, Harm::Privilege { role, .. } if role.is_empty())
    }

    /// Statement after which this role does not have the right; `None` where another role is needed.
    fn remedy(&self, planner: &str) -> Option<String> {
        let planner = identifier(planner);
        let revoke =
            |via: &Option<String>| via.as_ref().map(|via| format!("REVOKE {} FROM {planner};", identifier(via)));
        match self {
            Harm::Attribute { attribute, via: None, .. } if attribute != "SUPERUSER" => {
                Some(format!("ALTER ROLE {planner} NO{attribute};"))
            }
            Harm::Privilege { privileges, object, role, .. } if role.is_empty() => {
                Some(format!("REVOKE {privileges} ON {object} FROM PUBLIC;"))
            }
            Harm::Privilege { privileges, object, via: None, .. } => {
                Some(format!("REVOKE {privileges} ON {object} FROM {planner};"))
            }
            Harm::Attribute { via, .. }
            | Harm::Predefined { via, .. }
            | Harm::Owner { via, .. }
            | Harm::Privilege { via, .. } => revoke(via),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An answer as PostgreSQL 17 gave it, with these harms.
    fn rights(harms: &str, total: usize) -> PlannerRights {
        let text = format!(
            r#"{{"role": "a\"b", "harms": [{harms}], "total": {total}, "hypopg": "tools", "schemas": ["app", "Shop"]}}"#
        );
        PlannerRights::parse(&text).unwrap()
    }

    #[test]
    fn a_role_that_reads_alone_is_harmless() {
        assert!(rights("", 0).is_harmless());
        assert!(PlannerRights::parse(r#"{"role": "a", "harms": []}"#).is_err());
    }

    #[test]
    fn rights_that_can_be_taken_have_the_statements() {
        let harms = r#"{"via": null, "kind": "attribute", "rank": 1, "role": "a\"b", "object": null, "privilege": "CREATEROLE"},
            {"via": "pg_monitor2", "kind": "predefined", "rank": 2, "role": "pg_write_all_data", "object": null, "privilege": null},
            {"via": "mid", "kind": "privilege", "rank": 4, "role": "deep", "object": "app.t", "privilege": "INSERT"},
            {"via": null, "kind": "privilege", "rank": 4, "role": "a\"b", "object": "app.t", "privilege": "UPDATE (b)"},
            {"via": null, "kind": "privilege", "rank": 4, "role": "", "object": "app.u", "privilege": "DELETE, INSERT"}"#;
        let rights = rights(harms, 5);
        assert!(!rights.is_harmless());
        assert_eq!(
            rights.reason(),
            "role \"a\"\"b\" may do more than read: it has CREATEROLE; it is a member of pg_write_all_data; \
             it is a member of \"deep\", which has INSERT on app.t; and 2 more"
        );
        let expected = [
            "ALTER ROLE \"a\"\"b\" NOCREATEROLE;",
            "REVOKE \"pg_monitor2\" FROM \"a\"\"b\";",
            "REVOKE \"mid\" FROM \"a\"\"b\";",
            "REVOKE UPDATE (b) ON app.t FROM \"a\"\"b\";",
            "REVOKE DELETE, INSERT ON app.u FROM PUBLIC;",
        ];
        assert_eq!(rights.remedies(), expected);
    }

    #[test]
    fn an_owner_or_a_superuser_is_replaced_by_a_new_role() {
        let owner =
            r#"{"via": null, "kind": "owner", "rank": 3, "role": "a\"b", "object": "table app.o", "privilege": null}"#;
        let public =
            r#"{"via": null, "kind": "privilege", "rank": 4, "role": "", "object": "app.u", "privilege": "INSERT"}"#;
        let new_role = [
            "CREATE ROLE ebs_planner LOGIN;",
            "GRANT USAGE ON SCHEMA \"app\", \"Shop\" TO ebs_planner;",
            "GRANT SELECT ON ALL TABLES IN SCHEMA \"app\", \"Shop\" TO ebs_planner;",
            "GRANT USAGE ON SCHEMA \"tools\" TO ebs_planner;",
        ];
        assert_eq!(rights(owner, 1).remedies(), new_role);
        assert_eq!(rights(&format!("{owner}, {public}"), 2).remedies()[0], "REVOKE INSERT ON app.u FROM PUBLIC;");
        // More than are listed.
        assert_eq!(rights(public, 30).remedies()[1..], new_role);
        let superuser =
            owner.replace("owner", "attribute").replace(r#""privilege": null"#, r#""privilege": "SUPERUSER""#);
        assert_eq!(rights(&superuser, 1).remedies(), new_role);
        assert!(rights(&superuser, 1).reason().ends_with("it is a superuser"));
    }

    #[test]
    fn the_query_is_one_statement_without_parameters() {
        let query = PlannerRights::query();
        assert!(query.parameters.is_empty() && !query.text.contains(['$', ';']));
    }
}
