//! ebsctl import: brings files into a database with the extension. Each is recognised by its content, which decides where it goes: demand
//! becomes a run, what a load driver left is the result of one, and what AWS describes is the configuration.

mod bounds;
mod driver;
mod files;
mod hammer_db;
mod merge;
mod pgbench_logs;
mod server;
mod sqlite;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use ebs_imports::format::{Format, Reader};
use ebs_imports::formats::{find, formats, recognise};

use self::files::{DriverFile, Selection};
use crate::error::Error;
use crate::postgres::Connection;
use crate::server_files::{FileFlags, ServerFiles, open};

/// Arguments of ebsctl import.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Arguments {
    #[command(subcommand)]
    source: Option<Source>,
    #[command(flatten)]
    import: ImportArguments,
}

/// Names of earlier versions: the files tell what they are.
#[derive(Subcommand)]
enum Source {
    /// Imports what the AWS CLI printed
    #[command(hide = true)]
    Configuration(ImportArguments),
    /// Imports log events of RDS Enhanced Monitoring
    #[command(hide = true)]
    RdsOs(ImportArguments),
    /// Imports wait events of Performance Insights
    #[command(hide = true)]
    RdsWaits(ImportArguments),
}

/// Files and where they go.
#[derive(Args)]
#[command(
    mut_arg("db_instance", |argument| argument.alias("instance")),
    mut_arg("period_s", |argument| argument.alias("period")),
    after_help = "All files are read before anything is imported. They are imported one after another: an error of the database leaves what was \
    imported before it."
)]
struct ImportArguments {
    /// Files, each recognised by its content, plain or compressed by gzip; - is standard input. A new run: iostat, sar, CloudWatch, Enhanced
    /// Monitoring, AWR, exported runs. Beside a run: pgbench, HammerDB, sysbench, go-tpc, fio, Performance Insights. Of the account: aws …
    /// describe-volumes, describe-instances, describe-volumes-modifications, describe-db-instances; prices
    #[arg(value_name = "FILE", required = true)]
    files: Vec<String>,
    /// Label of the run: a new one of demand, one that exists of what goes beside it
    #[arg(short, long, value_name = "LABEL")]
    label: Option<String>,
    /// Load driver that wrote the files [default: recognised by how they begin]
    #[arg(long, value_name = "KIND", value_parser = format_parser())]
    kind: Option<&'static Format>,
    /// Job of HammerDB's, where a file has several
    #[arg(long, value_name = "JOBID")]
    job: Option<String>,
    /// Take output of a load driver that lacks its end, with the mean of its progress as the result
    #[arg(long)]
    partial: bool,
    /// Print what was found and where it would go, and import nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    file_flags: FileFlags,
    #[command(flatten)]
    connection: Connection,
}

/// Parser of the names of formats of load drivers.
fn format_parser() -> impl TypedValueParser<Value = &'static Format> {
    let drivers = formats().filter(|format| matches!(format.reader, Reader::Driver(_)));
    PossibleValuesParser::new(drivers.map(|format| format.name)).try_map(|name| find(&name).ok_or("unknown format"))
}

/// Reads all files, and only then imports: an error in one of them changes nothing.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let import = match &arguments.source {
        None => &arguments.import,
        Some(Source::Configuration(import) | Source::RdsOs(import) | Source::RdsWaits(import)) => import,
    };
    let ImportArguments { files, kind, job, partial, file_flags, .. } = import;
    let (mut drivers, mut driver_files) = (Vec::new(), Vec::new());
    let mut server = ServerFiles::keeping_texts(files, file_flags)?;
    for file in files {
        let opened = open(file)?;
        match kind.or_else(|| recognise(&opened.beginning)) {
            Some(Format { reader: Reader::Driver(kind), .. }) => {
                driver_files.push(file.clone());
                drivers.push(DriverFile { file, kind: *kind, bytes: Box::new(std::io::BufReader::new(opened.bytes)) });
            }
            format => server.read_opened(file, format, opened)?,
        }
    }
    server.finish()?;
    let selection = Selection { format: *kind, job: job.as_deref(), partial: *partial };
    let result = (!drivers.is_empty()).then(|| files::read(drivers, &selection)).transpose()?;
    let steps = server::steps(server, import.label.as_deref(), file_flags)?;
    let result = result.map(|(driver, report)| driver::DriverResult::new(driver, report, &driver_files, *partial));
    server::import(&steps, result.as_ref(), import.label.as_deref(), &import.connection, import.dry_run)
}
