use super::*;
use crate::decision::advise::advise;
use crate::decision::advise::tests::{DATA, Load, declare, window};
use crate::request::settings::Settings;
use ebs_aws::catalogue::{VolumeType, prices};
use ebs_samples::evidence::WaitTotals;

fn level(causes: Vec<ConfidenceCause>) -> ConfidenceLevel {
    Confidence { causes }.level()
}

/// The table: none is high, one or two minor ones medium, three or a major one low.
#[test]
fn the_table_holds() {
    use ConfidenceCause::{Imported, InstanceUnknown, NotMeasuredOnEbs, UnmetDemandUnknown};
    let owner = LimitOwner::Volume;
    assert_eq!(level(vec![]), ConfidenceLevel::High);
    assert_eq!(level(vec![InstanceUnknown]), ConfidenceLevel::Medium);
    assert_eq!(level(vec![InstanceUnknown, Imported]), ConfidenceLevel::Medium);
    assert_eq!(level(vec![InstanceUnknown, Imported, NotMeasuredOnEbs]), ConfidenceLevel::Low);
    assert_eq!(level(vec![UnmetDemandUnknown { owner }]), ConfidenceLevel::Low);
}

/// Each threshold with the value below and the value at it.
#[test]
fn a_cause_is_major_below_its_threshold() {
    let weight = |cause: ConfidenceCause| cause.weight() == CauseWeight::Major;
    assert!(weight(ConfidenceCause::ShortEvidence { sampled_s: 119.0 }));
    assert!(!weight(ConfidenceCause::ShortEvidence { sampled_s: 120.0 }));
    let few = |effective| {
        let evidence = QuantileEvidence { samples: 200.0, effective, required: 299, bounded: Some(0.95) };
        weight(ConfidenceCause::FewSamples(evidence))
    };
    assert!(few(59.9) && !few(60.0));
    let counted = |device_iops| ConfidenceCause::CountDoubt { device_iops, merged_iops: 1_000.0 };
    assert!(!weight(counted(1_999.0)) && weight(counted(2_000.0)));
    let saturated = |middle| ConfidenceCause::Saturated {
        owner: LimitOwner::Volume,
        unmet_factor: Range { low: 1.0, middle, high: 2.0 * middle },
    };
    assert!(!weight(saturated(1.99)) && weight(saturated(2.0)));
}

/// 0.99^298 is 0.0500, 0.99^299 is 0.0495: 299 samples bound the 99th percentile with 95 %.
#[test]
fn the_fewest_samples_bound_the_percentile() {
    assert!(0.99f64.powi(298) > 0.05 && ebs_stats::required_samples(0.99).ceil() == 299.0);
}

/// A demand without latencies: 3,000 may be what gp3 includes, and 1,500 what gp2 of the 500 GiB of the filesystem sustains; 2,000 are neither's, and may be
/// provisioned. RDS gives gp3 12,000 IOPS from 400 GiB on. What is declared has its own limits alone.
#[test]
fn a_flat_rate_without_latencies_is_a_major_cause() {
    use crate::decision::advise::tests::{declared_advice, rds};
    use ebs_prediction::saturation::LevelSource;
    let flat_on = |settings, reads, timed, declared: &Declarations| {
        let mut seen = window(&[Load { reads, read_ms: if timed { reads / 2 } else { 0 }, ..DATA }], &[]);
        seen.layout.volumes[0].timed = timed;
        let role = declared_advice(&seen, settings, declared).roles.remove(0);
        role.state.flat_rate.map(|flat| {
            assert_eq!(ConfidenceCause::LimitOrDemand(flat).weight(), CauseWeight::Major);
            (flat.level, flat.source)
        })
    };
    let flat = |reads, timed, declared: &Declarations| flat_on(Settings::default(), reads, timed, declared);
    let nothing = Declarations::default();
    let published = |level, volume_type| Some((level, LevelSource::Published(volume_type)));
    assert_eq!(flat(3_000, false, &nothing), published(3_000.0, VolumeType::Gp3));
    assert_eq!(flat(16_000, false, &nothing), published(16_000.0, VolumeType::Gp2));
    assert_eq!(flat(1_500, false, &nothing), published(1_500.0, VolumeType::Gp2));
    assert_eq!(flat(2_000, false, &nothing), Some((2_000.0, LevelSource::Unknown)));
    assert_eq!(flat(3_000, true, &nothing), None);
    assert_eq!(flat(12_000, false, &nothing), Some((12_000.0, LevelSource::Unknown)));
    assert_eq!(flat_on(rds(), 12_000, false, &nothing), published(12_000.0, VolumeType::Gp3));
    let gp3 = declare(VolumeType::Gp3, 100, Some(5_000));
    assert_eq!(flat(5_000, false, &gp3), Some((5_000.0, LevelSource::Known(LimitOwner::Volume))));
    assert_eq!(flat(3_000, false, &gp3), None);
}

/// Codes of the causes in the evidence of 900 s of 10 reads a second on r6i.4xlarge, after a change to it.
fn causes(change: impl FnOnce(&mut Window, &mut Settings, &mut bool)) -> Vec<&'static str> {
    causes_of(window(&[DATA], &[("CPU*", "CPU*", 50)]), &declare(VolumeType::Gp3, 500, None), change)
}

fn causes_of(
    window: Window,
    declared: &Declarations,
    change: impl FnOnce(&mut Window, &mut Settings, &mut bool),
) -> Vec<&'static str> {
    causes_with_timeout(window, declared, (None, None), change)
}

/// Evidence with whole checkpoint cycles, and checkpoint_timeout in seconds.
fn causes_with_timeout(
    mut window: Window,
    declared: &Declarations,
    (checkpoint_cycles, checkpoint_timeout_s): (Option<usize>, Option<f64>),
    change: impl FnOnce(&mut Window, &mut Settings, &mut bool),
) -> Vec<&'static str> {
    let mut settings = Settings { instance: Some("r6i.4xlarge".into()), ..Settings::default() };
    let mut is_lookback = false;
    change(&mut window, &mut settings, &mut is_lookback);
    let request = settings.check(prices("us-east-1").unwrap().clone()).unwrap();
    let coverage = &Coverage::from_window(&window);
    let advice = advise(&window, &request, declared, &|| ());
    let (window, request) = (&window, &request);
    let evidence = ConfidenceEvidence {
        window,
        coverage,
        checkpoint_cycles,
        checkpoint_timeout_s,
        declared,
        request,
        is_lookback,
        is_production: false,
    };
    Confidence::new(&evidence, advice.roles.iter()).causes.iter().map(ConfidenceCause::code).collect()
}

#[test]
fn evidence_without_a_flaw_has_no_cause() {
    assert_eq!(causes(|_, _, _| ()), [""; 0]);
}

/// Each cause in the evidence as a whole, by the change that raises it and its near neighbour that does not.
#[test]
fn each_flaw_of_the_evidence_is_a_cause() {
    let shortened = |seconds: usize| {
        causes(|window, _, _| {
            window.intervals.truncate(seconds);
            window.to_us = seconds as i64 * 1_000_000;
        })
    };
    assert_eq!(shortened(600), [""; 0]);
    assert_eq!(shortened(599), ["short_evidence", "no_checkpoint_cycle"]);
    let sampled_every = |interval_us| {
        causes(|window, _, _| window.intervals.iter_mut().for_each(|interval| interval.interval_us = interval_us))
    };
    assert!(!sampled_every(1_500_000).contains(&"coarse_samples"));
    assert!(sampled_every(1_600_000).contains(&"coarse_samples"));
    let imported = |waits: bool| {
        causes(|window, _, _| {
            window.sampling.tier = Tier::Imported;
            window.totals.waits = if waits { window.totals.waits.clone() } else { WaitTotals::default() };
        })
    };
    assert!(imported(false).contains(&"imported"));
    // Waits that were imported beside the samples are not missing.
    assert!(!imported(true).contains(&"imported"));
    assert_eq!(causes(|_, settings, _| settings.instance = None), ["instance_unknown"]);
    let on_rds = causes(|_, settings, _| (settings.platform, settings.instance) = ("rds".into(), None));
    assert!(on_rds.contains(&"instance_unknown"), "{on_rds:?}");
    let undeclared = causes_of(window(&[DATA], &[("CPU*", "CPU*", 50)]), &Declarations::default(), |_, _, _| ());
    assert_eq!(undeclared, ["not_measured_on_ebs"]);
}

/// 900 s of samples: a window of 947 s lacks 47, which is 4.96 %, one of 948 s 5.06 %.
#[test]
fn time_before_the_first_sample_is_a_gap_of_a_run_and_not_of_a_lookback() {
    let ended_at = |seconds: i64, lookback: bool| {
        causes(|window, _, is_lookback| (window.to_us, *is_lookback) = (seconds * 1_000_000, lookback))
    };
    let begun_before = |seconds: i64, lookback: bool| {
        causes(|window, _, is_lookback| (window.from_us, *is_lookback) = (-seconds * 1_000_000, lookback))
    };
    assert_eq!([ended_at(947, false), ended_at(947, true)], [vec![""; 0], vec![""; 0]]);
    assert_eq!([ended_at(948, false), ended_at(948, true)], [["gaps"], ["gaps"]]);
    assert_eq!(begun_before(48, false), ["gaps"]);
    // An installation of a quarter of an hour, looked back at for 14 days.
    assert_eq!(begun_before(1_209_600, true), [""; 0]);
}

/// Each cause in the advice for a role.
#[test]
fn each_flaw_of_a_role_is_a_cause() {
    let gp3 = declare(VolumeType::Gp3, 500, None);
    let untimed = causes(|window, _, _| window.layout.volumes[0].timed = false);
    assert!(untimed.contains(&"latency_unknown"), "{untimed:?}");
    assert_eq!(causes_of(window(&[DATA], &[]), &gp3, |_, _, _| ()), ["no_prediction"]);
    let unknown_size = causes(|window, _, _| {
        let volume = &mut window.layout.volumes[0];
        (volume.filesystem_bytes, volume.used_bytes) = (None, None);
    });
    assert!(unknown_size == [""; 0], "the declared size counts: {unknown_size:?}");
    let nothing = Declarations::default();
    let unknown_size = causes_of(window(&[DATA], &[("CPU*", "CPU*", 50)]), &nothing, |window, _, _| {
        let volume = &mut window.layout.volumes[0];
        (volume.filesystem_bytes, volume.used_bytes) = (None, None);
    });
    assert!(unknown_size.contains(&"size_unknown"), "{unknown_size:?}");
}

/// 20,000 reads a second of 0.37 ms, for which sessions wait nearly all of their time: gp3, at 0.74 ms, halves a closed loop's
/// demand. Where they compute half of their time, it asks for two thirds, without the headroom of an open one.
#[test]
fn a_load_of_an_unsure_kind_is_a_cause() {
    let busy = Load { reads: 20_000, read_ms: 7_400, ..DATA };
    let with_clients = |cpu_pct, client_pct| {
        let waits = [("IO", "DataFileRead", 500), ("CPU*", "CPU*", cpu_pct), ("Client", "ClientRead", client_pct)];
        // An instance that carries them.
        causes_of(window(&[busy], &waits), &Declarations::default(), |_, settings, _| {
            settings.instance = Some("r6i.16xlarge".into());
        })
    };
    // None, 15 % and half of the time with their clients.
    let has_cause = [0, 90, 520].map(|client_pct| with_clients(10, client_pct).contains(&"load_unsure"));
    assert_eq!(has_cause, [false, true, false]);
    assert!(with_clients(500, 333).contains(&"load_unsure"));
    let weight = |iops_factor| ConfidenceCause::LoadUnsure { iops_factor }.weight();
    assert_eq!([weight(1.99), weight(2.0)], [CauseWeight::Minor, CauseWeight::Major]);
}

/// 900 s of samples are longer than a cycle of 15 minutes and shorter than one of half an hour, unless they contain one.
#[test]
fn a_run_shorter_than_its_checkpoint_timeout_contains_no_cycle() {
    let with = |cycles, timeout_s| {
        let gp3 = declare(VolumeType::Gp3, 500, None);
        causes_with_timeout(window(&[DATA], &[("CPU*", "CPU*", 50)]), &gp3, (cycles, timeout_s), |_, _, _| ())
    };
    assert_eq!(with(None, Some(900.0)), [""; 0]);
    assert_eq!([with(None, Some(901.0)), with(Some(0), Some(1_800.0))], [["no_checkpoint_cycle"]; 2]);
    assert_eq!(with(Some(1), Some(1_800.0)), [""; 0]);
}

/// Sessions wait for reads all of their time: of 0.0025 ms a read, gp3's 0.7 to 0.9 ms leave a closed loop less than 1/250 of its
/// demand, of 0.02 ms more than 1/50, and the interval reaches twice as far.
#[test]
fn a_demand_below_the_least_scale_is_a_cause() {
    let has_cause = |read_ms, client_pct| {
        let waits = [("IO", "DataFileRead", 10), ("Client", "ClientRead", client_pct)];
        let load = Load { reads: 20_000, read_ms, ..DATA };
        let declared = Declarations::default();
        causes_of(window(&[load], &waits), &declared, |_, _, _| ()).contains(&"untested_prediction")
    };
    assert!(has_cause(50, 0) && !has_cause(400, 0));
    // Clients that think nine tenths of the time keep their pace.
    assert!(!has_cause(50, 90));
}

/// 30 GiB used need 38 with a fifth of them free: 37 are too few, and 29 do not even hold the data.
#[test]
fn a_requested_size_below_that_by_use_is_a_cause() {
    let causes = |min_size_gib| {
        let mut seen = window(&[DATA], &[("CPU*", "CPU*", 50)]);
        seen.layout.volumes[0].used_bytes = Some(30 << 30);
        let settings = Settings { min_size_gib: Some(min_size_gib), ..Settings::default() };
        let request = settings.check(prices("us-east-1").unwrap().clone()).unwrap();
        let advice = advise(&seen, &request, &Declarations::default(), &|| ());
        size_cause(&advice.roles[0]).map(|cause| (cause, cause.weight()))
    };
    let cause = |requested_gib| ConfidenceCause::SizeBelowForecast { requested_gib, used_gib: 30, required_gib: 38 };
    assert_eq!(causes(38), None);
    assert_eq!(causes(37), Some((cause(37), CauseWeight::Minor)));
    assert_eq!(causes(29), Some((cause(29), CauseWeight::Major)));
}
