//! The command line.
//!
//! Exit status: 0 done; 1 the machine failed or could not keep up; 2 wrong usage or an impossible volume.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::error::Error;
use crate::runtime_directory::RuntimeDirectory;
use crate::spec::VolumeSpec;
use crate::{control, daemon, probe, start, stop};

/// Emulates an EBS volume: a block device with ext4 that keeps to its limits, burst credits and latency
#[derive(Parser)]
#[command(
    version,
    after_help = "Exit status: 0 done; 1 the machine did not do it, or could not keep up; 2 wrong usage, or a volume that \
    cannot be. docs/emulator.md says what is emulated and how true."
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Starts a volume and prints its device, mount point and limits
    Start(Box<start::Arguments>),
    /// Changes a running volume; a bad setting changes nothing
    Set {
        /// Name of the volume
        name: String,
        #[command(flatten)]
        change: Box<VolumeSpec>,
    },
    /// Shows what the volume counted, and whether the emulator kept up
    Stats {
        /// Name of the volume
        name: String,
        /// Reset the counts
        #[arg(long)]
        reset: bool,
        /// As JSON
        #[arg(long)]
        json: bool,
        /// Only whether it kept up since the last reset: if not, say why and exit with 1
        #[arg(long)]
        check: bool,
    },
    /// Lists the volumes
    List,
    /// Takes a volume down, also after a crash, and removes its bytes
    Stop {
        /// Name of the volume
        #[arg(required_unless_present = "all")]
        name: Option<String>,
        /// All of them
        #[arg(long, conflicts_with = "name")]
        all: bool,
        /// Even if its file system is in use
        #[arg(long)]
        force: bool,
    },
    /// Says what is missing to emulate volumes on this machine; exit status 0 if nothing is
    Probe,
    /// The daemon behind a volume
    #[command(hide = true)]
    Serve { name: String },
}

/// Runs the program.
pub fn main() -> ExitCode {
    // Volumes are mounted by root for PostgreSQL's account, which a umask of 077 would keep out of the directories.
    rustix::process::umask(rustix::fs::Mode::WGRP | rustix::fs::Mode::WOTH);
    match run(Arguments::parse().command) {
        Ok(status) => status,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(error.status())
        }
    }
}

fn run(command: Command) -> Result<ExitCode, Error> {
    match command {
        Command::Start(arguments) => println!("{}", start::start(&arguments)?),
        Command::Set { name, change } => println!("{}", control::set(&existing(&name)?.socket(), *change)?),
        Command::Stats { name, reset, json, check } => return print_statistics(&existing(&name)?, reset, json, check),
        Command::List => print_volumes()?,
        Command::Stop { all: true, force, .. } => stop_all(force)?,
        Command::Stop { name, force, .. } => stop::stop(&RuntimeDirectory::new(&name.unwrap_or_default())?, force)?,
        Command::Probe => return Ok(print_missing()),
        Command::Serve { name } => daemon::run(RuntimeDirectory::new(&name)?)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn existing(name: &str) -> Result<RuntimeDirectory, Error> {
    let directory = RuntimeDirectory::new(name)?;
    if directory.exists() { Ok(directory) } else { Err(directory.not_found()) }
}

fn print_statistics(directory: &RuntimeDirectory, reset: bool, json: bool, check: bool) -> Result<ExitCode, Error> {
    let report = control::statistics(&directory.socket(), reset)?;
    if check {
        let Some(fault) = &report.fault else { return Ok(ExitCode::SUCCESS) };
        println!("{}: could not keep up: {fault}", directory.volume_name);
        return Ok(ExitCode::FAILURE);
    }
    if json {
        let text = serde_json::to_string(&report).map_err(|error| Error::failed(error.to_string()))?;
        println!("{text}");
    } else {
        println!("{report}");
    }
    Ok(ExitCode::SUCCESS)
}

fn print_volumes() -> Result<(), Error> {
    for directory in RuntimeDirectory::list()? {
        let state = directory.read_state().ok();
        let device = state.as_ref().and_then(|state| state.device.as_ref()).map(|device| device.display().to_string());
        let mount = state.as_ref().map(|state| state.mount.display().to_string());
        let description = control::statistics(&directory.socket(), false)
            .map_or_else(|_| "does not answer: stop it".to_owned(), |report| report.volume);
        let (device, mount) = (device.as_deref().unwrap_or("-"), mount.as_deref().unwrap_or("-"));
        println!("{} {device} {mount} {description}", directory.volume_name);
    }
    Ok(())
}

/// Stops all volumes, also after a failure, and returns the first error.
fn stop_all(force: bool) -> Result<(), Error> {
    let results: Vec<_> = RuntimeDirectory::list()?.iter().map(|directory| stop::stop(directory, force)).collect();
    results.into_iter().collect()
}

fn print_missing() -> ExitCode {
    let missing = probe::missing();
    for line in &missing {
        println!("{line}");
    }
    if missing.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
