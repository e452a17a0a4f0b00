//! Workloads of known figures for tests of the screen.

use crate::html::{self, Page};
use crate::text::render::render;
use crate::text::show::Show;
use crate::{Arguments, Report, UtcOffset};
use ebs_advice::{LoadKind, Settings, advise, insufficient};
use ebs_aws::catalogue::{Platform, VolumeConfig, VolumeType, prices};
use ebs_base::units::GIB;
use ebs_samples::evidence::{
    Block, ConfigurationChange, CounterDelta, Coverage, DeviceChecks, DeviceCounts, IoCounts, IoKey, IoTotals,
    LoadDriver, ProcessorCounts, Role, Sample, Sampling, Session, StorageLayout, Tier, Timed, Totals,
    TransactionCounts, Volume, WaitKey, Window,
};
use ebs_workload::declarations::{Declarations, Declared};
use ebs_workload::io_sources::sources;
use ebs_workload::run_timeline::RunTimeline;
use ebs_workload::steady_state::Steadiness;
use ebs_workload::waits::waits;

/// 2026-01-01 09:20:00 UTC.
const BEGAN_US: i64 = (1_767_225_600 + 33_600) * 1_000_000;

/// Demand on a volume: requests a second, KiB of a request, ms of a read and of a write.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Load {
    pub reads: u64,
    pub writes: u64,
    pub kib: f64,
    pub read_ms: f64,
    pub write_ms: f64,
    /// Largest addition to the reads of a second.
    pub spread: u64,
}

/// A workload with everything around it.
#[derive(Clone, Debug)]
pub(crate) struct Scenario {
    pub subject: String,
    pub server: String,
    pub seconds: i64,
    /// Length of a sample, seconds.
    pub sample_s: i64,
    pub volumes: Vec<(Volume, Load)>,
    /// A sample and its reads a second, in place of those of the load.
    pub burst: Option<(u64, u64)>,
    /// Client sessions by wait event.
    pub waits: Vec<(&'static str, &'static str, f64)>,
    pub tps: Option<u64>,
    /// Pages that PostgreSQL wrote for each write of the device that is no flush.
    pub pages: f64,
    pub busy: Option<f64>,
    pub tier: Tier,
    /// Checks of a service, of each device.
    pub checks: Vec<DeviceChecks>,
    /// Changes of the configuration within the samples.
    pub changes: Vec<ConfigurationChange>,
    pub settings: Settings,
    pub declared: Declarations,
    pub driver_load: Option<LoadKind>,
    /// Clients of the load driver.
    pub clients: Option<f64>,
    /// max_wal_size, bytes.
    pub max_wal_bytes: Option<u64>,
    /// The arguments as given in SQL.
    pub arguments: Arguments,
}

/// A volume of 500 GiB of which 80 are used.
pub(crate) fn volume(device: &str, roles: &[Role]) -> Volume {
    Volume {
        device: device.into(),
        roles: roles.to_vec(),
        timed: true,
        filesystem_bytes: Some(500 * GIB),
        used_bytes: Some(80 * GIB),
        ..Volume::default()
    }
}

/// A declaration of a volume of 500 GiB.
pub(crate) fn declared(volume: &str, volume_type: VolumeType, iops: Option<u64>) -> Declarations {
    let config = VolumeConfig::new(Platform::Ec2, volume_type, 500, iops, None).unwrap();
    let volumes = vec![Declared::new(volume, config, 1)];
    Declarations { instance: None, volumes, ..Declarations::default() }
}

impl Scenario {
    /// Twenty minutes of requests of 8 KiB, a third of them reads, by sessions that compute, read and commit.
    pub fn new(subject: &str, iops: u64) -> Scenario {
        let load =
            Load { reads: iops / 3, writes: iops - iops / 3, kib: 8.0, read_ms: 0.7, write_ms: 0.7, spread: iops / 20 };
        Scenario {
            subject: subject.to_owned(),
            server: "PostgreSQL 18.6".to_owned(),
            seconds: 1_200,
            sample_s: 1,
            burst: None,
            volumes: vec![(volume("nvme1n1", &[Role::Data, Role::Wal]), load)],
            // Each read is waited for, and every other write; a transaction computes 0.4 ms and sends 8 requests.
            waits: vec![
                ("CPU*", "CPU*", iops as f64 / 8.0 * 0.4e-3),
                ("IO", "DataFileRead", iops as f64 / 3.0 * 0.7e-3),
                ("IO", "WalSync", iops as f64 / 3.0 * 0.7e-3),
            ],
            tps: Some(iops / 8),
            pages: 1.0,
            busy: Some(0.05 + iops as f64 / 8.0 * 0.4e-3 / 4.0),
            tier: Tier::Sampler,
            checks: Vec::new(),
            changes: Vec::new(),
            settings: Settings { instance: Some("r6i.4xlarge".into()), ..Settings::default() },
            declared: Declarations::default(),
            driver_load: None,
            clients: None,
            max_wal_bytes: Some(GIB),
            arguments: Arguments { run: Some("'tpcc-100'".into()), ..Arguments::default() },
        }
    }

    /// Ten minutes of imported samples of a load on one volume, of which waits and transactions are unknown; no instance is given.
    pub fn imported(subject: &str, load: Load) -> Scenario {
        Scenario {
            server: "imported samples".into(),
            tier: Tier::Imported,
            seconds: 600,
            volumes: vec![(volume("nvme1n1", &[Role::Data, Role::Wal]), load)],
            waits: Vec::new(),
            tps: None,
            busy: None,
            settings: Settings::default(),
            ..Scenario::new(subject, 1_000)
        }
    }

    fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        let all_us = self.seconds.unsigned_abs() * 1_000_000;
        for (class, event, sessions) in &self.waits {
            let (class, event) = ((*class).into(), (*event).into());
            let key = WaitKey { backend_type: "client backend".into(), class, event, session: Session::default() };
            totals.waits.rows.insert(key, (sessions * all_us as f64) as u64);
            (totals.waits.swept_us, totals.waits.sweeps) = (all_us, 100 * self.seconds.unsigned_abs());
        }
        if !self.waits.is_empty() {
            totals.io = self.io();
        }
        if let Some(busy) = self.busy {
            let host_us = (4.0 * busy * all_us as f64) as u64;
            let counts = ProcessorCounts { host_us, server_us: host_us, ..ProcessorCounts::default() };
            (totals.processor, totals.cpus) = (Timed { counts, known_us: all_us }, Some(4.into()));
        }
        if let Some(tps) = self.tps {
            let counts =
                TransactionCounts { commits: tps * self.seconds.unsigned_abs(), ..TransactionCounts::default() };
            totals.transactions = Timed { counts, known_us: all_us };
        }
        totals
    }

    /// Reads by sessions, and a flush for every other write.
    fn io(&self) -> IoTotals {
        let seconds = self.seconds.unsigned_abs();
        let key = |object: &str| {
            let (backend_type, context) = ("client backend".into(), "normal".into());
            IoKey { backend_type, object: object.into(), context }
        };
        let sum = |count: &dyn Fn(&Load) -> f64| self.volumes.iter().map(|(_, load)| count(load)).sum::<f64>();
        let total = |per_s: f64| (per_s * seconds as f64) as u64;
        let read = IoCounts {
            read_bytes: total(sum(&|load| load.reads as f64 * load.kib * 1_024.0)),
            write_bytes: total(sum(&|load| self.pages * load.writes as f64 / 2.0 * load.kib * 1_024.0)),
            read_us: total(sum(&|load| load.reads as f64 * load.read_ms * 1e3)),
            ..IoCounts::default()
        };
        let flush = IoCounts {
            write_bytes: total(sum(&|load| load.writes as f64 / 2.0 * load.kib * 1_024.0)),
            fsyncs: total(sum(&|load| load.writes as f64 / 2.0)),
            fsync_us: total(sum(&|load| load.writes as f64 / 2.0 * load.write_ms * 1e3)),
            ..IoCounts::default()
        };
        let rows = vec![(key("relation"), read), (key("wal"), flush)];
        IoTotals { rows, known_us: seconds * 1_000_000, ..IoTotals::default() }
    }

    fn window(&self) -> Window {
        let (sample_s, dt_us) = (self.sample_s.unsigned_abs(), self.sample_s * 1_000_000);
        let counts = |load: &Load, sample: u64| {
            let usual = load.reads + sample * 37 % (load.spread + 1);
            let reads = self.burst.filter(|(number, _)| *number == sample).map_or(usual, |(_, reads)| reads) * sample_s;
            let writes = load.writes * sample_s;
            let bytes = |requests: u64| (requests as f64 * load.kib * 1_024.0) as u64;
            let (read_ms, write_ms) = ((reads as f64 * load.read_ms) as u64, (writes as f64 * load.write_ms) as u64);
            DeviceCounts {
                reads,
                writes,
                read_bytes: bytes(reads),
                write_bytes: bytes(writes),
                read_ms,
                write_ms,
                busy_ms: 900 * sample_s,
                weighted_ms: read_ms + write_ms,
                ..DeviceCounts::default()
            }
        };
        let sample = |number: i64| {
            let devices = self
                .volumes
                .iter()
                .enumerate()
                .map(|(index, (_, load))| (index as u16, CounterDelta::Known(counts(load, number.unsigned_abs()))));
            Sample {
                at_us: BEGAN_US + number * dt_us,
                dt_us: dt_us.unsigned_abs(),
                devices: devices.collect(),
                reset: false,
            }
        };
        let volumes = self.volumes.iter().map(|(volume, _)| volume.clone()).collect();
        let block = Block {
            interval_us: dt_us.unsigned_abs(),
            sampling: Sampling { tier: self.tier, ..Sampling::default() },
            layout: StorageLayout { volumes, ..StorageLayout::default() },
            totals: self.totals(),
            samples: (1..=self.seconds / self.sample_s).map(sample).collect(),
            ..Block::default()
        };
        let window = Window::assemble([block], BEGAN_US, BEGAN_US + self.seconds * 1_000_000);
        let driver = self.clients.map(|clients| LoadDriver { clients, tps: None });
        Window { checks: self.checks.clone(), changes: self.changes.clone(), driver, ..window }
    }

    /// Renders the screen of the workload.
    pub fn screen(&self) -> Vec<String> {
        self.render(Show::Screen)
    }

    /// Renders what is asked for of the workload.
    pub fn render(&self, show: Show) -> Vec<String> {
        self.with_report(|report| render(report, show))
    }

    /// Hands the report of the workload on.
    pub fn with_report<T>(&self, render: impl FnOnce(&Report) -> T) -> T {
        let window = self.window();
        let request = self.settings.check(prices(&self.settings.region).unwrap().clone()).unwrap();
        let request =
            ebs_advice::Request { driver_load: self.driver_load, max_wal_bytes: self.max_wal_bytes, ..request };
        let coverage = Coverage::from_window(&window);
        let enough = insufficient(&window, &coverage).is_none();
        let timeline = RunTimeline::new(window.from_us, window.to_us);
        render(&Report {
            subject: self.subject.clone(),
            server: self.server.clone(),
            when: "2026-01-01 09:20:00 to 09:40:00 UTC".into(),
            utc_offset: UtcOffset::default(),
            request: &request,
            window: &window,
            coverage,
            steadiness: Some(Steadiness::from_window(&window, &timeline, false)),
            checkpoint_timeout_s: None,
            advice: enough.then(|| advise(&window, &request, &self.declared, &|| ())),
            sources: sources(&window),
            waits: waits(&window),
            declared: &self.declared,
            arguments: self.arguments.clone(),
            findings: Vec::new(),
        })
    }
}

/// Renders the page of a report without figures.
pub(crate) fn page(report: &Report) -> String {
    html::render(&Page {
        report,
        insufficient: Page::insufficient(report),
        timeline: None,
        frontier: Vec::new(),
        histograms: Vec::new(),
        card: Vec::new(),
        comparison: None,
        utc_offset: UtcOffset::default(),
    })
}
