//! ebsctl: what belongs to ebs_advisor and needs files, a terminal or a network, none of which a server should be asked for.
//!
//! Exit status: 0 done; 1 a file was refused or could not be read; 2 wrong usage; 3 the database was not reached or refused.
//! Whatever is not 0 changed nothing. Of `run`: the command's own, 128 and its number for a signal; 126 and 127 a command that
//! cannot be run or was not found; 125 anything of ours, such as a database that was not reached.

#![forbid(unsafe_code)]

mod changes;
mod details;
mod error;
mod import;
mod output;
mod pages;
mod prices;
mod progress;
mod psql;
mod redact;
mod report;
mod run;
mod session;
mod shell;
mod source;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use self::error::Error;

/// Commands around the PostgreSQL extension ebs_advisor
#[derive(Parser)]
#[command(
    version,
    after_help = "Exit status: 0 done; 1 a file was refused; 2 wrong usage; 3 the database refused or was not \
    reached. Whatever is not 0 changed nothing. Of run: the command's own, 128 + N for signal N; 126, 127 a command \
    that cannot be run or was not found; 125 the run could not be begun or kept."
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Brings storage prices from AWS's offer files (AmazonEC2, AmazonRDS; CSV or JSON) into the database
    Prices(prices::Arguments),
    /// Runs a benchmark as a run: begins it, follows pgbench, HammerDB, sysbench or any command, marks its phases, keeps its
    /// result
    Run(run::Arguments),
    /// Prints the report of a run, or writes it to a file as one page with plots
    Report(report::Arguments),
    /// Keeps what a load driver left in files as the result of a run
    Import(import::Arguments),
    /// Prints what a shell needs to complete ebsctl's arguments
    Completions(pages::Completions),
    /// Writes the manual pages
    Manual(pages::Manual),
}

fn main() -> ExitCode {
    match Arguments::parse().command {
        Command::Prices(arguments) => exit(prices::run(&arguments).map(|()| 0), Error::status),
        Command::Run(arguments) => exit(run::run(&arguments), run::status),
        Command::Report(arguments) => exit(report::run(&arguments).map(|()| 0), Error::status),
        Command::Import(arguments) => exit(import::run(&arguments).map(|()| 0), Error::status),
        Command::Completions(arguments) => exit(pages::complete(&arguments).map(|()| 0), Error::status),
        Command::Manual(arguments) => exit(pages::describe(&arguments).map(|()| 0), Error::status),
    }
}

/// The exit status; an error is said first.
fn exit(done: Result<u8, Error>, status: fn(&Error) -> u8) -> ExitCode {
    match done {
        Ok(status) => ExitCode::from(status),
        Err(error) => {
            eprintln!("error: {error}");
            if let Some(detail) = error.detail() {
                eprintln!("detail: {detail}");
            }
            if let Some(hint) = error.hint() {
                eprintln!("hint:  {hint}");
            }
            ExitCode::from(status(&error))
        }
    }
}
