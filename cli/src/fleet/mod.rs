//! ebsctl fleet: an answer for each volume of a fleet, from the counters that a Prometheus engine keeps.

mod arguments;
mod configuration;
mod engine;
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
pub use transport::FetchError;

use ebs_fleet_report::Action;

use crate::error::Error;

/// Exit status where volumes were left without an answer because their samples were not fetched.
pub const NOT_FETCHED: u8 = 4;

/// Answers, and returns the exit status.
pub fn run(arguments: &Arguments) -> Result<u8, Error> {
    if let Some(conninfo) = &arguments.output.into {
        output::check_into(conninfo, &arguments.output.connection)?;
    }
    if arguments.output.rows.is_empty() {
        return engine::answer(arguments);
    }
    let rows = rows::read_files(&arguments.output.rows)?;
    let status = exit_status(&rows);
    output::write(rows, &arguments.output)?;
    Ok(status)
}

/// 0, or [`NOT_FETCHED`].
fn exit_status(rows: &[ebs_fleet_report::Row]) -> u8 {
    let is_missing = |row: &ebs_fleet_report::Row| row.action == Action::NoAnswer && row.reason.code == "not_fetched";
    if rows.iter().any(is_missing) { NOT_FETCHED } else { 0 }
}
