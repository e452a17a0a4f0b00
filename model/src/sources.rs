//! Who asked: pg_stat_io's rows over a window.

use crate::counter::Counters;
use crate::demand::ratio;
use crate::evidence::{IoCounts, IoKey, Reading, Window};
use crate::units::SECOND_US;

/// One row of pg_stat_io over a window.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    /// Which row.
    pub key: IoKey,
    /// What was counted.
    pub counts: IoCounts,
    /// Milliseconds that processes stood still for it; `None` where timing was off for any part of the window.
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

/// Adds up the rows of pg_stat_io over `window`.
pub fn sources(window: &Window) -> Sources {
    let mut totals = vec![IoCounts::default(); window.io_keys.len()];
    let (mut us, mut io_timed, mut wal_timed) = (0, true, true);
    for tick in &window.ticks {
        let Reading::Known(rows) = &tick.io else { continue };
        us += tick.dt_us;
        io_timed &= tick.io_timed;
        wal_timed &= tick.wal_timed;
        for (index, counts) in rows {
            let total = &mut totals[usize::from(*index)];
            *total = total.plus(*counts);
        }
    }
    let all: u64 = totals.iter().map(bytes).sum();
    let row = |(key, counts): (&IoKey, IoCounts)| Source {
        key: key.clone(),
        counts,
        stall_ms: (if key.object == "wal" { wal_timed } else { io_timed })
            .then(|| (counts.read_us + counts.write_us + counts.extend_us + counts.fsync_us) as f64 / 1000.0),
        share: ratio(bytes(&counts), all),
    };
    let mut rows: Vec<Source> = window.io_keys.iter().zip(totals).filter(|(_, c)| !c.is_zero()).map(row).collect();
    rows.sort_by(|a, b| b.bytes().cmp(&a.bytes()).then_with(|| a.key.cmp(&b.key)));
    Sources { rows, seconds: us as f64 / SECOND_US as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::{Tick, WalCounts};

    fn key(backend_type: &str, object: &str) -> IoKey {
        IoKey { backend_type: backend_type.into(), object: object.into(), context: "normal".into() }
    }

    fn tick(io: Reading<Vec<(u16, IoCounts)>>, io_timed: bool) -> Tick {
        Tick {
            at_us: 0,
            dt_us: SECOND_US,
            devices: vec![],
            io,
            wal: Reading::Known(WalCounts::default()),
            waits: vec![],
            sweeps: 0,
            io_timed,
            wal_timed: true,
        }
    }

    fn window(ticks: Vec<Tick>) -> Window {
        let io_keys = vec![key("client backend", "relation"), key("any", "wal"), key("checkpointer", "relation")];
        Window { io_keys, ticks, ..Window::default() }
    }

    fn read(bytes: u64) -> IoCounts {
        IoCounts { read_bytes: bytes, read_us: 2000, ..Default::default() }
    }

    #[test]
    fn rows_add_up_and_silent_ones_are_left_out() {
        let known = Reading::Known(vec![(0, read(100)), (1, read(300))]);
        let found = sources(&window(vec![tick(known, true), tick(Reading::Known(vec![(0, read(100))]), true)]));
        let brief: Vec<_> =
            found.rows.iter().map(|r| (r.key.object.as_str(), r.bytes(), r.share, r.stall_ms)).collect();
        assert_eq!(brief, [("wal", 300, Some(0.6), Some(2.0)), ("relation", 200, Some(0.4), Some(4.0))]);
        assert_eq!(found.seconds, 2.0);
    }

    #[test]
    fn time_that_was_not_measured_is_not_zero() {
        let rows = || Reading::Known(vec![(0, read(1)), (1, read(1))]);
        let found = sources(&window(vec![tick(rows(), true), tick(rows(), false)]));
        let stalls: Vec<_> = found.rows.iter().map(|r| (r.key.object.as_str(), r.stall_ms)).collect();
        assert_eq!(stalls, [("wal", Some(4.0)), ("relation", None)]);
    }

    #[test]
    fn a_second_with_a_reset_is_not_counted() {
        let found = sources(&window(vec![tick(Reading::Reset, true), tick(Reading::Known(vec![(0, read(1))]), true)]));
        assert_eq!((found.rows.len(), found.seconds), (1, 1.0));
    }
}
