//! Autovacuum's share.

use super::basis::Basis;
use super::finding::{Finding, Kind};
use super::rates::Rates;
use ebs_base::format::size;
use ebs_base::units::MIB;

/// What autovacuum read and wrote; `None` where it did nothing.
pub(super) fn finding(basis: &Basis, rates: &Rates) -> Option<Finding> {
    let io = &basis.window.totals.io;
    let rows = io.rows.iter().filter(|(key, _)| key.backend_type == "autovacuum worker" && key.object == "relation");
    let (read, written) = rows.fold((0, 0), |(read, written), (_, counts)| {
        (read + counts.read_bytes, written + counts.write_bytes + counts.extend_bytes)
    });
    if io.known_us == 0 || read + written == 0 {
        return None;
    }
    let a_second = |bytes: u64| bytes as f64 / (io.known_us as f64 / 1e6);
    let (read_s, written_s) = (a_second(read), a_second(written));
    let requests_s = rates.reads(read_s * rates.passed()?) + rates.writes(written_s);
    Some(Finding {
        kind: Kind::Autovacuum,
        subject: "autovacuum".to_owned(),
        measured: format!("{} MiB/s read, {} written", size(read_s / MIB as f64), size(written_s / MIB as f64)),
        share: rates.share(requests_s),
        saving: None,
        usd_month_saved: None,
        reason: "its work has to be done, and nothing is saved by leaving it; its peaks can be made flatter".to_owned(),
        remedy: "autovacuum_vacuum_cost_limit and autovacuum_vacuum_cost_delay pace it".to_owned(),
    })
}
