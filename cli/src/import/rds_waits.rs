//! ebsctl import rds-waits: wait events of Performance Insights, beside an imported run.

use clap::Args;
use ebs_imports::monitoring::rds_waits::{FORMAT, read};

use crate::error::Error;
use crate::input_file;
use crate::output::print_text;
use crate::postgres::function::IMPORT_RDS_WAITS;
use crate::postgres::{Connection, Extension};

/// Maximum size of all files together, bytes, as in ebs_import_rds_waits: a day of seconds of ten wait events.
const MAX_BYTES: u64 = 64 << 20;
const BEYOND: &str = "the files have more than 64 MiB: get longer periods, or import fewer hours";

/// Arguments of ebsctl import rds-waits.
#[derive(Args)]
pub struct Arguments {
    /// Output of aws pi get-resource-metrics of db.load.avg grouped by db.wait_event, all pages; plain or compressed by gzip;
    /// - is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<String>,
    /// The imported run
    #[arg(short, long, value_name = "LABEL")]
    label: String,
    /// Seconds of a period, where the points do not tell it
    #[arg(long, value_name = "SECONDS")]
    period: Option<i32>,
    #[command(flatten)]
    connection: Connection,
}

/// Reads all files, and only then imports: an error in one of them changes nothing.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let mut pages = String::new();
    for file in &arguments.files {
        pages.push_str(&input_file::read_text(file, MAX_BYTES.saturating_sub(pages.len() as u64), BEYOND)?);
        pages.push('\n');
    }
    let refused = |error| {
        let file = arguments.files.first().cloned().unwrap_or_default();
        Error::MonitoringFile { file, error, shape: FORMAT.shape }
    };
    read(&pages, arguments.period.map(i64::from), &|| ()).map_err(refused)?;
    let values = vec![Some(arguments.label.clone()), Some(pages), arguments.period.map(|seconds| seconds.to_string())];
    let import = "SELECT {call}::pg_catalog.text AS value";
    let answer = Extension::open(&arguments.connection)?.query(&IMPORT_RDS_WAITS, import, values)?;
    let periods = answer.value.unwrap_or_default();
    // They are imported even if standard output is closed.
    let _ = print_text(format!("wait events of {periods} periods kept in run \"{}\"\n", arguments.label));
    Ok(())
}
