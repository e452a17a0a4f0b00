//! One volume's 32,000 IOPS on an instance without Nitro: r4.16xlarge carries 75,000. 26,600 reads and a fifth are 31,920, ordered as
//! 32,000; 26,700 and a fifth are 32,040, which two volumes reach.

use super::advise::tests::{DATA, Load, advice, window};
use crate::evaluate::candidate::Candidate;
use crate::evaluate::reason::{OutOfReach, Reason};
use crate::request::settings::Settings;
use ebs_aws::catalogue::VolumeType;

/// The first gp3: true where it is feasible, its volumes and IOPS each, and the limit that it misses.
fn gp3(reads: u64, instance: &str, max_volumes: i32) -> (bool, u64, u64, Option<OutOfReach>) {
    let seen = window(&[Load { reads, read_ms: reads / 2, ..DATA }], &[]);
    let instance = Some(instance.to_owned());
    let settings = Settings { instance, max_volumes: Some(max_volumes), ..Settings::default() };
    let role = advice(&seen, settings).roles.remove(0);
    let is_gp3 = |candidate: &&Candidate| candidate.config.volume_type == VolumeType::Gp3;
    let found = role.candidates.iter().find(is_gp3).unwrap();
    let missed = match &found.reason {
        Reason::OutOfReach(missed) => Some(missed.clone()),
        _ => None,
    };
    (found.feasible, found.volumes, found.config.iops, missed)
}

#[test]
fn one_volume_has_no_more_than_32_000_iops_without_nitro() {
    assert_eq!(gp3(26_600, "r4.16xlarge", 1), (true, 1, 32_000, None));
    let (feasible, _, _, missed) = gp3(26_700, "r4.16xlarge", 1);
    let missed = missed.unwrap();
    assert_eq!((feasible, missed.max_per_volume, missed.on_instance), (false, 32_000.0, Some("r4.16xlarge")));
    assert_eq!(missed.reached_by_volumes, Some(2));
    let (feasible, volumes, iops, _) = gp3(26_700, "r4.16xlarge", 2);
    assert!(feasible && volumes == 2 && iops <= 32_000, "{volumes} {iops}");
    assert_eq!(gp3(26_700, "r5.24xlarge", 1), (true, 1, 32_100, None));
}
