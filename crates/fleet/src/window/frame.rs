//! Windows of a volume's counts, as importers build them of a device's: what advice is computed from.

use ebs_base::units::SECOND_US;
use ebs_samples::evidence::{
    Block, CheckedTime, CounterDelta, DeviceChecks, Interval, Layout, Member, Punctuality, Role, Sample, Sampling,
    StorageLayout, Tier, Volume, Window, missed_samples,
};

use crate::series::seconds::{Mix, Mixes, SecondGroup, counts};
use crate::series::track::{Piece, Track};

/// A volume of a window.
pub struct WindowVolume<'a> {
    /// Name of the volume, its EBS ID where it is one.
    pub id: &'a str,
    /// True where the ID is EBS's.
    pub is_ebs: bool,
    /// True where its counts include times.
    pub is_timed: bool,
}

/// Block of these counts.
pub fn block<'a>(volume: &WindowVolume, pieces: impl Iterator<Item = &'a Piece> + Clone) -> Block {
    let sample = |piece: &Piece| Sample {
        at_us: piece.ended_us,
        dt_us: length_us(piece),
        devices: [(0, piece.counts)].into(),
        reset: false,
    };
    let (interval_us, sampling) = sampling(pieces.clone().map(length_us));
    let layout = StorageLayout { volumes: vec![volume.describe()], ..StorageLayout::default() };
    Block { interval_us, sampling, layout, samples: pieces.map(sample).collect(), ..Block::default() }
}

/// Window of these counts, between two points in time that all of them lie between: that of their [`block`], before it is finished.
pub fn window<'a>(volume: &WindowVolume, pieces: impl Iterator<Item = &'a Piece> + Clone, span: (i64, i64)) -> Window {
    let (interval_us, sampling) = sampling(pieces.clone().map(length_us));
    let interval = |piece: &Piece| Interval {
        at_us: piece.ended_us,
        dt_us: length_us(piece),
        interval_us,
        downsampled_us: 0,
        devices: [(0, piece.counts)].into(),
        reset: false,
    };
    let mut intervals = Vec::with_capacity(sampling.punctuality.samples as usize);
    intervals.extend(pieces.map(interval));
    Window::from_intervals(volume.describe(), sampling, intervals, span)
}

fn length_us(piece: &Piece) -> u64 {
    (piece.ended_us - piece.began_us).unsigned_abs()
}

/// Width of the bins of histograms, per cent: the most that a rate differs from that of a second.
const RATE_ERROR_PCT: u8 = 5;

/// Block of seconds of demand, whose order within a scrape interval is not known; the mix of requests is that of the scrapes.
pub fn block_of_seconds(volume: &WindowVolume, groups: &[SecondGroup], mixes: Option<&Mixes>) -> Block {
    let everything_read = Mix { read_share: 1.0, ..Mix::default() };
    let sample = |group: &SecondGroup| {
        let mix = mixes.map_or(everything_read, |mixes| mixes.find(group.ended_us));
        let devices = [(0, CounterDelta::Known(counts(group, &mix)))].into();
        Sample { at_us: group.ended_us, dt_us: group.us, devices, reset: false }
    };
    let mut spans: Vec<u64> = groups.iter().map(|group| group.span_us).collect();
    let middle = spans.len() / 2;
    Block {
        interval_us: SECOND_US,
        downsampled_us: if spans.is_empty() { 0 } else { *spans.select_nth_unstable(middle).1 },
        rate_error_pct: RATE_ERROR_PCT,
        sampling: Sampling { tier: Tier::Imported, ..Sampling::default() },
        layout: StorageLayout { volumes: vec![volume.describe()], ..StorageLayout::default() },
        samples: groups.iter().map(sample).collect(),
        ..Block::default()
    }
}

impl WindowVolume<'_> {
    /// The one volume that data and WAL are on.
    fn describe(&self) -> Volume {
        let member = || Member::from_ebs_volume_id(self.id);
        Volume {
            device: self.id.to_owned(),
            roles: vec![Role::Data, Role::Wal],
            members: self.is_ebs.then(member).into_iter().collect(),
            layout: Layout::Single,
            timed: self.is_timed,
            ..Volume::default()
        }
    }
}

/// Usual length of intervals of these lengths, microseconds, which is the median, and their sampling.
fn sampling(lengths: impl Iterator<Item = u64>) -> (u64, Sampling) {
    let mut lengths: Vec<u64> = lengths.collect();
    let middle = lengths.len() / 2;
    let usual_us = if lengths.is_empty() { 0 } else { *lengths.select_nth_unstable(middle).1 };
    let punctuality = punctuality(lengths.into_iter(), usual_us);
    (usual_us, Sampling { tier: Tier::Imported, punctuality, ..Sampling::default() })
}

/// Number of samples of these lengths, and of those that are missing between them.
pub fn punctuality(lengths: impl ExactSizeIterator<Item = u64>, interval_us: u64) -> Punctuality {
    let samples = lengths.len() as u64;
    let missed = lengths.map(|length_us| missed_samples(length_us, interval_us)).sum();
    Punctuality { samples, missed, ..Punctuality::default() }
}

/// Adds the checks that EBS's own counters of time above each limit are, over the time that the window's counts cover.
pub fn add_checks(window: &mut Window, device: &str, tracks: &[Track]) {
    if tracks.iter().all(|track| track.exceeded.is_empty()) {
        return;
    }
    let covered: Vec<(i64, i64)> = window.intervals.iter().filter_map(known_span).collect();
    let seconds = covered.iter().map(|(from, to)| (to - from) as f64 / SECOND_US as f64).sum();
    let mut sums = [(0.0, 0.0); 4];
    let mut has_checks = [false; 4];
    let mut taken: Vec<(i64, i64)> = Vec::new();
    for track in tracks.iter().filter(|track| !track.exceeded.is_empty()) {
        let mut spans = covered.iter().peekable();
        for exceeded in &track.exceeded {
            // A second copy of the same counter adds nothing.
            let is_taken = taken.last().is_some_and(|(_, to)| exceeded.began_us < *to);
            if is_taken && taken.iter().any(|(from, to)| exceeded.began_us < *to && *from < exceeded.ended_us) {
                continue;
            }
            while spans.next_if(|(_, to)| *to <= exceeded.began_us).is_some() {}
            let mut overlap_us = 0;
            for (from, to) in spans.clone().take_while(|(from, _)| *from < exceeded.ended_us) {
                overlap_us += (*to).min(exceeded.ended_us) - (*from).max(exceeded.began_us);
            }
            let counts = &exceeded.counts;
            let each = [
                counts.volume_iops_exceeded_us,
                counts.volume_throughput_exceeded_us,
                counts.instance_iops_exceeded_us,
                counts.instance_throughput_exceeded_us,
            ];
            for (index, us) in each.into_iter().enumerate().filter(|(index, _)| track.checks[*index]) {
                has_checks[index] = true;
                sums[index].0 += overlap_us as f64 / SECOND_US as f64;
                sums[index].1 += us as f64 / SECOND_US as f64;
            }
        }
        taken.extend(track.exceeded.iter().map(|exceeded| (exceeded.began_us, exceeded.ended_us)));
    }
    let check = |index: usize| {
        let (known_s, exceeded_s): (f64, f64) = sums[index];
        has_checks[index].then(|| CheckedTime { known_s, exceeded_s: exceeded_s.min(known_s) })
    };
    let checks = DeviceChecks {
        device: device.to_owned(),
        seconds,
        volume_iops: check(0),
        volume_throughput: check(1),
        instance_iops: check(2),
        instance_throughput: check(3),
        ..DeviceChecks::default()
    };
    if !checks.is_empty() {
        window.checks.push(checks);
    }
}

fn known_span(interval: &Interval) -> Option<(i64, i64)> {
    let is_known = interval.devices.iter().all(|(_, reading)| matches!(reading, CounterDelta::Known(_)));
    is_known.then(|| (interval.at_us - i64::try_from(interval.dt_us).unwrap_or(0), interval.at_us))
}
