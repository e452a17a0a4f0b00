//! Rates of the device and the kernel, which findings are measured against.

use ebs_samples::evidence::Window;
use ebs_workload::balance::Balance;
use ebs_workload::demand::Demand;

/// Rates over a window. Bytes and requests a second.
pub(super) struct Rates {
    /// All requests of the device.
    pub requests_s: f64,
    /// Bytes it read.
    pub read_bytes_s: f64,
    /// Bytes it wrote.
    pub write_bytes_s: f64,
    /// Read requests a byte read.
    pub reads_per_byte: f64,
    /// Write requests a byte written.
    pub writes_per_byte: f64,
    /// Bytes that PostgreSQL read; `None` where not known, as in the others.
    pub postgres_read_s: Option<f64>,
    /// Bytes that the server's processes fetched.
    pub processes_read_s: Option<f64>,
    /// Bytes that they passed to the kernel to be written.
    pub processes_written_s: Option<f64>,
    /// Bytes of files that were removed before they were written.
    pub cancelled_s: Option<f64>,
    /// Bytes of tables and indexes that all of PostgreSQL wrote.
    pub relations_written_s: Option<f64>,
    /// Bytes of WAL generated.
    pub wal_bytes_s: Option<f64>,
    /// Full-page images in it, a second.
    pub full_pages_s: Option<f64>,
}

impl Rates {
    /// Computes the rates; `None` where no device was sampled, or it was idle.
    pub(super) fn from_window(window: &Window) -> Option<Rates> {
        let demand = Demand::from_all_volumes(window);
        let (seconds, total) = (demand.seconds(), demand.total());
        let requests = total.reads + total.writes;
        if seconds <= 0.0 || requests == 0 {
            return None;
        }
        let Balance { reads, writes, .. } = Balance::from_window(window);
        let per_byte = |count: u64, bytes: u64| if bytes > 0 { count as f64 / bytes as f64 } else { 0.0 };
        let signed_rate = |bytes: Option<i64>| bytes.map(|bytes| bytes as f64 / seconds);
        let rate = |count: u64, known_us: u64| (known_us > 0).then(|| count as f64 / (known_us as f64 / 1e6));
        let (storage, wal, io) = (window.totals.storage, window.totals.wal, &window.totals.io);
        let relations =
            io.rows.iter().filter(|(key, _)| key.object == "relation").map(|(_, counts)| counts.write_bytes);
        Some(Rates {
            requests_s: requests as f64 / seconds,
            read_bytes_s: total.read_bytes as f64 / seconds,
            write_bytes_s: total.write_bytes as f64 / seconds,
            reads_per_byte: per_byte(total.reads, total.read_bytes),
            writes_per_byte: per_byte(total.writes, total.write_bytes),
            postgres_read_s: signed_rate(reads.postgres),
            processes_read_s: signed_rate(reads.processes),
            processes_written_s: signed_rate(writes.processes),
            cancelled_s: rate(storage.counts.cancelled_bytes, storage.known_us),
            relations_written_s: rate(relations.sum(), io.known_us),
            wal_bytes_s: rate(wal.counts.bytes, wal.known_us),
            full_pages_s: rate(wal.counts.full_page_images, wal.known_us),
        })
    }

    /// Share of so many requests a second in all of the device's, 0 to 1.
    pub(super) fn share(&self, requests_s: f64) -> Option<f64> {
        (self.requests_s > 0.0).then(|| (requests_s / self.requests_s).min(1.0))
    }

    /// Write requests a second for so many bytes a second, but no more than the device wrote.
    pub(super) fn writes(&self, bytes_s: f64) -> f64 {
        bytes_s.clamp(0.0, self.write_bytes_s) * self.writes_per_byte
    }

    /// Read requests a second for so many bytes a second, but no more than the device read.
    pub(super) fn reads(&self, bytes_s: f64) -> f64 {
        bytes_s.clamp(0.0, self.read_bytes_s) * self.reads_per_byte
    }

    /// Share of PostgreSQL's reads that the page cache did not serve.
    pub(super) fn cache_miss_share(&self) -> Option<f64> {
        let (read_s, fetched_s) = (self.postgres_read_s?, self.processes_read_s.unwrap_or(self.read_bytes_s));
        (read_s > 0.0).then(|| (fetched_s / read_s).clamp(0.0, 1.0))
    }
}
