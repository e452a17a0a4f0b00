//! ebsctl import: what load drivers left of work that is done, as the result of a run that exists.

mod files;
mod hammer_db;

use clap::{Args, ValueEnum};
use ebs_imports::driver::{Driver, Kind, Report};
use serde_json::{Value, json};

use crate::details;
use crate::error::Error;
use crate::output::print;
use crate::session::{Connection, Session};

/// What to import, and into which run.
#[derive(Args)]
pub struct Arguments {
    /// Files of one run: what pgbench, HammerDB, sysbench or go-tpc printed, all log files of pgbench, JSON of HammerDB's jobs,
    /// hammer.DB
    #[arg(value_name = "FILE", required = true)]
    files: Vec<String>,
    /// The run whose result it is
    #[arg(short, long, value_name = "LABEL", required_unless_present = "dry_run")]
    label: Option<String>,
    /// What the files are; recognised by how they begin unless given
    #[arg(long, value_name = "KIND", value_enum)]
    kind: Option<Choice>,
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

/// A kind of file.
#[derive(Clone, Copy, ValueEnum)]
enum Choice {
    Pgbench,
    PgbenchLog,
    Hammerdb,
    HammerdbJobs,
    HammerdbDatabase,
    Sysbench,
    GoTpc,
}

impl Choice {
    fn kind(self) -> Kind {
        match self {
            Choice::Pgbench => Kind::Output(Driver::Pgbench),
            Choice::PgbenchLog => Kind::PgbenchLog,
            Choice::Hammerdb => Kind::Output(Driver::Hammerdb),
            Choice::HammerdbJobs => Kind::HammerdbJobs,
            Choice::HammerdbDatabase => Kind::HammerdbDatabase,
            Choice::Sysbench => Kind::Output(Driver::Sysbench),
            Choice::GoTpc => Kind::Output(Driver::Gotpc),
        }
    }
}

/// Reads all files, and only then imports: one that is refused changes nothing.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let kind = arguments.kind.map(Choice::kind);
    let wanted = files::Wanted { kind, job: arguments.job.as_deref(), partial: arguments.partial };
    let (driver, report) = files::read(&arguments.files, &wanted)?;
    let mut kept = details::of(driver, &report);
    kept.insert("source".to_owned(), json!("ebsctl import"));
    kept.insert("files".to_owned(), json!(arguments.files.iter().map(|file| name(file)).collect::<Vec<_>>()));
    if arguments.partial {
        kept.insert("partial".to_owned(), json!(true));
    }
    match &arguments.label {
        Some(label) if !arguments.dry_run => {
            let mut session = Session::open(&arguments.connection)?;
            session.ask(&details::statement(label, &report.figures, &Value::Object(kept)))?;
            print(&format!("{} of {} kept as the result of run \"{label}\"\n", words(&report), driver.name()))
        }
        _ => {
            let figures = &report.figures;
            let document = json!({
                "tps": figures.tps, "latency_ms": figures.latency_ms, "nopm": figures.nopm, "tpm": figures.tpm, "details": kept,
            });
            print(&format!("{document:#}\n"))
        }
    }
}

/// A file's name says what it is; where it stood is nobody's business.
fn name(file: &str) -> &str {
    file.rsplit('/').next().unwrap_or(file)
}

fn words(report: &Report) -> String {
    crate::run::figures(report).unwrap_or_else(|| "what there is".to_owned())
}
