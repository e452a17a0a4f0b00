//! WAL on a volume of its own, and back.

use super::whatif_tests::{answers, apart, asked, on_one_volume, reading, request, window};
use super::*;
use crate::{WalArguments, WhatIfArguments};
use ebs_aws::catalogue::{Platform, VolumeType};
use ebs_base::error::InputError;

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
        (figures(Some("same"), 3_000), "wal_iops requires wal_volume"),
        (with_wal("gp4"), "unknown volume type \"gp4\""),
    ] {
        let error = refused(&wrong, Platform::Ec2);
        assert_eq!(error.to_string(), message, "{wrong:?}");
        assert!(!error.hint().is_empty());
    }
    assert!(refused(&with_wal("gp4"), Platform::Ec2).hint().contains("'same'"));
    assert_eq!(refused(&with_wal("io2"), Platform::Rds).to_string(), "wal_volume is not available on RDS");
}
