//! Sizing of closed and open loops. 20,000 reads a second of 0.37 ms; ten sessions wait for them, ten compute. On gp3, at 0.74
//! ms, the closed loop has 1 / (0.5 + 0.5 × 0.74 / 0.37) = 0.667 of the throughput, on io2, at 0.40 ms, 0.96.

use super::advise::advise;
use super::advise::tests::{DATA, Load, advice, window};
use super::confidence::{Confidence, ConfidenceCause, ConfidenceEvidence};
use super::confidence_level::CauseWeight;
use super::role_advice::RoleAdvice;
use crate::current::load::LoadBasis;
use crate::request::settings::{Request, Settings};
use ebs_aws::catalogue::{Ceiling, IOPS_STEP, VolumeType, prices};
use ebs_samples::evidence::{CounterDelta, Coverage, LoadDriver, Timed, Totals, TransactionCounts, Window};
use ebs_workload::declarations::Declarations;
use ebs_workload::load_kind::LoadKind;

const LOAD: Load = Load { reads: 20_000, read_ms: 7_400, ..DATA };

/// Sessions that wait for their clients, per cent of two.
fn role(client_pct: u64) -> RoleAdvice {
    let waits = [("IO", "DataFileRead", 500), ("CPU*", "CPU*", 500), ("Client", "ClientRead", client_pct)];
    advice(&window(&[LOAD], &waits), Settings::default()).roles.remove(0)
}

fn iops(role: &RoleAdvice, volume_type: VolumeType) -> u64 {
    let found = role.candidates.iter().find(|candidate| candidate.config.volume_type == volume_type).unwrap();
    found.config.iops * found.volumes
}

#[test]
fn a_closed_loop_is_sized_for_what_it_would_ask_of_the_volume() {
    let closed = role(0);
    let best = closed.best().unwrap();
    assert_eq!((closed.state.load.kind, best.config.volume_type), (LoadKind::Closed, VolumeType::Gp3));
    assert!((best.scale - 1.0 / 1.5).abs() < 1e-6, "{}", best.scale);
    let unlimited =
        closed.state.predictor.as_ref().unwrap().predict(&closed.state.series, VolumeType::Gp3, Ceiling::UNLIMITED);
    let (ratio, unlimited) = (best.ratio().unwrap(), unlimited.unwrap().ratio);
    // Of an even demand 98 % of 13,333, without percentile and headroom, ordered in hundreds; the low end keeps 95 %.
    let ordered = |iops: f64| (iops.ceil() as u64).next_multiple_of(IOPS_STEP);
    assert_eq!(iops(&closed, VolumeType::Gp3), ordered(0.98 * 20_000.0 / 1.5));
    assert!((0.98..0.99).contains(&(ratio.middle / unlimited.middle)), "{ratio:?} {unlimited:?}");
    assert!(ratio.low >= 0.95 * unlimited.low, "{ratio:?} {unlimited:?}");
    assert_eq!(iops(&closed, VolumeType::Io2), ordered(0.98 * 20_000.0 / (0.5 + 0.5 * 0.40 / 0.37)));
    let peak = closed.peak_option.as_ref().unwrap();
    assert_eq!((peak.config.iops, peak.scale), (24_000, 1.0));
    assert!(peak.total() > best.total() && closed.closed_option.is_none());
    assert_eq!(ordered(closed.requirement.iops), best.config.iops);
}

/// The share that is kept of the throughput is an argument, and a headroom that is requested is added.
#[test]
fn a_closed_loop_keeps_as_much_as_requested() {
    let waits = [("IO", "DataFileRead", 500), ("CPU*", "CPU*", 500)];
    let gp3 = |settings| iops(&advice(&window(&[LOAD], &waits), settings).roles.remove(0), VolumeType::Gp3);
    let ordered = |iops: f64| (iops.ceil() as u64).next_multiple_of(IOPS_STEP);
    let kept = Settings { keep_throughput_pct: 80.0, ..Settings::default() };
    assert_eq!(gp3(kept), ordered(0.80 * 20_000.0 / 1.5));
    let with_headroom = Settings { headroom: Some(0.2), ..Settings::default() };
    assert_eq!(gp3(with_headroom), ordered(1.2 * 0.98 * 20_000.0 / 1.5));
    let percentile = Settings { percentile: 100.0, max_throttled_pct: 0.0, ..Settings::default() };
    assert_eq!(gp3(percentile), gp3(Settings::default()));
}

#[test]
fn an_open_loop_is_sized_for_what_was_observed() {
    // 20 of 40 sessions with their clients: half of the time.
    let open = role(1_000);
    assert_eq!((open.state.load.kind, iops(&open, VolumeType::Gp3)), (LoadKind::Open, 24_000));
    assert!(open.peak_option.is_none() && open.closed_option.is_none());
}

#[test]
fn both_sizings_of_an_unsure_load_are_shown() {
    // 20 × 0.25 / 0.75 sessions with their clients: a quarter of the time.
    let (closed, unsure) = (role(0), role(333));
    let LoadBasis::ThinkTime { share } = unsure.state.load.basis else { panic!("{:?}", unsure.state.load) };
    assert!((share - 0.25).abs() < 0.001 && unsure.state.load.kind == LoadKind::Unsure);
    let sized = iops(&unsure, VolumeType::Gp3);
    let (low, high) = (unsure.closed_option.as_ref().unwrap(), unsure.peak_option.as_ref().unwrap());
    assert!(low.config.iops < sized && sized < high.config.iops, "{sized}");
    assert!(iops(&closed, VolumeType::Gp3) < sized && high.config.iops == 24_000);
}

/// Nothing is predicted without waits, and the demand counts as observed.
#[test]
fn without_waits_the_demand_counts_as_observed() {
    let unknown = advice(&window(&[LOAD], &[]), Settings::default()).roles.remove(0);
    assert!(!unknown.state.load.is_sure() && matches!(unknown.state.load.basis, LoadBasis::Missing(_)));
    assert_eq!(iops(&unknown, VolumeType::Gp3), 24_000);
}

/// A load whose driver is known: twice as many clients as wait for reads, so that half of their time is for these, and so many transactions.
/// Returns the weight of the cause that waits were not sampled, too.
fn driven(kind: LoadKind, load: Load, totals: Totals) -> (RoleAdvice, CauseWeight) {
    let driver = Some(LoadDriver { clients: 2.0 * load.read_ms as f64 / 1e3, tps: Some(1_000.0) });
    let window = Window { driver, totals, ..window(&[load], &[]) };
    let request = Settings::default().check(prices("us-east-1").unwrap().clone()).unwrap();
    let (request, declared) = (Request { driver_load: Some(kind), ..request }, Declarations::default());
    let advice = advise(&window, &request, &declared, &|| ());
    let evidence = ConfidenceEvidence {
        window: &window,
        coverage: &Coverage::from_window(&window),
        checkpoint_cycles: None,
        checkpoint_timeout_s: None,
        declared: &declared,
        request: &request,
        is_lookback: false,
        is_production: false,
    };
    let causes = Confidence::new(&evidence, advice.roles.iter()).causes;
    let is_cause = |cause: &&ConfidenceCause| cause.code() == "prediction_without_waits";
    let weight = causes.iter().find(is_cause).unwrap().weight();
    (advice.roles.into_iter().next().unwrap(), weight)
}

/// Facts that a run knows beside its device's counts, where its waits were not sampled.
fn unsampled() -> [Totals; 2] {
    let counts = TransactionCounts { commits: 900_000, ..TransactionCounts::default() };
    let transactions = Totals { transactions: Timed { counts, known_us: 900_000_000 }, ..Totals::default() };
    [Totals::default(), transactions]
}

/// A driver's clients take the place of waits: the same sizes as of a closed loop with waits, for which the confidence is lower.
#[test]
fn a_closed_driver_is_sized_without_waits() {
    for totals in unsampled() {
        let (closed, weight) = driven(LoadKind::Closed, LOAD, totals);
        let (load, best) = (closed.state.load, closed.best().unwrap());
        assert_eq!((load.kind, load.basis, load.closed_weight), (LoadKind::Closed, LoadBasis::Driver, 1.0));
        assert!(load.is_sure() && (best.scale - 1.0 / 1.5).abs() < 1e-6, "{}", best.scale);
        let with_waits = role(0);
        for volume_type in [VolumeType::Gp3, VolumeType::Io2] {
            assert_eq!(iops(&closed, volume_type), iops(&with_waits, volume_type), "{volume_type:?}");
        }
        let kept = best.kept_share().unwrap();
        assert!((0.98..0.99).contains(&kept.share()) && (kept.ratio - best.ratio().unwrap().middle).abs() < 1e-9);
        assert_eq!(closed.peak_option.as_ref().unwrap().config.iops, 24_000);
        assert!(closed.closed_option.is_none() && best.queue_limit.is_none());
        assert_eq!(weight, CauseWeight::Minor);
    }
}

/// 3,000 reads a second of 10.67 ms, and 64 clients: at 0.74 ms they have 64 / (32 / 3,000 + 0.74 ms) of them a second. The demand may stay as
/// well, so that the size may be wrong by a multiple.
#[test]
fn a_wide_interval_is_a_major_cause_of_a_size_by_it() {
    let queued = Load { reads: 3_000, read_ms: 32_000, ..DATA };
    let (closed, weight) = driven(LoadKind::Closed, queued, Totals::default());
    assert_eq!(weight, CauseWeight::Major);
    let unlimited = 64.0 / (64.0 / 3_000.0 - 32.0 / 3_000.0 + 0.74e-3);
    assert!((iops(&closed, VolumeType::Gp3) as f64 / unlimited - 0.98).abs() < 0.03, "{unlimited}");
}

/// A rate is sized for as it is, surely.
#[test]
fn a_driver_with_a_rate_is_sized_without_waits() {
    for totals in unsampled() {
        let (open, weight) = driven(LoadKind::Open, LOAD, totals);
        let load = open.state.load;
        assert_eq!((load.kind, load.basis, load.closed_weight), (LoadKind::Open, LoadBasis::Driver, 0.0));
        assert_eq!(weight, CauseWeight::Minor);
        assert!(load.is_sure() && open.peak_option.is_none() && open.closed_option.is_none());
        let (gp3, ratio) = (iops(&open, VolumeType::Gp3), open.best().unwrap().ratio().unwrap());
        assert!(gp3 == 24_000 && ratio.middle == 1.0 && ratio.low > 0.9, "{ratio:?}");
    }
}

/// 1 % more client time, from closed to open, changes the IOPS of gp3 by no more than 1.2 % and the rounding of an order.
#[test]
fn the_sizing_has_no_step_over_the_client_time() {
    let mut client_pct = 90u64;
    let mut before = iops(&role(client_pct), VolumeType::Gp3);
    while client_pct < 1_200 {
        client_pct += (client_pct / 100).max(1);
        let after = iops(&role(client_pct), VolumeType::Gp3);
        let change = after.abs_diff(before) as f64;
        assert!(change <= IOPS_STEP as f64 + 0.012 * before as f64, "{client_pct}: {before} {after}");
        before = after;
    }
    assert_eq!(before, 24_000);
}

/// A minute of 10,000 reads a second of 2 ms, longer than the 0.74 ms of gp3, and of 20,000 in one second: a closed loop asks gp3 for more, 1 /
/// (0.5 + 0.5 × 0.37) of it. Its one busy second is 2 / 61 of the requests, half of which it may lose.
#[test]
fn a_closed_loop_asks_a_faster_volume_for_more() {
    let required = |client_pct: u64| {
        let waits = [("IO", "DataFileRead", 500), ("CPU*", "CPU*", 500), ("Client", "ClientRead", client_pct)];
        let mut seen = window(&[Load { reads: 10_000, read_ms: 20_000, ..DATA }], &waits);
        seen.intervals.truncate(60);
        for (_, delta) in &mut seen.intervals[30].devices {
            let CounterDelta::Known(counts) = delta else { panic!("{delta:?}") };
            (counts.reads, counts.read_bytes, counts.read_ms) = (20_000, 20_000 * 8_192, 40_000);
        }
        let role = advice(&seen, Settings::default()).roles.remove(0);
        (role.state.load.kind, role.best().unwrap().scale, iops(&role, VolumeType::Gp3))
    };
    let (kind, scale, most) = required(0);
    assert!(kind == LoadKind::Closed && scale == 1.0, "{scale}");
    assert!((14_500..=15_000).contains(&most), "{most}");
    let (kind, scale, most) = required(1_000);
    assert!(kind == LoadKind::Open && scale == 1.0 && most > 24_000, "{most}");
}
