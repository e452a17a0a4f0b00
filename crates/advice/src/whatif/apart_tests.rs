//! WAL on a volume of its own, and back.

use super::whatif_tests::{answers, apart, asked, on_one_volume, reading, request, window};
use super::*;
use crate::{WalArguments, WhatIfArguments};
use ebs_aws::catalogue::{Platform, VolumeType};
use ebs_base::error::InputError;
use ebs_prediction::BindingLimit;
use ebs_samples::evidence::{Block, CounterDelta, DeviceCounts, Medium, Member};

fn with_wal(volume: &str) -> WhatIfArguments {
    let wal = WalArguments { volume: Some(volume.to_owned()), ..WalArguments::default() };
    WhatIfArguments { wal, size_gib: Some(500), ..asked("gp3") }
}

fn roles(answers: &[WhatIfAnswer]) -> Vec<&str> {
    answers.iter().filter_map(|answer| answer.role.as_deref()).collect()
}

fn iops(answer: &WhatIfAnswer) -> f64 {
    answer.prediction.unwrap().iops
}

#[test]
fn data_and_wal_have_one_prediction_and_a_price_each() {
    for block in [apart(), on_one_volume()] {
        let mut arguments = with_wal("io2");
        arguments.wal.iops = Some(3_000);
        let found = answers(block, &arguments, &Declarations::default());
        assert_eq!(roles(&found), ["data", "wal"]);
        let [data, wal] = [&found[0], &found[1]];
        let (predicted, of_wal) = (data.prediction.unwrap(), wal.prediction.unwrap());
        assert_eq!((predicted.ratio, predicted.tps), (of_wal.ratio, of_wal.tps));
        assert_eq!((data.is_wal_alone, wal.is_wal_alone), (false, true));
        assert!(found.iter().all(|answer| answer.notes.contains(&WhatIfNote::DataAndWalApart)), "{found:?}");
        // Each transaction reads twice, and each flush carries at least one.
        let tps = predicted.tps.middle;
        assert!((iops(data) / tps - 2.0).abs() < 0.05 && (0.2..=1.0).contains(&(iops(wal) / tps)), "{found:?}");
        assert_eq!((data.usd_month, wal.usd_month), (Some("40".parse().unwrap()), wal.usd_month));
        assert!(wal.usd_month.is_some() && wal.basis.unwrap().volume_type == VolumeType::Io2);
    }
}

#[test]
fn each_volume_is_replayed_with_its_own_demand() {
    let found = answers(on_one_volume(), &with_wal("gp3"), &Declarations::default());
    // 4,000 reads a second on 3,000 IOPS throttle, 1,000 flushes do not.
    assert_eq!(found.iter().map(|answer| answer.throttled_pct).collect::<Vec<_>>(), [Some(100.0), Some(0.0)]);
    assert!(found[1].notes.contains(&WhatIfNote::WalSpreadEvenly) && found[1].notes.contains(&WhatIfNote::SizeUnknown));
    let counted = answers(apart(), &with_wal("gp3"), &Declarations::default());
    assert!(!counted[1].notes.contains(&WhatIfNote::WalSpreadEvenly), "{counted:?}");
}

#[test]
fn wal_can_go_back_to_the_volume_of_the_data() {
    let found = answers(apart(), &with_wal("same"), &Declarations::default());
    assert_eq!(roles(&found), ["data+wal"]);
    assert_eq!(
        found,
        answers(apart(), &WhatIfArguments { size_gib: Some(500), ..asked("gp3") }, &Declarations::default())[2..]
    );
}

#[test]
fn a_run_without_wal_says_so_where_it_was_not_counted() {
    let mut unknown = reading();
    unknown.totals.wal = ebs_samples::evidence::Timed::default();
    let found = answers(unknown, &with_wal("gp3"), &Declarations::default());
    let note = WhatIfNote::NoPrediction(NoPrediction::WalNotCounted);
    assert!(found.iter().all(|answer| answer.notes.contains(&note) && answer.throttled_pct.is_none()), "{found:?}");
}

/// A run of so many KiB a read: 1,000 reads and 500 flushes a second.
fn with_reads_of(kib: u64) -> Block {
    let mut block = apart();
    let read_bytes = 1_000 * kib * 1_024;
    let data = DeviceCounts { reads: 1_000, read_bytes, read_ms: 500, ..DeviceCounts::default() };
    let wal = DeviceCounts { writes: 500, write_bytes: 500 * 8_192, write_ms: 450, ..DeviceCounts::default() };
    for sample in &mut block.samples {
        for ((_, counts), own) in sample.devices.iter_mut().zip([data, wal]) {
            *counts = CounterDelta::Known(own);
        }
    }
    block
}

/// Reads of 300 KiB are two I/Os, flushes of 8 KiB one: each volume is limited by, and counts, its own requests.
#[test]
fn each_volume_counts_its_own_requests() {
    let gp3 = WhatIfArguments { iops: Some(3_000), throughput_mibps: Some(750), ..with_wal("gp3") };
    let many = WhatIfArguments { clients: Some(800.0), ..gp3.clone() };
    let found = answers(with_reads_of(300), &many, &Declarations::default());
    assert_eq!(found[0].prediction.unwrap().bound_by, BindingLimit::VOLUME_IOPS);
    assert!((iops(&found[0]) / 3_000.0 - 1.0).abs() < 0.01, "{found:?}");
    // Flushes of 0.79 ms come one after the other.
    assert!(iops(&found[1]) < 1e3 / 0.79, "{found:?}");
    // WAL on 200 IOPS is the limit whatever the size of the reads.
    let mut of_wal = with_wal("io2").wal;
    of_wal.iops = Some(200);
    let slow = WhatIfArguments { wal: of_wal, iops: Some(40_000), throughput_mibps: Some(2_000), ..gp3 };
    let tps = [8, 300].map(|kib| {
        let found = answers(with_reads_of(kib), &slow, &Declarations::default());
        assert_eq!(found[1].prediction.unwrap().bound_by, BindingLimit::WAL_VOLUME_IOPS);
        assert!((iops(&found[1]) / 200.0 - 1.0).abs() < 0.01, "{found:?}");
        found[1].prediction.unwrap().tps.middle
    });
    assert!((tps[0] / tps[1] - 1.0).abs() < 0.02, "{tps:?}");
}

/// st1 is published without a latency, and what is given is of the data's gp3.
#[test]
fn a_given_latency_is_of_the_datas_type() {
    let given = WhatIfArguments { read_ms: Some(1.0), write_ms: Some(1.0), ..with_wal("st1") };
    let found = answers(apart(), &given, &Declarations::default());
    let reason = NoPrediction::WalLatencyUnpublished { wal: VolumeType::St1, data: VolumeType::Gp3 };
    assert!(found.iter().all(|answer| answer.notes.contains(&WhatIfNote::NoPrediction(reason))), "{found:?}");
    let same = WhatIfArguments { volume_type: "st1".to_owned(), ..given };
    assert!(answers(apart(), &same, &Declarations::default())[1].prediction.is_some());
}

/// The volumes are checked and priced where evidence is missing, too: a gp3 of 500 GiB is $40, one of 10 GiB $0.80.
#[test]
fn a_price_needs_no_evidence() {
    let mut block = apart();
    block.samples.truncate(10);
    let mut arguments = with_wal("gp3");
    arguments.wal.size_gib = Some(10);
    let found = answers(block.clone(), &arguments, &Declarations::default());
    assert_eq!(roles(&found), ["data", "wal"]);
    assert_eq!(found.iter().map(|answer| answer.is_wal_alone).collect::<Vec<_>>(), [false, true]);
    let prices = ["40", "0.8"].map(|usd| Some(usd.parse().unwrap()));
    assert_eq!([found[0].usd_month, found[1].usd_month], prices);
    arguments.wal.iops = Some(100);
    let question = arguments.check(request(Platform::Ec2)).unwrap();
    let error = whatif(&window(block), &question, &Declarations::default()).unwrap_err();
    assert!(error.to_string().starts_with("wal_iops 100 is out of range"), "{error}");
}

/// Reads of 64 KiB were put together by read-ahead, which is another on another number of volumes than those of the run.
#[test]
fn read_ahead_is_said_where_the_stripe_is_another() {
    let said = |block: Block, volumes| {
        let found =
            answers(block, &WhatIfArguments { volumes, size_gib: Some(500), ..asked("gp3") }, &Declarations::default());
        found[0].notes.contains(&WhatIfNote::ReadAheadScaled)
    };
    let mut one = reading();
    for (_, counts) in one.samples.iter_mut().flat_map(|sample| &mut sample.devices) {
        if let CounterDelta::Known(counts) = counts {
            counts.read_bytes *= 8;
        }
    }
    let member = |device: &str| Member { device: device.to_owned(), medium: Medium::Unknown };
    let mut two = one.clone();
    two.layout.volumes[0].members = ["nvme1n1", "nvme2n1"].map(member).to_vec();
    assert_eq!([said(one.clone(), 1), said(one, 2)], [false, true]);
    assert_eq!([said(two.clone(), 2), said(two, 1)], [false, true]);
}

#[test]
fn arguments_of_wal_are_checked_as_those_of_the_data() {
    let refused = |arguments: &WhatIfArguments, platform| -> InputError {
        let question = arguments.check(request(platform));
        question.and_then(|question| whatif(&window(apart()), &question, &Declarations::default())).unwrap_err()
    };
    let figures = |volume: Option<&str>, iops| WhatIfArguments {
        wal: WalArguments { volume: volume.map(str::to_owned), iops: Some(iops), ..WalArguments::default() },
        ..asked("gp3")
    };
    for (wrong, message) in [
        (figures(Some("gp3"), 100), "wal_iops 100 is out of range for gp3: 3000 to 80000"),
        (figures(Some("gp3"), 0), "wal_iops must be between 1 and 10000000, not 0"),
        (figures(None, 3_000), "wal_iops requires wal_volume"),
        (figures(Some("same"), 3_000), "wal_iops has no effect with wal_volume => 'same'"),
        (with_wal("gp9"), "unknown volume type \"gp9\""),
        (with_wal("io2"), "wal_volume of a type that includes no IOPS requires wal_iops"),
        (with_wal("io1"), "wal_volume of a type that includes no IOPS requires wal_iops"),
    ] {
        let error = refused(&wrong, Platform::Ec2);
        assert_eq!(error.to_string(), message, "{wrong:?}");
        assert!(!error.hint().is_empty());
    }
    // A figure that names no argument says of which volume it is, and the hint names WAL's arguments.
    let mut small = figures(Some("gp3"), 6_000);
    small.wal.size_gib = Some(10);
    let error = refused(&small, Platform::Ec2);
    assert!(error.to_string().starts_with("wal_volume: 6000 IOPS need at least 12 GiB on gp3"), "{error}");
    assert!(error.hint().contains("leave out wal_throughput_mibps, and wal_iops"), "{}", error.hint());
    let of_data = WhatIfArguments { iops: Some(6_000), size_gib: Some(10), ..with_wal("gp3") };
    let error = refused(&of_data, Platform::Ec2);
    assert!(error.to_string().starts_with("6000 IOPS need") && error.hint().contains("leave out iops"), "{error}");
    assert!(refused(&with_wal("gp9"), Platform::Ec2).hint().contains("'same'"));
    assert_eq!(refused(&with_wal("io2"), Platform::Rds).to_string(), "wal_volume is not available on RDS");
}

/// Two volumes in place of one: ten IOPS more of the data's, a third of a per cent, change the throughput by that at most.
#[test]
fn more_iops_of_the_data_are_no_step() {
    let at = |iops: i64| {
        let asked = WhatIfArguments { iops: Some(iops), ..with_wal("gp3") };
        answers(on_one_volume(), &asked, &Declarations::default())[0].prediction.unwrap().ratio
    };
    let found: Vec<_> = (0..=200).map(|step| 3_000 + 10 * step).map(|iops| (iops, at(iops))).collect();
    for pair in found.windows(2) {
        let ((_, before), (iops, after)) = (pair[0], pair[1]);
        for (before, after) in [(before.low, after.low), (before.middle, after.middle), (before.high, after.high)] {
            assert!((-1e-3..5e-3).contains(&(after / before - 1.0)), "{iops}: {before} {after}");
        }
    }
}
