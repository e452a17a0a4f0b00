//! Counts of requests as EBS keeps them, since the start of the volume and since the last reset.

use ebs_base::counter::{Counters, Delta};
use ebs_samples::evidence::EbsCounts;
use hdrhistogram::CreationError;

use super::fidelity::FidelityMonitor;
use super::request::RequestKind;
use super::shaper::Shaper;
use super::time::seconds;

/// Counts of completed requests.
#[derive(Clone, Debug)]
pub struct Statistics {
    totals: Totals,
    at_reset: EbsCounts,
    reset_ns: u64,
    /// Lateness and load since the last reset.
    pub fidelity: FidelityMonitor,
}

/// Sums since the start. Times are in nanoseconds, so that parts of a microsecond are not lost.
#[derive(Clone, Copy, Debug, Default)]
struct Totals {
    ops: [u64; 2],
    bytes: [u64; 2],
    ns: [u64; 2],
}

impl Statistics {
    /// Statistics without any request.
    pub fn new(now_ns: u64) -> Result<Statistics, CreationError> {
        let (totals, at_reset) = (Totals::default(), EbsCounts::default());
        Ok(Statistics { totals, at_reset, reset_ns: now_ns, fidelity: FidelityMonitor::new(now_ns)? })
    }

    /// Counts a request with the time from its arrival to its reply.
    pub fn record(&mut self, kind: RequestKind, bytes: u64, took_ns: u64) {
        let n = kind as usize;
        self.totals.ops[n] += 1;
        self.totals.bytes[n] += bytes;
        self.totals.ns[n] += took_ns;
    }

    /// Requests of a kind since the start, and the sum of their times in nanoseconds.
    pub fn completed(&self, kind: RequestKind) -> (u64, u64) {
        (self.totals.ops[kind as usize], self.totals.ns[kind as usize])
    }

    /// Counts since the start.
    pub fn counts(&self, shaper: &Shaper) -> EbsCounts {
        let Totals { ops, bytes, ns } = self.totals;
        let [volume_iops, volume_throughput, instance_iops, instance_throughput] = shaper.exceeded_us();
        EbsCounts {
            read_ops: ops[0],
            write_ops: ops[1],
            read_bytes: bytes[0],
            write_bytes: bytes[1],
            read_us: ns[0] / 1_000,
            write_us: ns[1] / 1_000,
            volume_iops_exceeded_us: volume_iops,
            volume_throughput_exceeded_us: volume_throughput,
            instance_iops_exceeded_us: instance_iops,
            instance_throughput_exceeded_us: instance_throughput,
        }
    }

    /// Counts since the last reset, and the seconds since then.
    pub fn since_reset(&self, shaper: &Shaper, now_ns: u64) -> (EbsCounts, f64) {
        let counts = match self.counts(shaper).since(self.at_reset) {
            Delta::Advanced(counts) => counts,
            // Unreachable: these counts only grow.
            Delta::Reset => EbsCounts::default(),
        };
        (counts, seconds(now_ns.saturating_sub(self.reset_ns)))
    }

    /// Begins a new period for [`Self::since_reset`].
    pub fn reset(&mut self, shaper: &Shaper, now_ns: u64) {
        self.at_reset = self.counts(shaper);
        self.reset_ns = now_ns;
        self.fidelity.reset(now_ns);
    }
}
