//! Table ebs.configuration.

use ebs_imports::configuration::{Configuration, Database, Instance, Modification, Volume};
use pgrx::datum::DatumWithOid;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::json_text::to_json;
use super::limits::{check_configuration, check_run_storage};
use crate::errors::Error;
use crate::interrupts::check_interrupts;
use crate::sql::{JsonColumn, execute_counted, first_value, fresh_value, select_rows};

/// Objects that are stored by one statement.
const BATCH: usize = 1_000;

/// Columns of an object.
const COLUMNS: &str =
    "c.name, c.region, c.account, (extract(epoch FROM c.happened_at) * 1000000)::bigint, c.facts::pg_catalog.text,
    (extract(epoch FROM c.imported_at) * 1000000)::bigint, (extract(epoch FROM c.confirmed_at) * 1000000)::bigint";

const FACTS: JsonColumn = JsonColumn {
    subject: "The imported configuration",
    name: "imported configuration",
    hint: "Table ebs.configuration was changed by hand: SELECT ebs_configuration_reset(); empties it.",
};

/// A kind of objects in the column kind.
pub trait ConfigurationKind: Serialize + DeserializeOwned {
    /// Value of the column.
    const KIND: &'static str;
}

impl ConfigurationKind for Volume {
    const KIND: &'static str = "volume";
}

impl ConfigurationKind for Instance {
    const KIND: &'static str = "instance";
}

impl ConfigurationKind for Database {
    const KIND: &'static str = "db instance";
}

impl ConfigurationKind for Modification {
    const KIND: &'static str = "modification";
}

/// An imported object.
pub struct Configured<T> {
    /// Its name, as in the column.
    pub name: String,
    /// Its region.
    pub region: Option<String>,
    /// Its account.
    pub account: Option<String>,
    /// Start of a modification, microseconds since 1970; 0 of other kinds.
    pub happened_us: i64,
    /// Facts that AWS printed.
    pub facts: T,
    /// Time of the first import of these facts, microseconds since 1970.
    pub imported_us: i64,
    /// Time of the latest import of them.
    pub confirmed_us: i64,
}

/// Number of objects of a kind that were imported, and of those that were new or different.
pub struct StoredObjects {
    /// The kind.
    pub kind: &'static str,
    /// Imported objects.
    pub objects: usize,
    /// Those that were new or different.
    pub changed: usize,
}

/// An object to store.
#[derive(Serialize)]
struct Row<'a, T> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    account: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    happened_us: Option<i64>,
    facts: &'a T,
}

/// Stores a configuration that was imported at this time, microseconds since 1970, and returns the numbers of its objects.
pub fn store_configuration(configuration: &Configuration, at_us: i64) -> Result<Vec<StoredObjects>, Error> {
    check_run_storage()?;
    let volumes = configuration.volumes.iter().map(|(name, facts)| Row {
        name,
        region: facts.region.as_deref(),
        account: None,
        happened_us: None,
        facts,
    });
    let instances = configuration.instances.iter().map(|(name, facts)| {
        let (region, account) = (facts.region.as_deref(), facts.account.as_deref());
        Row { name, region, account, happened_us: None, facts }
    });
    let databases = configuration.databases.iter().map(|(key, facts)| {
        let (region, account) = (key.region.as_deref(), key.account.as_deref());
        Row { name: &key.identifier, region, account, happened_us: None, facts }
    });
    let modifications = configuration.modifications.iter().map(|(key, facts)| Row {
        name: &key.volume,
        region: None,
        account: None,
        happened_us: Some(key.started_us),
        facts,
    });
    let stored =
        vec![store(volumes, at_us)?, store(instances, at_us)?, store(databases, at_us)?, store(modifications, at_us)?];
    check_configuration()?;
    Ok(stored)
}

/// Confirms the objects whose latest facts are the same, and inserts the others.
fn store<'a, T: ConfigurationKind + 'a>(
    rows: impl Iterator<Item = Row<'a, T>>,
    at_us: i64,
) -> Result<StoredObjects, Error> {
    const STORE: &str = "
        WITH new AS (
            SELECT n.name, n.region, n.account, timestamptz 'epoch' + n.happened_us * interval '1 microsecond' AS happened_at, n.facts
            FROM pg_catalog.jsonb_to_recordset($2::pg_catalog.jsonb)
                 AS n (name text, region text, account text, happened_us bigint, facts pg_catalog.jsonb)
        ), known AS (
            SELECT new.*, latest.place, latest.facts IS NOT DISTINCT FROM new.facts AS is_same
            FROM new LEFT JOIN LATERAL (
                SELECT c.ctid AS place, c.facts FROM ebs.configuration c
                WHERE c.kind = $1 AND c.name = new.name AND c.region IS NOT DISTINCT FROM new.region
                  AND c.account IS NOT DISTINCT FROM new.account AND c.happened_at IS NOT DISTINCT FROM new.happened_at
                ORDER BY c.imported_at DESC LIMIT 1) latest ON true
        ), confirmed AS (
            UPDATE ebs.configuration c SET confirmed_at = timestamptz 'epoch' + $3 * interval '1 microsecond'
            FROM known WHERE known.is_same AND c.ctid = known.place
        ), inserted AS (
            INSERT INTO ebs.configuration (kind, name, region, account, happened_at, facts, imported_at, confirmed_at)
            SELECT $1, name, region, account, happened_at, facts, timestamptz 'epoch' + $3 * interval '1 microsecond',
                   timestamptz 'epoch' + $3 * interval '1 microsecond'
            FROM known WHERE NOT is_same RETURNING 1
        )
        SELECT count(*) FROM inserted";
    let mut stored = StoredObjects { kind: T::KIND, objects: 0, changed: 0 };
    let mut rows = rows.peekable();
    while rows.peek().is_some() {
        check_interrupts();
        let batch: Vec<Row<T>> = rows.by_ref().take(BATCH).collect();
        stored.objects += batch.len();
        let document = to_json(&batch, "The configuration")?;
        let changed: Option<i64> = fresh_value(STORE, &[T::KIND.into(), document.into(), at_us.into()])?;
        stored.changed += usize::try_from(changed.unwrap_or(0)).unwrap_or(0);
    }
    Ok(stored)
}

/// Removes all of it, and returns the number of rows.
pub fn reset_configuration() -> Result<usize, Error> {
    execute_counted("DELETE FROM ebs.configuration", &[])
}

/// Reads the objects of these names as they were at a time, microseconds since 1970: by the latest import not later than that, or
/// else the earliest later one.
pub fn find_configured<T: ConfigurationKind>(names: &[String], at_us: i64) -> Result<Vec<Configured<T>>, Error> {
    read_configured("c.name = ANY ($3)", names, at_us)
}

/// Reads the RDS instances with this DbiResourceId in the same way.
pub fn find_database_by_resource(resource_id: &str, at_us: i64) -> Result<Vec<Configured<Database>>, Error> {
    read_configured("c.facts ->> 'resource_id' = ANY ($3)", &[resource_id.to_owned()], at_us)
}

/// Reads the RDS instances that are members of this cluster in the same way.
pub fn find_databases_of_cluster(cluster: &str, at_us: i64) -> Result<Vec<Configured<Database>>, Error> {
    read_configured("c.facts ->> 'cluster' = ANY ($3)", &[cluster.to_owned()], at_us)
}

/// Identifiers of imported RDS instances in alphabetical order, five at most.
pub fn database_names() -> Result<Vec<String>, Error> {
    let query = "SELECT ARRAY(SELECT DISTINCT name FROM ebs.configuration WHERE kind = $1 ORDER BY name LIMIT 5)";
    Ok(first_value(query, &[Database::KIND.into()])?.unwrap_or_default())
}

fn read_configured<T: ConfigurationKind>(
    condition: &str,
    names: &[String],
    at_us: i64,
) -> Result<Vec<Configured<T>>, Error> {
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let query = format!(
        "SELECT DISTINCT ON (c.name, c.region, c.account, c.happened_at) {COLUMNS}
         FROM ebs.configuration c, (SELECT timestamptz 'epoch' + $2 * interval '1 microsecond' AS moment) reference
         WHERE c.kind = $1 AND {condition}
         ORDER BY c.name, c.region, c.account, c.happened_at, c.imported_at > moment,
                  CASE WHEN c.imported_at > moment THEN c.imported_at - moment ELSE moment - c.imported_at END"
    );
    read_rows(&query, &[T::KIND.into(), at_us.into(), names.to_vec().into()])
}

/// Reads all imported facts of the objects of these names: of each object one after the other, in the order of their imports.
pub fn configured_history<T: ConfigurationKind>(names: &[String]) -> Result<Vec<Configured<T>>, Error> {
    let query = format!(
        "SELECT {COLUMNS} FROM ebs.configuration c WHERE c.kind = $1 AND c.name = ANY ($2)
         ORDER BY c.name, c.region, c.account, c.happened_at, c.imported_at"
    );
    read_rows(&query, &[T::KIND.into(), names.to_vec().into()])
}

fn read_rows<T: ConfigurationKind>(query: &str, arguments: &[DatumWithOid]) -> Result<Vec<Configured<T>>, Error> {
    let found: Vec<Option<_>> = select_rows(query, arguments, |row| {
        let Some(facts) = FACTS.read(row, 5)? else { return Ok(None) };
        Ok(Some(Configured {
            name: row.get(1)?.unwrap_or_default(),
            region: row.get(2)?,
            account: row.get(3)?,
            happened_us: row.get(4)?.unwrap_or(0),
            facts,
            imported_us: row.get(6)?.unwrap_or(0),
            confirmed_us: row.get(7)?.unwrap_or(0),
        }))
    })?;
    Ok(found.into_iter().flatten().collect())
}
