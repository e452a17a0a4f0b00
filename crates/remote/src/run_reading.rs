//! Counters that are read when the run begins and when it ends: statements, checkpoints, tables.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use ebs_base::counter::{Counters, Delta};
use ebs_tuning::indexes::statement::first_word;
use ebs_workload::reading::{CheckpointCounts, Checkpoints, Reading, Table, TableCounts, Tables, tables_query};
use ebs_workload::statements::{
    Entry, INSTALLATION_QUERY, Installation, Missing, StatementCounts, StatementKey, Statements, StatementsSource,
    column_list,
};
use serde::de::Visitor;
use serde::{Deserialize, Deserializer};
use serde_json::json;

use crate::answer::{parse_answer, parse_values};
use crate::error::AnswerError;
use crate::query::Query;
use crate::server::{Server, microseconds};

/// Most statements whose texts are read.
const MAX_TEXTS: usize = 200;

/// Most values of the answer about all statements: some twenty of each, so that 25,000 statements are known, five times the default of
/// pg_stat_statements.max.
const MAX_STATEMENT_VALUES: usize = 500_000;

/// Most characters of a text: one of so many may be cut off.
pub const MAX_TEXT: usize = 10_000;

/// Returns the query of pg_stat_statements as it is installed in the database; its one value is parsed by [`parse_source`].
pub fn source_query() -> Query {
    Query::new(format!("SELECT pg_catalog.row_to_json(i)::text AS value FROM ({INSTALLATION_QUERY}) i"))
}

/// Parses the answer to [`source_query`]; the inner error is the reason for which statements cannot be read.
pub fn parse_source(text: &str) -> Result<Result<StatementsSource, Missing>, AnswerError> {
    Ok(parse_answer::<Installation>(text)?.source())
}

/// Returns the query of all statements, without their texts; its one value is parsed by [`parse_statements`]. The evictions are read
/// first: a statement evicted in between is then missing, and known to have been evicted.
pub fn statements_query(source: &StatementsSource) -> Query {
    let StatementsSource { schema, columns } = source;
    Query::new(format!(
        "SELECT pg_catalog.json_build_object('evictions', i.dealloc, 'reset_us', {reset}, \
         'timed', pg_catalog.current_setting('track_io_timing')::bool, \
         'roles', (SELECT pg_catalog.json_object_agg(oid::bigint, rolname) FROM pg_catalog.pg_roles), \
         'databases', (SELECT pg_catalog.json_object_agg(oid::bigint, datname) FROM pg_catalog.pg_database), \
         'statements', (SELECT pg_catalog.json_build_object('hidden', count(*) FILTER (WHERE queryid IS NULL), \
             'rows', pg_catalog.json_agg(pg_catalog.json_build_array({list})) FILTER (WHERE queryid IS NOT NULL)) \
           FROM {schema}.pg_stat_statements(false)))::text AS value \
         FROM {schema}.pg_stat_statements_info() i",
        reset = microseconds("i.stats_reset"),
        list = column_list(columns)
    ))
}

/// Returns the query of the texts of these statements; its one value is parsed by [`crate::parse_answer`]. Commands that define objects or roles
/// are left out: they may name passwords.
pub fn texts_query(source: &StatementsSource, query_ids: &[i64]) -> Query {
    // Space, parentheses and comments before the first word: frameworks name themselves in a comment.
    let skipped = "[[:space:](]|/[*]([^*]|[*]+[^*/])*[*]+/|--[^\n]*\n";
    let text = format!(
        "SELECT pg_catalog.json_object_agg(queryid, pg_catalog.left(query, {MAX_TEXT}))::text AS value \
         FROM (SELECT DISTINCT ON (queryid) queryid, query FROM {}.pg_stat_statements(true) \
           WHERE queryid IN (SELECT id::bigint FROM pg_catalog.json_array_elements_text($1::pg_catalog.json) w(id)) AND query ~* '^({skipped})*(select|insert|update|delete|merge|with|values|copy)[[:space:]]' \
           ORDER BY queryid) s",
        source.schema
    );
    Query::new(text).bind(json!(query_ids).to_string())
}

/// Query ids of the statements with most I/O between two readings, and of those with the same, with most time.
pub fn busiest(before: &Statements, after: &Statements) -> Vec<i64> {
    let io = |(key, entry): (&StatementKey, &Entry)| {
        let earlier = before.entries.get(key).map(|entry| entry.counts).unwrap_or_default();
        let Delta::Advanced(counted) = entry.counts.since(earlier) else { return ((0, 0), key.query_id) };
        let blocks =
            [counted.blocks_read, counted.blocks_dirtied, counted.temp_blocks_read, counted.temp_blocks_written];
        ((blocks.into_iter().fold(0, u64::saturating_add), counted.exec_us), key.query_id)
    };
    let is_active = |(io, _): &((u64, u64), i64)| *io > (0, 0);
    let mut busiest: Vec<((u64, u64), i64)> = after.entries.iter().map(io).filter(is_active).collect();
    busiest.sort_unstable_by(|a, b| b.cmp(a));
    busiest.dedup_by_key(|(_, query_id)| *query_id);
    busiest.into_iter().take(MAX_TEXTS).map(|(_, query_id)| query_id).collect()
}

/// True if a text that [`texts_query`] gives can be planned: COPY cannot.
pub fn is_plannable(text: &str) -> bool {
    !first_word(text).eq_ignore_ascii_case("copy")
}

/// Removes the statements with these query ids of one role in one database: those of the session that reads the server.
pub fn remove_own_statements(statements: &mut Statements, role: &str, database: &str, query_ids: &BTreeSet<i64>) {
    let number = |names: &BTreeMap<u32, String>, name: &str| Some(*names.iter().find(|(_, known)| *known == name)?.0);
    let role = number(&statements.roles, role);
    let database = number(&statements.databases, database);
    let (Some(role), Some(database)) = (role, database) else { return };
    let is_own = |key: &StatementKey| {
        key.user_id == role && key.database_id == database && key.top_level && query_ids.contains(&key.query_id)
    };
    statements.entries.retain(|key, _| !is_own(key));
}

/// Value of a statement. JSON's own type takes memory for objects, which none of them is.
#[derive(Clone, Copy)]
enum Cell {
    Number(i128),
    Flag(bool),
    Unknown,
}

impl<'de> Deserialize<'de> for Cell {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Cell, D::Error> {
        deserializer.deserialize_any(CellVisitor)
    }
}

struct CellVisitor;

impl Visitor<'_> for CellVisitor {
    type Value = Cell;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a whole number, true, false or null")
    }

    fn visit_u64<E>(self, number: u64) -> Result<Cell, E> {
        Ok(Cell::Number(number.into()))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Cell, E> {
        Ok(Cell::Number(number.into()))
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Cell, E> {
        Ok(Cell::Flag(flag))
    }

    fn visit_unit<E>(self) -> Result<Cell, E> {
        Ok(Cell::Unknown)
    }
}

impl Cell {
    fn number<T: TryFrom<i128>>(self) -> Option<T> {
        if let Cell::Number(number) = self { number.try_into().ok() } else { None }
    }

    fn flag(self) -> Option<bool> {
        if let Cell::Flag(flag) = self { Some(flag) } else { None }
    }
}

/// Parses the answer to [`statements_query`].
pub fn parse_statements(text: &str) -> Result<Statements, AnswerError> {
    #[derive(Deserialize)]
    struct Answer {
        evictions: Option<u64>,
        reset_us: Option<i64>,
        timed: bool,
        roles: Option<BTreeMap<u32, String>>,
        databases: Option<BTreeMap<u32, String>>,
        statements: Listed,
    }
    #[derive(Deserialize)]
    struct Listed {
        hidden: u64,
        rows: Option<Vec<Vec<Cell>>>,
    }
    let answer: Answer = parse_values(text, MAX_STATEMENT_VALUES)?;
    let rows = answer.statements.rows.unwrap_or_default();
    let entries: BTreeMap<_, _> = rows
        .iter()
        .map(|row| parse_statement(row))
        .collect::<Option<_>>()
        .ok_or(AnswerError::Columns("pg_stat_statements"))?;
    let names = |all: Option<BTreeMap<u32, String>>, number: fn(&StatementKey) -> u32| {
        let mut names = all.unwrap_or_default();
        let used: BTreeSet<u32> = entries.keys().map(number).collect();
        names.retain(|known, _| used.contains(known));
        names
    };
    Ok(Statements {
        reset_us: answer.reset_us,
        evictions: answer.evictions,
        timed: answer.timed,
        hidden: answer.statements.hidden,
        roles: names(answer.roles, |key| key.user_id),
        databases: names(answer.databases, |key| key.database_id),
        texts: BTreeMap::new(),
        entries,
    })
}

fn parse_statement(row: &[Cell]) -> Option<(StatementKey, Entry)> {
    let [user, database, query, top_level, since, counts @ ..] = row else { return None };
    let key = StatementKey {
        user_id: user.number()?,
        database_id: database.number()?,
        query_id: query.number()?,
        top_level: top_level.flag()?,
    };
    // A count that is not known is zero, as the extension reads it.
    let counts: Vec<u64> = counts.iter().map(|count| count.number().unwrap_or(0)).collect();
    Some((key, Entry { since_us: since.number(), counts: StatementCounts::from_fields(&counts)? }))
}

/// Returns the query of checkpoints and tables; its one value is parsed by [`parse_reading`].
pub fn query(server: &Server) -> Query {
    let (view, timed, requested, written) = match server.is_at_least(17) {
        true => ("pg_stat_checkpointer", "num_timed", "num_requested", "buffers_written"),
        false => ("pg_stat_bgwriter", "checkpoints_timed", "checkpoints_req", "buffers_checkpoint"),
    };
    Query::new(format!(
        "SELECT pg_catalog.json_build_object('read_us', {now}, \
         'checkpoints', (SELECT pg_catalog.json_build_array({reset}, {timed}, {requested}, {written}) FROM pg_catalog.{view}), \
         'database', pg_catalog.current_database()::text, \
         'reset_us', (SELECT {reset} FROM pg_catalog.pg_stat_database WHERE datname = pg_catalog.current_database()), \
         'tables', (SELECT pg_catalog.json_agg(pg_catalog.row_to_json(t)) FROM ({tables}) t))::text AS value",
        tables = tables_query(server.is_at_least(16)),
        now = microseconds("pg_catalog.clock_timestamp()"),
        reset = microseconds("stats_reset"),
    ))
}

/// Parses the answer to [`query`], and adds the statements.
pub fn parse_reading(
    text: &str,
    server: &Server,
    statements: Result<Statements, Missing>,
) -> Result<Reading, AnswerError> {
    #[derive(Deserialize)]
    struct Answer {
        read_us: i64,
        checkpoints: Option<(Option<i64>, u64, u64, u64)>,
        database: String,
        reset_us: Option<i64>,
        tables: Option<Vec<TableRow>>,
    }
    #[derive(Deserialize)]
    struct TableRow {
        number: u32,
        name: String,
        fillfactor: u8,
        indexes: u32,
        pages: u64,
        #[serde(flatten)]
        counts: TableCounts,
    }
    let answer: Answer = parse_answer(text)?;
    let table = |row: TableRow| {
        let TableRow { number, name, fillfactor, indexes, pages, counts } = row;
        (number, Table { name, fillfactor, indexes, bytes: pages.saturating_mul(server.block_size), counts })
    };
    let checkpoints = |(reset_us, timed, requested, buffers_written)| Checkpoints {
        reset_us,
        counts: CheckpointCounts { timed, requested, buffers_written },
    };
    Ok(Reading {
        read_us: answer.read_us,
        block_size: server.block_size,
        statements,
        checkpoints: answer.checkpoints.map(checkpoints),
        tables: Some(Tables {
            database: answer.database,
            reset_us: answer.reset_us,
            tables: answer.tables.into_iter().flatten().map(table).collect(),
        }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(fields: &str) -> Result<StatementsSource, Missing> {
        parse_source(&format!(r#"{{"database":"app","role":"watcher","has_info":true,{fields}}}"#)).unwrap()
    }

    #[test]
    fn what_is_missing_is_named() {
        let whole =
            r#""preloaded":true,"schema":"public","version":"1.11","columns":["userid","toplevel"],"allowed":true"#;
        assert!(source(whole).is_ok());
        let missing = [
            (whole.replacen("true", "false", 1), Missing::NotPreloaded),
            (whole.replace(r#""public""#, "null"), Missing::NotCreated("app".to_owned())),
            (whole.replace(r#""allowed":true"#, r#""allowed":false"#), Missing::NoAccess("watcher".to_owned())),
            (whole.replace(r#","toplevel""#, ""), Missing::TooOld("1.11".to_owned())),
        ];
        for (fields, reason) in missing {
            assert_eq!(source(&fields), Err(reason));
        }
    }

    #[test]
    fn statements_have_the_names_of_their_roles_alone() {
        let counts = (1..=16).map(|count| count.to_string()).collect::<Vec<_>>().join(",");
        let text = format!(
            r#"{{"evictions":0,"reset_us":5,"timed":true,"roles":{{"10":"a","11":"b"}},"databases":{{"5":"app"}},
            "statements":{{"hidden":1,"rows":[[10,5,-77,true,null,{counts}]]}}}}"#
        );
        let statements = parse_statements(&text).unwrap();
        assert_eq!(statements.roles.into_iter().collect::<Vec<_>>(), [(10, "a".to_owned())]);
        let (key, entry) = statements.entries.iter().next().unwrap();
        assert_eq!((key.query_id, entry.counts.calls, entry.counts.wal_bytes), (-77, 1, 16));
        assert!(parse_statements(&text.replace(",16]", "]")).is_err());
    }

    #[test]
    fn own_statements_are_those_of_role_and_database_with_known_ids() {
        let key = |user_id, database_id, query_id| StatementKey { user_id, database_id, query_id, top_level: true };
        let nested = StatementKey { top_level: false, ..key(10, 5, 2) };
        let others = [key(10, 5, 1), nested, key(11, 5, 2), key(10, 6, 2)];
        let mut statements = Statements {
            roles: BTreeMap::from([(10, "watcher".to_owned()), (11, "app".to_owned())]),
            databases: BTreeMap::from([(5, "app".to_owned()), (6, "other".to_owned())]),
            entries: others.into_iter().chain([key(10, 5, 2)]).map(|key| (key, Entry::default())).collect(),
            ..Statements::default()
        };
        remove_own_statements(&mut statements, "watcher", "unknown", &BTreeSet::from([2]));
        assert_eq!(statements.entries.len(), 5);
        remove_own_statements(&mut statements, "watcher", "app", &BTreeSet::from([2, 3]));
        assert_eq!(statements.entries.into_keys().collect::<BTreeSet<_>>(), BTreeSet::from(others));
    }

    #[test]
    fn texts_are_those_of_the_statements_with_most_io() {
        let key = |query_id| StatementKey { query_id, ..StatementKey::default() };
        let entry = |blocks_read| Entry {
            counts: StatementCounts { blocks_read, ..StatementCounts::default() },
            ..Entry::default()
        };
        let statements = |entries: &[(i64, u64)]| Statements {
            entries: entries.iter().map(|(query_id, blocks)| (key(*query_id), entry(*blocks))).collect(),
            ..Statements::default()
        };
        let (before, after) = (statements(&[(1, 100), (2, 5)]), statements(&[(1, 101), (2, 5), (3, 50)]));
        assert_eq!(busiest(&before, &after), [3, 1]);
        let source = StatementsSource { schema: "public".to_owned(), columns: Vec::new() };
        assert_eq!(texts_query(&source, &[3, -1]).parameters, [Some("[3,-1]".to_owned())]);
        let texts: BTreeMap<i64, String> = parse_answer(r#"{"-1":"SELECT $1"}"#).unwrap();
        assert_eq!(texts[&-1], "SELECT $1");
    }

    #[test]
    fn a_reading_has_tables_and_checkpoints() {
        let server = Server { block_size: 8_192, ..Server::default() };
        let text = r#"{"read_us":9,"checkpoints":[3,1,2,50],"database":"app","reset_us":null,
            "tables":[{"number":16400,"name":"public.t","fillfactor":90,"indexes":2,"pages":10,"inserted":1,"updated":2,
            "hot_updated":3,"newpage_updated":4,"deleted":5,"vacuums":6}]}"#;
        let reading = parse_reading(text, &server, Err(Missing::NotPreloaded)).unwrap();
        let tables = reading.tables.unwrap();
        assert_eq!((tables.tables[&16400].bytes, tables.tables[&16400].counts.vacuums), (81_920, 6));
        assert_eq!(reading.checkpoints.unwrap().counts.buffers_written, 50);
    }
}
