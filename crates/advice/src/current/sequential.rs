//! Sequential requests on hard disks (st1, sc1), which EBS merges up to 1 MiB: their credits are bytes. Where EBS merges nothing, each costs 1 MiB.

use crate::current::current_state::CurrentState;
use crate::replay::Series;
use ebs_aws::catalogue::VolumeConfig;
use ebs_base::ramp::log_ramp;
use ebs_base::ramp::weighted_mean;
use ebs_base::units::MIB;
use ebs_samples::evidence::{DeviceCounts, Window};
use ebs_workload::demand::{Demand, DemandInterval};
use ebs_workload::io_profile::{Figure, Metric, find};

/// Mean size of a request from which on it may be a part of a sequential one, and from which on it is, KiB; in the middle, 64, as likely as not. A
/// choice: a database's pages are 8 KiB, and its reads of several at once seldom of more than 16 of them.
const SEQUENTIAL_KIB: [f64; 2] = [32.0, 128.0];

/// Mean size of the requests on hard disks, KiB, that are taken as sequential, because they are large, and the counts alone show no database;
/// `None` elsewhere.
pub fn sequential_kib(window: &Window, config: &VolumeConfig, figures: &[Figure]) -> Option<f64> {
    large_kib(window, config, figures).filter(|kib| sequential_weight(*kib) >= 0.5)
}

/// The demand that volumes of a configuration are sized for as hard disks count it, if it may be sequential; `None` elsewhere.
pub fn sequential_series(window: &Window, config: &VolumeConfig, state: &CurrentState) -> Option<Series> {
    let weight = sequential_weight(large_kib(window, config, &state.figures)?);
    (weight > 0.0).then(|| Series::new(&as_sequential(state.sized_demand(), weight)))
}

/// Mean size of the requests on hard disks, KiB, where the counts alone show no database.
fn large_kib(window: &Window, config: &VolumeConfig, figures: &[Figure]) -> Option<f64> {
    let kib = find(figures, Metric::RequestSize)?.mean?;
    (config.volume_type.is_hdd() && window.has_counts_alone()).then_some(kib)
}

/// Degree to which requests of this mean size are parts of sequential ones, 0 to 1.
fn sequential_weight(kib: f64) -> f64 {
    log_ramp(kib, SEQUENTIAL_KIB)
}

/// The demand in requests of 1 MiB, by this weight: a geometric mean, as factors count.
fn as_sequential(demand: &Demand, weight: f64) -> Demand {
    let mean = |requests: u64, bytes: u64| {
        let merged = bytes.div_ceil(MIB).min(requests);
        let mean = weighted_mean(requests as f64, merged as f64, weight);
        mean.round() as u64
    };
    let merged = |interval: &DemandInterval| {
        let counts = interval.counts;
        let (reads, writes) = (mean(counts.reads, counts.read_bytes), mean(counts.writes, counts.write_bytes));
        DemandInterval { counts: DeviceCounts { reads, writes, ..counts }, ..*interval }
    };
    Demand { intervals: demand.each().map(merged).collect(), ..*demand }
}

#[cfg(test)]
#[path = "sequential_tests.rs"]
mod tests;
