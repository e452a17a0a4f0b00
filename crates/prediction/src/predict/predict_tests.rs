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
    cpu_time: Some(CpuTime { path_s: 0.458e-3, kernel_s: 0.0, others_s: 0.2e-3 }),
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
    read_bytes: 8_400.0,
    read_await_s: 0.831e-3,
    write_await_s: 1.117e-3,
    device_writes: 1.663,
    page_writes: 0.95,
    page_writes_low: 0.93,
    page_writes_high: 0.97,
    page_bytes: 9_000.0,
    wal_bytes: 6_000.0,
    limited: None,
};

fn on(read_s: f64, write_s: f64, iops: Option<f64>) -> Target {
    Target {
        read: Latency::known(read_s),
        write: Latency::known(write_s),
        wal: None,
        source: Source::Given,
        volume: Limits { iops, bytes: None },
        instance: Limits::default(),
        sessions: None,
        added_s: 0.0,
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
        ..TPCB
    };
    let found = predict(&limited, &on(0.8e-3, 0.9e-3, None));
    assert!(found.ratio.middle > 5.0 && found.ratio.low > 2.0, "{found:?}");
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
    let busy = Observed { cpu_time: Some(CpuTime { path_s: 1.4e-3, ..CpuTime::default() }), ..TPCB };
    let shared = Observed { cpu_time: Some(CpuTime { path_s: 0.5e-3, kernel_s: 0.0, others_s: 0.9e-3 }), ..busy };
    let (alone, beside) = (predict(&busy, &on(0.2e-3, 0.2e-3, None)), predict(&shared, &on(0.2e-3, 0.2e-3, None)));
    assert!(beside.tps.middle > 1.01 * alone.tps.middle, "{alone:?} {beside:?}");
    assert!(beside.tps.low < alone.tps.middle && beside.tps.high > 1.02 * alone.tps.high, "{alone:?} {beside:?}");
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
                    path_s: machine * (1.0 - others) * 0.8,
                    kernel_s: machine * (1.0 - others) * 0.2,
                    others_s: machine * others,
                }),
                cpus: Some(cpus),
                read: Station { visits: reads * 0.9, seconds: read_s },
                read_visits_high: reads,
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
                limited: full.then_some(LimitKind::Iops),
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

    #[test]
    fn no_limit_is_exceeded(run in runs(), iops in 100.0..50_000.0) {
        let found = predict(&Observed { limited: Some(LimitKind::Iops), ..run }, &on(1e-3, 1e-3, Some(iops)));
        prop_assert!(found.iops <= iops * 1.001, "{:?}", found);
    }
}
