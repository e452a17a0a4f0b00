//! A fleet of 200 volumes of known demand: the answer worked out by hand for each kind, and the one that advice gives for the same counts.

use ebs_advice::{Action, ActionReason, Finding, InstanceLoad, Recommendation, Request, advise, advise_on_instance};
use ebs_aws::catalogue::{Platform, VolumeConfig, VolumeType, instance, prices};
use ebs_base::counter::Counters;
use ebs_fixtures::fleet::{FleetKind, MadeFleet, MadeVolume, size_gib};
use ebs_imports::configuration::{Configuration, read};
use ebs_prediction::BindingLimit;
use ebs_prometheus::{Labels, Series};
use ebs_samples::evidence::{
    Block, CounterDelta, DeviceCounts, Medium, Member, Role, Sample, Sampling, StorageLayout, Tier, Volume, Window,
};
use ebs_workload::io_profile::Metric;

use crate::discovery::described::Described;
use crate::evaluate::{collect_checked, used_space};
use crate::series::index::Index;
use crate::window::evidence::{blocks, window_of_counts};
use crate::{Fleet, Grade, Reason, Selection, Settings, VolumeAnswer, evaluate, volume_samples};

const DAYS: i64 = 4;

struct Made {
    fleet: MadeFleet,
    configuration: Configuration,
    settings: Settings,
}

impl Made {
    fn new(volumes: usize) -> Made {
        let fleet = MadeFleet::new(volumes, DAYS, 60);
        let text = format!("{}\n{}", fleet.describe_volumes(), fleet.describe_instances());
        let (from_us, to_us) = (fleet.from_s * 1_000_000, fleet.to_s() * 1_000_000);
        let settings = Settings { from_us, to_us, ..Settings::default() };
        Made { fleet, configuration: read(&text, &|| ()).unwrap(), settings }
    }

    /// Answers of these volumes, which share instances with no others.
    fn answers(&self, numbers: &[usize]) -> Vec<VolumeAnswer> {
        let series: Vec<Series> = numbers.iter().flat_map(|n| self.fleet.series(&self.fleet.volume(*n))).collect();
        let labels: Vec<Labels> = series.iter().map(|one| one.labels.clone()).collect();
        let found = Fleet::discover(labels, &self.configuration, &Selection::default());
        assert_eq!(found.batches.len(), 1);
        evaluate(&found.batches[0], series, &self.configuration, &self.settings, &|| ())
    }

    /// Advice on the counts of these volumes together, assembled by hand.
    fn window(&self, volumes: &[&MadeVolume], id: &str) -> Window {
        let sample = |scrape: usize| {
            let all = volumes.iter().map(|volume| self.fleet.counts(volume, scrape));
            let counts = all.fold(DeviceCounts::default(), Counters::plus);
            let devices = [(0, CounterDelta::Known(counts))].into();
            Sample { at_us: self.fleet.at_ms(scrape) * 1_000, dt_us: 60_000_000, devices, reset: false }
        };
        let member = Member { device: id.to_owned(), medium: Medium::Ebs(id.to_owned()) };
        let volume = Volume {
            device: id.to_owned(),
            roles: vec![Role::Data, Role::Wal],
            members: vec![member],
            timed: true,
            ..Volume::default()
        };
        let block = Block {
            interval_us: 60_000_000,
            sampling: Sampling { tier: Tier::Imported, ..Sampling::default() },
            layout: StorageLayout { volumes: vec![volume], ..StorageLayout::default() },
            samples: (1..self.fleet.scrapes).map(sample).collect(),
            ..Block::default()
        };
        Window::assemble([block], self.settings.from_us, self.settings.to_us)
    }

    fn request(&self, instance_type: &str) -> Request {
        let request = ebs_advice::Settings::default().check(prices("us-east-1").unwrap().clone()).unwrap();
        Request { instance: Some(instance(instance_type).unwrap()), ..request }
    }
}

/// Type, GiB, IOPS and MiB/s that are recommended.
fn recommended(answer: &VolumeAnswer) -> (&'static str, u64, u64, u64) {
    let config = answer.recommended.as_ref().unwrap().config;
    (config.volume_type.name(), config.size_gib, config.iops, config.throughput_mibps)
}

fn cents(answer: &VolumeAnswer) -> Option<i64> {
    answer.saved.map(|usd| usd.cents())
}

#[test]
fn every_volume_has_the_answer_worked_out_by_hand() {
    let made = Made::new(200);
    let mut checked = 0;
    for volume in made.fleet.all() {
        let turn = FleetKind::ALL.len();
        let is_second = volume.device == "nvme2n1";
        if is_second {
            continue;
        }
        let numbers = match volume.kind {
            FleetKind::InstanceBound => vec![volume.number, volume.number + turn],
            _ => vec![volume.number],
        };
        let is_present = |answer: &VolumeAnswer| answer.identity.state.as_deref() != Some("available");
        for answer in made.answers(&numbers).into_iter().filter(is_present) {
            check(&volume, &answer);
            assert_eq!(answer.identity.account.as_deref(), Some("123456789012"));
            assert!(
                answer.evidence.coverage > 0.99 || volume.kind == FleetKind::Replaced,
                "{}",
                answer.evidence.coverage
            );
            assert_eq!((answer.evidence.grade, answer.evidence.resets), (Grade::Scrapes, 0));
            checked += 1;
        }
    }
    assert_eq!(checked, 200);
}

/// us-east-1: gp3 0.08 a GiB, 0.005 an IOPS above 3,000, 0.04 a MiB/s above 125; gp2 0.10 a GiB.
fn check(volume: &MadeVolume, answer: &VolumeAnswer) {
    let size = size_gib(volume);
    let included = ("gp3", size, 3_000, 125);
    let has = |wanted: &dyn Fn(&Finding) -> bool| answer.findings.iter().any(wanted);
    match volume.kind {
        // 3,000 × 0.005 + 125 × 0.04.
        FleetKind::Idle => {
            assert_eq!((answer.action, cents(answer), recommended(answer)), (Action::Modify, Some(2_000), included));
            let is_idle = matches!(answer.reason, Reason::Decided(ActionReason::Idle { requests: 0, .. }));
            assert!(is_idle && has(&|f| matches!(f, Finding::Idle { .. })));
        }
        // 5,000 × 0.005 + 125 × 0.04.
        FleetKind::Steady | FleetKind::Moved => {
            assert_eq!((answer.action, cents(answer), recommended(answer)), (Action::Modify, Some(3_000), included));
            let is_moved = has(&|f| matches!(f, Finding::Moved { instances } if instances.len() == 2));
            assert_eq!(is_moved, volume.kind == FleetKind::Moved);
            assert_eq!(answer.binding, Some(BindingLimit::None));
        }
        // 1,000 × (0.10 - 0.08).
        FleetKind::Bursty => {
            assert_eq!((answer.action, cents(answer), recommended(answer)), (Action::Modify, Some(2_000), included));
            assert!(has(&|f| *f == Finding::PreviousGeneration { volume_type: "gp2" }));
        }
        // At 3,000 for two thirds of the time, with 48 requests in flight: more IOPS, each of which costs.
        FleetKind::Saturated => {
            let (name, gib, iops, _) = recommended(answer);
            assert!(answer.action == Action::Modify && (name, gib) == ("gp3", size) && iops > 3_000, "{iops}");
            assert_eq!(cents(answer), Some(-(iops as i64 - 3_000) / 2));
            assert_eq!(answer.binding, Some(BindingLimit::VOLUME_IOPS));
            assert!((answer.limit_share.unwrap() - 2.0 / 3.0).abs() < 0.01);
        }
        // 2 × 2,000 on 3,600; with 20 % headroom 4,800, which m5.xlarge sustains (6,000).
        FleetKind::InstanceBound => {
            assert_eq!((answer.action, answer.binding), (Action::LargerInstance, Some(BindingLimit::INSTANCE_IOPS)));
            let Reason::Decided(ActionReason::InstanceBinds { instance, required, sufficient, .. }) = &answer.reason
            else {
                panic!()
            };
            assert_eq!(
                (instance.instance_type.as_str(), sufficient.unwrap().instance_type.as_str()),
                ("m5.large", "m5.xlarge")
            );
            assert!((4_800.0..5_000.0).contains(&required.iops), "{}", required.iops);
        }
        // Its 5.4 million credits last for 5,400,000 / (2,000 - 300) = 3,176 s of the two hours a day.
        FleetKind::RunningDry => {
            assert_eq!((answer.action, answer.binding), (Action::Modify, Some(BindingLimit::Credits)));
            assert!(has(&|f| matches!(f, Finding::CreditsExhausted { .. })));
            let (name, gib, iops, _) = recommended(answer);
            assert!((name, gib) == ("gp3", 100) && iops >= 3_000);
            assert_eq!(cents(answer), Some(200 - (iops as i64 - 3_000) / 2));
            assert!((answer.limit_share.unwrap() - 4_020.0 / 86_400.0).abs() < 0.002);
        }
        // 58 GiB after four days of 2 GiB; in 30 days 118, which may be 80 % of the volume: 147.5 GiB.
        FleetKind::Growing => {
            assert_eq!(
                (answer.action, cents(answer), recommended(answer)),
                (Action::Modify, Some(-384), ("gp3", 148, 3_000, 125))
            );
            let Some(Finding::FillsUp { days, .. }) = answer.findings.first() else { panic!("{:?}", answer.findings) };
            assert!((days - (98.0 - 58.0) / 2.0).abs() < 0.1, "{days}");
        }
        FleetKind::Replaced | FleetKind::Right => {
            assert_eq!((answer.action, cents(answer), recommended(answer)), (Action::Keep, Some(0), included));
            let half = if volume.kind == FleetKind::Replaced { 0.5 } else { 1.0 };
            assert!((answer.evidence.coverage - half).abs() < 0.01);
        }
    }
}

/// The volume that was replaced is attached to nothing now, and was used for half of the time: it is not deleted, but sized by its counts.
#[test]
fn a_replaced_volume_is_not_deleted() {
    let made = Made::new(10);
    let answers = made.answers(&[8]);
    let replaced = answers.iter().find(|one| one.identity.id == MadeFleet::replaced_id(8)).unwrap();
    let last = replaced.findings.iter().find_map(|finding| match finding {
        Finding::Unattached { last_io_us, .. } => *last_io_us,
        _ => None,
    });
    let middle_us = (made.settings.from_us + made.settings.to_us) / 2;
    assert!((last.unwrap() - middle_us).abs() <= 60_000_000, "{last:?} {middle_us}");
    assert_eq!((answers.len(), replaced.action), (2, Action::Keep), "{replaced:?}");
}

/// Everything that advice says on counts that were assembled by hand.
#[test]
fn a_volume_alone_on_its_instance_has_the_answer_of_ebs_options() {
    let made = Made::new(10);
    for number in [1, 2, 3, 5, 9] {
        let volume = made.fleet.volume(number);
        let answer = &made.answers(&[number])[0];
        let mut window = made.window(&[&volume], &volume.id);
        // The size of the file system is the one thing that the counts do not tell.
        let size = (size_gib(&volume) as f64 * 1_073_741_824.0 * 0.98).round();
        (window.layout.volumes[0].filesystem_bytes, window.layout.volumes[0].used_bytes) =
            (Some(size as u64), Some((size * 0.4).round() as u64));
        let declared = Described::from_volume(&volume.id, &made.configuration).declarations();
        let advice = advise(&window, &made.request("r6i.4xlarge"), &declared, &|| ());
        let role = &advice.roles[0];
        let Recommendation::Volumes(best) = role.recommendation(&made.request("r6i.4xlarge")) else {
            panic!("{number}")
        };
        let Reason::Decided(ActionReason::Sufficient(ours) | ActionReason::PresentTooSmall(ours)) = &answer.reason
        else {
            panic!("{number}: {:?}", answer.reason)
        };
        assert_eq!(
            format!("{:?}", (best.config, &best.bill, &best.reason, best.outcome, best.risk)),
            format!("{:?}", (ours.config, &ours.bill, &ours.reason, ours.outcome, ours.risk))
        );
        assert_eq!((best.saving, best.volumes), (ours.saving, ours.volumes));
        let figure = ebs_workload::io_profile::find(&role.state.figures, Metric::Requests).unwrap();
        let iops = answer.demand.as_ref().unwrap().find(Metric::Requests).unwrap().clone();
        assert_eq!((figure.p50, figure.p99, figure.max), (iops.p50, iops.p99, iops.max));
        assert_eq!(figure.p99_interval, iops.p99_interval);
    }
}

/// Samples of a run are those of the row, with the used space at each hour and the time of the documents.
#[test]
fn the_run_of_a_volume_has_its_used_space_over_time() {
    let made = Made::new(10);
    let volume = made.fleet.volume(6);
    let series = made.fleet.series(&volume);
    let labels = series.iter().map(|one| one.labels.clone()).collect();
    let found = Fleet::discover(labels, &made.configuration, &Selection::default());
    let documents = (&made.configuration, Some(5));
    let samples = volume_samples(&found.batches[0], &volume.id, &series, documents, &|| ()).unwrap();
    assert_eq!((samples.declared.volumes[0].imported_us, samples.database), (Some(5), None));
    let window = Window::assemble(samples.blocks, made.settings.from_us, made.settings.to_us);
    let points: Vec<(i64, u64)> = window.space[0].points().collect();
    assert_eq!(points.len(), 24 * DAYS as usize + 1);
    assert_eq!((points[0], points[24].1), ((made.settings.from_us, 50 << 30), 52 << 30));
    assert_eq!((points[96].1, window.layout.volumes[0].used_bytes), (58 << 30, Some(58 << 30)));
}

/// A window that is made without blocks is that of the blocks, but for their bytes: of regular scrapes, and with one that follows another
/// closely when used space becomes known.
#[test]
fn the_window_of_a_row_is_that_of_its_run() {
    let made = Made::new(10);
    for (number, is_regular) in (0..10).flat_map(|number| [(number, true), (number, false)]) {
        let mut series = made.fleet.series(&made.fleet.volume(number));
        for one in series.iter_mut().filter(|one| !is_regular && one.samples.len() > 180) {
            let before = one.samples[120];
            one.samples.insert(121, ebs_prometheus::Sample { at_ms: before.at_ms + 20_000, ..before });
        }
        let labels = series.iter().map(|one| one.labels.clone()).collect();
        let found = Fleet::discover(labels, &made.configuration, &Selection::default());
        let (volume, index) = (&found.batches[0].volumes[0], Index::new(&series, &[]));
        let counts = collect_checked(volume, &index, None, &made.configuration, &|| ());
        let space = used_space(volume, &index, &made.configuration);
        let span = (made.settings.from_us, made.settings.to_us);
        let without_bytes = |window: Window| Window { block_io: Vec::new(), ..window };
        let of_blocks = Window::assemble(blocks(volume, &counts, space.as_ref()), span.0, span.1);
        let direct = window_of_counts(volume, &counts, space.as_ref(), span);
        assert!(direct.intervals.len() > 2_000 && space.is_some());
        assert_eq!(without_bytes(of_blocks), without_bytes(direct), "{number}");
    }
}

/// The instance's limit binds the sum, as advice on both volumes together finds it.
#[test]
fn the_sum_of_volumes_is_what_an_instance_binds() {
    let made = Made::new(20);
    let both = [made.fleet.volume(4), made.fleet.volume(14)];
    let answer = &made.answers(&[4, 14])[0];
    let request = made.request("m5.large");
    let all = made.window(&both.iter().collect::<Vec<_>>(), "all");
    let load = InstanceLoad::from_window(&all, &request, (&Default::default(), &[]), &|| ());
    let window = made.window(&[&both[0]], &both[0].id);
    let declared = Described::from_volume(&both[0].id, &made.configuration).declarations();
    let alone = advise(&window, &request, &declared, &|| ());
    let together = advise_on_instance(&window, &request, &declared, (Some(&load), None), &|| ());
    assert!(alone.roles[0].instance_saturation.is_none() && together.roles[0].instance_saturation.is_some());
    let Reason::Decided(ActionReason::InstanceBinds { required, bound, .. }) = &answer.reason else { panic!() };
    assert_eq!((*required, *bound), (load.required.unwrap(), load.saturation.unwrap().bound));
    // Both volumes have 6,000 IOPS; others of 2,100 each could not ask for as much.
    let io1 = VolumeConfig::new(Platform::Ec2, VolumeType::Io1, 100, Some(2_100), None).unwrap();
    let least = InstanceLoad::from_window(&all, &request, (&Default::default(), &[io1; 2]), &|| ());
    assert!((4_800.0..6_000.0).contains(&required.iops) && least.required.unwrap().iops == 4_200.0, "{required:?}");
}
