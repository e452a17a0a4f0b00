//! Evidence of a volume: its window, and the grade of it.

use std::collections::BTreeMap;

use ebs_base::units::SECOND_US;
use ebs_samples::evidence::{Block, ConfigurationChange, CounterDelta, DeviceChecks, Window};
use ebs_stats::averaging::COARSE_S;
use ebs_workload::busy_rates::BusyRates;

use crate::answer::{Evidence, Grade};
use crate::discovery::fleet::FleetVolume;
use crate::discovery::source::Source;
use crate::series::collect::Counts;
use crate::series::readings::Timer;
use crate::series::seconds::Mixes;
use crate::series::space::Space;
use crate::series::track::Piece;
use crate::settings::Settings;
use crate::subject::Subject;
use crate::window::block_space::{add_space, split_by_space};
use crate::window::frame::{WindowVolume, add_checks, block, block_of_seconds, window};

impl Evidence {
    /// Seconds with known counts.
    pub fn known_s(&self) -> f64 {
        self.coverage * (self.to_us - self.from_us).max(0) as f64 / 1e6
    }

    /// True where averages may hide bursts.
    pub(crate) fn hides_bursts(&self) -> bool {
        self.grade != Grade::Seconds && self.interval_s.is_some_and(|seconds| seconds > COARSE_S)
    }
}

/// Longest interval that is a scrape's, seconds: a minute, and what scrapes move by.
const SCRAPE_S: f64 = 61.0;

/// Blocks of a volume's counts, with its used space over time.
pub fn blocks(volume: &FleetVolume, counts: &Counts, space: Option<&Space>) -> Vec<Block> {
    let volume = window_volume(volume, counts);
    let block = match counts.seconds.is_empty() {
        true => block(&volume, pieces(counts)),
        false => block_of_groups(volume, counts),
    };
    split_by_space(block, space)
}

/// Window of a volume's counts, its space, and its checks.
pub fn window_of_subject(subject: &Subject, settings: &Settings) -> Window {
    let (counts, described) = (subject.counts, &subject.described);
    let span = (settings.from_us, settings.to_us);
    let mut window = window_of_counts(subject.volume, counts, subject.space.as_ref(), span);
    window.layout.instance.clone_from(&described.identity.instance_type);
    add_checks(&mut window, &subject.volume.id, &counts.tracks);
    let is_within = |change: &&ConfigurationChange| change.time.is_within(span.0, span.1);
    window.pending = described.pending.iter().cloned().collect();
    window.changes = described.changes.iter().filter(is_within).cloned().collect();
    window
}

/// Window of the [`blocks`] of these counts, which lie between its ends. Of pieces it is made directly, and without
/// [`Window::block_io`]: a block for each point of used space takes longer than the figures of the window.
pub fn window_of_counts(volume: &FleetVolume, counts: &Counts, space: Option<&Space>, span: (i64, i64)) -> Window {
    if !counts.seconds.is_empty() {
        return Window::assemble(blocks(volume, counts, space), span.0, span.1);
    }
    let mut made = window(&window_volume(volume, counts), pieces(counts), span);
    if let Some(space) = space {
        add_space(&mut made, space);
    }
    made.finish()
}

fn block_of_groups(volume: WindowVolume, counts: &Counts) -> Block {
    let mixes = Mixes::new(pieces(counts));
    let volume = WindowVolume { is_timed: volume.is_timed && mixes.is_some(), ..volume };
    block_of_seconds(&volume, &counts.seconds, mixes.as_ref())
}

fn window_volume<'a>(volume: &'a FleetVolume, counts: &Counts) -> WindowVolume<'a> {
    let is_timed = counts.used_tracks().all(|track| track.is_timed);
    WindowVolume { id: &volume.id, is_ebs: !volume.is_rds(), is_timed }
}

fn pieces(counts: &Counts) -> impl Iterator<Item = &Piece> + Clone {
    counts.pieces().map(|(piece, _)| piece)
}

/// Evidence of a window, with its rates within busy time.
pub fn evidence(subject: &Subject, (window, busy): (&Window, Option<BusyRates>), settings: &Settings) -> Evidence {
    let (known_us, resets, gaps) = continuity(window);
    let asked_us = (settings.to_us - settings.from_us).max(1) as f64;
    let interval_us = window.intervals.first().map(|interval| interval.interval_us);
    let interval_s = interval_us.map(|us| us as f64 / SECOND_US as f64);
    let busy_timer = subject.counts.used_tracks().map(|track| track.timers.busy).max().unwrap_or_default();
    Evidence {
        source: source(subject),
        from_us: settings.from_us,
        to_us: settings.to_us,
        coverage: (known_us as f64 / asked_us).min(1.0),
        interval_s,
        grade: grade(window, interval_s, !subject.counts.seconds.is_empty()),
        resets,
        gaps,
        busy: busy.filter(|_| busy_timer == Timer::Running),
        busy_timer,
    }
}

/// Microseconds with known counts, intervals over which counters were reset, and gaps between intervals.
fn continuity(window: &Window) -> (u64, u64, u64) {
    let (mut known_us, mut resets, mut gaps) = (0u64, 0, 0);
    let usual_us = window.intervals.first().map_or(0, |interval| interval.interval_us);
    let mut ended_us = None;
    for interval in &window.intervals {
        let readings = || interval.devices.iter().map(|(_, reading)| reading);
        if readings().all(|reading| matches!(reading, CounterDelta::Known(_))) {
            known_us = known_us.saturating_add(interval.dt_us);
        } else if readings().any(|reading| *reading == CounterDelta::Reset) {
            resets += 1;
        }
        let began_us = interval.at_us - i64::try_from(interval.dt_us.max(interval.downsampled_us)).unwrap_or(0);
        let most_us = i64::try_from(usual_us.max(interval.downsampled_us) / 2).unwrap_or(i64::MAX);
        gaps += u64::from(ended_us.replace(interval.at_us).is_some_and(|ended_us| began_us - ended_us > most_us));
    }
    (known_us, resets, gaps)
}

/// The exporter that most counts are of.
fn source(subject: &Subject) -> Option<Source> {
    let mut pieces: BTreeMap<Source, usize> = BTreeMap::new();
    for section in &subject.counts.merged.sections {
        *pieces.entry(subject.counts.tracks[section.track].source).or_default() += section.pieces.len();
    }
    pieces.into_iter().max_by_key(|(_, count)| *count).map(|(source, _)| source)
}

fn grade(window: &Window, interval_s: Option<f64>, is_grouped: bool) -> Grade {
    let Some(interval_s) = interval_s else { return Grade::None };
    let is_checked = |checks: &DeviceChecks| {
        [checks.volume_iops, checks.volume_throughput]
            .iter()
            .all(|check| check.is_some_and(|check| check.known_s >= 0.999 * checks.seconds && checks.seconds > 0.0))
    };
    if is_grouped {
        Grade::Seconds
    } else if window.checks.iter().any(is_checked) {
        Grade::Checked
    } else if interval_s <= SCRAPE_S {
        Grade::Scrapes
    } else {
        Grade::Averages
    }
}
