//! Sequential requests on hard disks (st1, sc1), which EBS merges up to 1 MiB: their credits are bytes. Where EBS merges nothing, each costs 1 MiB.

use ebs_aws::bucket::is_hdd;
use ebs_aws::catalogue::VolumeConfig;
use ebs_base::units::MIB;
use ebs_samples::evidence::{DeviceCounts, Window};
use ebs_workload::demand::{Demand, DemandInterval};
use ebs_workload::io_profile::{Figure, Metric, find};

/// Mean size of a request from which on it is taken as a part of a sequential one, KiB. A choice: a database's pages are 8 KiB, and its reads of
/// several at once seldom of more than 16 of them.
const SEQUENTIAL_KIB: f64 = 64.0;

/// Mean size of the requests on hard disks, KiB, that are taken as sequential, because they are large, and the counts alone show no database;
/// `None` elsewhere.
pub fn sequential_kib(window: &Window, config: &VolumeConfig, figures: &[Figure]) -> Option<f64> {
    let kib = find(figures, Metric::RequestSize)?.mean?;
    (is_hdd(config.volume_type) && window.has_counts_alone() && kib >= SEQUENTIAL_KIB).then_some(kib)
}

/// The demand in requests of 1 MiB.
pub fn as_sequential(demand: &Demand) -> Demand {
    let merged = |interval: &DemandInterval| {
        let counts = interval.counts;
        let (reads, writes) = (counts.read_bytes.div_ceil(MIB), counts.write_bytes.div_ceil(MIB));
        let (reads, writes) = (reads.min(counts.reads), writes.min(counts.writes));
        DemandInterval { counts: DeviceCounts { reads, writes, ..counts }, ..*interval }
    };
    Demand { intervals: demand.each().map(merged).collect(), ..*demand }
}
