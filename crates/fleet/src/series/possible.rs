//! Rates that a volume can have: a counter that grows faster shows a glitch of its exporter.

use std::sync::OnceLock;

use ebs_aws::catalogue::{Ceiling, classes};
use ebs_base::units::MIB;
use ebs_samples::evidence::DeviceCounts;

/// Factor on the largest limits of the catalogue: EBS merges requests up to 256 KiB, so that a device may count more of them. A choice.
const MERGED: f64 = 4.0;

/// Shortest time that rates are taken over, seconds: two scrapes may follow each other closely.
const MIN_SECONDS: f64 = 1.0;

/// True of counts that a volume of some type can have had in this time.
#[inline]
pub fn is_possible(counts: &DeviceCounts, seconds: f64) -> bool {
    let limit = limit();
    let seconds = seconds.max(MIN_SECONDS);
    let requests = counts.requests() as f64;
    let bytes = counts.read_bytes as f64 + counts.write_bytes as f64;
    requests <= limit.iops * seconds && bytes <= limit.mibps * MIB as f64 * seconds
}

/// Largest rates of a device: those of the catalogue's classes, times [`MERGED`].
fn limit() -> Ceiling {
    static LIMIT: OnceLock<Ceiling> = OnceLock::new();
    *LIMIT.get_or_init(|| {
        let largest = classes()
            .iter()
            .fold((0, 0), |(iops, mibps), class| (iops.max(class.max_iops), mibps.max(class.max_mibps)));
        Ceiling { iops: MERGED * largest.0 as f64, mibps: MERGED * largest.1 as f64 }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// io2 has 256,000 IOPS and 4,000 MiB/s.
    #[test]
    fn the_largest_volume_is_possible_and_a_glitch_is_not() {
        let requests = |reads| is_possible(&DeviceCounts { reads, ..DeviceCounts::default() }, 60.0);
        assert!(requests(60 * 256_000) && requests(4 * 60 * 256_000) && !requests(1_000_000_000_000));
        let bytes = |write_bytes| is_possible(&DeviceCounts { write_bytes, ..DeviceCounts::default() }, 60.0);
        assert!(bytes(60 * 4_000 * MIB) && !bytes(1_000_000_000_000_000));
        assert!(is_possible(&DeviceCounts { reads: 256_000, ..DeviceCounts::default() }, 0.001));
        assert!(!is_possible(&DeviceCounts { reads: u64::MAX, writes: u64::MAX, ..DeviceCounts::default() }, 60.0));
    }
}
