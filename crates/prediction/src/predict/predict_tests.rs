use super::load::Load;
use super::setting::{Assumptions, Queues, Setting};
use super::*;
use crate::BindingLimit;
use ebs_aws::catalogue::LimitKind;
use ebs_base::range::Range;

/// A run: 4 sessions, 1,178 tps of 3.4 ms each, as TPC-B was recorded on 0.7 ms.
pub(super) const TPCB: Observed = Observed {
    without_waits: false,
    driver: None,
    looks: None,
    is_read_counted: true,
    sessions: 4.0,
    tps: 1_178.0,
    counted: true,
    client_s: 0.0,
    cpu_s: 0.82e-3,
    cpu: Residence::MODELLED,
    cpu_time: Some(CpuTime {
        server_s: 0.61e-3,
        client_s: 0.0,
        kernel_s: 0.05e-3,
        others_s: 0.0,
        unrelated_s: 0.0,
        doubtful_s: 0.0,
    }),
    cpus: Some(2.0),
    read: Station { visits: 1.51, seconds: 1.256e-3 },
    read_visits_high: 1.51,
    commit: Station { visits: 1.0, seconds: 1.32e-3 },
    write: Station { visits: 0.0, seconds: 0.0 },
    flushes: 0.737,
    is_wal_counted: true,
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

pub(super) fn on(read_s: f64, write_s: f64, iops: Option<f64>) -> Target {
    Target {
        is_closed: false,
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

pub(super) fn own() -> Target {
    on(TPCB.read_await_s, TPCB.flush_s, None)
}

/// This number of sessions on the volume of [`own`].
pub(super) fn setting(sessions: f64) -> Setting {
    Setting {
        read_s: TPCB.read_await_s,
        write_s: TPCB.flush_s,
        wal_write_s: TPCB.flush_s,
        limits: Limits::default(),
        wal: None,
        more_volumes: 1.0,
        sessions,
        client_waits: true,
        assumptions: Assumptions::default(),
    }
}

#[test]
fn on_its_own_volume_it_does_what_it_did() {
    let found = predict(&TPCB, &own());
    assert!((found.ratio.middle - 1.0).abs() < 0.03, "{found:?}");
    assert!((found.response_ms.middle / 3.4 - 1.0).abs() < 0.05, "{found:?}");
    assert_eq!(found.bound_by, BindingLimit::Latency);
}

/// 1,000 IOPS over what a transaction asks for: 1.52 reads, 0.95 pages and a flush for about one and a half commits.
#[test]
fn at_a_limit_throughput_is_the_limit_over_what_is_asked_for() {
    let found = predict(&TPCB, &on(0.831e-3, 1.0e-3, Some(1_000.0)));
    assert!((found.iops / 1_000.0 - 1.0).abs() < 0.02, "{found:?}");
    assert!((300.0..340.0).contains(&found.tps.middle), "{found:?}");
    assert_eq!(found.bound_by, BindingLimit::VOLUME_IOPS);
    assert!(found.read_ms.middle > 2.0, "requests wait for their turn: {found:?}");
}

#[test]
fn the_instance_is_named_where_it_is_the_lower_limit() {
    let instance = Limits { iops: Some(500.0), bytes: None };
    let found = predict(&TPCB, &Target { instance, ..on(0.8e-3, 1e-3, Some(1_000.0)) });
    assert_eq!(found.bound_by, BindingLimit::INSTANCE_IOPS);
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
    assert_eq!(found.bound_by, BindingLimit::Clients);
    let short = predict(&thinking, &on(1.7e-3, 2.0e-3, Some(200.0)));
    assert!(short.ratio.middle < 0.5 && short.bound_by == BindingLimit::VOLUME_IOPS, "{short:?}");
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

/// Flushes of 2.5 writes, and twice as many reads as are waited for, which a limit explains from not at all to for sure.
#[test]
fn a_limit_is_believed_without_a_step() {
    let target = on(0.3e-3, 0.4e-3, None);
    let run = Observed { write_await_s: 0.4e-3, device_reads: 3.02, read_visits_high: 3.02, ..TPCB };
    let ratio = |limit_weight: f64| {
        let limited = (limit_weight > 0.0).then_some(LimitKind::Iops);
        predict(&Observed { limited, limit_weight, ..run }, &target).ratio
    };
    let ratios: Vec<Range> = (0..=100).map(|percent| ratio(f64::from(percent) / 100.0)).collect();
    for pair in ratios.windows(2) {
        let change = |end: fn(&Range) -> f64| (end(&pair[1]) / end(&pair[0]) - 1.0).abs();
        let changes = [change(|range| range.low), change(|range| range.middle), change(|range| range.high)];
        assert!(changes.iter().all(|change| *change < 0.03), "{changes:?} {pair:?}");
    }
    assert!(ratios[100].middle > 1.2 * ratios[0].middle, "{ratios:?}");
}

/// Sessions waited for one of 2,000 reads, since the others were read ahead. Where a limit explains their latency in part, no more of the wait for
/// them than there was enters the interval.
#[test]
fn the_wait_for_what_is_read_ahead_enters_without_a_step() {
    let run = |limit_weight: f64| Observed {
        device_reads: 2_000.0,
        read_visits_high: 2_000.0,
        read: Station { visits: 1.0, seconds: 0.831e-3 },
        limited: Some(LimitKind::Iops),
        limit_weight,
        ..TPCB
    };
    let low = |limit_weight: f64| predict(&run(limit_weight), &on(0.3e-3, 1.117e-3, None)).ratio.low;
    let lows: Vec<f64> = (0..=100).map(|percent| low(f64::from(percent) / 100.0)).collect();
    assert!(lows.windows(2).all(|pair| (pair[1] / pair[0] - 1.0).abs() < 0.01), "{lows:?}");
    assert!(lows.iter().all(|low| *low > 0.85), "{lows:?}");
}

/// 16 sessions whose reads take 10 s cannot keep any pace: that is not their clients' doing.
#[test]
fn sessions_that_cannot_keep_their_pace_are_held_back_by_the_volume() {
    let thinking = Observed { sessions: 16.0, tps: 250.0, client_s: 60e-3, ..TPCB };
    assert_eq!(predict(&thinking, &on(0.8e-3, 1e-3, None)).bound_by, BindingLimit::Clients);
    assert_eq!(predict(&thinking, &on(10.0, 10.0, None)).bound_by, BindingLimit::Latency);
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
    assert_eq!(found.bound_by, BindingLimit::VOLUME_IOPS);
    // 4 sessions and 256 requests of the kernel at 100 a second.
    assert!((found.write_ms.middle - 2_601.0).abs() < 1.0, "{found:?}");
    assert!((found.response_ms.middle - 40.0).abs() < 1.0, "{found:?}");
}

/// Each second transaction waits for a page to be written, and none commits: twice the time of a write takes as much from the throughput as
/// writes are of the time.
#[test]
fn writes_that_are_waited_for_take_the_time_of_a_write() {
    let write = Station { visits: 0.5, seconds: 0.5 * TPCB.write_await_s };
    let response_s = TPCB.cpu_s + TPCB.read.seconds + write.seconds;
    let (sessions, tps) = (TPCB.sessions, TPCB.sessions / response_s);
    let run = Observed { tps, cpu_time: None, commit: Station::default(), flushes: 0.0, write, ..TPCB };
    let predicted = |factor: f64| predict(&run, &on(run.read_await_s, factor * run.write_await_s, None)).tps.middle;
    assert!((predicted(1.0) / tps - 1.0).abs() < 1e-6, "{}", predicted(1.0));
    for factor in [2.0, 5.0] {
        let expected = sessions / (response_s + (factor - 1.0) * write.seconds);
        assert!((predicted(factor) / expected - 1.0).abs() < 1e-6, "{factor}: {} {expected}", predicted(factor));
    }
}

/// More sessions share more flushes, so that each transaction makes fewer requests, and the kernel's threads serve fewer.
#[test]
fn cpu_time_of_kernel_threads_follows_requests() {
    let kernel_s = 0.4e-3;
    let run = Observed { cpu_time: Some(CpuTime { server_s: 0.6e-3, kernel_s, ..CpuTime::default() }), ..TPCB };
    let assumptions = Assumptions { idle_cpus: 0.0, cold_cache_s: 0.0, ..Assumptions::default() };
    // CPU time and flushes of a transaction, at one rate.
    let at = |sessions: f64| {
        let setting = Setting { assumptions, ..setting(sessions) };
        let state = Load::new(&run, &setting, Queues::default()).state(run.tps);
        (state.utilization.unwrap() * run.cpus.unwrap() / run.tps, state.flushes)
    };
    let ((few_s, few_flushes), (many_s, many_flushes)) = (at(1.0), at(16.0));
    assert!(many_flushes < 0.7 * few_flushes, "{many_flushes} {few_flushes}");
    let fewer_s = kernel_s * (few_flushes - many_flushes) / run.requests();
    assert!(((few_s - many_s) / fewer_s - 1.0).abs() < 1e-6, "{few_s} {many_s} {fewer_s}");
}

/// At 1,000 IOPS for all, half a flush to one and a half reads and a page write takes its share; on a volume of its own it takes none.
#[test]
fn wal_on_a_volume_of_its_own_leaves_the_other_to_data() {
    let one = predict(&TPCB, &on(0.831e-3, 1.0e-3, Some(1_000.0)));
    let wal = Some(WalTarget { write: Latency::known(1e-3), volume: Limits { iops: Some(3_000.0), bytes: None } });
    let two = predict(&TPCB, &Target { wal, ..on(0.831e-3, 1.0e-3, Some(1_000.0)) });
    let data_requests = TPCB.device_reads + TPCB.page_writes;
    assert!((two.tps.middle / (1_000.0 / data_requests) - 1.0).abs() < 1e-3, "{two:?}");
    assert!(two.tps.middle > 1.1 * one.tps.middle && two.bound_by == BindingLimit::VOLUME_IOPS, "{one:?} {two:?}");
    let found = two.wal.unwrap();
    assert!(found.write_ms.middle < 1.01 && found.iops < 3_000.0, "{found:?}");
    let slow = Some(WalTarget { write: Latency::known(1e-3), volume: Limits { iops: Some(100.0), bytes: None } });
    let slow = predict(&TPCB, &Target { wal: slow, ..on(0.831e-3, 1.0e-3, None) });
    assert_eq!(slow.bound_by, BindingLimit::WAL_VOLUME_IOPS);
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
