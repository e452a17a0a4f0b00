//! Checkpoints forced by WAL, and the full-page images that each of them causes.

use super::basis::Basis;
use super::cause::{Cause, ForcedCheckpoints};
use super::finding::{Finding, Saving};
use super::rates::Rates;
use ebs_base::units::GIB;

/// Factor of the recommended max_wal_size over the mean WAL between checkpoints. A choice.
const WAL_MARGIN: f64 = 1.2;

/// Checkpoints before checkpoint_timeout because WAL reached max_wal_size; `None` where there were none.
pub(super) fn finding(basis: &Basis, rates: &Rates) -> Option<Finding> {
    let forced = Forced::from_basis(basis, rates)?;
    let images_s = image_bytes_s(basis, rates);
    let cause_s = forced.buffers_s + images_s;
    let wal_bytes_s = rates.wal_bytes_s.unwrap_or(0.0);
    let cause = ForcedCheckpoints {
        count: forced.count,
        seconds: forced.seconds,
        times_as_often: forced.times_as_often,
        image_share: if wal_bytes_s > 0.0 { images_s / wal_bytes_s } else { 0.0 },
        compressed: basis.settings.wal_compression == Some(true),
        write_bytes_s: forced.buffers_s,
        max_wal_size_gib: (forced.max_wal_size / GIB as f64).ceil().max(1.0),
    };
    Some(Finding::new(
        Cause::Checkpoints(cause),
        rates.share(rates.writes(cause_s)),
        Some(Saving { low: 0.0, high: rates.writes(cause_s * (1.0 - 1.0 / forced.times_as_often)) }),
    ))
}

/// Bytes a second of full-page images, at most: whole blocks, and no more than all WAL.
fn image_bytes_s(basis: &Basis, rates: &Rates) -> f64 {
    let block = basis.readings.map_or(8192, |readings| readings.after.block_size) as f64;
    if basis.settings.full_page_writes == Some(false) {
        return 0.0;
    }
    (rates.full_pages_s.unwrap_or(0.0) * block).min(rates.wal_bytes_s.unwrap_or(0.0))
}

struct Forced {
    /// Number of forced checkpoints.
    count: f64,
    /// Seconds in which they were counted.
    seconds: f64,
    /// Their frequency over that of checkpoint_timeout.
    times_as_often: f64,
    /// Bytes a second that checkpoints wrote.
    buffers_s: f64,
    /// Bytes of max_wal_size at which none would be forced.
    max_wal_size: f64,
}

impl Forced {
    /// Requested checkpoints are those that WAL forced and those that users requested. WAL forces one whenever
    /// max_wal_size / (1 + checkpoint_completion_target) bytes were written since the last began (CalculateCheckpointSegments,
    /// <https://github.com/postgres/postgres/blob/REL_18_STABLE/src/backend/access/transam/xlog.c>): requests in excess of that
    /// number are users'.
    fn from_basis(basis: &Basis, rates: &Rates) -> Option<Forced> {
        let readings = basis.readings?;
        let counted = readings.after.checkpoints?.since(readings.before.checkpoints.as_ref()?)?;
        let (seconds, wal_bytes_s) = (readings.seconds(), rates.wal_bytes_s?);
        let target = 1.0 + basis.settings.checkpoint_completion_target?;
        let distance = basis.settings.max_wal_size? as f64 / target;
        let timeout_s = basis.settings.checkpoint_timeout_s?;
        let count = (counted.requested as f64).min((wal_bytes_s * seconds / distance).round());
        if seconds <= 0.0 || count < 1.0 {
            return None;
        }
        let times_as_often = timeout_s * count / seconds;
        let buffers_s = counted.buffers_written as f64 * readings.after.block_size as f64 / seconds;
        let max_wal_size = wal_bytes_s * timeout_s * target * WAL_MARGIN;
        (times_as_often > 1.0).then_some(Forced { count, seconds, times_as_often, buffers_s, max_wal_size })
    }
}
