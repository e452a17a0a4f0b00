//! ebsctl run: a benchmark as a run. The run is begun and ended in the database, marked by the driver's output, and stores the
//! driver's result; the command itself runs as it would without ebsctl, but that a driver's messages and numbers are those of the C locale.

mod child;
mod command_line;
mod display;
mod event;
mod execute;
mod load_monitor;
mod locale;
mod phase;
mod record;
mod server_load;
mod signals;
mod summary;
mod supervisor;
mod sweep;

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use clap::{Args, ValueEnum};
use ebs_imports::drivers::Driver;
use serde_json::Value;

use self::command_line::Invocation;
use self::event::Event;
use self::execute::{Outcome, RunPlan};
use self::sweep::StepResult;
use crate::error::Error;
use crate::message::{print_message, print_text};
use crate::postgres::Connection;
use crate::redact::redact;

/// Arguments of ebsctl run.
#[derive(Args)]
#[command(
    after_help = "Exit status: that of the command, 128 + N after signal N; 126, 127 it could not be run or was not found; 125 the run could not be begun or \
    kept. The run is kept whatever the status of the command."
)]
pub struct Arguments {
    /// The label of the run; of a sweep LABEL-c1, LABEL-c2, …
    #[arg(short, long, value_name = "LABEL")]
    label: String,
    /// A note to keep with the run, a JSON document
    #[arg(long, value_name = "JSON")]
    note: Option<String>,
    /// The load driver whose output is followed [default: recognised from the command]
    #[arg(long, value_name = "DRIVER", value_enum)]
    driver: Option<DriverChoice>,
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

/// Choice of a driver.
#[derive(Clone, Copy, ValueEnum)]
enum DriverChoice {
    Pgbench,
    Hammerdb,
    Sysbench,
    GoTpc,
    None,
}

impl DriverChoice {
    fn driver(self) -> Option<Driver> {
        match self {
            DriverChoice::Pgbench => Some(Driver::Pgbench),
            DriverChoice::Hammerdb => Some(Driver::Hammerdb),
            DriverChoice::Sysbench => Some(Driver::Sysbench),
            DriverChoice::GoTpc => Some(Driver::Gotpc),
            DriverChoice::None => None,
        }
    }
}

/// Executes one run or a sweep, and returns the exit status. An error comes before the command is started.
pub fn run(arguments: &Arguments) -> Result<u8, Error> {
    let note = arguments.note.as_deref().map(parse_note).transpose()?;
    let driver = choose_driver(arguments);
    check_ramp_up(arguments, driver)?;
    let (sender, events) = channel();
    signals::handle(sender.clone())?;
    let runner = Runner { arguments, note: note.as_ref(), driver, sender, events };
    match &arguments.sweep {
        Some(steps) => runner.sweep(&sweep::parse_steps(steps)?),
        None => {
            let mut outcome = runner.execute(arguments.label.clone(), arguments.command.clone(), None)?;
            runner.print_summary(&mut outcome, &arguments.label);
            Ok(outcome.exit_status)
        }
    }
}

/// Exit status of an error of ebsctl, which must differ from the command's own.
pub fn exit_status(error: &Error) -> u8 {
    match error.exit_status() {
        not_started @ (126 | 127) => not_started,
        2 => 2,
        _ => execute::NOT_RECORDED,
    }
}

fn parse_note(note: &str) -> Result<Value, Error> {
    serde_json::from_str(note).map_err(|error| Error::InvalidArgument {
        message: format!("the note is no JSON document: {error}"),
        hint: "For example: --note '{\"volume\": \"gp3\", \"why\": \"before the change\"}'",
    })
}

/// Refuses a ramp-up that is as long as the driver measures, which would leave no result.
fn check_ramp_up(arguments: &Arguments, driver: Option<Invocation>) -> Result<(), Error> {
    let measure_s = driver.and_then(|driver| driver.measure_s(&arguments.command));
    match (arguments.ramp_up, measure_s) {
        (Some(ramp_up), Some(seconds)) if f64::from(ramp_up) >= seconds => Err(Error::InvalidArgument {
            message: format!(
                "a ramp-up of {ramp_up} s leaves nothing of the {seconds} s that the command is told to run"
            ),
            hint: "Let it run longer, or give --ramp-up fewer seconds.",
        }),
        _ => Ok(()),
    }
}

/// The driver that the user names, else the one in the command.
fn choose_driver(arguments: &Arguments) -> Option<Invocation> {
    let in_command = command_line::find_driver(&arguments.command);
    let Some(choice) = arguments.driver else { return in_command };
    let driver = choice.driver()?;
    in_command
        .filter(|invocation| invocation.driver == driver)
        .or_else(|| Some(Invocation::by_script(driver, &arguments.command)))
}

/// Executes the runs of one call.
struct Runner<'a> {
    arguments: &'a Arguments,
    note: Option<&'a Value>,
    driver: Option<Invocation>,
    sender: Sender<Event>,
    events: Receiver<Event>,
}

impl Runner<'_> {
    fn execute(&self, label: String, command: Vec<String>, clients: Option<u64>) -> Result<Outcome, Error> {
        let ramp_up = self.arguments.ramp_up.map(|seconds| Duration::from_secs(seconds.into()));
        let connection = &self.arguments.connection;
        // Options that a sweep inserts stand behind the driver's name, and do not move the start of its arguments.
        let plan = RunPlan { connection, label, note: self.note, command, driver: self.driver, clients, ramp_up };
        execute::execute(&plan, &self.sender, &self.events)
    }

    fn print_summary(&self, outcome: &mut Outcome, label: &str) {
        let record = &mut outcome.record;
        summary::advice_lines(record, label).iter().for_each(|line| print_message!("{line}"));
        let next = summary::next_commands(record, &self.arguments.connection, label);
        next.iter().for_each(|command| print_message!("next: {command}"));
    }

    /// Executes a run for each step, until one fails.
    fn sweep(&self, steps: &[u64]) -> Result<u8, Error> {
        let mut results = Vec::new();
        let mut last = None;
        for &clients in steps {
            let command = command_line::with_clients(&self.arguments.command, self.driver, clients);
            let command = command.ok_or_else(no_place_for_clients)?;
            let label = format!("{}-c{clients}", self.arguments.label);
            if !results.is_empty() {
                thread::sleep(sweep::PAUSE);
            }
            print_message!("sweep: {label}: {}", redact(&command).join(" "));
            let outcome = self.execute(label.clone(), command, Some(clients));
            let mut outcome = outcome.inspect_err(|_| print_table(&results))?;
            results.push(StepResult::new(&label, clients, &outcome.report.figures, &mut outcome.record));
            let has_failed = outcome.exit_status != 0 || outcome.interrupted;
            last = Some((outcome, label));
            if has_failed {
                print_message!("sweep: it ends here, because this step did not finish");
                break;
            }
        }
        print_table(&results);
        let Some((mut outcome, label)) = last else { return Ok(0) };
        self.print_summary(&mut outcome, &label);
        Ok(outcome.exit_status)
    }
}

fn print_table(results: &[StepResult]) {
    if !results.is_empty() {
        print_text(&sweep::table(results));
    }
}

fn no_place_for_clients() -> Error {
    Error::InvalidArgument {
        message: "the command does not say where the number of clients belongs".to_owned(),
        hint: "Write {clients} where it belongs: ebsctl run --sweep clients=1,2,4 … -- ./load.sh --users {clients}",
    }
}
