//! Properties of predictions, of random runs on random volumes.

use super::checkpoint_merging::page_writes_factor;
use super::extrapolation::Extrapolation;
use super::predict_tests::{TPCB, on};
use super::*;
use ebs_aws::catalogue::LimitKind;
use proptest::prelude::*;

/// Any run that a machine may show.
fn runs() -> impl Strategy<Value = Observed> {
    let times = (0.0..0.1, 1e-5..0.1, 0.0..0.1, 0.0..0.1, 0.0..0.1, 0.0..1.0);
    let device = (0.0..20.0, 1e-4..0.05, 1e-4..0.05, 0.0..10.0, 0.0..1.0);
    let cpu = (prop_oneof![Just(None), (1e-5..0.01).prop_map(Some)], 0.0..=1.0);
    (1.0..200.0, times, device, cpu, 1.0..64.0, any::<bool>()).prop_map(
        |(
            sessions,
            (client_s, cpu_s, read_s, commit_s, lock_s, elsewhere_s),
            (reads, read, write, pages, flushes),
            (machine, others),
            cpus,
            full,
        )| {
            let elsewhere_s = elsewhere_s * 0.01;
            let response_s: f64 = client_s + cpu_s + read_s + commit_s + lock_s + elsewhere_s;
            Observed {
                sessions,
                tps: sessions / response_s,
                client_s,
                cpu_s,
                cpu_time: machine.map(|machine: f64| CpuTime {
                    server_s: machine * (1.0 - others) * 0.6,
                    client_s: machine * (1.0 - others) * 0.2,
                    kernel_s: machine * (1.0 - others) * 0.2,
                    others_s: machine * others * 0.5,
                    unrelated_s: machine * others * 0.5,
                    doubtful_s: machine * others * 0.2,
                }),
                cpus: Some(cpus),
                read: Station { visits: reads * 0.9, seconds: read_s },
                read_visits_high: reads,
                write: Station { visits: pages * elsewhere_s, seconds: pages * elsewhere_s * write },
                read_bytes: 8_192.0 * (1.0 + 15.0 * lock_s * 10.0),
                changes_per_page: 1.6,
                commit: Station { visits: f64::max(flushes, 0.5), seconds: commit_s },
                flushes,
                flush_s: write,
                lock_s,
                elsewhere_s,
                device_reads: reads,
                read_await_s: read,
                write_await_s: write,
                page_writes: pages,
                page_writes_low: pages * 0.8,
                page_writes_high: pages * 1.2,
                limited: full.then_some(if others < 0.5 { LimitKind::Iops } else { LimitKind::Throughput }),
                limit_weight: if full { others } else { 0.0 },
                ..TPCB
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn every_figure_is_a_number_and_lies_in_its_interval(
        run in runs(), read in 1e-4..0.05, write in 1e-4..0.05, iops in prop_oneof![Just(None), (100.0..1e5).prop_map(Some)],
        sessions in prop_oneof![Just(None), (1.0..500.0).prop_map(Some)]
    ) {
        let found = predict(&run, &Target { sessions, ..on(read, write, iops) });
        for range in [found.tps, found.ratio, found.response_ms, found.read_ms, found.write_ms] {
            prop_assert!(range.low.is_finite() && range.high.is_finite() && range.low >= 0.0, "{:?}", found);
            prop_assert!(range.low <= range.middle * 1.000001 && range.middle <= range.high * 1.000001, "{:?}", found);
        }
        prop_assert!(found.in_flight.is_finite() && found.active_sessions >= 0.0);
        let sessions = sessions.unwrap_or(run.sessions);
        prop_assert!(found.active_sessions <= sessions * 1.001, "{:?}", found);
    }

    #[test]
    fn more_of_anything_is_never_worse(
        run in runs(), read in 1e-4..0.02, write in 1e-4..0.02, iops in 100.0..50_000.0, more in 1.0..4.0
    ) {
        let at = |iops, faster: f64| predict(&run, &on(read / faster, write / faster, Some(iops))).tps.middle;
        let now = at(iops, 1.0);
        prop_assert!(at(iops * more, 1.0) >= now * 0.999999);
        // At a limit, faster flushes carry fewer commits each, and so ask for a little more: 4.3 % in the worst of 400,000 runs.
        prop_assert!(at(iops, more) >= now * 0.95, "{} {}", at(iops, more), now);
    }
}

/// A limit that may be missing.
fn limit(from: f64, to: f64) -> impl Strategy<Value = Option<f64>> {
    prop_oneof![1 => Just(None), 3 => (from.ln()..to.ln()).prop_map(|log: f64| Some(log.exp()))]
}

fn limits() -> impl Strategy<Value = Limits> {
    (limit(10.0, 1e6), limit(1e5, 1e10)).prop_map(|(iops, bytes)| Limits { iops, bytes })
}

/// Volumes of data and, half of the time, of WAL, with an instance's limits and other sessions.
fn targets() -> impl Strategy<Value = Target> {
    let wal = prop_oneof![Just(None), (1e-4..0.05, limits()).prop_map(Some)];
    let sessions = prop_oneof![Just(None), (1.0..2_000.0).prop_map(Some)];
    ((1e-5..0.1, 1e-5..0.1), limits(), limits(), wal, sessions).prop_map(
        |((read, write), volume, instance, wal, sessions): ((f64, f64), _, _, _, Option<f64>)| {
            let wal = wal.map(|(write, volume)| WalTarget { write: Latency::known(write), volume });
            let more_volumes = if sessions.is_some() { 1.0 } else { (read / write).clamp(0.1, 16.0) };
            Target { wal, volume, instance, sessions, more_volumes, ..on(read, write, None) }
        },
    )
}

/// Workers that read for sessions, or another io_method.
fn io_workers() -> impl Strategy<Value = IoWorkers> {
    let workers = (1.0..32.0, 0.0..0.05, 0.0..0.01, 0.0..=1.0);
    let workers = workers.prop_map(|(count, reading_s, computing_s, wait_share)| IoWorkers {
        count,
        reading_s,
        computing_s,
        wait_share,
    });
    prop_oneof![1 => Just(IoWorkers::NONE), 2 => workers]
}

/// Runs in which hardly anybody or nobody waits for reads, commits or writes, and runs with io_workers, waits for writes, pages that change
/// any number of times and WAL of any number of bytes, among others.
fn any_run() -> impl Strategy<Value = Observed> {
    let writes = prop_oneof![1 => Just(0.0), 2 => 1e-3..20.0];
    let wal = (prop_oneof![1 => Just(0.0), 3 => 1e-3..100.0], prop_oneof![1 => Just(0.0), 3 => 1.0..1e6]);
    (runs(), 0..4u8, 0..4u8, 0.0..1.0, io_workers(), writes, wal).prop_map(
        |(run, reads, commits, thinking, io_workers, writes, (changes_per_page, wal_bytes))| {
            let waits = |station: Station, share: u8| match share {
                0 => Station::default(),
                1 => Station { visits: station.visits * 1e-6, seconds: station.seconds * 1e-6 },
                _ => station,
            };
            let client_s = if thinking < 0.5 { 0.0 } else { run.client_s };
            let write = Station { visits: writes, seconds: writes * run.write_await_s };
            let response_s = run.response_s() - run.write.seconds + write.seconds;
            Observed {
                tps: run.sessions / response_s,
                read: waits(run.read, reads),
                commit: waits(run.commit, commits),
                write,
                client_s,
                io_workers,
                changes_per_page,
                wal_bytes,
                ..run
            }
        },
    )
}

/// True if these rates are within the limits.
fn is_within(limits: Limits, iops: f64, bytes: f64) -> bool {
    limits.iops.is_none_or(|limit| iops <= limit * 1.000_001)
        && limits.bytes.is_none_or(|limit| bytes <= limit * 1.000_001)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100_000))]

    /// Requests a second and bytes a second of each volume and of the instance.
    #[test]
    fn no_limit_is_exceeded(run in any_run(), target in targets()) {
        let found = expect(&run, &target);
        let bytes = found.mibps * 1_048_576.0;
        prop_assert!(found.ratio.is_finite() && found.ratio > 0.0, "{:?}", found);
        prop_assert!(is_within(target.instance, found.iops, bytes), "instance {:?}", found);
        let wal = found.wal.unwrap_or_default();
        prop_assert!(is_within(target.volume, found.iops - wal.iops, bytes - wal.bytes), "data {:?}", found);
        if let Some(volume) = target.wal.map(|wal| wal.volume) {
            prop_assert!(is_within(volume, wal.iops, wal.bytes), "WAL {:?}", found);
        }
    }
}

proptest! {
    // An interval takes as long as twenty middles.
    #![proptest_config(ProptestConfig::with_cases(5_000))]

    /// The upper end of the throughput, times the fewest reads and page writes that a transaction may make, and its WAL.
    #[test]
    fn no_upper_end_exceeds_a_limit(run in any_run(), target in targets()) {
        let found = predict(&run, &target);
        let sessions = (target.sessions.unwrap_or(run.sessions) / run.sessions).ln();
        let drift = Extrapolation { per_session: found.ratio.middle.ln() - sessions, sessions }.drift();
        // The throughput that the model has before it is anchored is at most a quarter higher.
        let merging = page_writes_factor(run.changes_per_page, 1.25 * found.ratio.high).min(1.0);
        let high = found.tps.high;
        let reads = high * (1.0 - drift) * run.device_reads;
        let pages = high * (1.0 - drift) * merging * run.page_writes_low;
        let (data_bytes, wal_bytes) = (reads * run.read_bytes + pages * run.page_bytes, high * run.wal_bytes);
        prop_assert!(is_within(target.instance, reads + pages, data_bytes + wal_bytes), "instance {:?}", found);
        match target.wal {
            None => prop_assert!(is_within(target.volume, reads + pages, data_bytes + wal_bytes), "{:?}", found),
            Some(wal) => {
                prop_assert!(is_within(target.volume, reads + pages, data_bytes), "data {:?}", found);
                prop_assert!(is_within(wal.volume, 0.0, wal_bytes), "WAL {:?}", found);
            }
        }
    }
}
