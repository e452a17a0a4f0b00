//! Table ebs.configuration.

use ebs_answer::{ConfigurationSource, Configured};
use ebs_imports::configuration::{Configuration, Database, Instance, Modification, Object, ObjectKind, Volume};
use pgrx::datum::DatumWithOid;

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

/// Number of objects of a kind that were imported, and of those that were new or different.
pub struct StoredObjects {
    /// The kind.
    pub kind: &'static str,
    /// Imported objects.
    pub objects: usize,
    /// Those that were new or different.
    pub changed: usize,
}

/// Stores a configuration that was imported at this time, microseconds since 1970, and returns the numbers of its objects.
pub fn store_configuration(configuration: &Configuration, at_us: i64) -> Result<Vec<StoredObjects>, Error> {
    check_run_storage()?;
    let stored = vec![
        store::<Volume>(configuration, at_us)?,
        store::<Instance>(configuration, at_us)?,
        store::<Database>(configuration, at_us)?,
        store::<Modification>(configuration, at_us)?,
    ];
    check_configuration()?;
    Ok(stored)
}

/// Confirms the objects whose latest facts are the same, and inserts the others.
fn store<T: ObjectKind>(configuration: &Configuration, at_us: i64) -> Result<StoredObjects, Error> {
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
    let mut objects = T::objects(configuration).peekable();
    while objects.peek().is_some() {
        check_interrupts();
        let batch: Vec<Object<T>> = objects.by_ref().take(BATCH).collect();
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

/// Table ebs.configuration as the source of what evidence is joined with.
#[derive(Clone, Copy, Debug)]
pub struct ImportedConfiguration;

impl ConfigurationSource for ImportedConfiguration {
    type Error = Error;

    fn find<T: ObjectKind>(&self, names: &[String], at_us: i64) -> Result<Vec<Configured<T>>, Error> {
        read_configured("c.name = ANY ($3)", names, at_us)
    }

    fn databases_by_resource(&self, resource_id: &str, at_us: i64) -> Result<Vec<Configured<Database>>, Error> {
        read_configured("c.facts ->> 'resource_id' = ANY ($3)", &[resource_id.to_owned()], at_us)
    }

    fn databases_of_cluster(&self, cluster: &str, at_us: i64) -> Result<Vec<Configured<Database>>, Error> {
        read_configured("c.facts ->> 'cluster' = ANY ($3)", &[cluster.to_owned()], at_us)
    }

    fn history<T: ObjectKind>(&self, names: &[String]) -> Result<Vec<Configured<T>>, Error> {
        let query = format!(
            "SELECT {COLUMNS} FROM ebs.configuration c WHERE c.kind = $1 AND c.name = ANY ($2)
             ORDER BY c.name, c.region, c.account, c.happened_at, c.imported_at"
        );
        read_rows(&query, &[T::KIND.into(), names.to_vec().into()])
    }

    fn database_names(&self) -> Result<Vec<String>, Error> {
        let query = "SELECT ARRAY(SELECT DISTINCT name FROM ebs.configuration WHERE kind = $1 ORDER BY name LIMIT 5)";
        Ok(first_value(query, &[Database::KIND.into()])?.unwrap_or_default())
    }
}

fn read_configured<T: ObjectKind>(condition: &str, names: &[String], at_us: i64) -> Result<Vec<Configured<T>>, Error> {
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

fn read_rows<T: ObjectKind>(query: &str, arguments: &[DatumWithOid]) -> Result<Vec<Configured<T>>, Error> {
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
