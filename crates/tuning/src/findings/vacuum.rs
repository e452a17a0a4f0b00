//! I/O of autovacuum.

use super::basis::Basis;
use super::cause::{AutovacuumIo, Cause};
use super::finding::Finding;
use super::rates::Rates;

/// Reads and writes of autovacuum; `None` where there were none.
pub(super) fn finding(basis: &Basis, rates: &Rates) -> Option<Finding> {
    let io = &basis.window.totals.io;
    let rows = io.rows.iter().filter(|(key, _)| key.backend_type == "autovacuum worker" && key.object == "relation");
    let (read, written) = rows.fold((0, 0), |(read, written), (_, counts)| {
        (read + counts.read_bytes, written + counts.write_bytes + counts.extend_bytes)
    });
    if io.known_us == 0 || read + written == 0 {
        return None;
    }
    let per_second = |bytes: u64| bytes as f64 / (io.known_us as f64 / 1e6);
    let (read_s, written_s) = (per_second(read), per_second(written));
    let requests_s = rates.reads(read_s * rates.cache_miss_share()?) + rates.writes(written_s);
    Some(Finding::new(Cause::Autovacuum(AutovacuumIo { read_s, written_s }), rates.share(requests_s), None))
}
