//! ebsctl fleet: an answer for each volume of a fleet, from the counters that a Prometheus engine keeps.

mod arguments;
mod configuration;
mod engine;
mod found;
mod into;
mod journal;
mod memory;
mod output;
mod pipeline;
mod progress;
mod rows;
mod shard;
mod time;
mod transport;
mod volume_run;

pub use arguments::Arguments;

use crate::error::Error;
use crate::output_file;

/// Answers, and returns the exit status.
pub fn run(arguments: &Arguments) -> Result<u8, Error> {
    let (engine, rows) = (&arguments.engine, &arguments.output.rows);
    if engine.prometheus.is_none() && engine.files.is_empty() && rows.is_empty() {
        return Err(Error::InvalidArgument {
            message: "no samples are named".to_owned(),
            hint: "Give the address of an engine (--prometheus URL), files of samples, or rows that were written before (--rows FILE).",
        });
    }
    arguments.output.check()?;
    // Not after an hour of fetching.
    arguments.output.output.iter().try_for_each(|file| output_file::check(file))?;
    if let Some(conninfo) = &arguments.output.into {
        output::check_into(conninfo)?;
    }
    if arguments.output.rows.is_empty() {
        return engine::answer(arguments);
    }
    let rows = rows::read_files(&arguments.output.rows)?;
    let status = rows::exit_status(&rows);
    output::write(rows, &arguments.output)?;
    Ok(status)
}
