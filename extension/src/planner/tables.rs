//! Facts of tables: catalogue, statistics of columns, use of indexes.

use ebs_tuning::indexes::pages::COSTS;
use ebs_tuning::indexes::{Memory, Table};
use pgrx::prelude::*;

use super::ask;
use crate::errors::Error;

/// What is known of this server.
pub struct Server {
    /// What it keeps in memory.
    pub memory: Memory,
    /// What a page costs, in the order of [`COSTS`].
    pub costs: [f64; 2],
    /// Seconds over which the use of indexes and changes of tables have been counted; `None` if that is not known.
    pub counted_s: Option<f64>,
}

/// Everything of the tables whose schema and name stand in `$1`, or of all with an index that nothing rests on.
const FACTS: &str = include_str!("tables.sql");

/// These tables, each as schema and name; the server's own and ours are left out.
pub fn tables(names: &[(String, String)]) -> Result<Vec<Table>, Error> {
    let document = serde_json::to_string(names).unwrap_or_default();
    read(Some(document))
}

/// All tables with an index that could be dropped.
pub fn every_table() -> Result<Vec<Table>, Error> {
    read(None)
}

fn read(names: Option<String>) -> Result<Vec<Table>, Error> {
    let document = ask::<String>(FACTS, &[names.into()])?;
    Table::parse(document.as_deref().unwrap_or("[]")).map_err(|message| {
        Error::new(PgSqlErrorCode::ERRCODE_INTERNAL_ERROR, message, "Report this with the version of PostgreSQL.")
    })
}

/// This server.
pub fn server() -> Result<Server, Error> {
    let number = |expression: &str| -> Result<Option<f64>, Error> {
        let query = format!("SELECT ({expression})::float8");
        Ok(ask::<f64>(&query, &[])?)
    };
    let setting = |name: &str| number(&format!("SELECT setting FROM pg_settings WHERE name = '{name}'"));
    let mut costs = [0.0; 2];
    for (cost, name) in costs.iter_mut().zip(COSTS) {
        *cost = setting(name)?.unwrap_or(0.0);
    }
    let memory = Memory {
        buffers: setting("shared_buffers")?.unwrap_or(0.0),
        checkpoint_s: setting("checkpoint_timeout")?.unwrap_or(300.0).max(1.0),
        full_page_writes: number("current_setting('full_page_writes')::boolean::int")? == Some(1.0),
    };
    let counted_s = number(
        "SELECT extract(epoch FROM clock_timestamp() - stats_reset) FROM pg_stat_database
         WHERE datname = current_database()",
    )?;
    Ok(Server { memory, costs, counted_s })
}
