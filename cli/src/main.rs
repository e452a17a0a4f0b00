//! ebsctl: commands of ebs_advisor that need files, a terminal or a network, which a server should not be asked for.
//!
//! Exit status: 0 done; 1 an invalid or unreadable file; 2 wrong usage; 3 the database was not reached, or returned an error.
//! Unless it is 0, nothing was changed. `run` exits with the status of the command, 128 + N if signal N ended it; 126 or 127 if it
//! cannot be run or was not found; 125 after an error of ebsctl itself, such as a database that was not reached.

#![forbid(unsafe_code)]
// eprintln! panics where nobody reads standard error; message.rs does not.
#![deny(clippy::print_stderr)]

mod advice_flags;
mod advise;
mod duration;
mod ending_signals;
mod error;
mod fetch_error;
mod fetch_hint;
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

/// Commands around the PostgreSQL extension ebs_advisor
#[derive(Parser)]
#[command(
    version,
    after_help = "Exit status: 0 done; 1 a file was refused; 2 wrong usage; 3 the database refused or was not \
    reached. Whatever is not 0 changed nothing in a database. Of fleet: 1 also where nothing is found, 4 where rows are \
    incomplete, 130 after a signal; --output is written all the same but for 130 (docs/fleet.md). Of run: the command's own, 128 + N for signal N; 126, 127 a command \
    that cannot be run or was not found; 125 the run could not be begun or kept."
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Answers from files of a server which EBS volume it should be on, without any PostgreSQL
    Advise(Box<advise::Arguments>),
    /// Brings storage prices from AWS's offer files (AmazonEC2, AmazonRDS; CSV or JSON) into the database
    Prices(prices::Arguments),
    /// Runs a benchmark as a run: begins it, follows pgbench, HammerDB, sysbench or any command, marks its phases, keeps its
    /// result
    Run(run::Arguments),
    /// Answers for each volume of a fleet what it should be, from the counters that Prometheus or VictoriaMetrics keeps
    Fleet(Box<fleet::Arguments>),
    /// Watches a server over one connection, with nothing installed there, and keeps what it saw as a run
    Watch(watch::Arguments),
    /// Prints the report of a run, or writes it to a file as one page with plots
    Report(Box<report::Arguments>),
    /// Keeps what a load driver left in files as the result of a run
    Import(import::Arguments),
    /// Prints what a shell needs to complete ebsctl's arguments
    Completions(generate::Completions),
    /// Writes the manual pages
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
