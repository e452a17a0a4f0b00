//! Progress of a run: a bar on a terminal, else a line every few seconds; and the command's own output.

use crate::message::print_message;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use ebs_base::format::{count, ms, plain, rate};
use ebs_imports::drivers::{Percentile, Progress};
use indicatif::{ProgressBar, ProgressStyle};

use super::event::Stream;
use super::phase::PhaseTimer;
use super::server_load::ServerLoad;

/// Time between two lines: a log of ten minutes has 60.
const LOG_INTERVAL: Duration = Duration::from_secs(10);
/// Older figures are not shown. Load drivers print every 10 s, unless they are told otherwise.
const MAX_AGE: Duration = Duration::from_secs(12);

/// Templates of the bar. The message is cut off at the terminal's width: a line that wraps cannot be drawn over.
const KNOWN_LENGTH: &str = "{prefix} {bar:16} {wide_msg}";
const UNKNOWN_LENGTH: &str = "{prefix} {spinner} {wide_msg}";

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// Display of a run.
pub struct Display {
    label: String,
    bar: ProgressBar,
    is_terminal: bool,
    last_log: Instant,
    progress: Option<(Instant, Progress)>,
    server_load: Option<(Instant, ServerLoad)>,
}

impl Display {
    pub fn new(label: &str) -> Display {
        let is_terminal = io::stderr().is_terminal();
        let bar = if is_terminal { ProgressBar::no_length() } else { ProgressBar::hidden() };
        bar.set_prefix(plain(label));
        bar.set_style(style(UNKNOWN_LENGTH));
        let last_log = Instant::now();
        Display { label: label.to_owned(), bar, is_terminal, last_log, progress: None, server_load: None }
    }

    /// Prints a line of the command's as it is.
    pub fn print_output(&self, stream: Stream, line: &[u8]) {
        self.bar.suspend(|| {
            // The run continues even if the output is closed.
            let _ = match stream {
                Stream::Stdout => io::stdout().write_all(line).and_then(|()| io::stdout().flush()),
                Stream::Stderr => io::stderr().write_all(line),
            };
        });
    }

    /// Prints a line of ours.
    pub fn print(&self, text: &str) {
        self.bar.suspend(|| print_message!("{text}"));
    }

    pub fn set_progress(&mut self, progress: Progress) {
        self.progress = Some((Instant::now(), progress));
    }

    pub fn set_server_load(&mut self, load: ServerLoad) {
        self.server_load = Some((Instant::now(), load));
    }

    /// Redraws the bar, or prints a line if it is time for one.
    pub fn refresh(&mut self, phase: &PhaseTimer) {
        let figures = self.figures();
        if self.is_terminal {
            match phase.length() {
                Some(length) => {
                    self.bar.set_length(length.as_secs());
                    self.bar.set_position(phase.elapsed().as_secs().min(length.as_secs()));
                    self.bar.set_style(style(KNOWN_LENGTH));
                }
                None => self.bar.set_style(style(UNKNOWN_LENGTH)),
            }
            // Names of phases are the driver's, those of volumes the server's.
            self.bar.set_message(plain(&format!("{}{figures}", phase.describe())));
            self.bar.tick();
        } else if self.last_log.elapsed() >= LOG_INTERVAL {
            self.last_log = Instant::now();
            print_message!("{}: {}{figures}", self.label, phase.describe());
        }
    }

    /// Removes the bar.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }

    /// `, 988 tps, 4.00 ms · vda 3,211 IOPS, read 0.42 ms`.
    fn figures(&self) -> String {
        let load = recent(&self.server_load);
        let mut text = recent(&self.progress).map_or_else(String::new, describe_progress);
        if text.is_empty()
            && let Some(tps) = load.and_then(|load| load.tps)
        {
            text = format!(", {} transactions/s (the server's count)", rate(tps));
        }
        if let Some(volume) = load.and_then(|load| load.volume.as_ref()) {
            text += &format!(" · {}", volume.describe());
        }
        text
    }
}

fn recent<T>(figures: &Option<(Instant, T)>) -> Option<&T> {
    figures.as_ref().filter(|(at, _)| at.elapsed() < MAX_AGE).map(|(_, figures)| figures)
}

/// `, 988 tps, 4.00 ms, 3.0 failed`.
fn describe_progress(progress: &Progress) -> String {
    let mut text = String::new();
    let Progress { tps, nopm, tpm, latency_ms, percentile, failed, .. } = *progress;
    if let Some(tps) = tps {
        text += &format!(", {} tps", rate(tps));
    } else if let Some(nopm) = nopm {
        text += &format!(", {} NOPM", count(nopm));
    } else if let Some(tpm) = tpm {
        text += &format!(", {} TPM", count(tpm));
    }
    if let Some(latency_ms) = latency_ms {
        text += &format!(", {} ms", ms(latency_ms));
    } else if let Some(Percentile { percent, ms: latency_ms }) = percentile {
        text += &format!(", p{percent} {} ms", ms(latency_ms));
    }
    if let Some(failed) = failed.filter(|failed| *failed > 0.0) {
        text += &format!(", {} failed", rate(failed));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_the_driver_come_before_those_of_the_server() {
        let mut display = Display::new("a");
        assert_eq!(display.figures(), "");
        display.set_server_load(ServerLoad { tps: Some(1_234.0), volume: None });
        assert_eq!(display.figures(), ", 1,234 transactions/s (the server's count)");
        let progress = Progress { tps: Some(988.6), latency_ms: Some(4.0), failed: Some(0.0), ..Progress::default() };
        display.set_progress(progress);
        assert_eq!(display.figures(), ", 989 tps, 4.00 ms");
        let percentile = Some(Percentile { percent: 95.0, ms: 11.65 });
        display.set_progress(Progress { tps: Some(702.0), percentile, ..Progress::default() });
        assert_eq!(display.figures(), ", 702 tps, p95 11.7 ms");
        display.set_progress(Progress { tpm: Some(51_426.0), failed: Some(3.0), ..Progress::default() });
        assert_eq!(display.figures(), ", 51,426 TPM, 3.0 failed");
    }
}
