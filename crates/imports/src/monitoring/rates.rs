//! Rates of a device under the names of sysstat, from version 9 to 12, and the counts they stand for.

use super::ImportError;
use ebs_base::units::{GIB, KIB, MIB, SECOND_US, SECTOR};
use ebs_samples::evidence::DeviceCounts;

/// Rates of a device, a second; `None` where the report lacks the column.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Rates {
    /// Reason for which the device cannot be read here: it matters where the device is the one that is asked for.
    problem: Option<Box<ImportError>>,
    /// Requests of every kind, where the report does not divide them.
    requests: Option<f64>,
    reads: Option<f64>,
    writes: Option<f64>,
    read_bytes: Option<f64>,
    write_bytes: Option<f64>,
    /// Milliseconds a request.
    await_ms: Option<f64>,
    read_await_ms: Option<f64>,
    write_await_ms: Option<f64>,
    read_merges: Option<f64>,
    write_merges: Option<f64>,
}

/// Fractions of milliseconds that are left from the intervals before, of reads and of writes: counts are whole, their sum is exact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct TimeRest {
    read_ms: f64,
    write_ms: f64,
}

/// Returns the whole milliseconds of a time and what is left before it; the new rest stays behind.
pub(super) fn whole_ms(ms: f64, rest: &mut f64) -> f64 {
    let whole = (ms + *rest).round().max(0.0);
    // What nothing took has no rest.
    if ms > 0.0 {
        *rest += ms - whole;
        whole
    } else {
        0.0
    }
}

/// The counts of an interval.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Counted {
    pub counts: DeviceCounts,
    /// True if they include times.
    pub timed: bool,
    /// True if the requests were divided into reads and writes by their bytes.
    pub split: bool,
}

impl Rates {
    /// Takes a column; whether it is one that counts.
    pub fn set(&mut self, column: &str, value: f64) -> bool {
        let (field, unit) = match column {
            "tps" => (&mut self.requests, 1),
            "r/s" => (&mut self.reads, 1),
            "w/s" => (&mut self.writes, 1),
            "rkB/s" | "kB_read/s" | "rkB" => (&mut self.read_bytes, KIB),
            "wkB/s" | "kB_wrtn/s" | "wkB" => (&mut self.write_bytes, KIB),
            "rMB/s" | "MB_read/s" => (&mut self.read_bytes, MIB),
            "wMB/s" | "MB_wrtn/s" => (&mut self.write_bytes, MIB),
            "rGB/s" => (&mut self.read_bytes, GIB),
            "wGB/s" => (&mut self.write_bytes, GIB),
            "rsec/s" | "rd_sec/s" | "rd_sec" | "Blk_read/s" => (&mut self.read_bytes, SECTOR),
            "wsec/s" | "wr_sec/s" | "wr_sec" | "Blk_wrtn/s" => (&mut self.write_bytes, SECTOR),
            "await" => (&mut self.await_ms, 1),
            "r_await" => (&mut self.read_await_ms, 1),
            "w_await" => (&mut self.write_await_ms, 1),
            "rrqm/s" => (&mut self.read_merges, 1),
            "wrqm/s" => (&mut self.write_merges, 1),
            _ => return false,
        };
        *field = Some(value * unit as f64);
        true
    }

    /// Keeps the first value that is no rate.
    pub fn spoil(&mut self, problem: ImportError) {
        self.problem.get_or_insert_with(|| Box::new(problem));
    }

    /// The first value that is no rate.
    pub fn problem(&self) -> Option<&ImportError> {
        self.problem.as_deref()
    }

    /// A number as sysstat writes it, with a comma where the locale has one.
    pub fn number(text: &str) -> Option<f64> {
        let value: f64 = if text.contains(',') { text.replacen(',', ".", 1).parse() } else { text.parse() }.ok()?;
        (0.0..super::MAX_COUNT).contains(&value).then_some(value)
    }

    /// Message about the missing columns without which requests and bytes cannot be counted; `None` if there are all.
    pub fn missing(&self) -> Option<&'static str> {
        let told_apart = self.reads.is_some() && self.writes.is_some();
        match (told_apart || self.requests.is_some(), self.read_bytes, self.write_bytes) {
            (false, _, _) => Some("neither r/s and w/s nor tps"),
            (_, None, _) => Some("no rkB/s"),
            (_, _, None) => Some("no wkB/s"),
            _ => None,
        }
    }

    /// The counts over this many microseconds; `None` where they are more than anything counts. `rest` goes from one interval of a
    /// device to the next.
    pub fn counted(&self, length_us: u64, rest: &mut TimeRest) -> Option<Counted> {
        let seconds = length_us as f64 / SECOND_US as f64;
        let whole = |rate: f64| {
            Some((rate * seconds).round()).filter(|count| *count < super::MAX_COUNT).map(|count| count as u64)
        };
        let (read_bytes, write_bytes) = (self.read_bytes.unwrap_or(0.0), self.write_bytes.unwrap_or(0.0));
        let (reads, writes, split) = match (self.reads, self.writes, self.requests) {
            (Some(reads), Some(writes), _) => (reads, writes, false),
            (_, _, requests) => {
                let (reads, writes) = self.split(requests.unwrap_or(0.0));
                (reads, writes, true)
            }
        };
        let awaited = |own: Option<f64>| own.or(self.await_ms);
        let (read_ms, write_ms) = (awaited(self.read_await_ms), awaited(self.write_await_ms));
        let took = |ms: Option<f64>, requests: f64, rest: &mut f64| {
            let ms = whole_ms(ms.unwrap_or(0.0) * requests * seconds, rest);
            (ms < super::MAX_COUNT).then_some(ms as u64)
        };
        let mut counts = DeviceCounts {
            reads: whole(reads)?,
            writes: whole(writes)?,
            read_bytes: whole(read_bytes)?,
            write_bytes: whole(write_bytes)?,
            read_ms: took(read_ms, reads, &mut rest.read_ms)?,
            write_ms: took(write_ms, writes, &mut rest.write_ms)?,
            read_merges: whole(self.read_merges.unwrap_or(0.0))?,
            write_merges: whole(self.write_merges.unwrap_or(0.0))?,
            ..DeviceCounts::default()
        };
        counts.weighted_ms = counts.read_ms.saturating_add(counts.write_ms);
        Some(Counted { counts, timed: read_ms.is_some() && write_ms.is_some(), split })
    }

    /// Requests that are counted together, told apart by their bytes. Discards among them stay, because they are few
    /// and large (6 of 132 requests and 31 % of the bytes in one recording), so that the sum is an upper bound.
    /// Requests without bytes belong to writes: no read is empty.
    fn split(&self, requests: f64) -> (f64, f64) {
        let (read, write) = (self.read_bytes.unwrap_or(0.0), self.write_bytes.unwrap_or(0.0));
        let all = read + write;
        match all > 0.0 {
            true => (requests * read / all, requests * write / all),
            false => (0.0, requests),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rates(columns: &[(&str, f64)]) -> Rates {
        let mut rates = Rates::default();
        for (name, value) in columns {
            assert!(rates.set(name, *value), "{name}");
        }
        rates
    }

    #[test]
    fn units_are_those_of_the_column() {
        let bytes = |column| rates(&[(column, 2.0)]).read_bytes.unwrap();
        assert_eq!([bytes("rkB/s"), bytes("rMB/s"), bytes("rsec/s")], [2_048.0, 2_097_152.0, 1_024.0]);
    }

    #[test]
    fn milliseconds_are_those_of_a_request_times_requests() {
        let all =
            [("r/s", 100.0), ("w/s", 50.0), ("rkB/s", 800.0), ("wkB/s", 400.0), ("r_await", 0.5), ("w_await", 2.0)];
        let counted = rates(&all).counted(10_000_000, &mut TimeRest::default()).unwrap();
        assert_eq!((counted.counts.reads, counted.counts.writes), (1_000, 500));
        assert_eq!((counted.counts.read_ms, counted.counts.write_ms), (500, 1_000));
        assert!(counted.timed && !counted.split);
        let merged = rates(&[&all[..], &[("rrqm/s", 7.0), ("wrqm/s", 3.0)]].concat())
            .counted(10_000_000, &mut TimeRest::default())
            .unwrap();
        assert_eq!((merged.counts.read_merges, merged.counts.write_merges), (70, 30));
        let untimed = rates(&all[..4]).counted(1_000_000, &mut TimeRest::default()).unwrap();
        assert!(!untimed.timed);
        assert_eq!(rates(&[("tps", 1.0), ("rkB/s", 1.0)]).missing(), Some("no wkB/s"));
    }

    /// A read of 0.3 ms and three writes of 0.25 ms a second: after ten seconds 3 ms and 7.5 ms, not 0 and 10.
    #[test]
    fn fractions_of_milliseconds_add_up() {
        let rates =
            rates(&[("r/s", 1.0), ("w/s", 3.0), ("rkB/s", 8.0), ("wkB/s", 24.0), ("r_await", 0.3), ("w_await", 0.25)]);
        let mut rest = TimeRest::default();
        let each = (0..10).map(|_| rates.counted(1_000_000, &mut rest).unwrap().counts);
        let (read_ms, write_ms) = each.fold((0, 0), |sum, counts| (sum.0 + counts.read_ms, sum.1 + counts.write_ms));
        assert!(read_ms == 3 && (7..=8).contains(&write_ms), "{read_ms} {write_ms}");
    }

    #[test]
    fn an_interval_without_requests_has_no_time() {
        let mut rest = 0.4;
        assert_eq!((whole_ms(0.2, &mut rest), whole_ms(0.0, &mut rest)), (1.0, 0.0));
        assert!((rest + 0.4).abs() < 1e-12, "{rest}");
        // Never negative, and never behind by more than half of one.
        assert_eq!(whole_ms(0.1, &mut rest), 0.0);
        assert!(rest.abs() <= 0.5, "{rest}");
    }

    /// 8 KiB read and 24 written: of 40 requests 10 are reads and 30 writes.
    #[test]
    fn requests_counted_together_are_told_apart_by_their_bytes() {
        let together = rates(&[("tps", 40.0), ("rkB/s", 8.0), ("wkB/s", 24.0), ("await", 1.0)]);
        let counted = together.counted(1_000_000, &mut TimeRest::default()).unwrap();
        assert_eq!((counted.counts.reads, counted.counts.writes, counted.split), (10, 30, true));
        assert_eq!((counted.counts.read_ms, counted.counts.write_ms), (10, 30));
        let flushes = rates(&[("tps", 7.0), ("rkB/s", 0.0), ("wkB/s", 0.0)])
            .counted(1_000_000, &mut TimeRest::default())
            .unwrap();
        assert_eq!((flushes.counts.reads, flushes.counts.writes), (0, 7));
    }

    #[test]
    fn a_comma_is_a_decimal_point_and_suffixes_are_refused() {
        assert_eq!(Rates::number("7308,84"), Some(7308.84));
        assert_eq!(
            rates(&[("tps", 8e15), ("rkB/s", 0.0), ("wkB/s", 0.0)]).counted(2_000_000, &mut TimeRest::default()),
            None
        );
        for text in ["222.1k", "-1.00", "nan", "inf", "", "1,2,3", "1e300"] {
            assert_eq!(Rates::number(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn bytes_stay_and_requests_are_not_invented(tps in 0f64..1e6, read in 0f64..1e6, write in 0f64..1e6) {
            let counted = rates(&[("tps", tps), ("rkB/s", read), ("wkB/s", write)]).counted(60_000_000, &mut TimeRest::default()).unwrap();
            prop_assert!(counted.counts.reads + counted.counts.writes <= (tps * 60.0).round() as u64 + 1);
            prop_assert_eq!(counted.counts.read_bytes, (read * 1024.0 * 60.0).round() as u64);
        }
    }
}
