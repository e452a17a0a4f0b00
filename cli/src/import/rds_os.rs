//! ebsctl import rds-os: log events of RDS Enhanced Monitoring. A day of seconds is half a gigabyte of JSON: events are read one by
//! one and reduced here, and the server gets a run document.

use clap::Args;
use ebs_comparison::export::{EnvironmentDocument, Run, Samples, write};
use ebs_imports::monitoring::rds_os::{Collector, OsMetrics, ReadError, SOURCE, Selection};
use ebs_imports::monitoring::{ImportError, RDS_OS};

use crate::error::Error;
use crate::input_file;
use crate::output::print_text;
use crate::postgres::function::RUN_IMPORT;
use crate::postgres::{Connection, Extension};
use crate::run_samples::pack;

/// Arguments of ebsctl import rds-os.
#[derive(Args)]
pub struct Arguments {
    /// Output of aws logs get-log-events, filter-log-events or tail of log group RDSOSMetrics, events one a line, batches of
    /// Firehose, JSON of Logs Insights, or exports to S3; plain or compressed by gzip, in any order; - is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<String>,
    /// Label of the new run
    #[arg(short, long, value_name = "LABEL", required_unless_present = "dry_run")]
    label: Option<String>,
    /// Device that holds data; otherwise the sum of the volumes
    #[arg(long, value_name = "NAME")]
    device: Option<String>,
    /// Device that holds WAL; otherwise the dedicated log volume, if there is one
    #[arg(long, value_name = "NAME")]
    wal_device: Option<String>,
    /// Instance, where the files have several: its identifier or resource id
    #[arg(long, value_name = "NAME")]
    instance: Option<String>,
    /// Print what was found, and import nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    connection: Connection,
}

/// Reads all files, and only then imports: an error in one of them changes nothing.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let metrics = read_files(arguments)?;
    let instance = metrics.db_instance.clone().or(metrics.dbi_resource_id.clone()).unwrap_or_default();
    let found = format!("{} intervals of instance \"{instance}\"", metrics.intervals());
    let label = arguments.label.as_deref().filter(|_| !arguments.dry_run);
    let Some(label) = label else {
        let limitations: String = metrics.limitations.iter().map(|doubt| format!("limitation: {doubt}\n")).collect();
        return print_text(format!("{found}\n{limitations}"));
    };
    let document = run_document(label, metrics)?;
    let import = "SELECT {call}::pg_catalog.text AS value";
    Extension::open(&arguments.connection)?.query(&RUN_IMPORT, import, vec![Some(document), None])?;
    // It is imported even if standard output is closed.
    let _ = print_text(format!("{found} kept as run \"{label}\"\n"));
    Ok(())
}

fn read_files(arguments: &Arguments) -> Result<OsMetrics, Error> {
    let Arguments { device, wal_device, instance, .. } = arguments;
    let selection = Selection { device: device.clone(), wal_device: wal_device.clone(), instance: instance.clone() };
    let mut collector = Collector::new(selection);
    for file in &arguments.files {
        let unreadable = |error| Error::ReadFile { file: file.clone(), error };
        let (raw, _) = input_file::open_or_stdin(file).map_err(unreadable)?;
        let events = input_file::decompress(raw).map_err(unreadable)?;
        collector.read(events, &|| ()).map_err(|error| match error {
            ReadError::Source(error) => unreadable(error),
            ReadError::Events(error) => refused(file, error),
        })?;
    }
    let file = arguments.files.first().map_or("", String::as_str);
    collector.finish(&|| ()).map_err(|error| refused(file, error))
}

fn refused(file: &str, error: ImportError) -> Error {
    Error::MonitoringFile { file: file.to_owned(), error, shape: RDS_OS.shape }
}

/// The run as ebs_run_import takes it.
fn run_document(label: &str, metrics: OsMetrics) -> Result<String, Error> {
    let environment = EnvironmentDocument {
        db_instance: metrics.db_instance.as_deref(),
        dbi_resource_id: metrics.dbi_resource_id.as_deref(),
        ..EnvironmentDocument::imported(SOURCE, &metrics.limitations)
    };
    let environment = Some(environment.to_json());
    let samples: Vec<Samples> = metrics.blocks.into_iter().map(pack).collect::<Result<_, _>>()?;
    let run = Run {
        label: label.to_owned(),
        started_us: samples.iter().map(|samples| samples.started_us).min().unwrap_or(0),
        ended_us: samples.iter().map(|samples| samples.ended_us).max().unwrap_or(0),
        environment,
        samples,
        ..Run::default()
    };
    let document = write(&[run], env!("CARGO_PKG_VERSION"), &|| ()).map_err(Error::RunDocument)?;
    Ok(document.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebs_comparison::export::read_text;

    fn events(instance: &str) -> String {
        let message = |second: i64| {
            let device =
                r#"{"device":"nvme1n1","readIOsPS":100,"writeIOsPS":50,"readKbPS":800,"writeKbPS":400,"await":1}"#;
            let text = format!(
                r#"{{"instanceID":"{instance}","instanceResourceID":"db-X","timestamp":"2026-11-20T09:00:{second:02}Z","physicalDeviceIO":[{device}]}}"#
            );
            serde_json::json!({ "timestamp": 1_795_165_200_000 + 1_000 * second, "message": text }).to_string()
        };
        format!(r#"{{"events":[{}]}}"#, (0..10).map(message).collect::<Vec<_>>().join(","))
    }

    fn arguments(files: &[&str]) -> Arguments {
        use clap::Parser;
        #[derive(Parser)]
        struct Program {
            #[command(flatten)]
            arguments: Arguments,
        }
        let words = ["ebsctl", "--label", "mydb"].into_iter().chain(files.iter().copied());
        Program::parse_from(words).arguments
    }

    #[test]
    fn a_compressed_file_becomes_a_run_document() {
        use std::io::Write;
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut gzip =
            flate2::write::GzEncoder::new(std::fs::File::create(file.path()).unwrap(), flate2::Compression::fast());
        gzip.write_all(events("db1").as_bytes()).unwrap();
        gzip.finish().unwrap();
        let metrics = read_files(&arguments(&[file.path().to_str().unwrap()])).unwrap();
        let runs = read_text(&run_document("it's", metrics).unwrap(), &|| ()).unwrap();
        assert_eq!(
            (runs[0].label.as_str(), runs[0].samples.iter().map(|samples| samples.ticks).sum::<i32>()),
            ("it's", 10)
        );
        let environment = runs[0].environment.clone().unwrap();
        assert_eq!((&environment["db_instance"], &environment["dbi_resource_id"]), (&"db1".into(), &"db-X".into()));
    }

    #[test]
    fn a_file_that_is_no_log_is_named() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "vda 1 2 3").unwrap();
        let path = file.path().to_str().unwrap();
        let error = read_files(&arguments(&[path])).unwrap_err();
        assert_eq!(error.to_string(), format!("\"{path}\": no event of Enhanced Monitoring found"));
        assert_eq!((error.exit_status(), error.hint().as_deref()), (1, Some(RDS_OS.shape)));
    }
}
