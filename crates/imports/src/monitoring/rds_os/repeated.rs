//! Events that have the time of another.

use super::reading::OsReading;
use crate::monitoring::ImportError;

/// Share of events that may repeat a time with other figures; a clock's jitter does so, another instance does it everywhere.
const MAX_CONTRADICTING_SHARE: f64 = 0.01;

/// Events left out because another has the same time and other figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Contradicting {
    pub count: usize,
    /// The first such time, microseconds since 1970.
    pub first_us: i64,
}

/// Drops events that repeat the one before, as overlapping pages have them; returns those that contradict it, which are dropped too
/// where they are few, and refused otherwise.
pub(super) fn drop_repeated(readings: &mut Vec<OsReading>) -> Result<Option<Contradicting>, ImportError> {
    let mut contradicting: Option<Contradicting> = None;
    readings.dedup_by(|next, before| {
        if next.at_us == before.at_us && next != before {
            let first_us = contradicting.map_or(next.at_us, |known| known.first_us);
            contradicting = Some(Contradicting { count: contradicting.map_or(0, |known| known.count) + 1, first_us });
        }
        next.at_us == before.at_us
    });
    match contradicting {
        Some(Contradicting { count, first_us })
            if count as f64 > (MAX_CONTRADICTING_SHARE * readings.len() as f64).max(1.0) =>
        {
            Err(ImportError::Contradicting { count, first_us })
        }
        few => Ok(few),
    }
}
