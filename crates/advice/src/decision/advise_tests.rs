//! Advice on demand that is the same every second, so that each answer can be worked out by hand: p99 is the demand, and a
//! fifth more is needed. 80 GiB in use want 100. Dollars are us-east-1's, a GiB and an IOPS: gp3 0.08 and 0.005 above 3,000,
//! gp2 0.10, io1 and io2 0.125 and 0.065.

use super::*;
use crate::evaluate::candidate::Excess;
use crate::evaluate::reason::{MeanLatency, Provisioning, Reason};
use crate::request::settings::Settings;
use crate::{Variation, VariedArgument};
use ebs_aws::catalogue::{LimitKind, Platform, VolumeConfig, VolumeType, prices};
use ebs_base::units::{GIB, Usd};
use ebs_prediction::BindingLimit;
use ebs_prediction::predict::Source;
use ebs_samples::evidence::{
    Block, CounterDelta, DeviceCounts, DeviceReadings, Role, Sample, Session, StorageLayout, Totals, Volume, WaitKey,
};
use ebs_workload::declarations::{Declarations, Declared};

/// Demand of each second on one volume.
#[derive(Clone, Copy)]
pub(crate) struct Load {
    pub roles: &'static [Role],
    pub reads: u64,
    pub writes: u64,
    pub kib: u64,
    pub read_ms: u64,
}

pub(crate) const DATA: Load = Load { roles: &[Role::Data], reads: 10, writes: 0, kib: 8, read_ms: 5 };
pub(crate) const WAL: Load = Load { roles: &[Role::Wal], reads: 0, writes: 10, kib: 8, read_ms: 0 };

impl Load {
    fn counts(&self) -> DeviceCounts {
        DeviceCounts {
            reads: self.reads,
            writes: self.writes,
            read_bytes: self.reads * self.kib * 1024,
            write_bytes: self.writes * self.kib * 1024,
            read_ms: self.read_ms,
            write_ms: self.writes / 2,
            ..DeviceCounts::default()
        }
    }

    fn volume(&self, index: usize) -> Volume {
        Volume {
            device: format!("nvme{}n1", index + 1),
            roles: self.roles.to_vec(),
            timed: true,
            filesystem_bytes: Some(500 * GIB),
            used_bytes: Some(80 * GIB),
            ..Volume::default()
        }
    }
}

/// A quarter of an hour of these; two client backends were in each of `waits` for so many per cent
/// of their time.
pub(crate) fn window(loads: &[Load], waits: &[(&str, &str, u64)]) -> Window {
    let devices: DeviceReadings =
        (0..).zip(loads).map(|(index, load)| (index, CounterDelta::Known(load.counts()))).collect();
    let sample =
        |second: i64| Sample { at_us: second * 1_000_000, dt_us: 1_000_000, devices: devices.clone(), reset: false };
    let mut totals = Totals::default();
    (totals.waits.swept_us, totals.waits.sweeps) = (900_000_000, 90_000);
    totals.waits.rows =
        waits.iter().map(|(class, event, percent)| (client(class, event), percent * 18_000_000)).collect();
    let block = Block {
        interval_us: 1_000_000,
        layout: StorageLayout {
            volumes: (0..).zip(loads).map(|(index, load)| load.volume(index)).collect(),
            ..StorageLayout::default()
        },
        totals,
        samples: (1..=900).map(sample).collect(),
        ..Block::default()
    };
    Window::assemble([block], 0, 900_000_000)
}

fn client(class: &str, event: &str) -> WaitKey {
    let backend_type = "client backend".to_owned();
    WaitKey { backend_type, class: class.to_owned(), event: event.to_owned(), session: Session::default() }
}

pub(crate) fn advice(window: &Window, settings: Settings) -> Advice {
    declared_advice(window, settings, &Declarations::default())
}

pub(crate) fn declared_advice(window: &Window, settings: Settings, declared: &Declarations) -> Advice {
    advise(window, &settings.check(prices("us-east-1").unwrap().clone()).unwrap(), declared, &|| ())
}

/// One volume for the data, as declared.
pub(crate) fn declare(volume_type: VolumeType, size_gib: u64, iops: Option<u64>) -> Declarations {
    let config = VolumeConfig::new(Platform::Ec2, volume_type, size_gib, iops, None).unwrap();
    let one = Declared::new("data", config, 1);
    Declarations { volumes: vec![one], ..Declarations::default() }
}

pub(crate) fn data(load: Load, settings: Settings) -> RoleAdvice {
    advice(&window(&[load], &[]), settings).roles.remove(0)
}

pub(crate) fn rds() -> Settings {
    Settings { platform: "rds".into(), ..Settings::default() }
}

fn over_budget(excess: &str, others: &str) -> Reason {
    Reason::OverBudget { excess: dollars(excess), others: dollars(others) }
}

pub(crate) fn dollars(text: &str) -> Usd {
    text.parse().unwrap()
}

/// The cheapest row of a type, feasible or not.
fn of(role: &RoleAdvice, volume_type: VolumeType) -> &Candidate {
    role.candidates.iter().find(|candidate| candidate.config.volume_type == volume_type).unwrap()
}

fn feasible(role: &RoleAdvice) -> Vec<&'static str> {
    let names = role.candidates.iter().filter(|candidate| candidate.feasible);
    names.map(|candidate| candidate.config.volume_type.name()).collect()
}

fn close(found: Option<f64>, expected: f64) -> bool {
    found.is_some_and(|found| (found - expected).abs() < 1e-9)
}

/// Data needs 7,500 IOPS: 8 + 22.50. WAL has what gp3 includes: 8, or 10 as gp2. All on one 7,620, of
/// which 7,700 are ordered: 16 + 23.50.
#[test]
fn a_budget_is_for_all_roles() {
    let busy = Load { reads: 6_250, read_ms: 3_000, ..DATA };
    let seen = window(&[busy, Load { writes: 100, ..WAL }], &[]);
    let with = |budget: &str| advice(&seen, Settings { budget_usd: Some(dollars(budget)), ..Settings::default() });

    let enough = with("38.50");
    assert_eq!((enough.separate_usd(), enough.cheaper_consolidated().is_some()), (Some(dollars("38.50")), false));
    assert_eq!(enough.roles.iter().map(feasible).collect::<Vec<_>>(), [["gp3"], ["gp3"]]);
    let gp2 = of(&enough.roles[1], VolumeType::Gp2);
    assert_eq!((gp2.bound, gp2.excess), (BindingLimit::Budget, Some(Excess { required: 40.5, limit: 38.5 })));
    assert_eq!(gp2.reason, over_budget("2", "30.50"));

    // A cent less leaves the data, which comes first, a headroom of 18 %: 7,400 IOPS; and the WAL what it costs.
    let short = with("38.49");
    assert_eq!(short.separate_usd(), Some(dollars("38")));
    let best = short.roles[0].best().unwrap();
    assert!(best.is_within_budget_alone() && best.config.iops == 7_400, "{best:?}");
    let gp3 = of(&short.roles[1], VolumeType::Gp3);
    assert!(gp3.feasible && !gp3.is_within_budget_alone() && gp3.total() == dollars("8"), "{gp3:?}");
    // What holds everything has the budget to itself: 7,500 IOPS for 38.50 are a step too many.
    let one = short.consolidated.as_ref().unwrap().best().unwrap();
    assert_eq!((one.is_within_budget_alone(), one.total()), (true, dollars("38")));
    // Nothing at all costs a dollar.
    assert!(with("1").roles.iter().all(|role| role.best().is_none()));
    assert!(with("39.50").consolidated.unwrap().best().is_some());
}

/// io2 has at least 100 IOPS: twice 12.50 + 6.50, or once 25 + 6.50. gp3 has its 3,000 on each of two.
#[test]
fn one_volume_is_told_where_it_is_cheaper() {
    let seen = window(&[DATA, WAL], &[]);
    let apart = advice(&seen, Settings::default());
    assert_eq!(apart.separate_usd(), Some(dollars("16")));
    assert_eq!(apart.consolidated.as_ref().and_then(|all| all.best()).map(Candidate::total), Some(dollars("16")));
    assert!(apart.cheaper_consolidated().is_none());

    let durable = advice(&seen, Settings { durability_pct: Some(99.999), ..Settings::default() });
    assert_eq!(durable.separate_usd(), Some(dollars("38")));
    let one = durable.cheaper_consolidated().unwrap();
    assert_eq!((one.state.group.role.as_str(), one.best().unwrap().total()), ("data+wal", dollars("31.50")));
    assert!(advice(&window(&[DATA], &[]), Settings::default()).consolidated.is_none());
}

/// Its price comes on top of the storage's, 200 GiB of gp3 at 0.115.
#[test]
fn a_dedicated_log_volume_is_within_the_budget_with_its_storage() {
    let seen = window(&[DATA, WAL], &[]);
    let free = advice(&seen, rds());
    let (storage, log) = (free.separate_usd().unwrap(), free.log_volume.unwrap());
    assert_eq!(storage, dollars("23"));
    assert!(log.feasible && (log.config.size_gib, log.config.iops) == (1_024, 3_000), "{log:?}");

    let with = |budget| advice(&seen, Settings { budget_usd: Some(budget), ..rds() });
    assert!(with(storage + log.total()).log_volume.unwrap().feasible);
    let short = with(storage + log.total() - dollars("0.01"));
    let refused = short.log_volume.unwrap();
    assert_eq!((refused.feasible, refused.bound), (false, BindingLimit::Budget));
    assert_eq!(refused.reason, over_budget("0.01", "23"));
    assert!(short.roles[0].best().is_some(), "the storage alone is within it");

    assert!(advice(&seen, Settings::default()).log_volume.is_none(), "not on EC2");
    assert!(advice(&window(&[DATA], &[]), rds()).log_volume.is_none(), "nor where WAL is not apart");
    let busy = advice(&window(&[DATA, Load { writes: 4_000, ..WAL }], &[]), rds()).log_volume.unwrap();
    assert_eq!((busy.feasible, busy.bound), (false, BindingLimit::VOLUME_IOPS));
}

/// 7,500 IOPS are 30.50; 6,250, ordered as 6,300, are 24.50, four volumes with their 12,000 are 8, io2 is 500.
#[test]
fn variations_keep_to_the_budget() {
    let busy = Load { reads: 6_250, read_ms: 3_000, ..DATA };
    let totals = |budget: Option<&str>| {
        let role = data(busy, Settings { budget_usd: budget.map(dollars), ..Settings::default() });
        let of = |variation: &Variation| (variation.argument, variation.best.as_ref().map(Candidate::total));
        role.variations.iter().map(of).collect::<Vec<_>>()
    };
    let expected = |io2: Option<&str>| {
        [
            (VariedArgument::Headroom(0.0), Some(dollars("24.50"))),
            (VariedArgument::MaxVolumes(4), Some(dollars("8"))),
            (VariedArgument::LatencyTargetMs(0.40), io2.map(dollars)),
            (VariedArgument::DurabilityPct(99.999), io2.map(dollars)),
        ]
    };
    assert_eq!(totals(None), expected(Some("500")));
    assert_eq!(totals(Some("35")), expected(None));
}

/// Half of the time waits for reads of 0.37 ms. gp3 takes 0.74, twice as long: 1 / (0.5 + 1). io1 takes 0.55, 0.80 of the throughput, io2
/// 0.40, 0.96.
#[test]
fn some_types_keep_the_throughput_and_others_do_not() {
    let load = Load { reads: 2_000, read_ms: 740, ..DATA };
    let seen = window(&[load], &[("IO", "DataFileRead", 50), ("CPU*", "CPU*", 50)]);
    let with = |ratio| {
        let settings = Settings { min_throughput_ratio: Some(ratio), ..Settings::default() };
        advice(&seen, settings).roles.remove(0)
    };
    assert_eq!(feasible(&with(0.6)), ["gp3", "gp2", "io1", "io2"]);
    // The middle of the estimate counts: with the lowest latency published, 0.60 ms, gp3 would do 0.76.
    assert_eq!(feasible(&with(0.75)), ["io1", "io1", "io2"]);
    let kept = with(0.95);
    assert_eq!(feasible(&kept), ["io2", "io2"]);
    // 1,922 of 2,000 without a limit, of which 98 % and 0.95 of today are 1,900: 12.50 + 1,900 × 0.065.
    assert_eq!(kept.best().unwrap().total(), dollars("136"));
    let ratio = kept.best().unwrap().ratio().unwrap().middle;
    assert!((0.95..1.0 / (0.5 + 0.5 * 0.40 / 0.37)).contains(&(ratio + 1e-9)), "{ratio}");
    let gp3 = of(&kept, VolumeType::Gp3);
    assert_eq!(gp3.bound, BindingLimit::ThroughputRatio);
    assert!(close(gp3.excess.map(|excess| excess.limit), 1.0 / 1.5) && gp3.excess.unwrap().required == 0.95);
    assert!(with(1.5).best().is_none());

    // Without waits nothing is known, and nothing ruled out.
    let unknown = data(load, Settings { min_throughput_ratio: Some(1.5), ..Settings::default() });
    assert!(unknown.best().unwrap().ratio().is_none() && unknown.state.predictor.is_err());
}

#[test]
fn sessions_wait_for_data_and_wal_apart() {
    let waits = [("IO", "DataFileRead", 40), ("IO", "WalSync", 30), ("LWLock", "WALWrite", 10), ("CPU*", "CPU*", 20)];
    let shares = |role: &RoleAdvice| {
        let seen = role.state.predictor.as_ref().ok()?.observed;
        let of = |seconds: f64| seconds / seen.response_s();
        Some((of(seen.read.seconds), of(seen.commit.seconds), of(seen.cpu_s)))
    };
    let found = advice(&window(&[DATA, WAL], &waits), Settings::default());
    let near = |found: Option<(f64, f64, f64)>, (read, write, cpu): (f64, f64, f64)| {
        close(found.map(|f| f.0), read) && close(found.map(|f| f.1), write) && close(found.map(|f| f.2), cpu)
    };
    assert!(near(shares(&found.roles[0]), (0.4, 0.0, 0.2)), "{:?}", shares(&found.roles[0]));
    assert!(near(shares(&found.roles[1]), (0.0, 0.4, 0.2)), "{:?}", shares(&found.roles[1]));
    assert!(near(shares(found.consolidated.as_ref().unwrap()), (0.4, 0.4, 0.2)));
}

/// io2 of 100 GiB and 10,000 IOPS is 662.50 on EC2, whatever is asked about; RDS's io2 would be dearer.
#[test]
fn savings_are_against_what_was_declared() {
    let seen = window(&[DATA], &[]);
    let role = |settings, declared: &Declarations| declared_advice(&seen, settings, declared).roles.remove(0);
    let io2 = declare(VolumeType::Io2, 100, Some(10_000));
    let ec2 = role(Settings::default(), &io2);
    assert_eq!(ec2.current.as_ref().unwrap().bill.unwrap().total(), dollars("662.50"));
    assert_eq!(ec2.best().unwrap().saving, Some(dollars("654.50")));
    let moved = role(rds(), &io2);
    assert_eq!(moved.current.as_ref().unwrap().bill, ec2.current.as_ref().unwrap().bill);
    assert_eq!((moved.best().unwrap().total(), moved.best().unwrap().saving), (dollars("11.50"), Some(dollars("651"))));

    // 3,003 IOPS are ordered as 3,100. A GiB more makes 8.58, beside io2 of 662.625, shown as 662.63.
    let odd = window(&[Load { reads: 2_502, read_ms: 1_000, ..DATA }], &[]);
    let larger = declare(VolumeType::Io2, 101, Some(10_000));
    let odd = declared_advice(&odd, Settings::default(), &larger).roles.remove(0);
    assert_eq!(odd.best().map(|best| (best.total(), best.saving)), Some((dollars("8.58"), Some(dollars("654.05")))));

    let durable = Settings { durability_pct: Some(99.999), ..Settings::default() };
    assert_eq!(role(durable, &declare(VolumeType::Gp3, 100, None)).best().unwrap().saving, Some(dollars("-11")));
    assert_eq!(role(Settings::default(), &Declarations::default()).best().unwrap().saving, None);
}

/// Half reads, half writes: gp3 0.765, gp2 0.825, io1 0.575, io2 0.445 ms.
#[test]
fn a_latency_target_is_compared_with_the_mix() {
    let mixed = Load { reads: 50, writes: 50, ..DATA };
    let with = |target| data(mixed, Settings { latency_target_ms: Some(target), ..Settings::default() });
    assert_eq!(feasible(&with(0.9)), ["gp3", "gp2", "io2", "io1"]);
    assert_eq!(feasible(&with(0.79)), ["gp3", "io2", "io1"]);
    assert_eq!(feasible(&with(0.76)), ["io2", "io1"]);
    assert_eq!(feasible(&with(0.5)), ["io2"]);
    assert!(feasible(&with(0.4)).is_empty());
    let gp3 = with(0.5).candidates.into_iter().find(|one| one.config.volume_type == VolumeType::Gp3).unwrap();
    assert_eq!(gp3.bound, BindingLimit::Latency);
    let Reason::Latency(MeanLatency { service_ms, source, queueing_ms, target_ms }) = gp3.reason else {
        panic!("{:?}", gp3.reason)
    };
    assert!(close(Some(service_ms), 0.765) && source == Source::Published);
    assert_eq!((queueing_ms, target_ms), (None, 0.5));
    assert!(close(gp3.excess.and_then(|missed| missed.by_pct()), 53.0));
}

#[test]
fn io2_alone_is_more_durable() {
    let with = |durability| data(DATA, Settings { durability_pct: Some(durability), ..Settings::default() });
    assert_eq!(feasible(&with(99.8)), ["gp3", "gp2", "io2", "io1"]);
    assert_eq!(feasible(&with(99.9)), ["io2"]);
    let refused = with(99.9);
    let gp3 = of(&refused, VolumeType::Gp3);
    assert_eq!((gp3.bound, gp3.excess), (BindingLimit::Durability, Some(Excess { required: 99.9, limit: 99.8 })));
}

/// The volume that is paid for decides, however busy the sessions are; less than one of them at work is no bottleneck.
#[test]
fn sessions_that_compute_are_told() {
    let bound = |load, cpu, read| {
        let seen = window(&[load], &[("CPU*", "CPU*", cpu), ("IO", "DataFileRead", read)]);
        advice(&seen, Settings::default()).roles[0].best().unwrap().bound.name()
    };
    assert_eq!([bound(DATA, 79, 21), bound(DATA, 81, 19), bound(DATA, 40, 5)], ["none", "CPU", "none"]);
    assert_eq!(bound(Load { reads: 6_250, read_ms: 3_000, ..DATA }, 95, 5), "volume IOPS");
}

/// m5.large carries 3,600 IOPS: 3,200 with a fifth more would be 3,840.
#[test]
fn a_small_instance_leaves_less_headroom() {
    let with = |instance: &str| Settings { instance: Some(instance.into()), ..Settings::default() };
    let tight = data(Load { reads: 3_200, read_ms: 1_000, ..DATA }, with("m5.large"));
    let best = tight.best().unwrap();
    assert_eq!((best.bound, best.config.iops), (BindingLimit::INSTANCE_IOPS, 3_600));
    let Reason::Sufficient(reason) = &best.reason else { panic!("{:?}", best.reason) };
    let all_it_carries = Provisioning::InstanceBaseline {
        instance_type: "m5.large",
        limited: LimitKind::Iops,
        baseline: 3_600.0,
        percentile: 99.0,
        percentile_high: 3_200.0,
        headroom_pct: 20.0,
    };
    assert_eq!(reason.provisioning, all_it_carries);
    let ample = data(Load { reads: 3_200, read_ms: 1_000, ..DATA }, with("r6i.4xlarge"));
    assert_eq!(ample.best().unwrap().bound, BindingLimit::VOLUME_IOPS);
    // Nothing is feasible where it cannot carry the demand itself: 12,000 are 233 % more than it has.
    let short = data(Load { reads: 10_000, read_ms: 3_000, ..DATA }, with("m5.large"));
    let missed = short.candidates[0].excess.and_then(|missed| missed.by_pct());
    assert_eq!((feasible(&short).len(), short.candidates[0].bound), (0, BindingLimit::INSTANCE_IOPS));
    assert!(close(missed, 100.0 * (12_000.0 / 3_600.0 - 1.0)), "{missed:?}");
}

/// A stripe of four that is there may stay one; what was not declared is one volume.
#[test]
fn a_stripe_of_now_may_stay_one() {
    let config = VolumeConfig::new(Platform::Ec2, VolumeType::Gp3, 40, None, None).unwrap();
    let four = Declared::new("data", config, 4);
    let four = Declarations { volumes: vec![four], ..Declarations::default() };
    let busy = window(&[Load { reads: 6_250, read_ms: 3_000, ..DATA }], &[]);
    let volumes = |settings, declared: &Declarations| {
        declared_advice(&busy, settings, declared).roles[0].best().map(|best| best.volumes)
    };
    assert_eq!(volumes(Settings::default(), &four), Some(4));
    assert_eq!(volumes(Settings { max_volumes: Some(1), ..Settings::default() }, &four), Some(1));
    assert_eq!(volumes(Settings::default(), &Declarations::default()), Some(1));
}

/// Its gp3 has the throughput that AWS gives it, and gp2 is not sold.
#[test]
fn a_cluster_of_rds_is_sold_three_types() {
    let role = data(DATA, Settings { platform: "rds-cluster".into(), ..Settings::default() });
    let mut types = feasible(&role);
    types.sort_unstable();
    assert_eq!(types, ["gp3", "io1", "io2"]);
    // Three times 100 × 0.115.
    assert_eq!(of(&role, VolumeType::Gp3).total(), dollars("34.50"));
    let scan = Load { reads: 2_400, kib: 256, ..DATA };
    let scan = data(scan, Settings { platform: "rds-cluster".into(), min_size_gib: Some(400), ..Settings::default() });
    assert_eq!(
        (of(&scan, VolumeType::Gp3).bound, of(&scan, VolumeType::Gp3).feasible),
        (BindingLimit::VOLUME_THROUGHPUT, false)
    );
}
