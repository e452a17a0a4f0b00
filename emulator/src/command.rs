//! The commands.
//!
//! Exit status: 0 done; 1 the machine did not do it, or could not keep up; 2 wrong usage or a volume that cannot be.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::asked::Asked;
use crate::error::Error;
use crate::place::Place;
use crate::protocol::{Answer, Command as Ask, ask};
use crate::report::Report;
use crate::{daemon, probe, start, stop};

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
        change: Box<Asked>,
    },
    /// Shows what the volume counted, and whether the emulator kept up
    Stats {
        /// Name of the volume
        name: String,
        /// Count anew from here on
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

/// Does what the command line says.
pub fn main() -> ExitCode {
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
        Command::Set { name, change } => {
            if let Answer::Is(is) = ask(&running(&name)?.socket(), &Ask::Set { change: *change })? {
                println!("{is}");
            }
        }
        Command::Stats { name, reset, json, check } => return stats(&running(&name)?, reset, json, check),
        Command::List => list()?,
        Command::Stop { all: true, force, .. } => {
            let refused: Vec<Error> = Place::all()?.iter().filter_map(|place| stop::stop(place, force).err()).collect();
            return refused.into_iter().next().map_or(Ok(ExitCode::SUCCESS), Err);
        }
        Command::Stop { name, force, .. } => stop::stop(&Place::of(&name.unwrap_or_default())?, force)?,
        Command::Probe => return Ok(probed()),
        Command::Serve { name } => daemon::run(Place::of(&name)?)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn running(name: &str) -> Result<Place, Error> {
    let place = Place::of(name)?;
    if place.exists() { Ok(place) } else { Err(place.unknown()) }
}

fn report(place: &Place, reset: bool) -> Result<Report, Error> {
    match ask(&place.socket(), &Ask::Stats { reset })? {
        Answer::Report(report) => Ok(*report),
        _ => Err(Error::failed("the daemon gave another answer than was asked for")),
    }
}

fn stats(place: &Place, reset: bool, json: bool, check: bool) -> Result<ExitCode, Error> {
    let report = report(place, reset)?;
    if check {
        let Some(fault) = &report.fault else { return Ok(ExitCode::SUCCESS) };
        println!("{}: could not keep up: {fault}", place.name);
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

fn list() -> Result<(), Error> {
    for place in Place::all()? {
        let state = place.state().ok();
        let device = state.as_ref().and_then(|state| state.device.as_ref()).map(|device| device.display().to_string());
        let mount = state.as_ref().map(|state| state.mount.display().to_string());
        let is = report(&place, false).map_or_else(|_| "does not answer: stop it".to_owned(), |report| report.volume);
        println!("{} {} {} {is}", place.name, device.as_deref().unwrap_or("-"), mount.as_deref().unwrap_or("-"));
    }
    Ok(())
}

fn probed() -> ExitCode {
    let missing = probe::missing();
    for line in &missing {
        println!("{line}");
    }
    if missing.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
