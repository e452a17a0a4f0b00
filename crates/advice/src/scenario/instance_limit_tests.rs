//! Plateaus near an instance's limit. r6i.4xlarge sustains 20,000 IOPS, of which a plateau at 0.86 explains nothing and one at 0.94 all:
//! 17,000 is 0.85, 17,900 is 0.895, 18,100 is 0.905.

use crate::decision::advise::tests::{DATA, Load, declare, declared_advice, window};
use crate::decision::confidence::{Confidence, ConfidenceCause, ConfidenceEvidence};
use crate::decision::finding::Finding;
use crate::decision::role_advice::RoleAdvice;
use crate::decision::step::{InstanceStep, Step};
use crate::evaluate::candidate::Candidate;
use crate::evaluate::reason::Reason;
use crate::request::settings::Settings;
use ebs_aws::catalogue::{IOPS_STEP, LimitKind, Platform, VolumeConfig, VolumeType, prices};
use ebs_base::units::MIB;
use ebs_prediction::{BindingLimit, LimitOwner};
use ebs_samples::evidence::{CounterDelta, Coverage, EbsCounts, EbsTotals, Medium, Member, Role, Timed, Window};
use ebs_workload::declarations::{Declarations, Declared};

fn seen(reads: u64, latency_us: u64) -> Window {
    window(&[Load { reads, read_ms: reads * latency_us / 1_000, ..DATA }], &[])
}

fn on(instance: &str, window: &Window, declared: &Declarations) -> RoleAdvice {
    let settings = Settings { instance: Some(instance.into()), ..Settings::default() };
    declared_advice(window, settings, declared).roles.remove(0)
}

fn plateau(reads: u64, latency_us: u64) -> RoleAdvice {
    on("r6i.4xlarge", &seen(reads, latency_us), &Declarations::default())
}

fn instance_step(role: &RoleAdvice) -> &'static str {
    let settings = Settings { instance: Some("r6i.4xlarge".into()), ..Settings::default() };
    let request = settings.check(prices("us-east-1").unwrap().clone()).unwrap();
    let step = role.steps(&request, 600.0).into_iter().find_map(|step| match step {
        Step::Instance(step) => Some(step),
        _ => None,
    });
    match step.unwrap() {
        InstanceStep::Unknown => "unknown",
        InstanceStep::Sufficient { .. } => "sufficient",
        InstanceStep::Doubtful { .. } => "doubtful",
        InstanceStep::Saturated { .. } => "saturated",
        InstanceStep::Reached { .. } => "reached",
    }
}

/// 12 ms a request are 237 in flight at 19,700; 0.6 ms are 12, as without a queue.
#[test]
fn a_plateau_with_a_queue_near_the_instances_limit_is_the_instances() {
    let expected = [
        (17_000, "sufficient"),
        (17_900, "doubtful"),
        (18_100, "reached"),
        (18_500, "reached"),
        (19_700, "reached"),
        (20_000, "reached"),
        (20_100, "reached"),
        (21_100, "saturated"),
    ];
    for (reads, step) in expected {
        let role = plateau(reads, 12_000);
        assert_eq!(instance_step(&role), step, "{reads}");
        let binds = role.instance_saturation.map(|saturation| saturation.bound);
        let is_instance = matches!(step, "reached" | "saturated");
        assert_eq!(binds, is_instance.then_some(BindingLimit::INSTANCE_IOPS), "{reads}");
        assert_eq!(role.best().is_none(), is_instance, "{reads}");
        let free = plateau(reads, 600);
        assert!(free.state.saturation.is_none(), "{reads}");
        assert_eq!(free.instance_saturation.is_some(), reads > 20_000, "{reads}");
    }
}

/// The demand that is sized for is what the instance delivered, and from 0.94 downwards ever more of what it may deliver: 20,000 − w (20,000 − rate).
/// 18,100: w is 0.5625, and 1,900 of it are 1,068.75. 17,900: 0.4375 of 2,100 are 918.75. 17,000: 1.2 times that, which the instance
/// limits to 20,000.
#[test]
fn no_more_is_sized_than_the_instance_delivered() {
    let required = |reads| plateau(reads, 12_000).requirement.iops;
    let expected =
        [(17_000, 20_000.0), (17_900, 19_081.25), (18_100, 18_931.25), (19_700, 19_700.0), (20_100, 20_000.0)];
    for (reads, iops) in expected {
        assert!((required(reads) - iops).abs() < 1.0, "{reads}: {}", required(reads));
    }
}

/// The plateau of another instance says nothing of this one.
#[test]
fn another_instance_is_not_saturated_by_the_plateau_of_this_one() {
    let declared = Declarations { instance: Some("r6i.4xlarge".into()), ..Declarations::default() };
    let larger = on("r6i.8xlarge", &seen(19_700, 12_000), &declared);
    assert_eq!((instance_step(&larger), larger.instance_saturation.is_some()), ("sufficient", false));
    let limit = larger.state.saturation.unwrap().limit;
    assert_eq!((limit.owner, limit.level, limit.is_match_sure()), (LimitOwner::Instance, 20_000.0, true));
}

fn gp3(iops: u64) -> Declarations {
    declare(VolumeType::Gp3, 100, Some(iops))
}

/// gp3 of 3,600 IOPS on m6g.large, which sustains 3,600: both are named, and the answer is about the instance.
#[test]
fn equal_limits_are_both_named() {
    let role = on("m6g.large", &seen(3_590, 12_000), &gp3(3_600));
    let limit = role.state.saturation.unwrap().limit;
    let named: Vec<(LimitOwner, f64)> = limit.named().map(|one| (one.owner, one.level)).collect();
    assert_eq!(named, [(LimitOwner::Instance, 3_600.0), (LimitOwner::Volume, 3_600.0)]);
    assert_eq!((limit.is_saturation_sure(), limit.is_match_sure(), limit.is_sure()), (true, false, false));
    assert_eq!(instance_step(&role), "reached");
    // Of 5,000 IOPS only the instance's are near.
    let volume_is_larger = on("m6g.large", &seen(3_590, 12_000), &gp3(5_000)).state.saturation.unwrap().limit;
    assert_eq!((volume_is_larger.named().count(), volume_is_larger.owner), (1, LimitOwner::Instance));
    assert!(volume_is_larger.is_match_sure());
}

/// r6i.4xlarge has 40,000 IOPS for 30 minutes, of which a quarter of an hour at 19,700 needs to find none left; r6i.8xlarge sustains them.
#[test]
fn a_plateau_at_the_baseline_is_not_sure_before_the_burst_would_end() {
    let sure = |instance: &str, reads: u64| {
        let reached = on(instance, &seen(reads, 12_000), &Declarations::default()).instance_saturation.unwrap().reached;
        let plateau = reached.unwrap();
        (plateau.sure, plateau.limit.requires_spent_credits)
    };
    assert_eq!([19_700, 20_100].map(|reads| sure("r6i.4xlarge", reads)), [(false, true); 2]);
    assert_eq!([39_400, 40_200].map(|reads| sure("r6i.8xlarge", reads)), [(true, false); 2]);
}

/// The same with EBS's own counts: of 900 s, 800 above one limit and none above the other.
#[test]
fn counts_of_ebs_name_the_owner() {
    let counted = |counts: EbsCounts| {
        let mut seen = seen(3_590, 12_000);
        let member = Member { device: "nvme1n1".into(), medium: Medium::Ebs("vol-a".into()) };
        seen.layout.volumes[0].members = vec![member];
        let totals = EbsTotals { counts: Timed { counts, known_us: 900_000_000 }, ..EbsTotals::default() };
        seen.totals.ebs = vec![("vol-a".into(), totals)];
        let role = on("m6g.large", &seen, &gp3(3_600));
        let limit = role.state.saturation.unwrap().limit;
        (limit.owner, limit.named().count(), limit.is_sure(), instance_step(&role))
    };
    let volume = EbsCounts { volume_iops_exceeded_us: 800_000_000, ..EbsCounts::default() };
    let instance = EbsCounts { instance_iops_exceeded_us: 800_000_000, ..EbsCounts::default() };
    assert_eq!(counted(volume), (LimitOwner::Volume, 1, true, "sufficient"));
    assert_eq!(counted(instance), (LimitOwner::Instance, 1, true, "reached"));
    assert_eq!(counted(EbsCounts::default()), (LimitOwner::Instance, 0, false, "doubtful"));
}

/// 3,000 requests of 42.667 KiB are 125 MiB/s, both of gp3's limits: neither is sure alone. Of 8 KiB they are 23.4 MiB/s, of 64 KiB the
/// 125 MiB/s are 2,000 requests.
#[test]
fn two_limits_of_one_volume_are_both_named() {
    let named = |reads: u64, kib: u64| {
        let mut seen = window(&[Load { reads, kib, read_ms: reads * 15, ..DATA }], &[]);
        for interval in &mut seen.intervals {
            for (_, delta) in &mut interval.devices {
                if let (CounterDelta::Known(counts), 42) = (delta, kib) {
                    counts.read_bytes = 125 * MIB;
                }
            }
        }
        let role = declared_advice(&seen, Settings::default(), &gp3(3_000)).roles.remove(0);
        let limit = role.state.saturation.unwrap().limit;
        (limit.named().map(|one| one.limited).collect::<Vec<_>>(), limit.is_sure())
    };
    assert_eq!(named(3_000, 42), (vec![LimitKind::Iops, LimitKind::Throughput], false));
    assert_eq!(named(3_000, 8), (vec![LimitKind::Iops], true));
    assert_eq!(named(2_000, 64), (vec![LimitKind::Throughput], true));
}

/// 1 MiB takes (1,024 − 16) / 1,024 / 125 s longer than 16 KiB, 7.875 ms: with the 0.91 ms published of reads at most, 8.785. Twice that is a queue, 6 ms are none.
#[test]
fn large_requests_are_not_compared_with_the_latency_of_small_ones() {
    let limit = |latency_ms: u64| {
        let seen = window(&[Load { reads: 122, kib: 1_024, read_ms: 122 * latency_ms, ..DATA }], &[]);
        let role = declared_advice(&seen, Settings::default(), &gp3(3_000)).roles.remove(0);
        role.state.saturation.map(|saturation| saturation.limit)
    };
    assert_eq!([6, 8, 12].map(|latency_ms| limit(latency_ms).is_some()), [false; 3]);
    let saturated = limit(100).unwrap();
    assert!((saturated.unqueued.ms - (0.91 + 7.875)).abs() < 1e-6, "{}", saturated.unqueued.ms);
    assert!((saturated.latency_ratio() - 100.0 / 8.785).abs() < 1e-3);
}

/// At the instance's limit requests queue there, whatever the volume: 0.74 ms published for gp3 would be a promise. Without a queue
/// it holds.
#[test]
fn a_plateau_of_the_instance_has_no_published_latency() {
    let latencies = |latency_us| {
        let candidates = plateau(19_700, latency_us).candidates;
        let gp3 = candidates.into_iter().find(|candidate| candidate.config.volume_type == VolumeType::Gp3).unwrap();
        (gp3.latency_ms.is_some(), gp3.read_ms().is_some())
    };
    assert_eq!([latencies(12_000), latencies(600)], [(false, false), (true, true)]);
}

/// The row of a type with so many IOPS: its limit, its feasibility, and the first word of the reason.
fn row(role: &RoleAdvice, volume_type: VolumeType, iops: Option<u64>) -> (&'static str, Reason) {
    let is_row = |one: &&Candidate| {
        one.config.volume_type == volume_type && iops.is_none_or(|iops| one.config.iops * one.volumes == iops)
    };
    let candidate = role.candidates.iter().find(is_row).unwrap();
    assert!(!candidate.feasible);
    (candidate.bound_by().name(), candidate.reason.clone())
}

/// gp3's included 3,000 of 19,700 IOPS throttle every second, whatever the instance sustains, and gp2 has 16,000 at most; volumes of all
/// that the instance delivered are bound by it. The same at 20,100. HDDs are unsuitable first.
#[test]
fn volumes_below_the_instances_limit_are_bound_by_their_own() {
    for (reads, delivered) in [(19_700, 19_700), (20_100, 20_000)] {
        let role = plateau(reads, 12_000);
        let (bound, reason) = row(&role, VolumeType::Gp3, Some(3_000));
        assert!(matches!(&reason, Reason::Throttling(one) if one.throttled_pct == 100.0), "{reason:?}");
        assert_eq!(bound, "volume IOPS");
        let (bound, reason) = row(&role, VolumeType::Gp2, Some(16_000));
        assert!(matches!(&reason, Reason::OutOfReach(one) if one.max_per_volume == 16_000.0), "{reason:?}");
        assert_eq!(bound, "volume IOPS");
        for volume_type in [VolumeType::Gp3, VolumeType::Io2] {
            let (bound, reason) = row(&role, volume_type, Some(delivered));
            assert!(matches!(reason, Reason::InstanceSaturated(_)), "{reason:?}");
            assert_eq!(bound, "instance IOPS");
        }
        assert_eq!([VolumeType::St1, VolumeType::Sc1].map(|hdd| row(&role, hdd, None).0), ["type unfit"; 2]);
    }
}

/// 15,000 of data and 10,000 of WAL exceed the 20,000 of the instance together: gp3 of 3,000 throttles the data by itself, and a volume of
/// their share, 12,000, does not.
#[test]
fn a_part_of_a_saturated_instances_demand_is_bound_by_its_own_volume_or_by_the_instance() {
    let loads = [
        Load { reads: 15_000, read_ms: 9_000, ..DATA },
        Load { roles: &[Role::Wal], reads: 10_000, read_ms: 6_000, ..DATA },
    ];
    let role = on("r6i.4xlarge", &window(&loads, &[]), &Declarations::default());
    assert_eq!(row(&role, VolumeType::Gp3, Some(3_000)).0, "volume IOPS");
    assert_eq!(row(&role, VolumeType::Gp3, Some(12_000)).0, "instance IOPS");
}

/// Seconds of a quarter of an hour at this plateau, the others at a tenth of it with 0.6 ms.
fn partly(reads: u64, at_limit_s: usize) -> Window {
    let mut seen = seen(reads, 12_000);
    for interval in seen.intervals.iter_mut().skip(at_limit_s) {
        for (_, delta) in &mut interval.devices {
            if let CounterDelta::Known(counts) = delta {
                (counts.reads, counts.read_bytes) = (reads / 10, reads / 10 * 8_192);
                (counts.read_ms, counts.weighted_ms) = (reads / 10 * 6 / 10, reads / 10 * 6 / 10);
            }
        }
    }
    seen
}

/// 12,000 IOPS are all that m6i.2xlarge sustains: 11,800 of them with a queue are as risky as 12,060, which a replay throttles. In 40 of
/// 900 s, 4.4 %, the risk is high; beside 5 %, very high. At 0.905 of the limit, which is not sure, it is high.
#[test]
fn the_risk_at_a_plateau_is_that_above_the_limit() {
    let risk = |seen: &Window| {
        let role = on("m6i.2xlarge", seen, &Declarations::default());
        let settings = Settings { instance: Some("m6i.2xlarge".into()), ..Settings::default() };
        let request = settings.check(prices("us-east-1").unwrap().clone()).unwrap();
        role.recommendation(&request).volumes().unwrap().risk.unwrap().name()
    };
    assert_eq!([11_400, 11_800, 12_000, 12_060].map(|reads| risk(&seen(reads, 12_000))), ["very high"; 4]);
    assert_eq!(risk(&seen(10_860, 12_000)), "high");
    assert_eq!([40, 60].map(|at_limit_s| risk(&partly(11_800, at_limit_s))), ["high", "very high"]);
}

/// The answer beside a limit, but for its figures: the step of the decision; type, limit and published latency of each row; risk of the
/// named volumes; causes of the confidence.
#[derive(Debug, PartialEq)]
struct Answer {
    step: &'static str,
    rows: Vec<(&'static str, &'static str, bool)>,
    risk: &'static str,
    causes: Vec<&'static str>,
}

/// The answer for a plateau, and the IOPS of the named volumes.
fn answer(reads: u64) -> (Answer, u64) {
    let seen = seen(reads, 12_000);
    let settings = Settings { instance: Some("r6i.4xlarge".into()), ..Settings::default() };
    let request = settings.check(prices("us-east-1").unwrap().clone()).unwrap();
    let role = on("r6i.4xlarge", &seen, &Declarations::default());
    let volumes = role.recommendation(&request).volumes().unwrap();
    let mut rows: Vec<_> = (role.candidates.iter())
        .map(|one| (one.config.volume_type.name(), one.bound_by().name(), one.service_times.is_some()))
        .collect();
    rows.sort_unstable();
    let coverage = Coverage::from_window(&seen);
    let evidence = ConfidenceEvidence {
        window: &seen,
        coverage: &coverage,
        checkpoint_cycles: None,
        checkpoint_timeout_s: None,
        declared: &Declarations::default(),
        request: &request,
        is_lookback: false,
        is_production: false,
    };
    let confidence = Confidence::new(&evidence, std::iter::once(&role));
    let causes = confidence.causes.iter().map(ConfidenceCause::code).collect();
    let (step, risk) = (instance_step(&role), volumes.risk.unwrap().name());
    (Answer { step, rows, risk, causes }, volumes.config.iops)
}

/// Plateaus from 19,000 to 20,900 of the 20,000 IOPS: the same answer, and volumes of at most 2 % more IOPS for 1 % more, and the
/// rounding of an order.
#[test]
fn the_answer_does_not_jump_at_the_edge() {
    let (first, mut iops) = answer(19_000);
    assert_eq!((first.step, first.risk), ("reached", "very high"));
    for reads in
        [19_200, 19_400, 19_600, 19_700, 19_800, 19_900, 19_990, 20_000, 20_010, 20_100, 20_300, 20_600, 20_900]
    {
        let (next, next_iops) = answer(reads);
        assert_eq!(next, first, "{reads}");
        let most = (1.02 * iops as f64) as u64 + IOPS_STEP;
        assert!((iops..=most).contains(&next_iops), "{reads}: {iops} {next_iops}");
        iops = next_iops;
    }
    assert_eq!(iops, 20_000);
}

/// Data and WAL have 10,000 IOPS each, flat with a queue, below the 16,000 that are declared of both: the 20,000 of the instance.
#[test]
fn the_limit_of_the_instance_refutes_no_declaration() {
    let data = Load { reads: 9_900, read_ms: 9_900 * 12, ..DATA };
    let seen = window(&[data, Load { roles: &[Role::Wal], ..data }], &[]);
    let config = VolumeConfig::new(Platform::Ec2, VolumeType::Gp3, 500, Some(16_000), None).unwrap();
    let volumes = ["data", "wal"].map(|role| Declared::new(role, config, 1)).into();
    let declared = Declarations { volumes, ..Declarations::default() };
    let findings = |instance: &str| on(instance, &seen, &declared).decision.findings;
    let found = findings("r6i.4xlarge");
    assert!(matches!(found.as_slice(), [Finding::InstanceBinds { .. }]), "{found:?}");
    let is_refuted = |finding: &Finding| matches!(finding, Finding::DescriptionRefuted(_));
    assert!(findings("r6i.16xlarge").iter().any(is_refuted));
}
