//! The loop of watching: a query each second, with sweeps of waits and a reading of counters; a block every few seconds; reconnections.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use ebs_base::format::plain;
use ebs_base::units::SECOND_US;
use ebs_remote::accounts::ProcessAccounts;
use ebs_remote::activity::{SWEPT_US, Sweep};
use ebs_remote::clock::{Gap, Link, ReadingTimes};
use ebs_remote::devices::DeviceSource;
use ebs_remote::sessions::SessionWaits;
use ebs_samples::evidence::{Accounts, Recorder, Tier, TransactionCounts};

use super::display::{Display, summary};
use super::evidence::Evidence;
use super::rights::{self, Part};
use super::run_file::RunFile;
use super::target::Target;
use crate::error::{Error, QueryError};
use crate::message::print_message;
use crate::postgres::INSUFFICIENT_PRIVILEGE;

/// Samples of a block: as often slow counters are read.
const SAMPLES_PER_BLOCK: usize = 15;

/// Time between two attempts after an error.
const RETRY_INTERVAL: Duration = Duration::from_secs(1);

/// Watches a server.
pub struct Watcher {
    target: Target,
    stop: Arc<AtomicBool>,
    display: Display,
    label: String,
    end: Instant,
    recorder: Recorder,
    waits: SessionWaits,
    processes: ProcessAccounts,
    evidence: Evidence,
    link: Link,
    last: Option<LastReading>,
    /// Gap until the next reading: its reason, and its beginning by the server's clock.
    open_gap: Option<(&'static str, i64)>,
    /// Clock of the intervals that are kept, microseconds.
    mono_us: u64,
    gaps: u64,
    /// Problems that were printed.
    printed: HashSet<String>,
}

/// The reading that the next one is compared with.
#[derive(Clone, Copy, PartialEq)]
struct LastReading {
    at_us: i64,
    pid: i32,
    started_us: i64,
}

impl Watcher {
    /// Begins to watch for so long; prints what is read, and what is missing.
    pub fn new(target: Target, label: &str, duration: Duration, stop: Arc<AtomicBool>) -> Watcher {
        let layout = &target.layout.layout;
        let shows_processes = target.read_processes().is_some();
        let parts =
            rights::describe(&target.server, &target.devices, layout, shows_processes, target.statements_missing());
        print_message!(
            "{}: PostgreSQL {}, role \"{}\"",
            plain(label),
            plain(&target.server.version),
            plain(&target.server.role)
        );
        parts.iter().for_each(Part::print);
        let doubts =
            parts.iter().filter_map(|part| Some(format!("{} unknown: {}", part.name, part.source.as_ref().err()?)));
        Watcher {
            display: Display::new(&plain(label), duration),
            label: plain(label),
            end: Instant::now() + duration,
            recorder: Recorder::new(Tier::Remote, None, SECOND_US, layout.clone()),
            waits: SessionWaits::new(),
            processes: ProcessAccounts::default(),
            evidence: Evidence::new(&target, doubts.collect()),
            link: Link::default(),
            last: None,
            open_gap: None,
            mono_us: 0,
            gaps: 0,
            printed: HashSet::new(),
            target,
            stop,
        }
    }

    /// Watches until the time is over or it is interrupted, and returns what was seen; meanwhile the file has it.
    pub fn watch(mut self, file: &mut RunFile) -> Result<Evidence, Error> {
        self.evidence.add_reading(self.target.read_run_reading());
        while self.goes_on() && !self.evidence.is_full() {
            match self.step() {
                Ok(()) => (),
                Err(QueryError::Server(error)) => self.take_refusal(&error.sqlstate, &error.message),
                Err(QueryError::Stopped) => break,
                Err(QueryError::ConnectionLost(message)) => {
                    if !self.goes_on() || !self.reconnect(&message) {
                        break;
                    }
                }
            }
            if let Some(problem) = file.update(&self.evidence) {
                self.warn(&problem);
            }
        }
        self.finish();
        self.display.clear();
        let samples = self.evidence.sample_count();
        if samples == 0 {
            return Err(Error::NothingWatched);
        }
        print_message!("{}: {}", self.label, summary(samples, self.gaps));
        Ok(self.evidence)
    }

    fn goes_on(&self) -> bool {
        Instant::now() < self.end && !self.stop.load(Ordering::Relaxed)
    }

    /// Takes a sample, and ends the block if it is long enough.
    fn step(&mut self) -> Result<(), QueryError> {
        let is_first = self.last.is_none();
        self.sample()?;
        self.display.refresh(self.recorder.block());
        if is_first {
            // What the slow counters of the first block are compared with.
            self.read_slow_counters();
        } else if self.recorder.block().samples.len() >= SAMPLES_PER_BLOCK {
            self.end_block();
        }
        Ok(())
    }

    /// Takes a reading, and the sample since the last one, unless what was between them is a gap.
    fn sample(&mut self) -> Result<(), QueryError> {
        // From the last reading on: the time of the link is within the interval, and does not lengthen it.
        let (mut reading, times) = self.target.read_sample(self.last.map(|last| last.at_us))?;
        let now = LastReading { at_us: times.at_us(), pid: reading.pid, started_us: reading.started_us };
        match self.interval(now, times) {
            Ok(Some(elapsed_us)) => {
                self.mono_us += elapsed_us;
                self.add_sweeps(&std::mem::take(&mut reading.sweeps));
            }
            Ok(None) => (),
            Err(reason) => self.add_gap(reason),
        }
        if let Some((reason, from_us)) = self.open_gap.take() {
            self.evidence.add_gap(reason, from_us, now.at_us);
        }
        self.last = Some(now);
        let snapshot = reading.into_snapshot(&times, self.mono_us, &self.target.layout.layout);
        self.recorder.observe(snapshot, 0);
        Ok(())
    }

    /// Length of the interval since the last reading, `None` for the first, or the reason for which it is a gap.
    fn interval(&mut self, now: LastReading, times: ReadingTimes) -> Result<Option<u64>, &'static str> {
        let interval = self.link.add(times, SECOND_US);
        match self.last {
            None => return Ok(None),
            Some(last) if last.started_us != now.started_us => return Err("the server was restarted"),
            Some(last) if last.pid != now.pid => {
                return Err("another backend answered: connect to the server itself, not to a pool of transactions");
            }
            Some(_) => (),
        }
        interval.map_err(|gap| match gap {
            Gap::SlowReading => "the server took longer than 100 ms to read its counters",
            Gap::Late => "no answer came for more than 2.5 s",
            Gap::ClockStep => "the clock of the server was set",
            Gap::SlowLink => {
                "an answer came more than 100 ms later than others, or the clock of the server was set back"
            }
        })
    }

    /// Adds sweeps, each of which stands for the time since the one before.
    fn add_sweeps(&mut self, sweeps: &[Sweep]) {
        let mut before_us = self.last.map_or(0, |last| last.at_us);
        let mut is_hidden = false;
        for sweep in sweeps {
            let elapsed_us = sweep.at_us.saturating_sub(before_us).clamp(0, SWEPT_US);
            is_hidden |= !self.waits.add(sweep, elapsed_us.unsigned_abs());
            before_us = sweep.at_us;
        }
        if is_hidden {
            self.evidence.add_doubt("waits are unknown for a part of the time: the role lacks pg_monitor".to_owned());
            self.warn("waits of other roles' sessions are hidden, and unknown until the right is granted (pg_monitor)");
        }
    }

    /// Adds a gap from the last reading to the next.
    fn add_gap(&mut self, reason: &'static str) {
        self.gaps += 1;
        self.open_gap = self.open_gap.or(self.last.map(|last| (reason, last.at_us)));
        self.recorder.forget();
        self.processes.forget();
        self.warn(&format!("a gap in the samples: {reason}"));
    }

    /// Adds the counts of slow counters since they were last read; without a last time it only reads them.
    fn read_slow_counters(&mut self) {
        let mut accounts = Accounts {
            mono_us: self.mono_us,
            databases: self.target.read_databases(),
            cpus: self.target.available_cpus(),
            ..Accounts::default()
        };
        match self.target.read_processes() {
            Some((texts, details)) => self.processes.add(texts, details.as_ref(), &mut accounts),
            None => self.processes.forget(),
        }
        accounts.own_transactions = TransactionCounts { commits: self.target.transactions(), rollbacks: 0 };
        self.recorder.add_slow_probes(accounts);
    }

    fn end_block(&mut self) {
        self.read_slow_counters();
        // A right that was given back.
        if matches!(self.target.devices, DeviceSource::Unknown(_)) && !self.target.layout.layout.volumes.is_empty() {
            self.target.devices = self.target.find_devices();
        }
        self.take_block();
    }

    fn take_block(&mut self) {
        self.recorder.add_waits(self.waits.drain(self.last.map_or(0, |last| last.at_us)));
        if let Some(block) = self.recorder.take(SECOND_US, self.target.layout.layout.clone()) {
            self.evidence.add_block(block);
        }
    }

    /// Reads what is read at the end, and ends the last block.
    fn finish(&mut self) {
        self.read_slow_counters();
        self.take_block();
        let mut reading = self.target.read_run_reading();
        if let (Some(first), Some(last)) = (self.evidence.first_reading(), &mut reading) {
            self.target.remove_own_statements(first);
            self.target.remove_own_statements(last);
            self.target.read_texts(first, last);
        }
        self.evidence.add_reading(reading);
    }

    /// Takes a refusal of a query: a right that was revoked makes devices unknown, and nothing else.
    fn take_refusal(&mut self, sqlstate: &str, message: &str) {
        let message = plain(message);
        self.warn(&format!("the server refused a query: {message}"));
        if sqlstate == INSUFFICIENT_PRIVILEGE && !matches!(self.target.devices, DeviceSource::Unknown(_)) {
            self.target.devices = self.target.find_devices();
            self.evidence.add_doubt(format!("devices are unknown for a part of the time: {message}"));
        } else {
            sleep(RETRY_INTERVAL);
        }
    }

    /// Connects again until it works; false where the time is over or another cluster answers.
    fn reconnect(&mut self, message: &str) -> bool {
        self.display.print(&format!("warning: the connection is lost, connecting again: {}", plain(message)));
        self.take_block();
        self.add_gap("the connection was lost");
        (self.last, self.link, self.waits) = (None, Link::default(), SessionWaits::new());
        while self.goes_on() {
            match self.target.reconnect() {
                Ok(true) => {
                    self.display.print("connected again");
                    return true;
                }
                Ok(false) => {
                    self.display
                        .print("warning: another cluster answers at this address; what was seen until now is kept");
                    return false;
                }
                Err(_) => sleep(RETRY_INTERVAL),
            }
        }
        false
    }

    /// Prints a problem once.
    fn warn(&mut self, problem: &str) {
        if self.printed.insert(problem.to_owned()) {
            self.display.print(&format!("warning: {problem}"));
        }
    }
}
