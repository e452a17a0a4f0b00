//! Questions to the planner of a server behind a connection: who is connected, facts of the server, plans with hypothetical indexes.
//!
//! EXPLAIN gives rows and no value, and its text may be several statements for all that is known here. So a DO block opens it as a
//! cursor, which PostgreSQL refuses for more than one statement before it executes any (SPI_cursor_open, "cannot open multi-query plan
//! as cursor"), and hands the plan on in a setting of the session.

use ebs_base::identifier::identifier;
use ebs_tuning::indexes::pages::{COST_STEP, PAGE_COSTS};
use ebs_tuning::indexes::{Memory, ServerFacts, TABLES_QUERY};
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;

use crate::answer::parse_answer;
use crate::error::AnswerError;
use crate::planner_rights::PlannerRights;
use crate::query::Query;

/// Settings in which a block finds the question and leaves its answer.
const QUESTION: &str = "ebsctl.question";
const ANSWER: &str = "ebsctl.answer";

/// Query that bounds the wait of a session for a lock, which no plan and no fact of a table is worth.
pub const LOCK_TIMEOUT_QUERY: &str = "SELECT pg_catalog.set_config('lock_timeout', '500ms', false) AS value";

/// First major version that plans statements without values of their parameters (GENERIC_PLAN).
pub const FIRST_MAJOR: u32 = 16;

/// A connection to the planner.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct PlannerIdentity {
    /// Number of the role that is connected.
    pub role_id: u32,
    /// The role.
    pub role: String,
    /// Number of the database.
    pub database_id: u32,
    /// The database.
    pub database: String,
    /// Start of the server, microseconds since 1970: tells servers apart.
    pub started_us: i64,
    /// Version as a number, 170005.
    pub version_num: u32,
    /// Schema of hypopg; `None` where this database does not have it.
    pub hypopg: Option<String>,
    /// True if the role may use that schema.
    pub may_use_hypopg: bool,
    /// True if the server has hypopg's package.
    pub hypopg_available: bool,
    /// True if the role may run blocks of PL/pgSQL.
    pub has_plpgsql: bool,
    /// Rights of the role, which are read by a query of their own; a role whose rights are not known plans nothing.
    #[serde(skip)]
    pub rights: Option<PlannerRights>,
}

/// Reason for which a planner cannot try indexes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// The version plans no statements without values of their parameters.
    TooOld,
    /// The database does not have hypopg.
    NoHypopg,
    /// The role may not use hypopg's schema; the statement that grants it.
    NoSchemaUsage(String),
    /// The role cannot run blocks of PL/pgSQL, by which the planner is asked.
    NoPlpgsql,
    /// The role may do more than read, and code of others would do it while statements are planned.
    Harmful(PlannerRights),
    /// The rights of the role could not be read.
    UnknownRights,
}

impl PlannerIdentity {
    /// The query; its one value is parsed by [`crate::parse_answer`].
    pub fn query() -> Query {
        Query::new(format!(
            "SELECT pg_catalog.json_build_object(
                 'role_id', r.oid::bigint, 'role', r.rolname::text, 'database_id', d.oid::bigint, 'database', d.datname::text,
                 'started_us', {started_us}, 'version_num', pg_catalog.current_setting('server_version_num')::int,
                 'hypopg', (SELECT n.nspname::text
                            FROM pg_catalog.pg_extension e JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace
                            WHERE e.extname = 'hypopg'),
                 'may_use_hypopg', EXISTS (SELECT FROM pg_catalog.pg_extension e
                            WHERE e.extname = 'hypopg' AND pg_catalog.has_schema_privilege(e.extnamespace, 'USAGE')),
                 'hypopg_available', EXISTS (SELECT FROM pg_catalog.pg_available_extensions WHERE name = 'hypopg'),
                 'has_plpgsql', EXISTS (SELECT FROM pg_catalog.pg_language
                            WHERE lanname = 'plpgsql' AND pg_catalog.has_language_privilege(oid, 'USAGE')))::text AS value
             FROM pg_catalog.pg_roles r, pg_catalog.pg_database d
             WHERE r.rolname = current_user AND d.datname = pg_catalog.current_database()",
            started_us = crate::server::microseconds("pg_catalog.pg_postmaster_start_time()")
        ))
    }

    /// The rights of the role, if it may do more than read.
    pub fn harm(&self) -> Option<&PlannerRights> {
        self.rights.as_ref().filter(|rights| !rights.is_harmless())
    }

    /// Schema of hypopg, an identifier in quotes, if indexes can be tried.
    pub fn usable_hypopg(&self) -> Option<String> {
        self.hypopg.as_deref().filter(|_| self.obstacle().is_none()).map(identifier)
    }

    /// Reason for which this planner cannot try indexes; `None` if it can.
    pub fn obstacle(&self) -> Option<Obstacle> {
        match &self.hypopg {
            _ if self.version_num < FIRST_MAJOR * 10_000 => Some(Obstacle::TooOld),
            None => Some(Obstacle::NoHypopg),
            Some(_) if self.rights.is_none() => Some(Obstacle::UnknownRights),
            Some(_) if self.harm().is_some() => self.harm().cloned().map(Obstacle::Harmful),
            Some(schema) if !self.may_use_hypopg => Some(Obstacle::NoSchemaUsage(format!(
                "GRANT USAGE ON SCHEMA {} TO {};",
                identifier(schema),
                identifier(&self.role)
            ))),
            Some(_) if !self.has_plpgsql => Some(Obstacle::NoPlpgsql),
            Some(_) => None,
        }
    }
}

/// Returns the query of memory, checkpoints and the age of the statistics; its one value is parsed by [`parse_facts`].
pub fn facts_query() -> Query {
    let setting = |name: &str| format!("(SELECT setting::float8 FROM pg_catalog.pg_settings WHERE name = '{name}')");
    Query::new(format!(
        "SELECT pg_catalog.json_build_array({}, {}, pg_catalog.current_setting('full_page_writes')::bool, \
         (SELECT extract(epoch FROM pg_catalog.clock_timestamp() - stats_reset) FROM pg_catalog.pg_stat_database \
          WHERE datname = pg_catalog.current_database()))::text AS value",
        setting("shared_buffers"),
        setting("checkpoint_timeout"),
    ))
}

/// Parses the answer to [`facts_query`].
pub fn parse_facts(text: &str) -> Result<ServerFacts, AnswerError> {
    let (buffers, checkpoint_s, full_page_writes, statistics_s): (f64, f64, bool, Option<f64>) = parse_answer(text)?;
    let memory = Memory { buffers, checkpoint_s: checkpoint_s.max(1.0), full_page_writes };
    Ok(ServerFacts { memory, statistics_s })
}

/// Returns the query of the facts of tables; its one value is parsed by [`Table::parse`](ebs_tuning::indexes::Table::parse). `names` is a
/// JSON array of arrays of schema and name.
pub fn tables_query(names: Option<String>) -> Query {
    Query::new(TABLES_QUERY).bind(names).large()
}

/// Hypothetical indexes to be there during a question.
pub struct Hypothetical<'a> {
    /// Schema of hypopg, an identifier in quotes.
    pub schema: &'a str,
    /// Commands that would create them.
    pub commands: &'a [String],
}

/// A question to the planner: three queries, one after the other.
pub struct Question {
    /// Query that leaves the question in a setting of the session.
    pub settings: Query,
    /// Block that answers it. It returns no row, and an error of it is an answer.
    pub block: Query,
    /// Query of the answer; its one value is parsed by [`PlannerAnswer::parse`].
    pub answer: Query,
}

/// Answer of the planner.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct PlannerAnswer {
    /// Numbers of the hypothetical indexes in the catalogue, in the order of their commands.
    #[serde(default)]
    pub indexes: Vec<u32>,
    /// The plan, as EXPLAIN writes it in JSON.
    pub plan: Option<Box<RawValue>>,
    /// Bytes of the first index.
    pub size: Option<i64>,
    /// Message of the error that kept it from an answer.
    pub error: Option<String>,
}

impl PlannerAnswer {
    /// Parses the answer to a question; `None` where that was cancelled.
    pub fn parse(text: Option<&str>) -> Result<Option<PlannerAnswer>, AnswerError> {
        text.filter(|text| !text.is_empty()).map(parse_answer).transpose()
    }
}

/// Factor of all costs in the plans that are asked for. EXPLAIN writes costs with two decimals (explain.c), which is 10 pages of
/// [`COST_STEP`]; with this factor it is a hundredth of a page. A plan does not depend on the unit of its costs.
pub const COST_SCALE: f64 = 1_000.0;

/// Settings that have the unit of costs, besides [`PAGE_COSTS`] (costsize.c).
const OTHER_COSTS: [&str; 5] =
    ["cpu_tuple_cost", "cpu_index_tuple_cost", "cpu_operator_cost", "parallel_tuple_cost", "parallel_setup_cost"];

/// Returns the question for the plan of a statement, in the session's own search path, with both costs of a page raised by
/// [`COST_STEP`] if `raised`. All costs are [`COST_SCALE`] times theirs.
pub fn plan_question(statement: &str, indexes: &Hypothetical, raised: bool) -> Question {
    let explain = format!("EXPLAIN (GENERIC_PLAN, VERBOSE, FORMAT JSON) {statement}");
    let step = if raised { COST_STEP } else { 0.0 };
    let costs = PAGE_COSTS.into_iter().map(|name| (name, step)).chain(OTHER_COSTS.map(|name| (name, 0.0)));
    let costs: serde_json::Map<String, serde_json::Value> =
        costs.map(|(name, step)| (name.to_owned(), step.into())).collect();
    let body = format!(
        "FOR setting, step IN SELECT key, value::float8 FROM jsonb_each_text(question -> 'costs') LOOP \
           PERFORM set_config(setting, ((current_setting(setting)::float8 + step) * {COST_SCALE})::text, true); \
         END LOOP; \
         statement := question ->> 'explain'; \
         SET LOCAL search_path TO DEFAULT; \
         FOR document IN EXECUTE statement LOOP {} END LOOP;",
        hand_on("pg_catalog.json_build_object('indexes', indexes::pg_catalog.int8[], 'plan', document)")
    );
    ask(indexes, json!({ "explain": explain, "costs": costs }), &body)
}

/// Returns the question for the size of the one index.
pub fn size_question(index: &Hypothetical) -> Question {
    let body = format!(
        "EXECUTE 'SELECT ' || hypopg || '.hypopg_relation_size($1)' INTO size USING indexes[1]; {}",
        hand_on("json_build_object('size', size)")
    );
    ask(index, json!({}), &body)
}

/// Statement of PL/pgSQL that leaves a JSON document as the answer.
fn hand_on(document: &str) -> String {
    format!("PERFORM pg_catalog.set_config('{ANSWER}', {document}::pg_catalog.text, false);")
}

/// A block with hypothetical indexes and no lasting effect. An error is caught and is the answer; where the block is cancelled, the answer
/// is empty. Whatever changes from question to question is in a setting, and none of it in the text of the block: it takes no parameters,
/// and pg_stat_statements keeps an entry for each text.
fn ask(indexes: &Hypothetical, mut question: serde_json::Value, body: &str) -> Question {
    question["hypopg"] = json!(indexes.schema);
    question["indexes"] = json!(indexes.commands);
    let block = format!(
        "DO LANGUAGE plpgsql $ebsctl$ \
         DECLARE question jsonb := current_setting('{QUESTION}'); hypopg text := question ->> 'hypopg'; indexes oid[] := '{{}}'; \
           index oid; command text; setting text; step float8; statement text; document json; size int8; \
         BEGIN \
           EXECUTE 'SELECT ' || hypopg || '.hypopg_reset()'; \
           FOR command IN SELECT jsonb_array_elements_text(question -> 'indexes') LOOP \
             EXECUTE 'SELECT indexrelid FROM ' || hypopg || '.hypopg_create_index($1)' INTO index USING command; \
             indexes := indexes || index; \
           END LOOP; \
           {body} \
         EXCEPTION WHEN OTHERS THEN {} \
         END $ebsctl$",
        hand_on("pg_catalog.json_build_object('error', SQLERRM)")
    );
    let settings = format!(
        "SELECT pg_catalog.set_config('{QUESTION}', $1, false) || pg_catalog.set_config('{ANSWER}', '', false) AS value"
    );
    Question {
        settings: Query::new(settings).bind(question.to_string()),
        block: Query::new(block),
        answer: Query::new(format!("SELECT pg_catalog.current_setting('{ANSWER}') AS value")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_a_parameter_and_the_block_is_the_same_for_each() {
        let schema = identifier("odd\"; --");
        let indexes = Hypothetical { schema: &schema, commands: &["CREATE INDEX ON s.t (\"it's\")".to_owned()] };
        let plan = |text, raised| plan_question(text, &indexes, raised);
        let asked = plan("SELECT 'a' FROM t WHERE b = $1", true);
        let question: serde_json::Value =
            serde_json::from_str(asked.settings.parameters[0].as_deref().unwrap()).unwrap();
        assert_eq!(question["explain"], "EXPLAIN (GENERIC_PLAN, VERBOSE, FORMAT JSON) SELECT 'a' FROM t WHERE b = $1");
        assert_eq!(question["indexes"][0], "CREATE INDEX ON s.t (\"it's\")");
        assert_eq!(question["hypopg"], "\"odd\"\"; --\"");
        assert_eq!(plan("SELECT 1", false).block, asked.block);
        assert!(asked.block.parameters.is_empty() && !asked.block.text.contains("odd"));
        let raised = |question: &Question| {
            question.settings.parameters[0].as_ref().unwrap().matches("_page_cost\":0.001").count()
        };
        assert_eq!((raised(&asked), raised(&plan("SELECT 1", false))), (2, 0));
    }

    #[test]
    fn each_obstacle_is_told_apart() {
        let able = PlannerIdentity {
            role: "a\"b".to_owned(),
            version_num: 170_004,
            hypopg: Some("tools".to_owned()),
            may_use_hypopg: true,
            has_plpgsql: true,
            rights: Some(PlannerRights::default()),
            ..PlannerIdentity::default()
        };
        assert_eq!(able.obstacle(), None);
        let obstacle = |change: fn(&mut PlannerIdentity)| {
            let mut identity = able.clone();
            change(&mut identity);
            identity.obstacle()
        };
        assert_eq!(obstacle(|identity| identity.version_num = 150_004), Some(Obstacle::TooOld));
        assert_eq!(obstacle(|identity| identity.hypopg = None), Some(Obstacle::NoHypopg));
        assert_eq!(obstacle(|identity| identity.has_plpgsql = false), Some(Obstacle::NoPlpgsql));
        assert_eq!(obstacle(|identity| identity.rights = None), Some(Obstacle::UnknownRights));
        let harmful =
            parse_answer::<PlannerRights>(r#"{"role": "a", "harms": [], "total": 1, "schemas": []}"#).unwrap();
        let expected = Some(Obstacle::Harmful(harmful.clone()));
        assert_eq!(PlannerIdentity { rights: Some(harmful), ..able.clone() }.obstacle(), expected);
        let grant = "GRANT USAGE ON SCHEMA \"tools\" TO \"a\"\"b\";".to_owned();
        assert_eq!(obstacle(|identity| identity.may_use_hypopg = false), Some(Obstacle::NoSchemaUsage(grant)));
    }

    #[test]
    fn an_answer_is_a_plan_an_error_or_none() {
        let answer = PlannerAnswer::parse(Some(r#"{"indexes":[13504],"plan":[{"Plan":{}}]}"#)).unwrap().unwrap();
        assert_eq!((answer.indexes, answer.error), (vec![13_504], None));
        let refused = PlannerAnswer::parse(Some(r#"{"error":"syntax error"}"#)).unwrap().unwrap();
        assert_eq!(refused.error.as_deref(), Some("syntax error"));
        assert!(PlannerAnswer::parse(None).unwrap().is_none());
        assert!(PlannerAnswer::parse(Some("{")).is_err());
        let facts = parse_facts("[16384,300,true,null]").unwrap();
        assert_eq!((facts.memory.buffers, facts.statistics_s), (16_384.0, None));
    }
}
