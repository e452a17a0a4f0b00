//! One meaning of "bound by": options, what-if and frontier agree on every volume.

use super::advise::tests::{DATA, Load, advice, rds, window};
use crate::evaluate::candidate::Candidate;
use crate::frontier::frontier_from_advice;
use crate::request::settings::Settings;
use crate::request::whatif_request::WhatIfArguments;
use crate::whatif::whatif;
use ebs_aws::catalogue::{VolumeType, prices};
use ebs_prediction::BindingLimit;
use ebs_workload::declarations::Declarations;

type Waits = [(&'static str, &'static str, u64)];

const CASES: [(&str, u64, &Waits); 5] = [
    ("reads", 2_000, &[("IO", "DataFileRead", 90), ("CPU*", "CPU*", 10)]),
    ("CPU", 2_000, &[("IO", "DataFileRead", 5), ("CPU*", "CPU*", 95)]),
    ("locks", 2_000, &[("IO", "DataFileRead", 5), ("Lock", "transactionid", 95)]),
    ("clients", 2_000, &[("IO", "DataFileRead", 20), ("Client", "ClientRead", 180)]),
    ("many reads", 20_000, &[("IO", "DataFileRead", 900), ("CPU*", "CPU*", 100)]),
];

#[test]
fn all_surfaces_name_the_same_bottleneck() {
    let mut names = std::collections::BTreeSet::new();
    for (case, reads, waits) in CASES {
        let seen = window(&[Load { reads, read_ms: reads * 455 / 1_000, ..DATA }], waits);
        let request = Settings::default().check(prices("us-east-1").unwrap().clone()).unwrap();
        let advice = advice(&seen, Settings::default());
        let role = &advice.roles[0];
        let predicted =
            role.candidates.iter().filter(|candidate| candidate.expected.is_some() && candidate.risk.is_some());
        let suitable = predicted.filter(|candidate| candidate.config.volume_type.characteristics().unfit.is_none());
        for candidate in suitable {
            let (config, name) = (candidate.config, candidate.bound_by().name());
            assert_eq!(candidate.prediction.unwrap().bound_by.name(), name, "{case}: {config:?}");
            // The IOPS of gp2 follow its size, the throughput of all but gp3 its IOPS.
            let is_type = |volume_type| config.volume_type == volume_type;
            let arguments = WhatIfArguments {
                volume_type: config.volume_type.name().to_owned(),
                iops: (!is_type(VolumeType::Gp2)).then_some(config.iops as i64),
                throughput_mibps: is_type(VolumeType::Gp3).then_some(config.throughput_mibps as i64),
                size_gib: Some(config.size_gib as i64),
                ..WhatIfArguments::default()
            };
            let answers = whatif(&seen, &arguments.check(request.clone()).unwrap(), &Declarations::default()).unwrap();
            assert_eq!(answers[0].config, Some(config), "{case}");
            assert_eq!(answers[0].prediction.unwrap().bound_by.name(), name, "{case}: what-if of {config:?}");
            let frontier = frontier_from_advice(&advice, &request, None, &|| ());
            let same = frontier[0].points.as_ref().unwrap().iter().find(|point| point.config == config);
            assert!(same.is_none_or(|point| point.prediction.bound_by.name() == name), "{case}: frontier, {config:?}");
            names.insert(name);
        }
    }
    let expected = ["CPU", "clients", "latency", "locks", "volume IOPS"];
    assert!(expected.iter().all(|name| names.contains(name)), "{names:?}");
}

/// RDS sells no gp2 below 20 GiB, which carry 100 IOPS: 4 IOPS do not bind them, and neither do 83 with a fifth more, 99.6. 84
/// with a fifth more are 100.8: 34 GiB are bought for their IOPS.
#[test]
fn the_smallest_gp2_that_is_sold_is_not_bound_by_iops() {
    let gp2 = |reads: u64, settings: Settings| {
        let load = Load { reads, read_ms: reads, ..DATA };
        let mut seen = window(&[load], &[]);
        (seen.layout.volumes[0].used_bytes, seen.layout.volumes[0].filesystem_bytes) = (None, None);
        let role = advice(&seen, settings).roles.remove(0);
        let is_gp2 = |candidate: &&Candidate| candidate.config.volume_type == VolumeType::Gp2 && candidate.feasible;
        let found = role.candidates.iter().find(is_gp2).unwrap();
        (found.config.size_gib, found.config.iops, found.bound_by())
    };
    let small = Settings { min_size_gib: Some(5), ..rds() };
    assert_eq!(gp2(4, rds()), (20, 100, BindingLimit::None));
    assert_eq!(gp2(4, small), (20, 100, BindingLimit::None));
    assert_eq!(gp2(83, rds()), (20, 100, BindingLimit::None));
    assert_eq!(gp2(84, rds()), (34, 102, BindingLimit::VOLUME_IOPS));
    assert_eq!(gp2(4, Settings::default()), (1, 100, BindingLimit::None));
}

/// 19 of 20 parts of the time compute: ideal storage gains 1 / 0.95. Nine of ten wait for reads: it gains ten times.
#[test]
fn the_recommended_volume_is_bound_as_the_run_is() {
    let bound = |case: usize| {
        let (_, reads, waits) = CASES[case];
        let seen = window(&[Load { reads, read_ms: reads * 455 / 1_000, ..DATA }], waits);
        advice(&seen, Settings::default()).roles[0].best().unwrap().bound_by().name()
    };
    assert_eq!([bound(0), bound(1), bound(2)], ["latency", "CPU", "locks"]);
}

/// A limit is all that is predicted without waits: where what-if names one, the options name it too, on the baseline of an instance as well,
/// but for burst credits that end.
#[test]
fn without_waits_options_name_the_limit_of_what_if() {
    let mut names = std::collections::BTreeSet::new();
    for (reads, instance) in [(20_000, None), (4_000, None), (4_000, Some("m6g.large"))] {
        let settings = || Settings { instance: instance.map(str::to_owned), ..Settings::default() };
        let mut seen = window(&[Load { reads, read_ms: reads * 455 / 1_000, ..DATA }], &[]);
        seen.totals.waits = Default::default();
        for candidate in advice(&seen, settings()).roles.remove(0).candidates {
            let config = candidate.config;
            let bursts = candidate.bound_by() == BindingLimit::Credits;
            if bursts || candidate.device_prediction.is_none() || config.volume_type.characteristics().unfit.is_some() {
                continue;
            }
            let request = settings().check(prices("us-east-1").unwrap().clone()).unwrap();
            let asked = WhatIfArguments {
                volume_type: config.volume_type.name().to_owned(),
                size_gib: Some(config.size_gib as i64),
                iops: (config.volume_type != VolumeType::Gp2).then_some(config.iops as i64),
                volumes: candidate.volumes as i64,
                ..WhatIfArguments::default()
            };
            let found = whatif(&seen, &asked.check(request).unwrap(), &Declarations::default()).unwrap().remove(0);
            let Some(factor) = found.prediction.and_then(|prediction| prediction.known_bound()) else { continue };
            names.insert(factor.name());
            assert_eq!(candidate.bound_by().name(), factor.name(), "{reads} {instance:?} {config:?}");
        }
    }
    assert!(names.contains("volume IOPS") && names.contains("instance IOPS"), "{names:?}");
}
