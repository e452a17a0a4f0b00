//! ebsctl: commands of ebs_advisor that need files, a terminal or a network, which a server should not be asked for.
//!
//! Exit status: 0 done; 1 a file was refused; 2 wrong usage; 3 the database was not reached, or returned an error. `fleet` has others
//! (docs/fleet.md). `run` exits with the status of the command, 128 + N if signal N ended it; 126 or 127 if it cannot be run or was not found;
//! 125 after an error of ebsctl itself, such as a database that was not reached.

#![forbid(unsafe_code)]
// eprintln! panics where nobody reads standard error; message.rs does not.
#![deny(clippy::print_stderr)]

mod advice_flags;
mod advise;
mod duration;
mod ending_signals;
mod error;
mod evidence_error;
mod fetch_error;
mod fetch_hint;
mod file_error;
mod file_hint;
mod flags;
mod fleet;
mod generate;
mod import;
mod inherited;
mod input_file;
mod message;
mod output;
mod output_file;
mod ownership;
mod postgres;
mod prices;
mod redact;
mod report;
mod run;
mod run_result;
mod run_samples;
mod server_files;
mod shell;
mod temporary;
mod terminal;
mod volume_load;
mod watch;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use self::error::Error;
use self::message::print_message;

/// `fleet` goes through tens of megabytes a volume in vectors that live for milliseconds. glibc returns each to the kernel and takes it back
/// page by page: a quarter of the time of the evaluation was the kernel's, 130,000 page faults for 40 volumes; with this 3,000
/// (`perf stat -e page-faults target/release/examples/time_model 40`).
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Command line of ebsctl.
#[derive(Parser)]
#[command(
    version,
    about = "Which EBS volume should this PostgreSQL run on?",
    disable_help_subcommand = true,
    after_help = "Each command has --help. Exit status: 0 done, 1 a file was refused, 2 wrong usage, 3 the database refused or was not reached; run and \
    fleet have others. Where a file or an argument is refused nothing is stored."
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    #[command(
        about = "Names the volume for a server, from files of its monitoring\n  ebsctl advise iostat.txt volumes.json"
    )]
    Advise(Box<advise::Arguments>),
    #[command(
        about = "Names the volume for each server that Prometheus or VictoriaMetrics watches\n  ebsctl fleet --prometheus http://metrics:9090"
    )]
    Fleet(Box<fleet::Arguments>),
    #[command(
        about = "Samples a server over one connection, and keeps that as a run\n  ebsctl watch 'host=db1 user=watcher' --label db1 --for 1h"
    )]
    Watch(watch::Arguments),
    #[command(
        about = "Runs a benchmark as a run, with its result\n  ebsctl run --label gp3-1 -- pgbench -c 8 -T 600 bench"
    )]
    Run(run::Arguments),
    #[command(about = "Prints the report of a run, or writes it as one page\n  ebsctl report gp3-1 --html gp3-1.html")]
    Report(Box<report::Arguments>),
    #[command(about = "Brings files into a database with the extension\n  ebsctl import iostat.txt --label db1")]
    Import(Box<import::Arguments>),
    #[command(about = "Brings AWS's current prices there, from its offer files\n  ebsctl prices AmazonEC2.csv")]
    Prices(prices::Arguments),
    #[command(about = "Prints completions for a shell\n  ebsctl completions bash > /etc/bash_completion.d/ebsctl")]
    Completions(generate::Completions),
    #[command(about = "Writes the manual pages\n  ebsctl manual /usr/local/share/man/man1")]
    Manual(generate::Manual),
}

fn main() -> ExitCode {
    inherited::set_signals();
    let command = match Arguments::try_parse() {
        Ok(arguments) => arguments.command,
        Err(error) => return print_usage(&error),
    };
    let exit_status = match &command {
        Command::Run(_) => run::exit_status,
        _ => Error::exit_status,
    };
    match execute(command) {
        Ok(status) => ExitCode::from(status),
        Err(error) => {
            print_error(&error);
            ExitCode::from(exit_status(&error))
        }
    }
}

/// Prints the help or the version that was asked for, or the error of an argument, which has words of the user's.
fn print_usage(error: &clap::Error) -> ExitCode {
    let text = error.render().to_string();
    if error.use_stderr() {
        message::print_text(&text);
    } else {
        // A closed pipe, as of head.
        let _ = output::print_text(text);
    }
    u8::try_from(error.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from)
}

fn execute(command: Command) -> Result<u8, Error> {
    match command {
        Command::Advise(arguments) => advise::run(&arguments)?,
        Command::Prices(arguments) => prices::run(&arguments)?,
        Command::Run(arguments) => return run::run(&arguments),
        Command::Fleet(arguments) => return fleet::run(&arguments),
        Command::Watch(arguments) => watch::run(&arguments)?,
        Command::Report(arguments) => report::run(&arguments)?,
        Command::Import(arguments) => import::run(&arguments)?,
        Command::Completions(arguments) => generate::print_completions(&arguments, Arguments::command())?,
        Command::Manual(arguments) => generate::write_manual(&arguments, Arguments::command())?,
    }
    Ok(0)
}

fn print_error(error: &Error) {
    print_message!("error: {error}");
    if let Some(detail) = error.detail() {
        print_message!("detail: {detail}");
    }
    if let Some(hint) = error.hint() {
        print_message!("hint:  {hint}");
    }
}
