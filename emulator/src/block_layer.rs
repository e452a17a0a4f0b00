//! What the kernel's block layer counted of a device: how long requests took as the machine saw it.

use std::fs;
use std::path::Path;

/// Completed requests and the time they took, since the device was made.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Completed {
    requests: u64,
    ms: u64,
}

impl Completed {
    /// Reads and writes of this device; `None` where the kernel does not tell.
    pub fn of(device: &Path) -> Option<Completed> {
        let [reads, writes] = parse(&stat(device)?)?;
        Some(Completed { requests: reads.requests + writes.requests, ms: reads.ms + writes.ms })
    }

    /// The same of reads alone.
    pub fn reads_of(device: &Path) -> Option<Completed> {
        parse(&stat(device)?).map(|[reads, _]| reads)
    }

    /// Mean time of the requests since then, µs; `None` where there were none.
    pub fn mean_us_since(self, before: Completed) -> Option<f64> {
        let requests = self.requests.saturating_sub(before.requests);
        (requests > 0).then(|| self.ms.saturating_sub(before.ms) as f64 * 1e3 / requests as f64)
    }
}

fn stat(device: &Path) -> Option<String> {
    fs::read_to_string(Path::new("/sys/block").join(device.file_name()?).join("stat")).ok()
}

/// Fields: reads, merged, sectors, ms; the same of writes (Documentation/block/stat.rst).
fn parse(stat: &str) -> Option<[Completed; 2]> {
    let fields: Vec<u64> = stat.split_whitespace().map_while(|field| field.parse().ok()).collect();
    let of = |at: usize| Some(Completed { requests: *fields.get(at)?, ms: *fields.get(at + 3)? });
    Some([of(0)?, of(4)?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_is_of_what_was_completed_in_between() {
        let [reads, writes] = parse("   100  0  800  50   20  0  160  30  0  80  80").unwrap();
        let [reads_now, writes_now] = parse("   300  0 2400 150  120  0  960 230  0 280 280  0 0 0 0 0 0").unwrap();
        assert_eq!(reads_now.mean_us_since(reads), Some(500.0));
        assert_eq!(writes_now.mean_us_since(writes), Some(2_000.0));
        assert_eq!(reads.mean_us_since(reads), None);
        assert_eq!(parse("1 2 3"), None);
    }
}
