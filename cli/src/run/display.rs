//! How it goes: a bar where there is a terminal, a line every few seconds where there is none; and the command's own output.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use ebs_base::format::{count, ms, rate};
use ebs_imports::driver::Progress;
use indicatif::{ProgressBar, ProgressStyle};

use super::child::Stream;
use super::phase::Phase;
use super::watch::Live;

/// A line each so often: a log of ten minutes has 60.
const EVERY: Duration = Duration::from_secs(10);
/// What was seen longer ago is not shown as now. Load drivers tell every 10 s, or as they were told.
const FRESH: Duration = Duration::from_secs(12);

/// What does not fit the terminal's width is cut off: a line that wraps cannot be drawn over.
const WITH_END: &str = "{prefix} {bar:16} {wide_msg}";
const WITHOUT_END: &str = "{prefix} {spinner} {wide_msg}";

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// Shows a run.
pub struct Display {
    label: String,
    bar: ProgressBar,
    terminal: bool,
    said: Instant,
    progress: Option<(Instant, Progress)>,
    live: Option<(Instant, Live)>,
}

impl Display {
    pub fn new(label: &str) -> Display {
        let terminal = io::stderr().is_terminal();
        let bar = if terminal { ProgressBar::no_length() } else { ProgressBar::hidden() };
        bar.set_prefix(label.to_owned());
        bar.set_style(style(WITHOUT_END));
        Display { label: label.to_owned(), bar, terminal, said: Instant::now(), progress: None, live: None }
    }

    /// A line of the command's, as it is.
    pub fn pass(&self, stream: Stream, line: &[u8]) {
        self.bar.suspend(|| {
            // Whether anybody reads it or not, the run goes on.
            let _ = match stream {
                Stream::Out => io::stdout().write_all(line).and_then(|()| io::stdout().flush()),
                Stream::Err => io::stderr().write_all(line),
            };
        });
    }

    /// A line of ours.
    pub fn say(&self, text: &str) {
        self.bar.suspend(|| eprintln!("{text}"));
    }

    pub fn progress(&mut self, progress: Progress) {
        self.progress = Some((Instant::now(), progress));
    }

    pub fn live(&mut self, live: Live) {
        self.live = Some((Instant::now(), live));
    }

    /// Shows where it is now.
    pub fn show(&mut self, phase: &Phase) {
        let figures = self.figures();
        if self.terminal {
            let drawn = match phase.length() {
                Some(length) => {
                    self.bar.set_length(length.as_secs());
                    self.bar.set_position(phase.elapsed().as_secs().min(length.as_secs()));
                    style(WITH_END)
                }
                None => style(WITHOUT_END),
            };
            self.bar.set_style(drawn);
            self.bar.set_message(format!("{}{figures}", phase.words()));
            self.bar.tick();
        } else if self.said.elapsed() >= EVERY {
            self.said = Instant::now();
            eprintln!("{}: {}{figures}", self.label, phase.words());
        }
    }

    /// The bar goes.
    pub fn end(&self) {
        self.bar.finish_and_clear();
    }

    /// `, 988 tps, 4.00 ms · vda 3,211 IOPS, read 0.42 ms`.
    fn figures(&self) -> String {
        let progress = self.progress.as_ref().filter(|(at, _)| at.elapsed() < FRESH).map(|(_, progress)| progress);
        let live = self.live.as_ref().filter(|(at, _)| at.elapsed() < FRESH).map(|(_, live)| live);
        let mut text = progress.map_or_else(String::new, driver);
        if text.is_empty()
            && let Some(tps) = live.and_then(|live| live.tps)
        {
            text = format!(", {} transactions/s (the server's count)", rate(tps));
        }
        let volume = live.and_then(|live| live.volume.as_ref()).map(|volume| format!(" · {}", volume.words()));
        text + &volume.unwrap_or_default()
    }
}

/// What the driver tells.
fn driver(progress: &Progress) -> String {
    let mut text = String::new();
    let Progress { tps, nopm, tpm, latency_ms, failed, .. } = *progress;
    if let Some(tps) = tps {
        text += &format!(", {} tps", rate(tps));
    } else if let Some(nopm) = nopm {
        text += &format!(", {} NOPM", count(nopm));
    } else if let Some(tpm) = tpm {
        text += &format!(", {} TPM", count(tpm));
    }
    if let Some(latency_ms) = latency_ms {
        text += &format!(", {} ms", ms(latency_ms));
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
    fn what_the_driver_tells_comes_before_what_the_server_counts() {
        let mut display = Display::new("a");
        assert_eq!(display.figures(), "");
        display.live(Live { tps: Some(1_234.0), volume: None });
        assert_eq!(display.figures(), ", 1,234 transactions/s (the server's count)");
        let progress = Progress { tps: Some(988.6), latency_ms: Some(4.0), failed: Some(0.0), ..Progress::default() };
        display.progress(progress);
        assert_eq!(display.figures(), ", 989 tps, 4.00 ms");
        display.progress(Progress { tpm: Some(51_426.0), failed: Some(3.0), ..Progress::default() });
        assert_eq!(display.figures(), ", 51,426 TPM, 3.0 failed");
    }
}
