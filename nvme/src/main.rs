//! ebs-nvme-stats: publishes the statistics of EBS volumes.
//!
//! Reading NVMe log page 0xD0 takes CAP_SYS_ADMIN, which nothing that runs inside PostgreSQL may hold. This program holds
//! it and does one thing: it copies the page of each volume, as it is, to a file that the sampler can read. It stays
//! small, so that it can be read before it is trusted.

#![deny(unsafe_code)]

mod directory;
mod error;
#[allow(unsafe_code)]
mod ioctl;
mod linux;
mod serial;
mod service;
mod stop;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;

use crate::directory::Directory;
use crate::error::Error;
use crate::linux::Linux;
use crate::service::Service;
use crate::stop::StopSignal;

/// Publishes the detailed performance statistics of EBS volumes (NVMe log page 0xD0) as files
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// Where the pages are put, as <serial>.page
    #[arg(long, value_name = "PATH", default_value = "/run/ebs_advisor")]
    directory: PathBuf,
    /// Time between two readings, in whole seconds: EBS gives at most one page a second
    #[arg(long, value_name = "SECONDS", default_value = "1s", value_parser = parse_seconds)]
    interval: Duration,
    /// Where sysfs is mounted
    #[arg(long, value_name = "PATH", default_value = "/sys")]
    sysfs: PathBuf,
    /// Publish one page of each volume, leave it there and exit
    #[arg(long)]
    once: bool,
    /// Controllers (/dev/nvme1) or namespaces (/dev/nvme1n1); without any, all EBS volumes that there are or will be
    #[arg(value_name = "DEVICE")]
    devices: Vec<PathBuf>,
}

fn parse_seconds(text: &str) -> Result<Duration, String> {
    match text.strip_suffix('s').unwrap_or(text).parse() {
        Ok(seconds @ 1..=3600) => Ok(Duration::from_secs(seconds)),
        _ => Err("must be from 1s to 3600s".to_owned()),
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    // Before the first page, so that none is left behind by a signal that comes early.
    let stop = match StopSignal::register() {
        Ok(stop) => stop,
        Err(error) => return fail(&format!("could not prepare for signals: {error}"), None),
    };
    match run(arguments, &stop) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&error.to_string(), error.hint()),
    }
}

fn run(arguments: Arguments, stop: &StopSignal) -> Result<(), Error> {
    let host = Linux { sysfs: arguments.sysfs, dev: PathBuf::from("/dev"), devices: arguments.devices };
    let service = Service::start(host, Directory::open(&arguments.directory)?)?;
    if !arguments.once {
        service.run(arguments.interval, stop);
    }
    Ok(())
}

fn fail(message: &str, hint: Option<&str>) -> ExitCode {
    eprintln!("error: {message}");
    if let Some(hint) = hint {
        eprintln!("hint:  {hint}");
    }
    ExitCode::FAILURE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_is_whole_seconds() {
        assert_eq!(parse_seconds("1s"), Ok(Duration::from_secs(1)));
        assert_eq!(parse_seconds("60"), Ok(Duration::from_secs(60)));
        for invalid in ["0", "0.5s", "100ms", "3601s", "-1", ""] {
            assert!(parse_seconds(invalid).is_err(), "{invalid}");
        }
    }
}
