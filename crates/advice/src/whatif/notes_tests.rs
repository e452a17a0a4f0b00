//! Notes on runs of known figures.

use super::whatif_tests::{answer, answers, asked, declare, queued, reading, window};
use super::*;
use crate::{Settings, WhatIfArguments};
use ebs_aws::catalogue::{Platform, VolumeType, prices};
use ebs_prediction::{BindingLimit, LimitOwner};
use ebs_samples::evidence::{Block, CounterDelta};

/// Reads of 0.5 ms, as they were, are 8,000 a second: with up to 5 % more or fewer IOPS than that both are as likely.
#[test]
fn a_bottleneck_near_a_border_has_a_second() {
    let factors = |iops| {
        let found =
            answer(&WhatIfArguments { iops: Some(iops), read_ms: Some(0.5), write_ms: Some(0.5), ..asked("io2") });
        let other = found.notes.iter().find_map(|note| match note {
            WhatIfNote::AsLikely { factor, is_first_known: true } => Some(*factor),
            _ => None,
        });
        (found.prediction.unwrap().bound_by, other)
    };
    let (latency, limit) = (BindingLimit::Latency, BindingLimit::VOLUME_IOPS);
    assert_eq!([factors(7_000), factors(7_800)], [(limit, None), (limit, Some(latency))]);
    assert_eq!([factors(8_200), factors(9_000)], [(latency, Some(limit)), (latency, None)]);
}

/// Eight sessions at work: three are fewer.
#[test]
fn given_clients_are_compared_with_those_of_the_run() {
    let in_run = |clients| {
        let found = answer(&WhatIfArguments { clients, ..asked("gp3") });
        found.notes.iter().find_map(|note| match note {
            WhatIfNote::ClientsInRun { sessions } => Some(*sessions),
            _ => None,
        })
    };
    assert!(in_run(Some(3.0)).is_some_and(|sessions| (sessions - 8.0).abs() < 0.01));
    assert_eq!(in_run(None), None);
}

/// 8,000 reads a second of 4 ms, where 0.91 are published at most, are at a declared limit of 8,000; of 0.5 ms they queue for nothing.
#[test]
fn a_limit_that_the_run_reached_has_its_owner() {
    let owner = |block: Block, declared: &Declarations, instance: Option<&str>| {
        let settings = Settings { instance: instance.map(str::to_owned), ..Settings::default() };
        let request = settings.check(prices("us-east-1").unwrap().clone()).unwrap();
        let found = whatif(&window(block), &asked("gp3").check(request).unwrap(), declared).unwrap().remove(0);
        found.notes.iter().find_map(|note| match note {
            WhatIfNote::Saturated { owner, has_unmet_demand } => Some((*owner, *has_unmet_demand)),
            _ => None,
        })
    };
    assert_eq!(owner(queued(), &declare(8_000), None), Some((LimitOwner::Volume, true)));
    // m4.2xlarge has 8,000 IOPS.
    assert_eq!(owner(queued(), &declare(20_000), Some("m4.2xlarge")), Some((LimitOwner::Instance, true)));
    assert_eq!(owner(reading(), &declare(12_000), None), None);
}

/// 3,000 reads a second of 10 ms.
fn at_included_limit() -> Block {
    let mut block = reading();
    for (_, counts) in block.samples.iter_mut().flat_map(|sample| &mut sample.devices) {
        if let CounterDelta::Known(counts) = counts {
            (counts.reads, counts.read_bytes, counts.read_ms) = (3_000, 3_000 * 8_192, 30_000);
        }
    }
    block
}

/// gp3's included 3,000 IOPS, where 12,000 are declared: an answer for the declared volume has the doubt, too.
#[test]
fn a_limit_that_the_samples_refute_is_a_doubt_of_each_prediction() {
    let refuted = |block: Block, declared: &Declarations, request: WhatIfArguments| {
        let request = request.check(Settings::default().check(prices("us-east-1").unwrap().clone()).unwrap()).unwrap();
        let found = whatif(&window(block), &request, declared).unwrap().remove(0);
        found.notes.iter().find_map(|note| match note {
            WhatIfNote::DeclaredLimitRefuted(refuted) => Some((refuted.level.round(), refuted.declared)),
            _ => None,
        })
    };
    for iops in [3_000, 12_000] {
        let on_gp3 = || WhatIfArguments { iops: Some(iops), ..asked("gp3") };
        assert_eq!(refuted(at_included_limit(), &declare(12_000), on_gp3()), Some((3_000.0, 12_000.0)));
        assert_eq!(refuted(at_included_limit(), &declare(3_000), on_gp3()), None);
        assert_eq!(refuted(reading(), &declare(12_000), on_gp3()), None);
    }
}

/// Today's volume can be attached to several instances: gp3 cannot.
#[test]
fn a_type_without_multi_attach_is_noted() {
    let config = VolumeConfig::new(Platform::Ec2, VolumeType::Io2, 500, Some(5_000), None).unwrap();
    let shared = Declared { is_multi_attach: true, ..Declared::new("data", config, 1) };
    let noted = |volume_type: &str, one: &Declared| {
        let declared = Declarations { volumes: vec![one.clone()], ..Declarations::default() };
        let found = answers(reading(), &asked(volume_type), &declared).remove(0);
        found.notes.iter().any(|note| {
            matches!(
                note,
                WhatIfNote::Unavailable { unavailable: Unavailable::MultiAttach, volume_type: VolumeType::Gp3 }
            )
        })
    };
    assert!(noted("gp3", &shared) && !noted("io2", &shared));
    assert!(!noted("gp3", &Declared::new("data", config, 1)));
}
