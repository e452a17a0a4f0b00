//! Published runs on EC2, predicted from one of them.

use super::predict_tests::on;
use super::*;
use crate::fileio_runs::{self, FileioRun};
use ebs_aws::catalogue::LimitKind;

/// pgbench -S on 1 to 16 gp3 volumes in a stripe, 3,000 IOPS each: 32 sessions (1,860 transactions a second of 17.3 ms each), 1.61 reads a
/// transaction (3,000 / 1,860), chunks of 64 KiB
/// (<https://kmoppel.github.io/2025-04-24-is-striping-postgres-data-volumes-a-free-lunch/>, read off its graphs to 0.3 %).
pub(super) const STRIPES: [(f64, f64); 4] = [(2.0, 3_637.0), (4.0, 7_221.0), (8.0, 14_336.0), (16.0, 28_585.0)];

/// Waits were not published: all of a transaction's time is its reads but its CPU time, which is that of the same page's 147,669
/// transactions a second in memory on 8 CPUs.
pub(super) fn one_volume() -> Observed {
    let (sessions, tps, cpu_s) = (32.0, 1_860.0, 8.0 / 147_669.0);
    let reads = 3_000.0 / tps;
    let read_s = sessions / tps - cpu_s;
    Observed {
        sessions,
        tps,
        counted: true,
        cpu_s,
        read: Station { visits: reads, seconds: read_s },
        read_visits_high: reads,
        device_reads: reads,
        read_bytes: 8_192.0,
        read_await_s: read_s / reads,
        limited: Some(LimitKind::Iops),
        limit_weight: 1.0,
        ..Observed::default()
    }
}

/// Reads of gp3 as published (`crates/aws/data/volume_types.csv`): 0.60 to 0.91 ms, and their geometric mean.
pub(super) fn stripe(volumes: f64) -> Target {
    Target {
        is_closed: false,
        read: Latency { low_s: 0.60e-3, middle_s: 0.74e-3, high_s: 0.91e-3 },
        write: Latency::known(0.65e-3),
        wal: None,
        source: Source::Published,
        volume: Limits { iops: Some(3_000.0 * volumes), bytes: None },
        delivered: None,
        instance: Limits { iops: Some(100_000.0), bytes: None },
        sessions: None,
        added_s: 0.0,
        more_volumes: volumes,
    }
}

#[test]
fn a_stripe_gives_what_was_published() {
    let run = one_volume();
    let errors = STRIPES.map(|(volumes, published_tps)| {
        let found = predict(&run, &stripe(volumes));
        assert!(found.tps.low <= published_tps && published_tps <= found.tps.high, "{volumes} {found:?}");
        found.tps.middle / published_tps - 1.0
    });
    let mean = errors.iter().map(|error| error.abs()).sum::<f64>() / 4.0;
    assert!(mean <= 0.05 && errors.iter().all(|error| error.abs() <= 0.15), "{errors:?}");
}

/// A full scan by one session, 130 MB/s on one volume of 125 MiB/s, 513, 1,011 and 2,018 on 4, 8 and 16 of them (the same page, chunks of
/// 32 to 64 KiB; 6,789 MB/s in memory, which is its CPU time). The page has no waits: one session is taken to wait for every other
/// request of 128 KiB. The stripe reads ahead as many times more.
#[test]
fn a_scan_of_a_stripe_reads_ahead() {
    let (request, rate, cpu_s) = (131_072.0, 130e6 / 131_072.0, 130.0 / 6_789.0);
    let run = Observed {
        sessions: 1.0,
        tps: 1.0,
        cpu_s,
        read: Station { visits: rate * 0.5, seconds: 1.0 - cpu_s },
        read_visits_high: rate,
        device_reads: rate,
        read_bytes: request,
        read_await_s: (1.0 - cpu_s) / (rate * 0.5),
        ..one_volume()
    };
    for (volumes, published) in [(4.0, 510e6), (8.0, 1_011e6), (16.0, 2_018e6)] {
        let limits = Limits { iops: Some(3_000.0 * volumes), bytes: Some(131.072e6 * volumes) };
        let found = predict(&run, &Target { volume: limits, ..stripe(volumes) });
        let bytes = found.mibps * 1_048_576.0;
        let high = bytes * found.tps.high / found.tps.middle;
        assert!((bytes / published - 1.0).abs() < 0.1 && high > published, "{volumes}: {bytes} {found:?}");
    }
}

/// One thread of sysbench, which does nothing else than wait for its one request: a transaction.
fn one_thread(run: &FileioRun) -> Observed {
    let (reads, writes, await_s) = (run.read_share, 1.0 - run.read_share, 1.0 / run.iops);
    let waits = |visits: f64| Station { visits, seconds: visits * await_s };
    Observed {
        sessions: run.threads,
        tps: run.iops,
        counted: true,
        read: waits(reads),
        read_visits_high: reads,
        write: waits(writes),
        device_reads: reads,
        device_writes: writes,
        read_bytes: 16_384.0,
        read_await_s: await_s,
        write_await_s: await_s,
        page_writes: writes,
        page_writes_low: writes,
        page_writes_high: writes,
        page_bytes: 16_384.0,
        ..Observed::default()
    }
}

/// Two to 128 threads on a volume of 3,000 IOPS, predicted from one: N over the latency, or the limit.
#[test]
fn threads_that_only_wait_obey_the_law_of_closed_loops() {
    let runs = fileio_runs::runs();
    let error = |run: &FileioRun| {
        let one = runs.iter().find(|one| one.threads == 1.0 && one.kind == run.kind).unwrap();
        let one = one_thread(one);
        let target = on(one.read_await_s, one.write_await_s, Some(fileio_runs::LIMIT));
        let found = predict(&one, &Target { sessions: Some(run.threads), ..target });
        (found.tps.middle / run.iops - 1.0).abs()
    };
    let of_mode = |mode: &str| -> Vec<f64> {
        runs.iter().filter(|run| run.threads > 1.0 && run.kind.contains(mode)).map(error).collect()
    };
    let (all, writes) = (of_mode(""), of_mode("rndwr"));
    let mean = all.iter().sum::<f64>() / all.len() as f64;
    let worst = |errors: &[f64]| errors.iter().copied().fold(0.0, f64::max);
    assert_eq!((all.len(), writes.len()), (84, 28));
    assert!(mean < 0.004 && worst(&all) < 0.08 && worst(&writes) < 0.03, "{mean} {} {}", worst(&all), worst(&writes));
}
