use proptest::prelude::*;

use super::*;

/// A run: 4 sessions, 1,178 tps of 3.4 ms each, as TPC-B was recorded on 0.7 ms.
pub(super) const TPCB: Observed = Observed {
    sessions: 4.0,
    tps: 1_178.0,
    counted: true,
    client_s: 0.0,
    cpu_s: 0.82e-3,
    cpu: Residence::MODELLED,
    cpu_time: Some(CpuTime { server_s: 0.61e-3, client_s: 0.0, kernel_s: 0.05e-3, others_s: 0.0 }),
    cpus: Some(2.0),
    read: Station { visits: 1.51, seconds: 1.256e-3 },
    read_visits_high: 1.51,
    commit: Station { visits: 1.0, seconds: 1.32e-3 },
    write: Station { visits: 0.0, seconds: 0.0 },
    flushes: 0.737,
    flush_s: 0.995e-3,
    lock_s: 0.0,
    elsewhere_s: 0.0,
    device_reads: 1.519,
    io_workers: IoWorkers::NONE,
    read_bytes: 8_400.0,
    read_await_s: 0.831e-3,
    write_await_s: 1.117e-3,
    device_writes: 1.663,
    page_writes: 0.95,
    page_writes_low: 0.93,
    page_writes_high: 0.97,
    page_bytes: 9_000.0,
    changes_per_page: 0.0,
    wal_bytes: 6_000.0,
    limited: None,
    limit_weight: 0.0,
};

fn on(read_s: f64, write_s: f64, iops: Option<f64>) -> Target {
    Target {
        read: Latency::known(read_s),
        write: Latency::known(write_s),
        wal: None,
        source: Source::Given,
        volume: Limits { iops, bytes: None },
        delivered: None,
        instance: Limits::default(),
        sessions: None,
        added_s: 0.0,
        more_volumes: 1.0,
    }
}

fn own() -> Target {
    on(TPCB.read_await_s, TPCB.flush_s, None)
}

#[test]
fn on_its_own_volume_it_does_what_it_did() {
    let found = predict(&TPCB, &own());
    assert!((found.ratio.middle - 1.0).abs() < 0.03, "{found:?}");
    assert!((found.response_ms.middle / 3.4 - 1.0).abs() < 0.05, "{found:?}");
    assert_eq!(found.bound_by, LimitingFactor::Latency);
}

/// 1,000 IOPS over what a transaction asks for: 1.52 reads, 0.95 pages and a flush for about one and a half commits.
#[test]
fn at_a_limit_throughput_is_the_limit_over_what_is_asked_for() {
    let found = predict(&TPCB, &on(0.831e-3, 1.0e-3, Some(1_000.0)));
    assert!((found.iops / 1_000.0 - 1.0).abs() < 0.02, "{found:?}");
    assert!((300.0..340.0).contains(&found.tps.middle), "{found:?}");
    assert_eq!(found.bound_by, LimitingFactor::VolumeIops);
    assert!(found.read_ms.middle > 2.0, "requests wait for their turn: {found:?}");
}

#[test]
fn the_instance_is_named_where_it_is_the_lower_limit() {
    let instance = Limits { iops: Some(500.0), bytes: None };
    let found = predict(&TPCB, &Target { instance, ..on(0.8e-3, 1e-3, Some(1_000.0)) });
    assert_eq!(found.bound_by, LimitingFactor::InstanceIops);
}

/// 16 sessions that think for 60 ms and work for 3.4 ask at their own pace: a volume twice as slow changes their wait, not
/// how often they come.
#[test]
fn sessions_that_mostly_think_keep_their_pace() {
    let sessions = 16.0;
    let tps = sessions / (60.0e-3 + 3.4e-3);
    let thinking = Observed { sessions, tps, client_s: 60.0e-3, ..TPCB };
    let found = predict(&thinking, &on(1.7e-3, 2.0e-3, None));
    assert!(found.paced && (found.ratio.middle - 1.0).abs() < 1e-6, "{found:?}");
    assert!(found.response_ms.middle > 4.5, "{found:?}");
    assert_eq!(found.bound_by, LimitingFactor::Client);
    let short = predict(&thinking, &on(1.7e-3, 2.0e-3, Some(200.0)));
    assert!(short.ratio.middle < 0.5 && short.bound_by == LimitingFactor::VolumeIops, "{short:?}");
}

#[test]
fn a_run_at_its_limit_does_more_without_it() {
    let limited = Observed {
        sessions: 16.0,
        tps: 314.0,
        read: Station { visits: 1.5, seconds: 20e-3 },
        commit: Station { visits: 1.0, seconds: 28e-3 },
        read_await_s: 13e-3,
        flush_s: 20e-3,
        flushes: 0.16,
        limited: Some(LimitKind::Iops),
        limit_weight: 1.0,
        ..TPCB
    };
    let found = predict(&limited, &on(0.8e-3, 0.9e-3, None));
    assert!(found.ratio.middle > 5.0 && found.ratio.low > 2.0, "{found:?}");
}

/// Flushes of 2.5 writes, which a limit explains from not at all to for sure.
#[test]
fn a_limit_is_believed_without_a_step() {
    let target = on(0.3e-3, 0.4e-3, None);
    let run = Observed { write_await_s: 0.4e-3, ..TPCB };
    let ratio = |limit_weight: f64| {
        let limited = (limit_weight > 0.0).then_some(LimitKind::Iops);
        predict(&Observed { limited, limit_weight, ..run }, &target).ratio.middle
    };
    let ratios: Vec<f64> = (0..=100).map(|percent| ratio(f64::from(percent) / 100.0)).collect();
    assert!(ratios.windows(2).all(|pair| (pair[1] / pair[0] - 1.0).abs() < 0.03), "{ratios:?}");
    assert!((ratios[100] / ratios[0] - 1.0).abs() > 0.2, "{ratios:?}");
}

/// 16 sessions whose reads take 10 s cannot keep any pace: that is not their clients' doing.
#[test]
fn sessions_that_cannot_keep_their_pace_are_held_back_by_the_volume() {
    let thinking = Observed { sessions: 16.0, tps: 250.0, client_s: 60e-3, ..TPCB };
    assert_eq!(predict(&thinking, &on(0.8e-3, 1e-3, None)).bound_by, LimitingFactor::Client);
    assert_eq!(predict(&thinking, &on(10.0, 10.0, None)).bound_by, LimitingFactor::Latency);
}

/// A compiler beside the run takes as much from the CPUs on a faster volume, and no more; a client takes more.
#[test]
fn what_others_compute_may_not_grow_with_transactions() {
    let with = |server_s: f64, others_s: f64| {
        let run = Observed { cpu_time: Some(CpuTime { server_s, others_s, ..CpuTime::default() }), ..TPCB };
        Observed { cpu: Residence::new(server_s, run.cpu_s, run.own_residence_factor(), None), ..run }
    };
    let (busy, shared) = (with(0.7e-3, 0.0), with(0.3e-3, 0.4e-3));
    let (alone, beside) = (predict(&busy, &on(0.2e-3, 0.2e-3, None)), predict(&shared, &on(0.2e-3, 0.2e-3, None)));
    assert!(beside.tps.middle > 1.01 * alone.tps.middle, "{alone:?} {beside:?}");
}

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
                    others_s: machine * others,
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
        // At a limit, faster flushes carry fewer commits each, and so ask for a little more.
        prop_assert!(at(iops, more) >= now * 0.97, "{} {}", at(iops, more), now);
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

/// Runs in which hardly anybody or nobody waits for reads, commits or writes, among others.
fn any_run() -> impl Strategy<Value = Observed> {
    (runs(), 0..4u8, 0..4u8, 0.0..1.0).prop_map(|(run, reads, commits, thinking)| {
        let waits = |station: Station, share: u8| match share {
            0 => Station::default(),
            1 => Station { visits: station.visits * 1e-6, seconds: station.seconds * 1e-6 },
            _ => station,
        };
        let client_s = if thinking < 0.5 { 0.0 } else { run.client_s };
        Observed { read: waits(run.read, reads), commit: waits(run.commit, commits), client_s, ..run }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100_000))]

    /// Requests a second and bytes a second of each volume and of the instance.
    #[test]
    fn no_limit_is_exceeded(run in any_run(), target in targets()) {
        let found = expect(&run, &target);
        let within = |limits: Limits, iops: f64, mibps: f64| {
            let bytes = mibps * 1_048_576.0;
            limits.iops.is_none_or(|limit| iops <= limit * 1.000_001)
                && limits.bytes.is_none_or(|limit| bytes <= limit * 1.000_001)
        };
        prop_assert!(found.ratio.is_finite() && found.ratio > 0.0, "{:?}", found);
        prop_assert!(within(target.instance, found.iops, found.mibps), "instance {:?}", found);
        let (wal_iops, wal_mibps) = found.wal.map_or((0.0, 0.0), |wal| (wal.iops, wal.bytes / 1_048_576.0));
        prop_assert!(within(target.volume, found.iops - wal_iops, found.mibps - wal_mibps), "data {:?}", found);
        if let Some(wal) = target.wal {
            prop_assert!(within(wal.volume, wal_iops, wal_mibps), "WAL {:?}", found);
        }
    }
}

/// One request for each transaction on 3,000 IOPS is 3,000 transactions, and hardly more by any chance.
#[test]
fn the_interval_ends_at_the_limit() {
    let run = Observed {
        sessions: 8.0,
        tps: 1_000.0,
        cpu_time: None,
        read: Station { visits: 1.0, seconds: 8e-3 },
        read_await_s: 8e-3,
        device_reads: 1.0,
        commit: Station::default(),
        flushes: 0.0,
        page_writes: 0.0,
        page_writes_low: 0.0,
        page_writes_high: 0.0,
        wal_bytes: 0.0,
        cpu_s: 0.0,
        limited: Some(LimitKind::Iops),
        limit_weight: 1.0,
        ..TPCB
    };
    let found = predict(&run, &on(0.5e-3, 0.5e-3, Some(3_000.0)));
    assert!((found.tps.middle / 3_000.0 - 1.0).abs() < 1e-6 && found.tps.high < 3_500.0, "{found:?}");
}

/// A volume of the type delivered 9 of 10 IOPS: the lower end is lower at a limit of IOPS, and nothing else changes, there or elsewhere.
#[test]
fn what_a_volume_delivered_of_its_limit_is_a_doubt_of_the_lower_end() {
    let range = |iops: Option<f64>, limited: Option<LimitKind>| {
        let delivered = limited.map(|limited| DeliveredShare { limited, share: 0.9 });
        let found = predict(&TPCB, &Target { delivered, ..on(0.831e-3, 1.0e-3, iops) });
        (found.tps.low, found.tps.middle, found.tps.high, found.bound_by)
    };
    let (known, unknown) = (range(Some(1_000.0), Some(LimitKind::Iops)), range(Some(1_000.0), None));
    assert!((0.9 * unknown.0..0.99 * unknown.0).contains(&known.0), "{known:?} {unknown:?}");
    assert_eq!((known.1, known.2, known.3), (unknown.1, unknown.2, unknown.3));
    assert_eq!(range(Some(1_000.0), Some(LimitKind::Throughput)), unknown);
    assert_eq!(range(None, Some(LimitKind::Iops)), range(None, None));
}

/// Nobody waits for a request, but each transaction writes a page: 100 IOPS are 100 transactions, which wait for room to write.
#[test]
fn writes_that_nobody_waits_for_bound_the_throughput() {
    let run = Observed {
        read: Station::default(),
        device_reads: 0.0,
        commit: Station::default(),
        flushes: 0.0,
        page_writes: 1.0,
        ..TPCB
    };
    let found = predict(&run, &on(1e-3, 1e-3, Some(100.0)));
    assert!((found.tps.middle / 100.0 - 1.0).abs() < 1e-6, "{found:?}");
    assert_eq!(found.bound_by, LimitingFactor::VolumeIops);
    // 4 sessions and 256 requests of the kernel at 100 a second.
    assert!((found.write_ms.middle - 2_601.0).abs() < 1.0, "{found:?}");
    assert!((found.response_ms.middle - 40.0).abs() < 1.0, "{found:?}");
}

/// At 1,000 IOPS for all, half a flush to one and a half reads and a page write takes its share; on a volume of its own it takes none.
#[test]
fn wal_on_a_volume_of_its_own_leaves_the_other_to_data() {
    let one = predict(&TPCB, &on(0.831e-3, 1.0e-3, Some(1_000.0)));
    let wal = Some(WalTarget { write: Latency::known(1e-3), volume: Limits { iops: Some(3_000.0), bytes: None } });
    let two = predict(&TPCB, &Target { wal, ..on(0.831e-3, 1.0e-3, Some(1_000.0)) });
    let data_requests = TPCB.device_reads + TPCB.page_writes;
    assert!((two.tps.middle / (1_000.0 / data_requests) - 1.0).abs() < 1e-3, "{two:?}");
    assert!(two.tps.middle > 1.1 * one.tps.middle && two.bound_by == LimitingFactor::VolumeIops, "{one:?} {two:?}");
    let found = two.wal.unwrap();
    assert!(found.write_ms.middle < 1.01 && found.iops < 3_000.0, "{found:?}");
    let slow = Some(WalTarget { write: Latency::known(1e-3), volume: Limits { iops: Some(100.0), bytes: None } });
    let slow = predict(&TPCB, &Target { wal: slow, ..on(0.831e-3, 1.0e-3, None) });
    assert_eq!(slow.bound_by, LimitingFactor::WalVolumeIops);
    assert!(slow.wal.unwrap().iops < 100.01, "{slow:?}");
}

/// Sessions think for one per cent more of their time in each run: nothing flips.
#[test]
fn think_time_is_no_step() {
    let predicted = |share: f64| {
        let working_s = TPCB.response_s();
        let client_s = working_s * share / (1.0 - share);
        let run = Observed { client_s, tps: TPCB.sessions / (working_s + client_s), ..TPCB };
        predict(&run, &on(5e-3, 5e-3, None))
    };
    for share in (0..95).map(|hundredth| f64::from(hundredth) / 100.0) {
        let (now, next) = (predicted(share), predicted(share + 0.01));
        for (now, next) in [(now.ratio.middle, next.ratio.middle), (now.ratio.low, next.ratio.low)] {
            assert!((next / now).ln().abs() < 0.09, "{share}: {now} {next}");
        }
    }
}
