//! Duration of the search over a run of twenty minutes and over a long history, with up to 28 volumes: the median of 21.
//!
//! `cargo run --release -p ebs_advice --example time_search`

// Prints its times.
#![allow(clippy::disallowed_macros)]
// A program: it measures time.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

use std::time::Instant;

use ebs_advice::replay::{InstanceLimit, Series, replay};
use ebs_advice::requirement::{Requirement, SizingRule};
use ebs_advice::search::{Task, TaskLoad, best_of_type};
use ebs_aws::catalogue::{Platform, VolumeType, prices};
use ebs_samples::evidence::DeviceCounts;
use ebs_workload::demand::{Demand, DemandInterval};

/// A daily swing, checkpoints every five minutes, and scans in other seconds: IOPS and throughput peak apart.
fn demand(seconds: u64) -> Demand {
    let interval = |second: u64| {
        let noise = second.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 54;
        let checkpoint = if second % 300 < 20 { 3_000 } else { 0 };
        let burst = if second.is_multiple_of(97) { 9_000 } else { 0 };
        let scan = if second.is_multiple_of(89) { 400 << 20 } else { 0 };
        let reads = 2_000 + noise + checkpoint + burst;
        let counts = DeviceCounts { reads, read_bytes: reads * 8_192 + scan, ..Default::default() };
        DemandInterval { ended_us: 0, seconds: 1.0, counts, ..DemandInterval::default() }
    };
    Demand { timed: true, intervals: (0..seconds).map(interval).collect(), ..Demand::default() }
}

/// Every type with one volume and with stripes, and a replay of what was found; how many were found.
fn answer(demand: &Demand, rule: SizingRule) -> usize {
    let series = Series::new(demand);
    let task = Task::new(
        TaskLoad::open(&series, rule),
        Requirement::from_demand(demand, Some(500), rule, &|| ()),
        rule.percentile,
        None,
    );
    let Ok(prices) = prices("us-east-1") else { return 0 };
    let types = VolumeType::ALL.into_iter().take(7);
    let both = types.flat_map(|volume_type| [(volume_type, 1..=1), (volume_type, 2..=28)]);
    let found = both.filter_map(|(of, counts)| best_of_type(of, Platform::Ec2, prices, counts, &task));
    let best = found.filter_map(|found| found.map_or_else(|short| short.best, Some));
    best.filter_map(|best| replay(&series, &best.config, best.volumes, InstanceLimit::None, 1.0)).count()
}

fn main() {
    for (name, seconds, percentile, repeats) in
        [("20 minutes", 1_200, 99.0, 21), ("20 minutes, p50", 1_200, 50.0, 21), ("140,000 intervals", 140_000, 99.0, 3)]
    {
        let demand = demand(seconds);
        let rule = SizingRule { percentile, ..SizingRule::default() };
        let mut times: Vec<f64> = Vec::new();
        let mut found = 0;
        for _ in 0..repeats {
            let started = Instant::now();
            found = answer(&demand, rule);
            times.push(started.elapsed().as_secs_f64() * 1_000.0);
        }
        times.sort_by(f64::total_cmp);
        println!("{name}: {:.1} ms ({:.1} to {:.1}), {found} found", times[repeats / 2], times[0], times[repeats - 1]);
    }
}
