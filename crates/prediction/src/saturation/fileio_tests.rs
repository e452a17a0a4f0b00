//! Published runs of sysbench fileio: direct I/O of 16 KiB, random, on volumes of 1 TB and 3,000 IOPS on r5.xlarge, 1,800 s each, with 1 to 128
//! threads that do nothing else than wait for the volume. Means, and quantiles of the rates of the seconds, are of
//! results/TYPE/MODE_THREADS.out in <https://github.com/pboros/aws_storage_blog>, commit 8b4ffc6, the runs of
//! <https://www.percona.com/blog/performance-of-various-ebs-storage-types-in-aws/>.

use super::*;
use crate::predict::Limits;
use ebs_aws::catalogue::VolumeType;
use ebs_samples::evidence::DeviceCounts;
use ebs_workload::demand::DemandInterval;

const RUNS: &str = include_str!("../../testdata/fileio.csv");
const LIMIT: f64 = 3_000.0;
const SECONDS: usize = 1_800;

struct FileioRun {
    name: String,
    volume_type: VolumeType,
    threads: f64,
    read_share: f64,
    iops: f64,
    /// Rates, and the share of the seconds that do not exceed them.
    quantiles: Vec<(f64, f64)>,
}

fn runs() -> Vec<FileioRun> {
    let mut reader = csv::Reader::from_reader(RUNS.as_bytes());
    let share = |name: &str| Some(name.strip_prefix('p')?.parse::<f64>().ok()? / 100.0);
    let shares: Vec<Option<f64>> = reader.headers().unwrap().iter().map(share).collect();
    let run = |row: csv::StringRecord| {
        let number = |column: usize| row[column].parse::<f64>().unwrap();
        let iops = number(3) + number(4);
        FileioRun {
            name: format!("{} {} {}", &row[0], &row[1], &row[2]),
            volume_type: row[0].parse().unwrap(),
            threads: number(2),
            read_share: number(3) / iops,
            iops,
            quantiles: (0..).zip(&shares).filter_map(|(column, share)| Some(((*share)?, number(column)))).collect(),
        }
    };
    let runs: Vec<FileioRun> = reader.records().map(|row| run(row.unwrap())).collect();
    assert_eq!(runs.len(), 96);
    runs
}

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

/// N threads that only wait make N over the latency, or the limit: with the latency that one thread has, whether or not more are faster.
#[test]
fn threads_that_only_wait_obey_the_law_of_closed_loops() {
    let runs = runs();
    let one_thread = |run: &FileioRun| {
        let kind = |name: &str| name.rsplit_once(' ').unwrap().0.to_owned();
        runs.iter().find(|one| one.threads == 1.0 && kind(&one.name) == kind(&run.name)).unwrap().iops
    };
    let error = |run: &FileioRun| ((run.threads * one_thread(run)).min(LIMIT) / run.iops - 1.0).abs();
    let of_mode = |mode: &str| -> Vec<f64> {
        runs.iter().filter(|run| run.threads > 1.0 && run.name.contains(mode)).map(error).collect()
    };
    let (all, writes) = (of_mode(""), of_mode("rndwr"));
    let mean = all.iter().sum::<f64>() / all.len() as f64;
    let worst = |errors: &[f64]| errors.iter().copied().fold(0.0, f64::max);
    assert_eq!(all.len(), 84);
    assert!(mean < 0.004 && worst(&all) < 0.08 && worst(&writes) < 0.03, "{mean} {} {}", worst(&all), worst(&writes));
}
