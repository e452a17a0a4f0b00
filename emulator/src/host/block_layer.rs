//! Statistics of the kernel's block layer: time of requests as the machine sees it.

use std::fs;
use std::path::Path;

/// Completed requests and the sum of their times, since the device was created.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CompletedRequests {
    requests: u64,
    ms: u64,
}

impl CompletedRequests {
    /// Reads the counts of a device's reads and writes; `None` if the kernel has none.
    pub fn reads_and_writes(device: &Path) -> Option<CompletedRequests> {
        let [reads, writes] = parse(&read_stat(device)?)?;
        Some(CompletedRequests { requests: reads.requests + writes.requests, ms: reads.ms + writes.ms })
    }

    /// Reads the counts of a device's reads; `None` if the kernel has none.
    pub fn reads(device: &Path) -> Option<CompletedRequests> {
        parse(&read_stat(device)?).map(|[reads, _]| reads)
    }

    /// Mean time of the requests since `before`, in µs; `None` without requests.
    pub fn mean_us_since(self, before: CompletedRequests) -> Option<f64> {
        let requests = self.requests.saturating_sub(before.requests);
        (requests > 0).then(|| self.ms.saturating_sub(before.ms) as f64 * 1e3 / requests as f64)
    }
}

fn read_stat(device: &Path) -> Option<String> {
    fs::read_to_string(Path::new("/sys/block").join(device.file_name()?).join("stat")).ok()
}

/// Parses reads and writes. Fields: reads, merged, sectors, ms; the same of writes (Documentation/block/stat.rst).
fn parse(stat: &str) -> Option<[CompletedRequests; 2]> {
    let fields: Vec<u64> = stat.split_whitespace().map_while(|field| field.parse().ok()).collect();
    let completed = |at: usize| Some(CompletedRequests { requests: *fields.get(at)?, ms: *fields.get(at + 3)? });
    Some([completed(0)?, completed(4)?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_covers_the_requests_in_between() {
        let [reads, writes] = parse("   100  0  800  50   20  0  160  30  0  80  80").unwrap();
        let [reads_now, writes_now] = parse("   300  0 2400 150  120  0  960 230  0 280 280  0 0 0 0 0 0").unwrap();
        assert_eq!(reads_now.mean_us_since(reads), Some(500.0));
        assert_eq!(writes_now.mean_us_since(writes), Some(2_000.0));
        assert_eq!(reads.mean_us_since(reads), None);
        assert_eq!(parse("1 2 3"), None);
    }
}
