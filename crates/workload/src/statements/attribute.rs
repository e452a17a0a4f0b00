//! Reads of statements that reached the device: the page cache's share is subtracted by means of the balance sheet.

use super::delta::Observed;
use super::demand::StatementDemand;
use crate::balance::Balance;
use crate::demand::Demand;
use ebs_base::units::SECOND_US;
use ebs_samples::evidence::Window;

/// Demand of all statements together at the device.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Device {
    /// Read requests a second.
    pub reads_s: f64,
    /// All requests a second.
    pub requests_s: f64,
    /// The share of PostgreSQL's reads that went on to the device, 0 to 1: what the page cache did not have.
    pub passed: f64,
    /// True if the share is known from the kernel's counts of the server's processes, false if from the device's counts for
    /// all programs.
    pub by_processes: bool,
    /// Bytes a second that PostgreSQL read.
    pub postgres_bytes_s: f64,
    /// Bytes a second that the statements read.
    pub statements_bytes_s: f64,
}

impl Device {
    /// Read requests a second of everything that is no statement here: vacuum, background workers, others, temporary files.
    pub fn rest_reads_s(&self, statements: &[StatementDemand]) -> f64 {
        let of_statements: f64 = statements.iter().filter_map(|statement| statement.device_reads_s).sum();
        (self.reads_s - of_statements).max(0.0)
    }
}

/// Says of each statement how many of its reads reached the device, and its share of demand and of WAL. `None` where the
/// balance does not tell; what shares of WAL are known is said all the same.
pub fn attribute(observed: &mut Observed, window: &Window) -> Option<Device> {
    let wal = window.totals.wal;
    if let Some(generated) = wal.known().filter(|generated| generated.bytes > 0) {
        let all_s = generated.bytes as f64 * SECOND_US as f64 / wal.known_us as f64;
        for statement in &mut observed.statements {
            // Readings and samples are not taken at quite the same moment.
            let own_s = statement.per_second(statement.wal_bytes as f64);
            statement.wal_share = own_s.map(|own_s| (own_s / all_s).min(1.0));
        }
    }
    let cache = Cache::new(observed, window)?;
    for statement in &mut observed.statements {
        cache.attribute(statement, observed.block_size);
    }
    Some(cache.device)
}

/// Bytes a second at each stage of a read.
struct Cache {
    device: Device,
    /// Bytes a second that the server's processes read from the device, or all of the device if theirs are not known.
    reached_s: f64,
    /// Temporary files: read by the processes, and no reads of tables.
    temp_s: f64,
    /// Requests a byte at the device.
    requests_per_byte: f64,
}

impl Cache {
    fn new(observed: &Observed, window: &Window) -> Option<Cache> {
        let reads = Balance::from_window(window).reads;
        let demand = Demand::from_all_volumes(window);
        let (seconds, total) = (demand.seconds(), demand.total());
        if seconds <= 0.0 {
            return None;
        }
        let a_second = |bytes: i64| bytes.max(0) as f64 / seconds;
        let (postgres_s, device_s) = (a_second(reads.postgres?), a_second(reads.device?));
        // More than the device moved cannot have come from it.
        let reached_s = reads.processes.map_or(device_s, |bytes| a_second(bytes).min(device_s));
        let sum = |blocks: fn(&StatementDemand) -> u64| -> f64 {
            let bytes = |of: &StatementDemand| of.per_second(blocks(of) as f64 * observed.block_size as f64);
            observed.statements.iter().filter_map(bytes).sum()
        };
        let statements_s = sum(|statement| statement.blocks_read);
        // A statement that began before the run counts whole, so that together they can have read more than PostgreSQL did.
        let all_s = postgres_s.max(statements_s);
        Some(Cache {
            device: Device {
                reads_s: total.reads as f64 / seconds,
                requests_s: (total.reads as f64 + total.writes as f64) / seconds,
                passed: if all_s > 0.0 { (reached_s / all_s).min(1.0) } else { 0.0 },
                by_processes: reads.processes.is_some(),
                postgres_bytes_s: postgres_s,
                statements_bytes_s: statements_s,
            },
            reached_s,
            temp_s: sum(|statement| statement.temp_blocks_read),
            requests_per_byte: if total.read_bytes > 0 { total.reads as f64 / total.read_bytes as f64 } else { 0.0 },
        })
    }

    /// Attributes reads to a statement. Estimate: the page cache served the same share of each statement's reads. Upper bound: none of
    /// this statement's. Lower bound: all reads that it served were this statement's.
    fn attribute(&self, statement: &mut StatementDemand, block_size: u64) {
        let Some(bytes_s) = statement.per_second(statement.blocks_read as f64 * block_size as f64) else { return };
        let all_s = self.device.postgres_bytes_s.max(self.device.statements_bytes_s);
        let absorbed_s = (all_s - self.reached_s + self.temp_s).max(0.0);
        let middle = bytes_s * self.device.passed;
        let (low, high) = ((bytes_s - absorbed_s).max(0.0), bytes_s.min(self.reached_s));
        let requests = |bytes_s: f64| bytes_s * self.requests_per_byte;
        statement.device_reads_s = Some(requests(middle));
        statement.device_reads_range = Some((requests(low.min(middle)), requests(high.max(middle))));
        let all = self.device.requests_s;
        statement.demand_share = (all > 0.0).then(|| requests(middle) / all);
    }
}
