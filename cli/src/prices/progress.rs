//! Progress of reading: a bar on a terminal, else a line every few seconds.

use std::io::{self, IsTerminal, Read};
use std::time::{Duration, Instant};

use ebs_base::format::plain;
use indicatif::{HumanBytes, ProgressBar, ProgressStyle};

use crate::message::print_message;

/// Time between two lines: a log of some minutes stays short.
const LOG_INTERVAL: Duration = Duration::from_secs(5);

/// Progress of reading one file.
#[derive(Clone)]
pub struct Progress {
    name: String,
    bar: ProgressBar,
    size: Option<u64>,
    started: Instant,
}

impl Progress {
    /// Shows the progress of a file of this size.
    pub fn new(name: &str, size: Option<u64>) -> Progress {
        let bar = match size {
            _ if !io::stderr().is_terminal() => ProgressBar::hidden(),
            Some(size) => ProgressBar::new(size),
            None => ProgressBar::no_length(),
        };
        let template = match size {
            Some(_) => "{msg} {wide_bar} {bytes}/{total_bytes} {bytes_per_sec} ETA {eta}",
            None => "{msg} {spinner} {bytes} {bytes_per_sec} {elapsed}",
        };
        bar.set_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_message(plain(name));
        Progress { name: name.to_owned(), bar, size, started: Instant::now() }
    }

    /// Removes the bar; leaves a line for a file that was read to its end.
    pub fn finish(&self, complete: bool) {
        self.bar.finish_and_clear();
        if complete {
            let (read, rate) = (HumanBytes(self.bar.position()), HumanBytes(self.bytes_per_s()));
            print_message!("{}: read {read} in {} s ({rate}/s)", self.name, self.started.elapsed().as_secs());
        }
    }

    fn log(&self) {
        let size = self.size.map_or(String::new(), |size| format!(" of {}", HumanBytes(size)));
        let eta = self.eta_s().map_or(String::new(), |eta_s| format!(", ETA {eta_s} s"));
        let (read, rate) = (HumanBytes(self.bar.position()), HumanBytes(self.bytes_per_s()));
        print_message!("{}: {read}{size}, {rate}/s{eta}", self.name);
    }

    fn bytes_per_s(&self) -> u64 {
        let millis = self.started.elapsed().as_millis().max(1);
        u64::try_from(u128::from(self.bar.position()) * 1_000 / millis).unwrap_or(u64::MAX)
    }

    fn eta_s(&self) -> Option<u64> {
        self.size?.saturating_sub(self.bar.position()).checked_div(self.bytes_per_s())
    }
}

/// Reader of a file that shows its progress.
pub struct ProgressReader<R> {
    raw: R,
    progress: Progress,
    last_log: Instant,
}

impl<R: Read> ProgressReader<R> {
    /// Wraps `raw`.
    pub fn new(raw: R, progress: Progress) -> ProgressReader<R> {
        ProgressReader { raw, progress, last_log: Instant::now() }
    }
}

impl<R: Read> Read for ProgressReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.raw.read(buffer)?;
        self.progress.bar.inc(count as u64);
        if self.progress.bar.is_hidden() && self.last_log.elapsed() >= LOG_INTERVAL {
            self.last_log = Instant::now();
            self.progress.log();
        }
        Ok(count)
    }
}
