//! Checkpoints forced by WAL, and the full-page images that each of them causes.

use super::basis::Basis;
use super::finding::{Finding, Kind, Saving};
use super::rates::Rates;
use ebs_base::format::{count, share, size};
use ebs_base::units::GIB;

/// More room for WAL than is needed on average. A choice.
const ROOM: f64 = 1.2;

/// Checkpoints that came before checkpoint_timeout because WAL had reached its limit; `None` where none did.
pub(super) fn finding(basis: &Basis, rates: &Rates) -> Option<Finding> {
    let forced = Forced::of(basis, rates)?;
    let images_s = images(basis, rates);
    let cause_s = forced.buffers_s + images_s;
    let saving = Saving { low: 0.0, high: rates.writes(cause_s * (1.0 - 1.0 / forced.sooner)) };
    let wal_bytes_s = rates.wal_bytes_s.unwrap_or(0.0);
    let of_wal = if wal_bytes_s > 0.0 { images_s / wal_bytes_s } else { 0.0 };
    let compressed = if basis.settings.wal_compression == Some(true) { " at most, uncompressed" } else { "" };
    let gib = (forced.wanted / GIB as f64).ceil().max(1.0);
    Some(Finding {
        kind: Kind::Checkpoints,
        subject: "max_wal_size".to_owned(),
        measured: format!(
            "{} checkpoints in {} s forced by WAL; full-page images are {}{compressed} of WAL, checkpoints write {} MiB/s",
            count(forced.times),
            count(forced.seconds),
            share(of_wal),
            size(forced.buffers_s / ebs_base::units::MIB as f64),
        ),
        share: rates.share(rates.writes(cause_s)),
        saving: Some(saving),
        usd_month_saved: None,
        reason: format!(
            "{} times as often as checkpoint_timeout asks for: after each, every page changed goes to WAL whole and is written \
             again. At most so many fewer, were the same pages changed all the time; nothing, were they others each time",
            size(forced.sooner)
        ),
        remedy: format!(
            "ALTER SYSTEM SET max_wal_size = '{gib}GB'; SELECT pg_reload_conf(); enough for WAL with as many images as now, less \
             may do; takes that much on the WAL's volume, and longer to recover"
        ),
    })
}

/// Bytes a second of full-page images: whole blocks, which no image is larger than, and no more than all WAL.
fn images(basis: &Basis, rates: &Rates) -> f64 {
    let block = basis.span.map_or(8192, |span| span.after.block_size) as f64;
    if basis.settings.full_page_writes == Some(false) {
        return 0.0;
    }
    (rates.full_pages_s.unwrap_or(0.0) * block).min(rates.wal_bytes_s.unwrap_or(0.0))
}

struct Forced {
    /// How many.
    times: f64,
    /// In so many seconds.
    seconds: f64,
    /// How many times as often as checkpoint_timeout.
    sooner: f64,
    /// Bytes a second that checkpoints wrote.
    buffers_s: f64,
    /// Bytes of max_wal_size at which none would be forced.
    wanted: f64,
}

impl Forced {
    /// Requested checkpoints are those that WAL forced and those that somebody asked for. WAL forces one whenever
    /// max_wal_size / (1 + checkpoint_completion_target) bytes were written since the last began (CalculateCheckpointSegments,
    /// <https://github.com/postgres/postgres/blob/REL_18_STABLE/src/backend/access/transam/xlog.c>): more than the run's WAL
    /// makes of that were asked for.
    fn of(basis: &Basis, rates: &Rates) -> Option<Forced> {
        let span = basis.span?;
        let counted = span.after.checkpoints?.since(span.before.checkpoints.as_ref()?)?;
        let (seconds, wal_bytes_s) = (span.seconds(), rates.wal_bytes_s?);
        let target = 1.0 + basis.settings.checkpoint_completion_target?;
        let distance = basis.settings.max_wal_size? as f64 / target;
        let timeout_s = basis.settings.checkpoint_timeout_s?;
        let times = (counted.requested as f64).min((wal_bytes_s * seconds / distance).round());
        if seconds <= 0.0 || times < 1.0 {
            return None;
        }
        let sooner = timeout_s * times / seconds;
        let buffers_s = counted.buffers_written as f64 * span.after.block_size as f64 / seconds;
        let wanted = wal_bytes_s * timeout_s * target * ROOM;
        (sooner > 1.0).then_some(Forced { times, seconds, sooner, buffers_s, wanted })
    }
}
