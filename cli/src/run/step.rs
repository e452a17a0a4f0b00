//! One run: begun, driven, ended, kept, judged.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use ebs_base::format::plain;
use ebs_imports::driver::{Driver, Figures, Follower, Report};
use serde_json::{Map, Value, json};

use super::child::{self, Exit};
use super::command_line;
use super::display::Display;
use super::drive::{Drive, Message};
use super::ledger::Ledger;
use super::phase::Phase;
use super::{signals, verdict, watch};
use crate::error::Error;
use crate::session::Connection;
use crate::{details, redact};

/// What is to be run.
pub struct Plan<'a> {
    pub connection: &'a Connection,
    pub label: String,
    pub note: Option<&'a Value>,
    pub command: Vec<String>,
    /// The driver, and where its arguments begin; `None` where the output is not followed.
    pub driver: Option<(Driver, usize)>,
    pub clients: Option<u64>,
    pub ramp_up: Option<Duration>,
}

/// How it ended.
pub struct Outcome {
    pub status: u8,
    pub interrupted: bool,
    pub report: Report,
    /// The session in which the run can be asked about.
    pub ledger: Ledger,
}

/// The exit status where the command was well and the run in the database is not, as env(1) and timeout(1) have it.
pub const NOT_KEPT: u8 = 125;

/// Runs it. An error is one before the command ran: then there is no run.
pub fn one(plan: &Plan, sender: &Sender<Message>, messages: &Receiver<Message>) -> Result<Outcome, Error> {
    let mut ledger = Ledger::begin(plan.connection, &plan.label, plan.note)?;
    let mut child = match child::start(&plan.command, plan.clients, sender) {
        Ok(child) => child,
        Err(error) => {
            ledger.abandon();
            return Err(error);
        }
    };
    // Dropped with this function: then it looks no more.
    let (_watching, until) = channel();
    watch::start(plan.connection, sender.clone(), until);

    let display = Display::new(&plain(&plan.label));
    ledger.take_notices().iter().for_each(|notice| display.say(notice));
    let arguments = plan.driver.map_or(&plan.command[..0], |(_, from)| plan.command.get(from..).unwrap_or_default());
    let seconds = plan.driver.and_then(|(driver, _)| command_line::seconds(driver, arguments));
    if plan.driver.is_some_and(|(driver, _)| !command_line::shows_progress(driver, arguments)) {
        display.say("note: the driver was not told to show its progress; until its end, rates are the server's count");
    }
    let follower = plan.driver.map(|(driver, _)| Follower::new(driver));
    let mut drive = Drive::new(&mut ledger, display, Phase::begin(seconds), follower);
    drive.ramp_up = plan.ramp_up;
    let exit = drive.run(&mut child, messages);
    let Drive { follower, interrupted, began, ramp_up, .. } = drive;
    let took_s = began.elapsed().as_secs_f64();
    ledger.end();

    let failed = follower.as_ref().is_some_and(Follower::failed);
    let end = End { exit, interrupted, failed, took_s, ramp_up };
    let report = keep(plan, &mut ledger, &end, follower);
    ledger.take_notices().iter().for_each(|notice| eprintln!("{notice}"));
    let status = end.status(ledger.is_broken());
    Ok(Outcome { status, interrupted: interrupted.is_some(), report, ledger })
}

/// How the command ended.
struct End {
    exit: Exit,
    interrupted: Option<i32>,
    /// Whether the driver says that something failed before its result: HammerDB's exit status is 0 all the same.
    failed: bool,
    took_s: f64,
    /// What was left out at the beginning, because the user asked for it.
    ramp_up: Option<Duration>,
}

impl End {
    /// `finished`, `failed`, `interrupted`.
    fn word(&self) -> &'static str {
        match (self.interrupted, self.exit) {
            (Some(_), _) => "interrupted",
            (None, Exit::Status(0)) if !self.failed => "finished",
            (None, _) => "failed",
        }
    }

    /// The command's own; where that is 0, why it is not all well.
    fn status(&self, broken: bool) -> u8 {
        match (self.exit.status(), self.interrupted) {
            (0, Some(signal)) => child::by_signal(signal),
            (0, None) if broken => NOT_KEPT,
            (status, _) => status,
        }
    }
}

/// Keeps the result, and says what it is.
fn keep(plan: &Plan, ledger: &mut Ledger, end: &End, follower: Option<Follower>) -> Report {
    let complete = follower.as_ref().map(Follower::complete);
    let mut report = follower.map(Follower::into_report).unwrap_or_default();
    let mut kept = plan.driver.map(|(driver, _)| driver).map_or_else(Map::new, |driver| details::of(driver, &report));
    let finished = end.word() == "finished";
    if let Some(ramp_up) = end.ramp_up {
        let left_out = finished && report.leave_out_before(ramp_up.as_secs_f64());
        kept.insert("ramp_up_s".to_owned(), json!(ramp_up.as_secs_f64()));
        // Whose figures they are must be known where they are compared.
        kept.insert("figures_without_ramp_up".to_owned(), json!(left_out));
        if finished && !left_out && report.figures.tps.is_some() {
            eprintln!("warning: the driver showed no progress after the ramp-up, so its result has the ramp-up in it");
        }
    }
    kept.insert("source".to_owned(), json!("ebsctl run"));
    kept.insert("command".to_owned(), json!(redact::arguments(&plan.command)));
    kept.insert("ended".to_owned(), json!(end.word()));
    kept.insert("took_s".to_owned(), json!(end.took_s));
    match end.exit {
        Exit::Status(status) => kept.insert("exit_status".to_owned(), json!(status)),
        Exit::Signal(signal) => kept.insert("exit_signal".to_owned(), json!(signals::name(signal))),
    };
    if let Some(signal) = end.interrupted {
        kept.insert("interrupted_by".to_owned(), json!(signals::name(signal)));
    }
    if let Some(clients) = plan.clients {
        kept.insert("sweep_clients".to_owned(), json!(clients));
    }
    if let Some(Err(error)) = complete {
        kept.insert("incomplete".to_owned(), json!(error.to_string()));
        eprintln!("warning: there is no result: what the driver printed is not whole: {error}");
    }
    if !finished {
        // What was measured until then is kept, but is no result that another run could be compared with.
        let Figures { tps, latency_ms, nopm, tpm, .. } = std::mem::take(&mut report.figures);
        let until_then = [("tps", tps), ("latency_ms", latency_ms), ("nopm", nopm), ("tpm", tpm)];
        let known: Map<String, Value> =
            until_then.into_iter().filter_map(|(name, value)| Some((name.to_owned(), json!(value?)))).collect();
        kept.extend((!known.is_empty()).then(|| ("until_then".to_owned(), Value::Object(known))));
    }
    ledger.result(&report.figures, &Value::Object(kept));
    say_end(plan, end, &report);
    report
}

fn say_end(plan: &Plan, end: &End, report: &Report) {
    let how = match end.word() {
        "finished" => "finished".to_owned(),
        // What failed is told below.
        "failed" if matches!(end.exit, Exit::Status(0)) => "failed".to_owned(),
        word => format!("{word} ({})", end.exit.words()),
    };
    let figures = verdict::figures(report).map_or_else(String::new, |figures| format!(" · {figures}"));
    let took = super::phase::clock(Duration::from_secs_f64(end.took_s));
    eprintln!("run \"{}\" {how} after {took}{figures}", plain(&plan.label));
    for failure in &report.failures {
        eprintln!("  failed: {}", plain(&failure.to_string()));
    }
}
