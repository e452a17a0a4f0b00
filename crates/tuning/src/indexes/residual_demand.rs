//! The demand that remains without a part of the reads.

use ebs_base::units::SECOND_US;
use ebs_samples::evidence::{CounterDelta, DeviceCounts, Role, Window};

/// The window with `share` of the reads of every interval taken out, and as many pages more written as `writes_s` says:
/// each interval in proportion to its own reads and writes. A volume that carries WAL alone stays as it was.
pub fn residual_demand(window: &Window, share: f64, writes_s: f64) -> Window {
    let mut left = window.clone();
    let data: Vec<bool> = window.layout.volumes.iter().map(|volume| volume.roles != [Role::Wal]).collect();
    let of_data = |index: u16| data.get(usize::from(index)).copied().unwrap_or(false);
    let seconds = window.intervals.iter().map(|interval| interval.dt_us).sum::<u64>() as f64 / SECOND_US as f64;
    let counted = window.intervals.iter().flat_map(|interval| &interval.devices).filter(|(index, _)| of_data(*index));
    let written: u64 =
        counted.map(|(_, reading)| if let CounterDelta::Known(counts) = reading { counts.writes } else { 0 }).sum();
    let kept = (1.0 - share).clamp(0.0, 1.0);
    let more = if written > 0 { 1.0 + (writes_s * seconds / written as f64).max(0.0) } else { 1.0 };
    let scaled = |count: u64, factor: f64| (count as f64 * factor).round() as u64;
    for (index, reading) in left.intervals.iter_mut().flat_map(|interval| &mut interval.devices) {
        if let CounterDelta::Known(counts) = reading
            && of_data(*index)
        {
            *counts = DeviceCounts {
                reads: scaled(counts.reads, kept),
                read_bytes: scaled(counts.read_bytes, kept),
                writes: scaled(counts.writes, more),
                write_bytes: scaled(counts.write_bytes, more),
                ..*counts
            };
        }
    }
    left
}

/// Pages a second that PostgreSQL asked the kernel for over the window; `None` where its counters were not known.
pub fn read_pages_s(window: &Window) -> Option<f64> {
    let io = &window.totals.io;
    let seconds = io.known_us as f64 / SECOND_US as f64;
    let read: u64 = io.rows.iter().filter(|(key, _)| key.object != "wal").map(|(_, counts)| counts.read_bytes).sum();
    (seconds > 0.0 && read > 0).then(|| read as f64 / super::writes::PAGE / seconds)
}
