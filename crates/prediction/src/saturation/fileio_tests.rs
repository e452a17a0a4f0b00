//! Limits of the published runs of [`fileio_runs`](crate::fileio_runs).

use super::*;
use crate::fileio_runs::{FileioRun, LIMIT, runs};
use crate::predict::Limits;
use ebs_aws::catalogue::VolumeType;
use ebs_samples::evidence::DeviceCounts;
use ebs_workload::demand::DemandInterval;

const SECONDS: usize = 1_800;

impl FileioRun {
    /// Rate that a share of the seconds does not exceed.
    fn rate(&self, share: f64) -> f64 {
        let points = || self.quantiles.iter().copied();
        let below = points().rev().find(|(at, _)| *at <= share);
        let above = points().find(|(at, _)| *at > share);
        match (below, above) {
            (Some((low, from)), Some((high, to))) => from + (to - from) * (share - low) / (high - low),
            (Some((_, rate)), None) | (None, Some((_, rate))) => rate,
            (None, None) => unreachable!(),
        }
    }

    /// Seconds of these rates in mixed order, with all threads in flight in each.
    fn demand(&self) -> Demand {
        let interval = |second: usize| {
            // 1,009 has no factor in common with 1,800: each second is taken once.
            let share = ((second * 1_009 % SECONDS) as f64 + 0.5) / SECONDS as f64;
            let requests = self.rate(share).round();
            let reads = (requests * self.read_share).round();
            let ms = |requests: f64, all: f64| (self.threads * 1e3 * requests / all).round() as u64;
            let counts = DeviceCounts {
                reads: reads as u64,
                writes: (requests - reads) as u64,
                read_bytes: (reads * 16_384.0) as u64,
                write_bytes: ((requests - reads) * 16_384.0) as u64,
                read_ms: ms(reads, requests),
                write_ms: ms(requests - reads, requests),
                weighted_ms: ms(1.0, 1.0),
                ..DeviceCounts::default()
            };
            DemandInterval { ended_us: 0, seconds: 1.0, counts, ..DemandInterval::default() }
        };
        Demand { timed: true, averaged_s: 1.0, intervals: (0..SECONDS).map(interval).collect(), ..Demand::default() }
    }

    /// At its limit: within 1 % of it in the mean of half an hour.
    fn is_limited(&self) -> bool {
        self.iops >= 0.99 * LIMIT
    }

    fn declared(&self) -> RunContext {
        let limits = vec![(LimitOwner::Volume, Limits { iops: Some(LIMIT), bytes: None })];
        RunContext { limits, volume_type: Some(self.volume_type), ..RunContext::default() }
    }
}

fn names(runs: &[FileioRun], is_counted: impl Fn(&FileioRun) -> bool) -> Vec<&str> {
    runs.iter().filter(|run| is_counted(run)).map(|run| run.name.as_str()).collect()
}

fn is_named(run: &FileioRun, context: &RunContext) -> bool {
    let limit = detect_saturation(&run.demand(), context);
    limit.is_some_and(|limit| limit.named().any(|one| (one.level / LIMIT - 1.0).abs() < 0.005))
}

/// Also the runs whose requests hardly take longer than without a limit: io2 with 1 thread, 0.33 ms, and io1 with 2, 0.67 ms.
#[test]
fn declared_limits_of_published_runs_are_found() {
    let runs = runs();
    let limited = names(&runs, FileioRun::is_limited);
    assert_eq!(names(&runs, |run| is_named(run, &run.declared())), limited);
    assert_eq!(limited.len(), 78);
    for run in runs.iter().filter(|run| run.is_limited()) {
        let delivered = detect_saturation(&run.demand(), &run.declared()).and_then(|limit| limit.delivered_share());
        assert!((delivered.unwrap() - 1.0).abs() < 0.001, "{} {delivered:?}", run.name);
    }
}

/// Nothing declared: at 3,000 IOPS, which gp3 includes, from 8 threads on where the load is known to be a closed loop, and from 16 on
/// otherwise; at a level that is nobody's, from 64 threads on, whose 21 ms are no SSD's. Fewer threads may be on a slower volume.
#[test]
fn undeclared_limits_of_published_runs_are_found_where_threads_are_many() {
    let runs = runs();
    let published = vec![(VolumeType::Gp3, Limits { iops: Some(LIMIT), bytes: None })];
    let none = RunContext { is_ebs_ssd: true, ..RunContext::default() };
    let unsampled = RunContext { published, ..none.clone() };
    let closed = RunContext { closed_weight: Some(1.0), ..unsampled.clone() };
    for (context, least) in [(none, 64.0), (unsampled, 16.0), (closed, 8.0)] {
        assert_eq!(names(&runs, |run| is_named(run, &context)), names(&runs, |run| run.threads >= least), "{least}");
    }
}
