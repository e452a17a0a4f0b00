//! I/O by source: the rows of pg_stat_io over a window.

use crate::demand::ratio;
use ebs_base::counter::Counters;
use ebs_base::units::SECOND_US;
use ebs_samples::evidence::{IoCounts, IoKey, Window};

/// One row of pg_stat_io over a window.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    /// Key of the row.
    pub key: IoKey,
    /// Counts over the window.
    pub counts: IoCounts,
    /// Milliseconds that processes waited for it; `None` where timing was off for any part of the window.
    pub stall_ms: Option<f64>,
    /// Its bytes in all bytes of PostgreSQL; `None` where there were none.
    pub share: Option<f64>,
}

impl Source {
    /// Bytes read, written and extended.
    pub fn bytes(&self) -> u64 {
        bytes(&self.counts)
    }
}

fn bytes(counts: &IoCounts) -> u64 {
    counts.read_bytes + counts.write_bytes + counts.extend_bytes
}

/// PostgreSQL's I/O by source, most bytes first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sources {
    /// Rows in which anything was counted.
    pub rows: Vec<Source>,
    /// Seconds of the window in which the counters were known.
    pub seconds: f64,
}

/// The rows of pg_stat_io over `window`.
pub fn sources(window: &Window) -> Sources {
    let totals = &window.totals.io;
    let all: u64 = totals.rows.iter().map(|(_, counts)| bytes(counts)).sum();
    let row = |(key, counts): &(IoKey, IoCounts)| Source {
        key: key.clone(),
        counts: *counts,
        stall_ms: (if key.object == "wal" { totals.wal_timed } else { totals.io_timed })
            .then(|| (counts.read_us + counts.write_us + counts.extend_us + counts.fsync_us) as f64 / 1000.0),
        share: ratio(bytes(counts), all),
    };
    let mut rows: Vec<Source> = totals.rows.iter().filter(|(_, counts)| !counts.is_zero()).map(row).collect();
    rows.sort_by(|a, b| b.bytes().cmp(&a.bytes()).then_with(|| a.key.cmp(&b.key)));
    Sources { rows, seconds: totals.known_us as f64 / SECOND_US as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebs_samples::evidence::{IoTotals, Totals};

    fn window(io_timed: bool) -> Window {
        let row = |backend_type: &str, object: &str, read_bytes| {
            let key = IoKey { backend_type: backend_type.into(), object: object.into(), context: "normal".into() };
            (key, IoCounts { read_bytes, read_us: 2000 * read_bytes.min(1), ..Default::default() })
        };
        let rows = vec![row("client backend", "relation", 200), row("any", "wal", 300), row("startup", "relation", 0)];
        let io = IoTotals { rows, known_us: 2 * SECOND_US, io_timed, wal_timed: true };
        Window { totals: Totals { io, ..Totals::default() }, ..Window::default() }
    }

    #[test]
    fn rows_add_up_and_silent_ones_are_left_out() {
        let found = sources(&window(true));
        let brief: Vec<_> =
            found.rows.iter().map(|r| (r.key.object.as_str(), r.bytes(), r.share, r.stall_ms)).collect();
        assert_eq!(brief, [("wal", 300, Some(0.6), Some(2.0)), ("relation", 200, Some(0.4), Some(2.0))]);
        assert_eq!(found.seconds, 2.0);
    }

    #[test]
    fn time_that_was_not_measured_is_not_zero() {
        let found = sources(&window(false));
        let stalls: Vec<_> = found.rows.iter().map(|r| (r.key.object.as_str(), r.stall_ms)).collect();
        assert_eq!(stalls, [("wal", Some(2.0)), ("relation", None)]);
    }
}
