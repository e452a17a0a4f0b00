//! The command from start to end: its lines read, phases marked, signals passed on.

use std::process::Child;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use ebs_imports::driver::{Event, Failure, Follower};
use signal_hook::consts::{SIGINT, SIGKILL, SIGTERM};

use super::child::{self, Exit, Stream};
use super::display::Display;
use super::ledger::Ledger;
use super::phase::{Part, Phase};
use super::signals;
use super::watch::Live;

/// What happens while the command runs.
pub enum Message {
    /// It printed a line.
    Line(Stream, Vec<u8>),
    /// One of its two streams is closed.
    Closed,
    /// We got a signal.
    Signal(i32),
    /// What the server sees.
    Live(Live),
    /// The server does not answer any more; what psql said.
    Unseen(String),
}

/// How often time is looked at.
const TICK: Duration = Duration::from_millis(200);
/// The terminal sends Ctrl-C to the command, too; it gets another from us only if that did not end it.
const GRACE: Duration = Duration::from_secs(1);
/// A program that the command left behind may hold its streams open for ever.
const DRAIN: Duration = Duration::from_secs(1);

/// A command that runs.
pub struct Drive<'a> {
    pub ledger: &'a mut Ledger,
    pub display: Display,
    pub phase: Phase,
    pub follower: Option<Follower>,
    /// Seconds of the driver's measuring that do not count, because the user says so.
    pub ramp_up: Option<Duration>,
    pub began: Instant,
    /// The first signal that we got.
    pub interrupted: Option<i32>,
    pressed: u32,
    pass_on: Option<(Instant, i32)>,
    malformed: u64,
    /// A virtual user has failed, and that was said.
    user_failed: bool,
}

impl<'a> Drive<'a> {
    pub fn new(ledger: &'a mut Ledger, display: Display, phase: Phase, follower: Option<Follower>) -> Drive<'a> {
        let began = Instant::now();
        let (ramp_up, interrupted, pass_on) = (None, None, None);
        let (pressed, malformed, user_failed) = (0, 0, false);
        Drive {
            ledger,
            display,
            phase,
            follower,
            ramp_up,
            began,
            interrupted,
            pressed,
            pass_on,
            malformed,
            user_failed,
        }
    }

    /// Until it has ended and all that it printed was read.
    pub fn run(&mut self, child: &mut Child, messages: &Receiver<Message>) -> Exit {
        // Begun again where the driver says when it measures.
        if self.ramp_up.is_some() {
            self.begin_ramp_up();
        }
        let mut open = 2_u32;
        let mut ended = None;
        loop {
            if let Ok(message) = messages.recv_timeout(TICK) {
                self.receive(child, message, &mut open);
            }
            if ended.is_none() {
                self.time_passes(child);
                ended = child.try_wait().ok().flatten().map(|status| (Instant::now(), Exit::of(status)));
            }
            match ended {
                Some((at, exit)) if open == 0 || at.elapsed() > DRAIN => {
                    // To make a mark may have taken longer than that: what was printed meanwhile is there.
                    messages.try_iter().for_each(|message| self.receive(child, message, &mut open));
                    self.display.end();
                    return exit;
                }
                _ => {}
            }
        }
    }

    /// `open` is how many of the two streams are.
    fn receive(&mut self, child: &Child, message: Message, open: &mut u32) {
        match message {
            Message::Line(stream, line) => self.line(stream, &line),
            Message::Closed => *open = open.saturating_sub(1),
            Message::Signal(signal) => self.signal(child, signal),
            Message::Live(live) => self.display.live(live),
            Message::Unseen(said) => {
                self.display.say(&format!("warning: the server went away; the command goes on\ndetail: {said}"));
            }
        }
    }

    fn line(&mut self, stream: Stream, line: &[u8]) {
        let now_s = self.began.elapsed().as_secs_f64();
        let text = String::from_utf8_lossy(line);
        match self.follower.as_mut().map(|follower| follower.line(&text, Some(now_s))) {
            // Marked before it is shown: the mark is the moment.
            Some(Ok(Some(event))) => self.event(&event),
            Some(Err(error)) => {
                self.malformed += 1;
                if self.malformed == 1 {
                    self.display.say(&format!("warning: what the driver prints is not understood: {error}"));
                }
            }
            Some(Ok(None)) | None => {}
        }
        self.display.pass(stream, line);
    }

    fn event(&mut self, event: &Event) {
        match event {
            Event::Progress(progress) => self.display.progress(*progress),
            Event::Failed(failure) if failure.is_monitor() && self.lacks_its_result() => self.display.say(
                "warning: the virtual user that measures has failed: nothing more will be measured, and the others may \
                 wait for ever; Ctrl-C ends the run",
            ),
            Event::Failed(failure @ Failure { user: Some(_), .. }) if !self.user_failed && self.lacks_its_result() => {
                self.user_failed = true;
                self.display.say(&format!("warning: what is measured lacks {failure}"));
            }
            Event::LoadBegins | Event::MeasuringBegins if self.ramp_up.is_some() => return self.begin_ramp_up(),
            // The driver has one of its own.
            Event::RampUpBegins { .. } => self.ramp_up = None,
            _ => {}
        }
        if let Some(part) = self.phase.event(event) {
            self.mark(part);
        }
    }

    fn lacks_its_result(&self) -> bool {
        self.follower.as_ref().is_some_and(|follower| follower.complete().is_err())
    }

    fn begin_ramp_up(&mut self) {
        self.phase.enter(Part::RampUp, self.ramp_up);
        self.mark(Part::RampUp);
    }

    fn mark(&mut self, part: Part) {
        if let Some(name) = part.mark() {
            self.ledger.mark(name);
        }
        self.say_notices();
    }

    fn say_notices(&mut self) {
        for notice in self.ledger.take_notices() {
            self.display.say(&notice);
        }
    }

    fn time_passes(&mut self, child: &Child) {
        if self.ramp_up.is_some_and(|ramp_up| self.phase.measure_after(ramp_up)) {
            self.mark(Part::Measure);
        }
        if let Some((_, signal)) = self.pass_on.filter(|(due, _)| *due <= Instant::now()) {
            self.pass_on = None;
            child::signal(child, signal);
        }
        self.display.show(&self.phase);
    }

    /// The first is passed on as it is, the second ends the command, the third kills it.
    fn signal(&mut self, child: &Child, signal: i32) {
        self.pressed += 1;
        if self.interrupted.is_none() {
            self.interrupted = Some(signal);
            let name = signals::name(signal);
            self.display
                .say(&format!("{name}: the run ends with the command; once more ends the command with SIGTERM"));
        }
        match (self.pressed, signal) {
            (1, SIGINT) => self.pass_on = Some((Instant::now() + GRACE, SIGINT)),
            (1, _) => child::signal(child, signal),
            (2, _) => child::signal(child, SIGTERM),
            _ => child::signal(child, SIGKILL),
        }
    }
}
