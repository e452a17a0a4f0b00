//! Tracks: counts over time of one volume, as one exporter shows them on one instance.

use ebs_base::counter::{Counters, Delta};
use ebs_base::units::SECOND_US;
use ebs_prometheus::Sample;
use ebs_samples::evidence::{CounterDelta, DeviceCounts, EbsCounts};

use crate::discovery::metric::Column;
use crate::discovery::source::Source;
use crate::series::disk_identity::DiskIdentity;
use crate::series::possible::is_possible;
use crate::series::readings::{Columns, Readings, Timer, Values, usual_ms};

/// Counts between two readings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    /// Beginning, microseconds since 1970.
    pub began_us: i64,
    /// End.
    pub ended_us: i64,
    /// Counts, where its readings give them.
    pub counts: CounterDelta<DeviceCounts>,
}

/// Time above each limit between two readings of EBS's own counters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exceeded {
    /// Beginning, microseconds since 1970.
    pub began_us: i64,
    /// End.
    pub ended_us: i64,
    /// Microseconds above each limit.
    pub counts: EbsCounts,
}

/// Counts of one volume over time, in time order.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// The exporter's kind.
    pub source: Source,
    /// Name of the instance.
    pub host: Option<String>,
    /// Instance type that the machine shows.
    pub instance_type: Option<String>,
    /// Counts.
    pub pieces: Vec<Piece>,
    /// Time above each limit, of the CSI driver.
    pub exceeded: Vec<Exceeded>,
    /// Limits that are counted: of the volume's IOPS and throughput, of the instance's.
    pub checks: [bool; 4],
    /// True where all counts include times.
    pub is_timed: bool,
    /// Counters of time.
    pub timers: Timers,
}

/// Counters of time that an exporter has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timers {
    /// Busy time of the device.
    pub busy: Timer,
    /// Time of requests: the lesser of reads' and writes'.
    pub requests: Timer,
}

impl Timers {
    /// Counters of time of these columns.
    pub fn new(columns: &Columns) -> Timers {
        let requests = [Column::ReadSeconds, Column::WriteSeconds].map(|column| columns.timer(column));
        let is_still = requests.contains(&Timer::Still);
        let least = requests[0].min(requests[1]);
        // CloudWatch counts the time that a volume was not busy.
        let busy = columns.timer(Column::BusySeconds).max(columns.timer(Column::IdleSeconds));
        Timers { busy, requests: if is_still { Timer::Still } else { least } }
    }
}

/// Distance of two readings, in usual ones, from which on what was counted between them is unknown: one scrape may be missed, and the counts
/// are then averaged over two intervals; an average over more would hide the peaks of the others. A choice.
pub const GAP_FACTOR: f64 = 2.5;

/// Columns of time above limits, in the order of [`Track::checks`].
const CHECKS: [Column; 4] = [
    Column::VolumeIopsExceeded,
    Column::VolumeThroughputExceeded,
    Column::InstanceIopsExceeded,
    Column::InstanceThroughputExceeded,
];

impl Piece {
    /// Its length, seconds.
    pub fn seconds(&self) -> f64 {
        (self.ended_us - self.began_us) as f64 / SECOND_US as f64
    }

    /// Its counts, where they are known.
    pub fn known(&self) -> Option<DeviceCounts> {
        match self.counts {
            CounterDelta::Known(counts) => Some(counts),
            _ => None,
        }
    }
}

/// Conditions on the readings of counters that are subtracted.
pub struct Conditions<'a> {
    /// Identity of the device over time.
    pub identity: &'a DiskIdentity,
    /// Times of the machine's starts, as the exporter shows them at each scrape.
    pub starts: &'a [Sample],
    /// Limits whose time above them is counted.
    pub checks: [bool; 4],
    /// Called between readings.
    pub pause: &'a dyn Fn(),
}

/// Differences of cumulative counters. Nothing is known over a gap, over the end of a series, and where the device was another disk at one
/// of the ends; a reset is a reset, and so is a rate that no volume can have.
pub fn differences(readings: &Readings, conditions: &Conditions) -> (Vec<Piece>, Vec<Exceeded>) {
    let each = || readings.each().map(|reading| (reading.at_ms, reading));
    match readings.rows() {
        Some(rows) => subtract(rows, readings.times(), conditions),
        None => subtract(each(), each().map(|(at_ms, _)| at_ms), conditions),
    }
}

/// [`differences`] of readings with these times, milliseconds.
fn subtract(
    readings: impl Iterator<Item = (i64, impl Values)>,
    times: impl Iterator<Item = i64>,
    conditions: &Conditions,
) -> (Vec<Piece>, Vec<Exceeded>) {
    let Some(usual_ms) = usual_ms(times) else { return (Vec::new(), Vec::new()) };
    let (mut pieces, mut exceeded) = (Vec::with_capacity(readings.size_hint().1.unwrap_or_default()), Vec::new());
    let mut starts = conditions.starts.iter().peekable();
    let (mut before, mut ebs_before): (Option<(i64, DeviceCounts)>, Option<EbsCounts>) = (None, None);
    for (index, (at_ms, reading)) in readings.enumerate() {
        if index % 4_096 == 0 {
            (conditions.pause)();
        }
        while starts.next_if(|start| start.at_ms < at_ms).is_some() {}
        let Some(counts) = device_counts(&reading).filter(|_| conditions.identity.is_volume(at_ms)) else {
            before = None;
            continue;
        };
        let ebs = ebs_counts(&reading, conditions.checks);
        if let Some((before_ms, before)) = &before
            && (at_ms - before_ms) as f64 <= GAP_FACTOR * usual_ms as f64
        {
            let started = starts.peek().filter(|start| start.at_ms == at_ms).map(|start| start.value * 1_000.0);
            let is_restart = started.is_some_and(|started_ms| started_ms > *before_ms as f64);
            let (began_us, ended_us) = (before_ms * 1_000, at_ms * 1_000);
            let mut piece = Piece { began_us, ended_us, counts: CounterDelta::Reset };
            // Counts that no volume can have are as unknown as those of a reset, and so are those of the way back.
            if let Delta::Advanced(counts) = counts.since(*before)
                && !is_restart
                && is_possible(&counts, piece.seconds())
            {
                piece.counts = CounterDelta::Known(counts);
            }
            pieces.push(piece);
            let both = ebs.zip(ebs_before).filter(|_| !is_restart);
            if let Some(CounterDelta::Known(counts)) = both.map(|(now, before)| now.since(before).into()) {
                exceeded.push(Exceeded { began_us, ended_us, counts });
            }
        }
        (before, ebs_before) = (Some((at_ms, counts)), ebs);
    }
    (pieces, exceeded)
}

/// Limits whose time above them is counted.
pub fn counted_checks(columns: &Columns) -> [bool; 4] {
    CHECKS.map(|column| columns.has(column))
}

/// A reading as whole counts, times in ms; `None` where a count is negative.
pub fn device_counts(reading: &impl Values) -> Option<DeviceCounts> {
    let count = |column, scale: f64| match reading.value_of(column) {
        Some(value) if value >= 0.0 => Some(rounded(value * scale)),
        Some(_) => None,
        None => Some(0),
    };
    let (read_ms, write_ms) = (count(Column::ReadSeconds, 1e3)?, count(Column::WriteSeconds, 1e3)?);
    // Without the queue's own integral, the sum over requests is the same but for those still in flight.
    let weighted_ms = match reading.value_of(Column::QueueSeconds) {
        Some(_) => count(Column::QueueSeconds, 1e3)?,
        None => read_ms.saturating_add(write_ms),
    };
    Some(DeviceCounts {
        reads: count(Column::Reads, 1.0)?,
        writes: count(Column::Writes, 1.0)?,
        read_bytes: count(Column::ReadBytes, 1.0)?,
        write_bytes: count(Column::WriteBytes, 1.0)?,
        read_ms,
        write_ms,
        busy_ms: count(Column::BusySeconds, 1e3)?,
        weighted_ms,
        read_merges: count(Column::ReadMerges, 1.0)?,
        write_merges: count(Column::WriteMerges, 1.0)?,
    })
}

/// `value.round() as u64` of a value that is not negative, without the call of a function: x86-64 has no instruction for it before SSE4.1.
fn rounded(value: f64) -> u64 {
    /// 2^52, above which numbers have no fraction.
    const WHOLE: f64 = (1u64 << 52) as f64;
    if value >= WHOLE {
        return value as u64;
    }
    // The sum is the nearest whole number, an even one where two are as near: its last bits are that number.
    let sum = value + WHOLE;
    (sum.to_bits() - WHOLE.to_bits()) + u64::from(value - (sum - WHOLE) >= 0.5)
}

/// Time above the limits that are counted, in microseconds; `None` where one of them is missing, or none is counted: absent is not zero.
fn ebs_counts(reading: &impl Values, checks: [bool; 4]) -> Option<EbsCounts> {
    if checks == [false; 4] {
        return None;
    }
    let us =
        |column| reading.value_of(column).filter(|value| *value >= 0.0).map(|value| rounded(value * SECOND_US as f64));
    let mut each = CHECKS.map(us).into_iter().zip(checks).map(|(us, is_counted)| match is_counted {
        true => us,
        false => Some(0),
    });
    let mut next = || each.next().flatten();
    Some(EbsCounts {
        volume_iops_exceeded_us: next()?,
        volume_throughput_exceeded_us: next()?,
        instance_iops_exceeded_us: next()?,
        instance_throughput_exceeded_us: next()?,
        ..EbsCounts::default()
    })
}

#[cfg(test)]
#[path = "track_tests.rs"]
mod tests;
