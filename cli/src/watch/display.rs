//! Progress of watching: a bar on a terminal, else a line a minute.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use ebs_base::format::{count, plain};
use ebs_samples::evidence::{Block, CounterDelta};
use indicatif::{ProgressBar, ProgressStyle};

use crate::message::print_message;
use crate::volume_load::VolumeLoad;

/// Time between two lines where there is no terminal.
const LOG_INTERVAL: Duration = Duration::from_secs(60);

/// Template of the bar. The message is cut off at the terminal's width.
const TEMPLATE: &str = "{prefix} {bar:16} {wide_msg}";

/// Display of watching.
pub struct Display {
    label: String,
    bar: ProgressBar,
    length: Duration,
    started: Instant,
    last_log: Instant,
}

impl Display {
    /// Shows the progress of watching for so long.
    pub fn new(label: &str, length: Duration) -> Display {
        let bar = if io::stderr().is_terminal() { ProgressBar::new(length.as_secs()) } else { ProgressBar::hidden() };
        bar.set_style(ProgressStyle::with_template(TEMPLATE).unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_prefix(label.to_owned());
        Display { label: label.to_owned(), bar, length, started: Instant::now(), last_log: Instant::now() }
    }

    /// Prints a line above the bar.
    pub fn print(&self, text: &str) {
        self.bar.suspend(|| print_message!("{text}"));
    }

    /// Shows the last sample of a block.
    pub fn refresh(&mut self, block: &Block) {
        let elapsed = self.started.elapsed().min(self.length);
        let text = format!("{} of {}{}", clock(elapsed), clock(self.length), figures(block));
        if !self.bar.is_hidden() {
            self.bar.set_position(elapsed.as_secs());
            self.bar.set_message(plain(&text));
        } else if self.last_log.elapsed() >= LOG_INTERVAL {
            self.last_log = Instant::now();
            print_message!("{}: {text}", self.label);
        }
    }

    /// Removes the bar.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// `0:42`, `1:02:03`.
fn clock(duration: Duration) -> String {
    let seconds = duration.as_secs();
    let (hours, minutes, seconds) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

/// ` · nvme1n1 3,211 IOPS, read 0.42 ms, write 0.61 ms`, of the volume with the most requests.
fn figures(block: &Block) -> String {
    let Some(sample) = block.samples.last() else { return String::new() };
    let known = sample.devices.iter().filter_map(|(index, delta)| match delta {
        CounterDelta::Known(counts) => Some((usize::from(*index), counts)),
        _ => None,
    });
    let Some((index, counts)) = known.max_by_key(|(_, counts)| counts.reads + counts.writes) else {
        return String::new();
    };
    let Some(volume) = block.layout.volumes.get(index) else { return String::new() };
    let mean = |requests: u64, time_ms: u64| (requests > 0).then(|| time_ms as f64 / requests as f64);
    let load = VolumeLoad {
        name: volume.device.clone(),
        iops: (counts.reads + counts.writes) as f64 * 1e6 / sample.dt_us.max(1) as f64,
        read_ms: mean(counts.reads, counts.read_ms),
        write_ms: mean(counts.writes, counts.write_ms),
    };
    format!(" · {}", load.describe())
}

/// `7,190 samples, 3 gaps`.
pub fn summary(samples: u64, gaps: u64) -> String {
    let gaps = match gaps {
        0 => String::new(),
        1 => ", 1 gap".to_owned(),
        gaps => format!(", {} gaps", count(gaps as f64)),
    };
    format!("{} samples{gaps}", count(samples as f64))
}

#[cfg(test)]
mod tests {
    use ebs_samples::evidence::{DeviceCounts, Sample, StorageLayout, Volume};

    use super::*;

    #[test]
    fn the_last_sample_is_shown() {
        let counts =
            DeviceCounts { reads: 3_000, writes: 211, read_ms: 1_260, write_ms: 129, ..DeviceCounts::default() };
        let volume = Volume { device: "nvme1n1".to_owned(), ..Volume::default() };
        let sample =
            Sample { at_us: 0, dt_us: 1_000_000, devices: [(0, CounterDelta::Known(counts))].into(), reset: false };
        let layout = StorageLayout { volumes: vec![volume], ..StorageLayout::default() };
        let block = Block { layout, samples: vec![sample], ..Block::default() };
        assert_eq!(figures(&block), " · nvme1n1 3,211 IOPS, read 0.42 ms, write 0.61 ms");
        assert_eq!(figures(&Block::default()), "");
        assert_eq!([clock(Duration::from_secs(42)), clock(Duration::from_secs(3_723))], ["0:42", "1:02:03"]);
        assert_eq!([summary(7_190, 0), summary(1, 3)], ["7,190 samples", "1 samples, 3 gaps"]);
    }
}
