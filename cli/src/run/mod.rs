//! ebsctl run: a benchmark as a run. The run is begun and ended in the database, marked by what the driver prints, and keeps
//! what it reported; the command itself runs as it would without us.

mod child;
mod command_line;
mod display;
mod drive;
mod ledger;
mod phase;
mod signals;
mod step;
mod sweep;
mod verdict;
mod watch;

pub use verdict::figures;

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use clap::{Args, ValueEnum};
use ebs_imports::driver::Driver;
use serde_json::Value;

use self::drive::Message;
use self::step::{Outcome, Plan};
use self::sweep::Done;
use crate::error::Error;
use crate::redact;
use crate::session::Connection;

/// What to run, and what to call it.
#[derive(Args)]
pub struct Arguments {
    /// The label of the run; of a sweep LABEL-c1, LABEL-c2, …
    #[arg(short, long, value_name = "LABEL")]
    label: String,
    /// A note to keep with the run, a JSON document
    #[arg(long, value_name = "JSON")]
    note: Option<String>,
    /// The load driver whose output is followed; recognised from the command unless given
    #[arg(long, value_name = "DRIVER", value_enum)]
    driver: Option<Choice>,
    /// A run for each number of clients: {clients} in the command, else -c of pgbench and --threads of sysbench; HammerDB's
    /// script finds it in the environment variable EBSCTL_CLIENTS
    #[arg(long, value_name = "clients=1,2,4,…")]
    sweep: Option<String>,
    /// Seconds to leave out at the beginning, for drivers without a ramp-up of their own (pgbench, sysbench)
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..=86_400))]
    ramp_up: Option<u32>,
    #[command(flatten)]
    connection: Connection,
    /// The command, behind --
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<String>,
}

/// A driver, or none.
#[derive(Clone, Copy, ValueEnum)]
enum Choice {
    Pgbench,
    Hammerdb,
    Sysbench,
    GoTpc,
    None,
}

impl Choice {
    fn driver(self) -> Option<Driver> {
        match self {
            Choice::Pgbench => Some(Driver::Pgbench),
            Choice::Hammerdb => Some(Driver::Hammerdb),
            Choice::Sysbench => Some(Driver::Sysbench),
            Choice::GoTpc => Some(Driver::Gotpc),
            Choice::None => None,
        }
    }
}

/// Runs it; the exit status. An error is one of ours, before the command ran.
pub fn run(arguments: &Arguments) -> Result<u8, Error> {
    let note = arguments.note.as_deref().map(document).transpose()?;
    let driver = driver(arguments);
    something_left(arguments, driver)?;
    let (sender, messages) = channel();
    signals::listen(sender.clone())?;
    let runs = Runs { arguments, note: note.as_ref(), driver, sender, messages };
    match &arguments.sweep {
        Some(steps) => runs.sweep(&sweep::steps(steps)?),
        None => {
            let mut outcome = runs.one(arguments.label.clone(), arguments.command.clone(), None)?;
            runs.conclude(&mut outcome, &arguments.label);
            Ok(outcome.status)
        }
    }
}

/// The exit status of an error of ours: a command's own must not be taken for it.
pub fn status(error: &Error) -> u8 {
    match error.status() {
        cannot_be_run @ (126 | 127) => cannot_be_run,
        2 => 2,
        _ => step::NOT_KEPT,
    }
}

fn document(note: &str) -> Result<Value, Error> {
    let refused = |error| Error::Argument {
        message: format!("the note is no JSON document: {error}"),
        hint: "For example: --note '{\"volume\": \"gp3\", \"why\": \"before the change\"}'",
    };
    serde_json::from_str(note).map_err(refused)
}

/// A ramp-up as long as all that the driver is told to do would leave nothing to measure.
fn something_left(arguments: &Arguments, driver: Option<(Driver, usize)>) -> Result<(), Error> {
    let told = |(driver, from): (Driver, usize)| command_line::seconds(driver, arguments.command.get(from..)?);
    match (arguments.ramp_up, driver.and_then(told)) {
        (Some(ramp_up), Some(seconds)) if f64::from(ramp_up) >= seconds => Err(Error::Argument {
            message: format!(
                "a ramp-up of {ramp_up} s leaves nothing of the {seconds} s that the command is told to run"
            ),
            hint: "Let it run longer, or give --ramp-up fewer seconds.",
        }),
        _ => Ok(()),
    }
}

/// As it is named, else as the command has it.
fn driver(arguments: &Arguments) -> Option<(Driver, usize)> {
    let recognised = command_line::recognise(&arguments.command);
    match arguments.driver {
        None => recognised,
        Some(choice) => {
            let driver = choice.driver()?;
            // A script of the user's that calls it: what stands behind the script's name are not the driver's options.
            let from =
                recognised.filter(|(found, _)| *found == driver).map_or(arguments.command.len(), |(_, from)| from);
            Some((driver, from))
        }
    }
}

/// The runs of one call.
struct Runs<'a> {
    arguments: &'a Arguments,
    note: Option<&'a Value>,
    driver: Option<(Driver, usize)>,
    sender: Sender<Message>,
    messages: Receiver<Message>,
}

impl Runs<'_> {
    fn one(&self, label: String, command: Vec<String>, clients: Option<u64>) -> Result<Outcome, Error> {
        let ramp_up = self.arguments.ramp_up.map(|seconds| Duration::from_secs(seconds.into()));
        let connection = &self.arguments.connection;
        // Options put in before the driver's own do not move where those begin.
        let plan = Plan { connection, label, note: self.note, command, driver: self.driver, clients, ramp_up };
        step::one(&plan, &self.sender, &self.messages)
    }

    /// The verdict, and what to type next.
    fn conclude(&self, outcome: &mut Outcome, label: &str) {
        verdict::lines(&mut outcome.ledger, label).iter().for_each(|line| eprintln!("{line}"));
        let next = verdict::next(&mut outcome.ledger, &self.arguments.connection, label);
        next.iter().for_each(|command| eprintln!("next: {command}"));
    }

    /// A run a step, until one fails.
    fn sweep(&self, steps: &[u64]) -> Result<u8, Error> {
        let mut done = Vec::new();
        let mut last = None;
        for &clients in steps {
            let command =
                command_line::with_clients(&self.arguments.command, self.driver, clients).ok_or_else(unplaced)?;
            let label = format!("{}-c{clients}", self.arguments.label);
            if !done.is_empty() {
                thread::sleep(sweep::PAUSE);
            }
            eprintln!("sweep: {label}: {}", redact::arguments(&command).join(" "));
            let mut outcome = self.one(label.clone(), command, Some(clients)).inspect_err(|_| show(&done))?;
            done.push(Done::new(&label, clients, &outcome.report.figures, &mut outcome.ledger));
            let (status, interrupted) = (outcome.status, outcome.interrupted);
            last = Some((outcome, label));
            if status != 0 || interrupted {
                eprintln!("sweep: it ends here, because this step did not finish");
                break;
            }
        }
        show(&done);
        let Some((mut outcome, label)) = last else { return Ok(0) };
        self.conclude(&mut outcome, &label);
        Ok(outcome.status)
    }
}

fn show(done: &[Done]) {
    if !done.is_empty() {
        eprint!("{}", sweep::table(done));
    }
}

/// Where the clients of a sweep belong is not known.
fn unplaced() -> Error {
    Error::Argument {
        message: "the command does not say where the number of clients belongs".to_owned(),
        hint: "Write {clients} where it belongs: ebsctl run --sweep clients=1,2,4 … -- ./load.sh --users {clients}",
    }
}
