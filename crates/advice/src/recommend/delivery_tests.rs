//! Volumes that do not deliver the demand at the observed queue depth: aws-samples 2023 measured io2 Block Express with 16 jobs that
//! write 16 KiB each: 40,106 a second of 0.399 ms. Sixteen writes of 0.79 ms, the mean that is published of gp3, are
//! 16 / 0.79 ms = 20,253 a second, 50 %; of 0.40 ms, the least of io2, 40,000; of its mean of 0.49, 32,653.

use super::advise::tests::{DATA, Load, advice, window};
use crate::evaluate::candidate::Candidate;
use crate::evaluate::risk::Risk;
use crate::recommend::role_advice::RoleAdvice;
use crate::request::settings::Settings;
use ebs_aws::catalogue::VolumeType;
use ebs_samples::evidence::CounterDelta;

/// Writes a second of 16 KiB, with so many in flight; nothing is known of sessions.
fn role(writes: u64, queue_depth: f64) -> RoleAdvice {
    let mut seen = window(&[Load { reads: 0, read_ms: 0, writes, kib: 16, ..DATA }], &[]);
    for (_, delta) in seen.intervals.iter_mut().flat_map(|interval| &mut interval.devices) {
        if let CounterDelta::Known(counts) = delta {
            counts.write_ms = (1_000.0 * queue_depth) as u64;
            counts.weighted_ms = counts.write_ms;
        }
    }
    advice(&seen, Settings::default()).roles.remove(0)
}

fn of(role: &RoleAdvice, volume_type: VolumeType) -> &Candidate {
    role.candidates.iter().find(|candidate| candidate.config.volume_type == volume_type).unwrap()
}

#[test]
fn volumes_that_deliver_little_are_a_high_risk() {
    let role = role(40_106, 16.0);
    let gp3 = of(&role, VolumeType::Gp3);
    let limit = gp3.queue_limit.unwrap();
    assert!(gp3.feasible && gp3.risk == Some(Risk::High), "{:?}", gp3.risk);
    assert_eq!((limit.requests_per_s.round(), limit.demanded_per_s), (20_253.0, 40_106.0));
    // 32,653 of 40,106 are 81 %: the mean that is published is a risk for io2, too.
    assert_eq!(of(&role, VolumeType::Io2).risk, Some(Risk::Medium));
    // Ten times its price buys a twentieth of throughput: the cheaper is first, whatever its risk.
    assert_eq!(role.best().unwrap().config.volume_type, VolumeType::Gp3);
}

/// 16 / 0.79 ms are three quarters of 27,004 and nine tenths of 22,504.
#[test]
fn the_risk_follows_what_is_delivered() {
    let risk = |writes| of(&role(writes, 16.0), VolumeType::Gp3).risk.unwrap();
    assert_eq!([risk(27_030), risk(26_980), risk(22_550)], [Risk::High, Risk::Medium, Risk::Medium]);
    assert_eq!(risk(22_450), Risk::Low);
}

/// The cheapest is first where no volume delivers the demand, and its risk says so.
#[test]
fn the_cheapest_is_first_where_none_delivers() {
    let role = role(40_106, 8.0);
    let best = role.best().unwrap();
    assert_eq!((best.config.volume_type, best.risk), (VolumeType::Gp3, Some(Risk::VeryHigh)));
}
