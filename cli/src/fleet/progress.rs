//! Progress over the batches: a bar with the remaining time on a terminal, else a line every half minute.

use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, MultiProgress, ProgressBar, ProgressState, ProgressStyle};

use crate::message::print_message;

/// Time between two lines: a log of some hours stays short.
const LOG_INTERVAL: Duration = Duration::from_secs(30);

/// Progress over the volumes of a fleet, on standard error.
pub struct Progress {
    bar: ProgressBar,
    volumes: u64,
    started: Instant,
    last_log: Instant,
}

impl Progress {
    /// Shows the progress over this many volumes, among these bars.
    pub fn new(volumes: u64, bars: &MultiProgress) -> Progress {
        let bar = if io::stderr().is_terminal() { bars.add(ProgressBar::new(volumes)) } else { ProgressBar::hidden() };
        let style = ProgressStyle::with_template("{pos} of {len} volumes {wide_bar} {rate} ETA {eta}");
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        bar.set_style(style.with_key("rate", |state: &ProgressState, text: &mut dyn Write| {
            let _ = write!(text, "{:.1}/s", state.per_sec());
        }));
        Progress { bar, volumes, started: Instant::now(), last_log: Instant::now() }
    }

    /// Adds volumes that an earlier, interrupted run has answered: they tell nothing of the rate.
    pub fn skip(&self, volumes: u64) {
        self.bar.set_position(self.bar.position() + volumes);
        self.bar.reset_eta();
    }

    /// Adds volumes that are done.
    pub fn add(&mut self, volumes: u64) {
        self.bar.inc(volumes);
        if self.bar.is_hidden() && self.last_log.elapsed() >= LOG_INTERVAL {
            self.last_log = Instant::now();
            let (done, elapsed) = (self.bar.position(), HumanDuration(self.started.elapsed()));
            print_message!("{done} of {} volumes after {elapsed}", self.volumes);
        }
    }

    /// Removes the bar.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
