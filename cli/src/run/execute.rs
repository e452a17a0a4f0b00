//! One run from beginning to end: begins the record, supervises the command, stores the result.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use ebs_base::format::plain;
use ebs_imports::drivers::{DriverError, Follower, Report};
use serde_json::Value;

use super::child::{self, Exit};
use super::command_line::Invocation;
use super::display::Display;
use super::event::Event;
use super::phase::{PhaseTimer, format_clock};
use super::record::RunRecord;
use super::supervisor::{Finished, Supervisor};
use super::{load_monitor, signals};
use crate::error::Error;
use crate::message::print_message;
use crate::postgres::Connection;
use crate::redact::redact;
use crate::run_result::{Details, UntilThen, describe_figures};

/// A run to execute.
pub struct RunPlan<'a> {
    pub connection: &'a Connection,
    pub label: String,
    pub note: Option<&'a Value>,
    pub command: Vec<String>,
    /// The driver; `None` where the output is not followed.
    pub driver: Option<Invocation>,
    /// Clients of a step of a sweep.
    pub clients: Option<u64>,
    pub ramp_up: Option<Duration>,
}

/// A run that was executed.
pub struct Outcome {
    pub exit_status: u8,
    pub interrupted: bool,
    pub report: Report,
    /// The record, whose session is still open.
    pub record: RunRecord,
}

/// The exit status of a command that succeeded where the run was not recorded, as env(1) and timeout(1) have it.
pub const NOT_RECORDED: u8 = 125;

/// Executes a run. After an error, which comes before the command starts, there is no run.
pub fn execute(plan: &RunPlan, sender: &Sender<Event>, events: &Receiver<Event>) -> Result<Outcome, Error> {
    let mut record = RunRecord::begin(plan.connection, &plan.label, plan.note)?;
    let child = match child::spawn(&plan.command, plan.clients, plan.driver.is_some(), sender) {
        Ok(child) => child,
        Err(error) => {
            record.discard();
            return Err(error);
        }
    };
    // Dropped with this function, which stops the monitor.
    let (_running, stop) = channel();
    load_monitor::spawn(plan.connection, sender.clone(), stop);

    let display = Display::new(&plan.label);
    record.take_notices().iter().for_each(|notice| display.print(notice));
    if plan.driver.is_some_and(|driver| !driver.shows_progress(&plan.command)) {
        let note = "note: the driver was not told to show its progress; until its end, rates are the server's count";
        display.print(note);
    }
    let phase = PhaseTimer::start(plan.driver.and_then(|driver| driver.measure_s(&plan.command)));
    let follower = plan.driver.map(|invocation| Follower::new(invocation.driver));
    let finished = Supervisor::new(child, &mut record, display, phase, follower, plan.ramp_up).run(events);
    record.end();

    let ending = Ending::new(&finished);
    let report = store_result(plan, &mut record, finished, ending);
    record.take_notices().iter().for_each(|notice| print_message!("{notice}"));
    let exit_status = ending.exit_status(record.is_incomplete());
    Ok(Outcome { exit_status, interrupted: ending.interrupted_by.is_some(), report, record })
}

/// The way in which a command ended.
#[derive(Clone, Copy)]
struct Ending {
    exit: Exit,
    interrupted_by: Option<i32>,
    /// The driver reported a failure before its result: HammerDB's exit status is 0 nevertheless.
    driver_failed: bool,
}

impl Ending {
    fn new(finished: &Finished) -> Ending {
        let Finished { exit, interrupted_by, .. } = *finished;
        let driver_failed = finished.follower.as_ref().is_some_and(Follower::failed);
        Ending { exit, interrupted_by, driver_failed }
    }

    /// `finished`, `failed` or `interrupted`.
    fn name(self) -> &'static str {
        match (self.interrupted_by, self.exit) {
            (Some(_), _) => "interrupted",
            (None, Exit::Status(0)) if !self.driver_failed => "finished",
            (None, _) => "failed",
        }
    }

    fn is_finished(self) -> bool {
        self.name() == "finished"
    }

    /// `finished`, `failed (exit status 1)`; a failure that only the driver reports is described elsewhere.
    fn describe(self) -> String {
        match self.exit {
            Exit::Status(0) if self.interrupted_by.is_none() => self.name().to_owned(),
            exit => format!("{} ({})", self.name(), exit.describe()),
        }
    }

    /// The command's own exit status; where that is 0, the one of an interruption or of an incomplete record.
    fn exit_status(self, record_is_incomplete: bool) -> u8 {
        match (self.exit.status(), self.interrupted_by) {
            (0, Some(signal)) => Exit::Signal(signal).status(),
            (0, None) if record_is_incomplete => NOT_RECORDED,
            (status, _) => status,
        }
    }
}

/// Stores the result, and prints it.
fn store_result(plan: &RunPlan, record: &mut RunRecord, finished: Finished, ending: Ending) -> Report {
    let Finished { follower, ramp_up, duration, measured, .. } = finished;
    let result = follower.as_ref().map(Follower::complete);
    let mut report = follower.map(Follower::into_report).unwrap_or_default();
    let driver_details = plan.driver.map(|invocation| Details::from_report(invocation.driver, &report));
    let mut details = Details {
        source: Some("ebsctl run"),
        command: redact(&plan.command),
        ended: Some(ending.name()),
        took_s: Some(duration.as_secs_f64()),
        interrupted_by: ending.interrupted_by.map(signals::name),
        sweep_clients: plan.clients,
        ..driver_details.unwrap_or_default()
    };
    match ending.exit {
        Exit::Status(status) => details.exit_status = Some(status),
        Exit::Signal(signal) => details.exit_signal = Some(signals::name(signal)),
    }
    if let Some(ramp_up) = ramp_up {
        exclude_ramp_up(ramp_up.as_secs_f64(), ending, &mut report, &mut details);
    }
    if let Some(Err(error)) = result {
        let is_cut = matches!(error, DriverError::Truncated { .. });
        let cut = if is_cut { "what the driver printed is not whole: " } else { "" };
        print_message!("warning: there is no result: {cut}{error}");
        details.incomplete = Some(error.to_string());
    }
    if !ending.is_finished() {
        details.measured_s = details.measured_s.or(measured.map(|measured| measured.as_secs_f64()));
        details.until_then = UntilThen::new(&std::mem::take(&mut report.figures));
    }
    record.store_result(&report.figures, &details.to_json());
    print_result(plan, ending, duration, &report);
    report
}

/// Leaves the ramp-up that the user asked for out of the figures, where the driver's progress allows it.
fn exclude_ramp_up(ramp_up_s: f64, ending: Ending, report: &mut Report, details: &mut Details) {
    let excluded = ending.is_finished() && report.leave_out_before(ramp_up_s);
    if ending.is_finished() && !excluded && report.figures.tps.is_some() {
        print_message!("warning: the driver showed no progress after the ramp-up, so its result has the ramp-up in it");
    }
    details.ramp_up_s = Some(ramp_up_s);
    details.figures_without_ramp_up = Some(excluded);
}

fn print_result(plan: &RunPlan, ending: Ending, duration: Duration, report: &Report) {
    let figures = describe_figures(report).map_or_else(String::new, |figures| format!(" · {figures}"));
    let (label, ending, duration) = (plain(&plan.label), ending.describe(), format_clock(duration));
    print_message!("run \"{label}\" {ending} after {duration}{figures}");
    for failure in &report.failures {
        print_message!("  failed: {}", plain(&failure.to_string()));
    }
}
