//! How far it is: a bar where there is a terminal, a line now and then where there is none.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, ProgressBar, ProgressStyle};

/// A line each so often, so that a log of some minutes stays short.
const EVERY: Duration = Duration::from_secs(5);

/// Shows how much of a file was read.
#[derive(Clone)]
pub struct Progress {
    name: String,
    bar: ProgressBar,
    terminal: bool,
    size: Option<u64>,
    began: Instant,
    said: Instant,
}

impl Progress {
    /// Begins, for a file of this size.
    pub fn begin(name: &str, size: Option<u64>) -> Progress {
        let terminal = io::stderr().is_terminal();
        let bar = match size {
            _ if !terminal => ProgressBar::hidden(),
            Some(size) => ProgressBar::new(size),
            None => ProgressBar::no_length(),
        };
        let template = match size {
            Some(_) => "{msg} {wide_bar} {bytes}/{total_bytes} {bytes_per_sec} ETA {eta}",
            None => "{msg} {spinner} {bytes} {bytes_per_sec} {elapsed}",
        };
        bar.set_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_message(name.to_owned());
        let began = Instant::now();
        Progress { name: name.to_owned(), bar, terminal, size, began, said: began }
    }

    /// So many bytes were read.
    pub fn at(&mut self, bytes: u64) {
        self.bar.set_position(bytes);
        if !self.terminal && self.said.elapsed() >= EVERY {
            self.said = Instant::now();
            let of = self.size.map_or(String::new(), |size| format!(" of {}", HumanBytes(size)));
            let left = self.left(bytes).map_or(String::new(), |left| format!(", ETA {left} s"));
            eprintln!("{}: {}{of}, {}/s{left}", self.name, HumanBytes(bytes), HumanBytes(self.rate(bytes)));
        }
    }

    /// It is over.
    pub fn end(&self, bytes: u64) {
        self.bar.finish_and_clear();
        let (seconds, rate) = (self.began.elapsed().as_secs(), HumanBytes(self.rate(bytes)));
        eprintln!("{}: read {} in {seconds} s ({rate}/s)", self.name, HumanBytes(bytes));
    }

    /// It failed.
    pub fn abandon(&self) {
        self.bar.finish_and_clear();
    }

    fn rate(&self, bytes: u64) -> u64 {
        let millis = self.began.elapsed().as_millis().max(1);
        u64::try_from(u128::from(bytes) * 1_000 / millis).unwrap_or(u64::MAX)
    }

    fn left(&self, bytes: u64) -> Option<u64> {
        self.size?.saturating_sub(bytes).checked_div(self.rate(bytes))
    }
}
