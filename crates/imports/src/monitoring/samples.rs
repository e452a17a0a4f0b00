//! Counts per interval, as `ebs_import_samples` takes them: for sources that no other importer reads.

use std::ops::Range;

use super::members::Layout;
use super::rates::whole_ms;
use super::{Calendar, ImportError, Series, SeriesPoint};
use crate::format::arguments::{LABEL, SAMPLED_DEVICE, SAMPLES};
use crate::format::{Format, Reader, Sign, SqlFunction};
#[cfg(any(test, feature = "made"))]
use crate::made::{self, Inputs, Made, Sample};
use ebs_base::input::WorkMeter;
use ebs_samples::evidence::DeviceCounts;

/// Format of its files.
pub const FORMAT: Format = Format {
    name: "samples",
    kind: "samples of a device",
    command: "",
    page: "docs/importing.md",
    shape: "Samples are a JSON array of objects {\"ts\", \"reads\", \"writes\", \"read_bytes\", \"write_bytes\", \
            \"read_ms\", \"write_ms\", \"read_merges\", \"write_merges\"}: ends of intervals in time order, counts per \
            interval; times and merges may be left out.",
    signs: &[Sign::Keys(&["ts", "reads", "writes"])],
    reader: Reader::Samples,
    sql: Some(SqlFunction {
        name: "ebs_import_samples",
        arguments: &[&LABEL, &SAMPLED_DEVICE, &SAMPLES],
        document: &SAMPLES,
        comment: "Creates a run from an array of samples {ts, reads, writes, read_bytes, write_bytes, read_ms, write_ms, read_merges, write_merges}, counts per interval, and returns their number (docs/importing.md).",
        example: "SELECT ebs_import_samples('db', 'sda', pg_read_file('/tmp/s.json')::jsonb)",
    }),
    #[cfg(any(test, feature = "made"))]
    inputs: Inputs {
        samples: &[Sample::text(
            r#"[{"ts": "2026-11-20 10:00:01", "reads": 7, "writes": 3, "read_bytes": 57344, "write_bytes": 24576}]"#,
        )],
        made: &[Made { what: "seconds", make: |bytes| made::samples(bytes / 104) }],
    },
};

/// One row: what was counted since the row before.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Row {
    /// End of the interval, microseconds since 1970; `None` where the source had none.
    pub at_us: Option<i64>,
    /// Counts of the interval: reads, writes, read_bytes, write_bytes, read_ms, write_ms, read_merges, write_merges; `None` where missing.
    pub counts: [Option<f64>; FIELDS.len()],
}

/// Names of the counts, in the order of [`Row::counts`].
pub const FIELDS: [&str; 8] =
    ["reads", "writes", "read_bytes", "write_bytes", "read_ms", "write_ms", "read_merges", "write_merges"];
/// Name of the device of samples of which none is named.
pub const DEFAULT_DEVICE: &str = "imported";
/// Members of a sample.
pub const LAYOUT: Layout<1, { FIELDS.len() }> = Layout { object: "sample", times: ["ts"], counts: FIELDS };
/// Number of the counts that every row must have.
const REQUIRED: usize = 4;
/// Those of these that are times.
const TIMES: Range<usize> = REQUIRED..6;

/// Reads an array of samples of one device. `pause` is called between pieces of the work.
pub fn read(text: &str, device: &str, calendar: &Calendar, pause: &dyn Fn()) -> Result<Series, ImportError> {
    let mut rows = Vec::new();
    let keep = |[at_us]: [Option<i64>; 1], counts| rows.push(Row { at_us, counts });
    LAYOUT.read_text(text, ("array of samples", calendar), pause, keep)?;
    series(device, &rows, pause)
}

/// The samples of one device. The first interval is as long as the second. `pause` is called between pieces of the work.
pub fn series(device: &str, rows: &[Row], pause: &dyn Fn()) -> Result<Series, ImportError> {
    if rows.len() < 2 {
        return Err(ImportError::TooFew(rows.len()));
    }
    let meter = WorkMeter::new(pause);
    let times = times(rows, &meter)?;
    let first_us = times[1] - times[0];
    let starts = [times[0] - first_us].into_iter().chain(times.iter().copied());
    let mut points = Vec::with_capacity(rows.len());
    let mut rest = [0.0; 2];
    for ((number, row), (began_us, &ended_us)) in (1..).zip(rows).zip(starts.zip(&times)) {
        meter.step();
        points.push(SeriesPoint { began_us, ended_us, counts: counts(number, row, &mut rest)? });
    }
    let timed = rows.iter().all(|row| row.counts[TIMES].iter().all(Option::is_some));
    Ok(Series { device: device.to_owned(), points, timed, ..Series::default() })
}

fn times(rows: &[Row], meter: &WorkMeter) -> Result<Vec<i64>, ImportError> {
    let mut times: Vec<i64> = Vec::with_capacity(rows.len());
    for (number, row) in (1..).zip(rows) {
        meter.step();
        let at_us = row.at_us.ok_or(ImportError::NoTime(number))?;
        if times.last().is_some_and(|last| *last >= at_us) {
            return Err(ImportError::OutOfOrder(number));
        }
        times.push(at_us);
    }
    Ok(times)
}

fn counts(number: usize, row: &Row, rest: &mut [f64; 2]) -> Result<DeviceCounts, ImportError> {
    let mut whole = [0u64; FIELDS.len()];
    for (index, (value, field)) in row.counts.iter().zip(FIELDS).enumerate() {
        whole[index] = match *value {
            Some(ms) if TIMES.contains(&index) && (0.0..super::MAX_COUNT).contains(&ms) => {
                whole_ms(ms, &mut rest[index - TIMES.start]) as u64
            }
            Some(count) if (0.0..super::MAX_COUNT).contains(&count) => count.round() as u64,
            None if index >= REQUIRED => 0,
            _ => return Err(ImportError::NotACount(number, field)),
        };
    }
    let [reads, writes, read_bytes, write_bytes, read_ms, write_ms, read_merges, write_merges] = whole;
    let weighted_ms = read_ms + write_ms;
    Ok(DeviceCounts {
        reads,
        writes,
        read_bytes,
        write_bytes,
        read_ms,
        write_ms,
        busy_ms: 0,
        weighted_ms,
        read_merges,
        write_merges,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(second: i64, reads: f64) -> Row {
        Row {
            at_us: Some(second * 1_000_000),
            counts: [Some(reads), Some(0.0), Some(reads * 8192.0), Some(0.0), None, None, Some(2.0), None],
        }
    }

    #[test]
    fn intervals_are_the_distances_of_samples() {
        let made = series("sdf", &[row(60, 5.0), row(120, 6.0), row(150, 7.0)], &|| ()).unwrap();
        let seconds = |point: &SeriesPoint| (point.ended_us - point.began_us) / 1_000_000;
        assert_eq!(made.points.iter().map(seconds).collect::<Vec<_>>(), [60, 60, 30]);
        assert!(!made.timed);
        assert_eq!((made.points[0].counts.read_merges, made.points[0].counts.write_merges), (2, 0));
    }

    /// 0.3 ms in each of ten intervals are 3 ms.
    #[test]
    fn fractions_of_milliseconds_add_up() {
        let timed = |second| Row {
            counts: [Some(1.0), Some(0.0), Some(8192.0), Some(0.0), Some(0.3), Some(0.0), None, None],
            ..row(second, 1.0)
        };
        let made = series("sdf", &(1..=10).map(timed).collect::<Vec<_>>(), &|| ()).unwrap();
        assert_eq!(made.points.iter().map(|point| point.counts.read_ms).sum::<u64>(), 3);
        assert!(made.timed);
    }

    #[test]
    fn what_cannot_be_imported_is_named_by_its_row() {
        let refused = |rows: &[Row]| series("sdf", rows, &|| ()).unwrap_err().to_string();
        assert_eq!(refused(&[row(1, 1.0)]), "at least two samples are needed, not 1");
        assert_eq!(refused(&[row(1, 1.0), row(1, 1.0)]), "sample 2 is not later than the one before it");
        let no_reads = "sample 1 has no \"reads\" that is a number from 0 to 1e15";
        assert_eq!(refused(&[row(1, -1.0), row(2, 1.0)]), no_reads);
        assert_eq!(refused(&[row(1, f64::NAN), row(2, 1.0)]), no_reads);
        let no_time = "sample 1 has no \"ts\" between the years 1970 and 9999";
        assert_eq!(refused(&[Row::default(), row(2, 1.0)]), no_time);
    }
}
