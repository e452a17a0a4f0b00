//! Supervision of the command from start to end: its lines are read, phases marked, signals passed on.

use std::process::Child;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use ebs_imports::drivers::{self, Follower, ReportedError};

use super::child::{self, Exit};
use super::display::Display;
use super::event::{Event, Stream};
use super::phase::{Phase, PhaseTimer};
use super::record::RunRecord;
use super::signals::{self, Forwarding};

/// Time between two checks of timers and of the command.
const TICK: Duration = Duration::from_millis(200);
/// Longest wait for the rest of the output: a background process of the command may hold its streams open indefinitely.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(1);

/// Supervisor of a running command.
pub struct Supervisor<'a> {
    child: Child,
    record: &'a mut RunRecord,
    display: Display,
    phase: PhaseTimer,
    follower: Option<Follower>,
    /// The ramp-up that the user asked for: it is left out of the driver's measuring.
    ramp_up: Option<Duration>,
    started: Instant,
    has_exited: bool,
    open_streams: u32,
    forwarding: Forwarding,
    /// A warning about a line that is malformed was printed.
    warned_of_malformed: bool,
    /// A warning about a virtual user that failed was printed.
    warned_of_error: bool,
}

/// The command after its end.
pub struct Finished {
    pub exit: Exit,
    pub follower: Option<Follower>,
    /// The ramp-up that the user asked for, unless the driver has one of its own.
    pub ramp_up: Option<Duration>,
    /// The first signal to ebsctl.
    pub interrupted_by: Option<i32>,
    pub duration: Duration,
    /// Time that the driver measured; `None` where it did not begin to.
    pub measured: Option<Duration>,
}

impl<'a> Supervisor<'a> {
    /// Supervises a command that has just been started.
    pub fn new(
        child: Child,
        record: &'a mut RunRecord,
        display: Display,
        phase: PhaseTimer,
        follower: Option<Follower>,
        ramp_up: Option<Duration>,
    ) -> Supervisor<'a> {
        Supervisor {
            child,
            record,
            display,
            phase,
            follower,
            ramp_up,
            started: Instant::now(),
            has_exited: false,
            open_streams: 2,
            forwarding: Forwarding::default(),
            warned_of_malformed: false,
            warned_of_error: false,
        }
    }

    /// Waits until the command has ended and its output was read.
    pub fn run(mut self, events: &Receiver<Event>) -> Finished {
        // Restarted when the driver reports that it measures.
        if self.ramp_up.is_some() {
            self.begin_ramp_up();
        }
        let exit = loop {
            self.receive(events);
            self.tick();
            if let Some(status) = self.child.try_wait().ok().flatten() {
                break Exit::from(status);
            }
        };
        self.has_exited = true;
        let ended = Instant::now();
        while self.open_streams > 0 && ended.elapsed() <= DRAIN_TIMEOUT {
            self.receive(events);
        }
        // A mark may have taken longer than the timeout: output since then is still to be read.
        events.try_iter().for_each(|event| self.handle(event));
        self.display.clear();
        Finished {
            measured: self.phase.measured(),
            exit,
            follower: self.follower,
            ramp_up: self.ramp_up,
            interrupted_by: self.forwarding.first(),
            duration: self.started.elapsed(),
        }
    }

    fn receive(&mut self, events: &Receiver<Event>) {
        if let Ok(event) = events.recv_timeout(TICK) {
            self.handle(event);
        }
    }

    fn handle(&mut self, event: Event) {
        match event {
            Event::Line(stream, line) => self.handle_line(stream, &line),
            Event::Closed => self.open_streams = self.open_streams.saturating_sub(1),
            Event::Signal(signal) => self.handle_signal(signal),
            Event::ServerLoad(load) => self.display.set_server_load(load),
            Event::ConnectionLost(message) => {
                self.display.print(&format!("warning: the server went away; the command goes on\ndetail: {message}"));
            }
        }
    }

    fn handle_line(&mut self, stream: Stream, line: &[u8]) {
        let now_s = self.started.elapsed().as_secs_f64();
        let text = String::from_utf8_lossy(line);
        match self.follower.as_mut().map(|follower| follower.line(&text, Some(now_s))) {
            // Marked before it is shown, so that the mark is not late.
            Some(Ok(Some(event))) => self.handle_driver_event(&event),
            Some(Err(error)) if !self.warned_of_malformed => {
                self.warned_of_malformed = true;
                self.display.print(&format!("warning: what the driver prints is not understood: {error}"));
            }
            Some(Ok(None) | Err(_)) | None => {}
        }
        self.display.print_output(stream, line);
    }

    fn handle_driver_event(&mut self, event: &drivers::Event) {
        match event {
            drivers::Event::Progress(progress) => self.display.set_progress(*progress),
            drivers::Event::Failed(error) if !self.has_result() => self.warn_of_error(error),
            drivers::Event::LoadBegins | drivers::Event::MeasuringBegins if self.ramp_up.is_some() => {
                return self.begin_ramp_up();
            }
            // The driver has a ramp-up of its own.
            drivers::Event::RampUpBegins { .. } => self.ramp_up = None,
            _ => {}
        }
        if let Some(phase) = self.phase.apply(event) {
            self.mark(phase);
        }
    }

    fn warn_of_error(&mut self, error: &ReportedError) {
        if error.is_monitor() {
            self.display.print(
                "warning: the virtual user that measures has failed: nothing more will be measured, and the others may \
                 wait for ever; Ctrl-C ends the run",
            );
        } else if error.user.is_some() && !self.warned_of_error {
            self.warned_of_error = true;
            self.display.print(&format!("warning: what is measured lacks {error}"));
        }
    }

    fn has_result(&self) -> bool {
        self.follower.as_ref().is_none_or(|follower| follower.complete().is_ok())
    }

    fn begin_ramp_up(&mut self) {
        self.phase.enter(Phase::RampUp, self.ramp_up);
        self.mark(Phase::RampUp);
    }

    fn mark(&mut self, phase: Phase) {
        if let Some(name) = phase.mark() {
            self.record.mark(name);
        }
        for notice in self.record.take_notices() {
            self.display.print(&notice);
        }
    }

    fn tick(&mut self) {
        if self.ramp_up.is_some_and(|ramp_up| self.phase.end_ramp_up(ramp_up)) {
            self.mark(Phase::Measure);
        }
        if let Some(signal) = self.forwarding.take_due(Instant::now()) {
            child::send_signal(&self.child, signal);
        }
        self.display.refresh(&self.phase);
    }

    fn handle_signal(&mut self, signal: i32) {
        if self.forwarding.first().is_none() {
            let name = signals::name(signal);
            self.display
                .print(&format!("{name}: the run ends with the command; once more ends the command with SIGTERM"));
        }
        // Once it was waited for, its PID may belong to another process.
        if let Some(signal) = self.forwarding.receive(signal, Instant::now())
            && !self.has_exited
        {
            child::send_signal(&self.child, signal);
        }
    }
}
