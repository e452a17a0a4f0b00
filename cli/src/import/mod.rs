//! ebsctl import: files that load drivers left, as the result of a run that exists; what RDS keeps of an instance, as a run; the
//! configuration of an AWS account.

mod bounds;
mod configuration;
mod files;
mod hammer_db;
mod merge;
mod pgbench_logs;
mod rds_os;
mod rds_waits;
mod sqlite;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use ebs_imports::format::{Format, Reader};
use ebs_imports::formats::{find, formats};

use self::files::Selection;
use crate::error::Error;
use crate::output::{print, print_text};
use crate::postgres::function::RUN_RESULT;
use crate::postgres::{Connection, Extension};
use crate::run_result::{self, Details, ResultDocument};

/// Arguments of ebsctl import.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Arguments {
    #[command(subcommand)]
    source: Option<Source>,
    /// Files of one run: what pgbench, HammerDB, sysbench or go-tpc printed, all log files of pgbench, JSON of HammerDB's jobs,
    /// hammer.DB
    #[arg(value_name = "FILE", required = true)]
    files: Vec<String>,
    /// The run whose result it is
    #[arg(short, long, value_name = "LABEL", required_unless_present = "dry_run")]
    label: Option<String>,
    /// What the files are; recognised by how they begin unless given
    #[arg(long, value_name = "KIND", value_parser = format_parser())]
    kind: Option<&'static Format>,
    /// The job of HammerDB's, where a file has several
    #[arg(long, value_name = "JOBID")]
    job: Option<String>,
    /// Take what lacks its end, with the mean of its progress as the result
    #[arg(long)]
    partial: bool,
    /// Print what was found, and import nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    connection: Connection,
}

/// Sources that are not load drivers.
#[derive(Subcommand)]
enum Source {
    /// Imports the present configuration: what the AWS CLI printed about volumes, instances, RDS instances and modifications
    Configuration(configuration::Arguments),
    /// Makes a run of the log events of RDS Enhanced Monitoring, days of seconds too
    RdsOs(rds_os::Arguments),
    /// Puts wait events of Performance Insights beside an imported run
    RdsWaits(rds_waits::Arguments),
}

/// Parser of the names of formats of load drivers.
fn format_parser() -> impl TypedValueParser<Value = &'static Format> {
    let drivers = formats().filter(|format| matches!(format.reader, Reader::Driver(_)));
    PossibleValuesParser::new(drivers.map(|format| format.name)).try_map(|name| find(&name).ok_or("unknown format"))
}

/// Reads all files, and only then imports: an error in one of them changes nothing.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    match &arguments.source {
        Some(Source::RdsOs(arguments)) => return rds_os::run(arguments),
        Some(Source::RdsWaits(arguments)) => return rds_waits::run(arguments),
        Some(Source::Configuration(arguments)) => return configuration::run(arguments),
        None => {}
    }
    let Arguments { files, label, kind, job, partial, .. } = arguments;
    let selection = Selection { format: *kind, job: job.as_deref(), partial: *partial };
    let (driver, report) = files::read(files, &selection)?;
    let details = Details {
        source: Some("ebsctl import"),
        files: files.iter().map(|file| file_name(file).to_owned()).collect(),
        partial: partial.then_some(true),
        ..Details::from_report(driver, &report)
    };
    let figures = &report.figures;
    match label {
        Some(label) if !arguments.dry_run => {
            let mut database = Extension::open(&arguments.connection)?;
            database.query(&RUN_RESULT, run_result::STORE, run_result::values(label, figures, &details.to_json()))?;
            let result = run_result::describe_figures(&report).unwrap_or_else(|| "what there is".to_owned());
            print_text(format!("{result} of {} kept as the result of run \"{label}\"\n", driver.name()))
        }
        _ => {
            let document = ResultDocument::from((figures, &details)).to_json();
            print(format!("{document:#}\n"))
        }
    }
}

/// A file without its directories, which may be private.
fn file_name(file: &str) -> &str {
    file.rsplit('/').next().unwrap_or(file)
}
