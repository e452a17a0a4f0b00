//! Load of devices, per second.

use super::message::Device;
use crate::monitoring::rates::Rates;

/// Load of a device, or the sum of several, per second.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Load {
    pub reads: f64,
    pub writes: f64,
    pub read_kib: f64,
    pub write_kib: f64,
    pub read_merges: f64,
    pub write_merges: f64,
    /// Milliseconds that requests took, summed over requests; `None` where it is not known.
    pub request_ms: Option<f64>,
    /// Requests in flight, mean; `None` where it is not known.
    pub queue: Option<f64>,
}

/// Largest rate that is a rate: more than any instance has.
const MAX_RATE: f64 = 1e12;

impl Load {
    /// The load of a device; the name of a rate that is missing, or no number from 0 to [`MAX_RATE`].
    pub fn from_device(device: &Device) -> Result<Load, &'static str> {
        let valid = |value: f64| (0.0..MAX_RATE).contains(&value);
        let rate = |value: Option<f64>, name| value.filter(|value| valid(*value)).ok_or(name);
        let optional = |value: Option<f64>, name| value.map_or(Ok(None), |value| rate(Some(value), name).map(Some));
        let (reads, writes) = (rate(device.reads, "readIOsPS")?, rate(device.writes, "writeIOsPS")?);
        let (await_ms, queue) = (optional(device.await_ms, "await")?, optional(device.queue, "avgQueueLen")?);
        Ok(Load {
            reads,
            writes,
            read_kib: rate(device.read_kib, "readKbPS")?,
            write_kib: rate(device.write_kib, "writeKbPS")?,
            read_merges: optional(device.read_merges, "rrqmPS")?.unwrap_or(0.0),
            write_merges: optional(device.write_merges, "wrqmPS")?.unwrap_or(0.0),
            // By Little's law where the time of a request is not known.
            request_ms: await_ms.map(|ms| ms * (reads + writes)).or(queue.map(|queue| 1_000.0 * queue)),
            queue,
        })
    }

    /// Sum of two loads. A time that one of them lacks is not known.
    pub fn plus(self, other: Load) -> Load {
        let both = |one: Option<f64>, two: Option<f64>| Some(one? + two?);
        Load {
            reads: self.reads + other.reads,
            writes: self.writes + other.writes,
            read_kib: self.read_kib + other.read_kib,
            write_kib: self.write_kib + other.write_kib,
            read_merges: self.read_merges + other.read_merges,
            write_merges: self.write_merges + other.write_merges,
            request_ms: both(self.request_ms, other.request_ms),
            queue: both(self.queue, other.queue),
        }
    }

    /// The same under the names of sysstat. Its time of a request is that of reads and of writes alike.
    pub fn rates(&self) -> Rates {
        let requests = self.reads + self.writes;
        let await_ms = self.request_ms.map(|ms| if requests > 0.0 { ms / requests } else { 0.0 });
        let columns = [
            ("r/s", self.reads),
            ("w/s", self.writes),
            ("rkB/s", self.read_kib),
            ("wkB/s", self.write_kib),
            ("rrqm/s", self.read_merges),
            ("wrqm/s", self.write_merges),
        ];
        let mut rates = Rates::default();
        for (column, value) in columns.into_iter().chain(await_ms.map(|ms| ("await", ms))) {
            rates.set(column, value);
        }
        rates
    }
}
