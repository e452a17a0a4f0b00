//! Short bursts: 600 s of 90 reads a second, of which two seconds have 40,000: 80,000 + 598 × 90 = 133,820 requests.

use crate::decision::role_advice::RoleAdvice;
use crate::decision::step::{IncludedCoverage, Step};
use crate::evaluate::cheapest::tests::window;
use crate::request::settings::{Request, Settings};
use crate::{Candidate, advise};
use ebs_aws::catalogue::{VolumeType, prices};
use ebs_samples::evidence::CounterDelta;
use ebs_workload::declarations::Declarations;

/// Two seconds of `peak` reads of so many microseconds each; nothing is known of sessions.
fn role(peak: u64, read_us: u64) -> RoleAdvice {
    let mut seen = window((0..600).map(|second| if second == 300 || second == 301 { peak } else { 90 }));
    for (_, delta) in seen.intervals.iter_mut().flat_map(|interval| &mut interval.devices) {
        if let CounterDelta::Known(counts) = delta {
            counts.read_ms = counts.reads * read_us / 1_000;
            counts.weighted_ms = counts.read_ms;
        }
    }
    let request: Request = Settings::default().check(prices("us-east-1").unwrap().clone()).unwrap();
    advise(&seen, &request, &Declarations::default(), &|| ()).roles.remove(0)
}

fn gp3(role: &RoleAdvice) -> &Candidate {
    role.candidates.iter().find(|one| one.config.volume_type == VolumeType::Gp3 && one.feasible).unwrap()
}

fn coverage(role: &RoleAdvice) -> (f64, IncludedCoverage) {
    let request = Settings::default().check(prices("us-east-1").unwrap().clone()).unwrap();
    let step = role.steps(&request, 600.0).into_iter().find_map(|step| match step {
        Step::Included { required, coverage, .. } => Some((required.iops, coverage)),
        _ => None,
    });
    step.unwrap()
}

/// The percentile is 90 and a fifth; only the replay requires more.
#[test]
fn included_limits_are_enough_exactly_where_no_more_are_ordered() {
    let (required, covered) = coverage(&role(40_000, 700));
    let ordered = gp3(&role(40_000, 700)).config.iops;
    assert_eq!((covered, (required as u64).next_multiple_of(100)), (IncludedCoverage::Provisioned, ordered));
    assert!(required > 10_000.0, "{required}");
    let mut covered = [0, 0];
    for peak in (2_000..5_000).step_by(250) {
        let role = role(peak, 700);
        let is_included = coverage(&role).1 == IncludedCoverage::Included;
        assert_eq!(is_included, gp3(&role).config.iops == 3_000, "{peak}");
        covered[usize::from(is_included)] += 1;
    }
    assert!(covered[0] > 2 && covered[1] > 2, "{covered:?}");
}

/// A volume of 3,000 IOPS leaves 2 × 37,000 of the burst, which 2,910 a second drain in 25.4 s: 27.4 of 600 s. All 80,000 of the burst wait,
/// and 25.4 × 90 after it: 82,289 of 133,820; the last of the burst for 74,000 / 3,000 s.
#[test]
fn a_burst_is_a_small_share_of_the_time_and_most_of_the_requests() {
    let role = role(40_000, 700);
    let is_included = |one: &&Candidate| one.config.volume_type == VolumeType::Gp3 && one.config.iops == 3_000;
    let included = role.candidates.iter().find(is_included).unwrap();
    let outcome = included.outcome.unwrap();
    let waits = outcome.added.unwrap();
    assert!(!included.feasible);
    assert!((outcome.throttled_pct() - 4.57).abs() < 0.01, "{}", outcome.throttled_pct());
    assert!((waits.waiting_share - 0.615).abs() < 0.001, "{}", waits.waiting_share);
    assert!((waits.max_ms - 24_667.0).abs() < 1.0, "{}", waits.max_ms);
}

/// 40,000 reads of 0.57 ms are 22.8 in flight, which gp3 at 0.74 ms serves at 30,811 a second. Of 0.67 ms they are 26.8 and 36,216, more
/// than nine tenths of 40,000; of 0.66 ms 35,676, less.
#[test]
fn the_queue_depth_is_that_of_the_burst() {
    let slow = role(40_000, 570);
    let limit = gp3(&slow).queue_limit.unwrap();
    assert_eq!((limit.queue_depth, limit.demanded_per_s, limit.requests_per_s.round()), (22.8, 40_000.0, 30_811.0));
    assert!(gp3(&role(40_000, 670)).queue_limit.is_none());
    assert!(gp3(&role(40_000, 660)).queue_limit.is_some());
}
