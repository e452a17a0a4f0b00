//! Facts of tables: catalogue, statistics of columns, use of indexes.

use std::collections::BTreeSet;

use ebs_tuning::indexes::pages::PAGE_COSTS;
use ebs_tuning::indexes::{Memory, ServerFacts, TABLES_QUERY, Table};
use pgrx::prelude::*;

use crate::errors::Error;
use crate::sql::first_value;

/// This server.
pub struct Server {
    /// Its memory, and the time over which it has counted.
    pub facts: ServerFacts,
    /// Costs of a page, in the order of [`PAGE_COSTS`].
    pub costs: [f64; 2],
}

/// Reads these tables, each given as schema and name, or, without names, all with an index that could be dropped; none of PostgreSQL's
/// own and of this extension.
pub fn read_tables(names: Option<&BTreeSet<(String, String)>>) -> Result<Vec<Table>, Error> {
    let names = names.map(|names| serde_json::to_string(names).unwrap_or_default());
    let document = first_value::<String>(TABLES_QUERY, &[names.into()])?;
    Table::parse(document.as_deref().unwrap_or("[]")).map_err(|message| {
        Error::new(PgSqlErrorCode::ERRCODE_INTERNAL_ERROR, message, "Report this with the version of PostgreSQL.")
    })
}

/// Reads the facts of this server; `checkpoint_s` is the checkpoint_timeout that held instead of the server's, seconds.
pub fn read_server(checkpoint_s: Option<f64>) -> Result<Server, Error> {
    let number = |expression: &str| -> Result<Option<f64>, Error> {
        let query = format!("SELECT ({expression})::float8");
        first_value(&query, &[])
    };
    let setting = |name: &str| number(&format!("SELECT setting FROM pg_settings WHERE name = '{name}'"));
    let mut costs = [0.0; 2];
    for (cost, name) in costs.iter_mut().zip(PAGE_COSTS) {
        *cost = setting(name)?.unwrap_or(0.0);
    }
    let memory = Memory {
        buffers: setting("shared_buffers")?.unwrap_or(0.0),
        checkpoint_s: checkpoint_s.or(setting("checkpoint_timeout")?).unwrap_or(300.0).max(1.0),
        full_page_writes: number("current_setting('full_page_writes')::boolean::int")? == Some(1.0),
    };
    let statistics_s = number(
        "SELECT extract(epoch FROM clock_timestamp() - stats_reset) FROM pg_stat_database
         WHERE datname = current_database()",
    )?;
    Ok(Server { facts: ServerFacts { memory, statistics_s }, costs })
}
