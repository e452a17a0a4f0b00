//! ebsctl watch: samples a server over one connection, with nothing installed there, and keeps the samples as a run of the advisor's
//! database.

mod claim;
mod display;
mod document;
mod evidence;
mod gaps;
mod index_advice;
pub mod keep;
mod rights;
mod run_file;
mod target;
mod watcher;

use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use ebs_base::labels::{LABEL_LIMIT, printable_label};
use jiff::SignedDuration;
use serde_json::Value;

use self::index_advice::PlannerConnections;
use self::run_file::RunFile;
use self::target::{ChosenDevices, Target};
use self::watcher::Watcher;
use crate::duration;
use crate::error::Error;
use crate::postgres::{Connection, stop_flag};

/// Longest time to watch: a document holds about a week of seconds.
const MAX_DURATION: SignedDuration = SignedDuration::from_hours(7 * 24);

/// Arguments of ebsctl watch.
#[derive(Args)]
pub struct Arguments {
    /// The server to watch: a connection string or a database, as for psql; nothing is installed there
    #[arg(value_name = "CONNINFO")]
    target: String,
    /// The label of the run
    #[arg(short, long, value_name = "LABEL")]
    label: String,
    /// Time to watch, such as 90s, 30m or 2h; Ctrl-C ends it earlier and keeps what was seen
    #[arg(long = "for", value_name = "DURATION", default_value = "10m", value_parser = parse_duration)]
    duration: Duration,
    /// Disks of the cluster, by the kernel's names, where they cannot be found or only their counters are shown
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    device: Vec<String>,
    /// Disks of WAL, where it is on others
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', requires = "device")]
    wal_device: Vec<String>,
    /// A connection as a role that may only read, to plan the statements for index advice; may be given several times
    #[arg(long, value_name = "CONNINFO")]
    planner: Vec<String>,
    /// A note to keep with the run, a JSON document
    #[arg(long, value_name = "JSON", value_parser = parse_note)]
    note: Option<Value>,
    /// Write the run to this file, for ebs_run_import, and not into the database
    #[arg(short, long, value_name = "FILE")]
    output: Option<String>,
    #[command(flatten)]
    connection: Connection,
}

/// Watches, and keeps the run. An error before the first sample keeps nothing.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let label = printable_label(&arguments.label).ok_or_else(|| Error::InvalidArgument {
        message: format!("a run needs a label of 1 to {LABEL_LIMIT} printable characters"),
        hint: "For example: --label prod-monday",
    })?;
    let connection = Connection::to(&arguments.target);
    connection.refuse_password()?;
    match &arguments.output {
        Some(file) => keep::check_file(file)?,
        None => keep::check_database(&arguments.connection, label)?,
    }
    let mut file = RunFile::new(label, arguments.note.clone(), &arguments.connection)?;
    let stop = stop_flag()?;
    let devices = ChosenDevices { data: arguments.device.clone(), wal: arguments.wal_device.clone() };
    let target = Target::open(&connection, devices, Arc::clone(&stop))?;
    let planners = PlannerConnections::check((&connection, target.planner_identity()?), &arguments.planner, &stop)?;
    let has_statements = target.statements_missing().is_none();
    let watcher = Watcher::new(target, label, arguments.duration, stop);
    planners.part(has_statements).print();
    let mut watched = watcher.watch(&mut file)?;
    watched.add_index_advice(index_advice::advise(&planners, watched.statements(), &stop_flag()?));
    file.stop();
    let run = watched.into_run(label, arguments.note.clone());
    keep::keep(run, arguments.output.as_deref(), &arguments.connection)?;
    file.remove(arguments.output.as_deref());
    Ok(())
}

fn parse_duration(text: &str) -> Result<Duration, String> {
    let allowed = SignedDuration::from_secs(1)..=MAX_DURATION;
    let parsed = duration::parse(text, allowed, "90s, 30m, 2h", "1 second and 7 days")?;
    Ok(parsed.unsigned_abs())
}

fn parse_note(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|error| format!("it is no JSON document: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_those_that_people_write() {
        let seconds = |text| parse_duration(text).map(|duration| duration.as_secs());
        let expected = [7_200, 90, 5_400, 604_800].map(Ok);
        assert_eq!([seconds("2h"), seconds("90 s"), seconds("1h 30m"), seconds("7d")], expected);
        assert!(["0s", "8 weeks", "2", "-5m", "169h", ""].into_iter().all(|text| parse_duration(text).is_err()));
    }

    #[test]
    fn durations_that_are_none_are_refused_with_the_reason() {
        let problem = |text| parse_duration(text).unwrap_err();
        assert_eq!(problem("5"), "\"5\" has no unit; for example 90s, 30m, 2h");
        assert_eq!(problem("soon"), "\"soon\" is no duration; for example 90s, 30m, 2h");
        assert_eq!(problem("1 month"), "it must be between 1 second and 7 days");
    }
}
