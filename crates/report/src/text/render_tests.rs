use super::super::layout::WIDTH;
use super::*;
use crate::Arguments;
use crate::UtcOffset;
use ebs_advice::{IoSource, Settings, advise};
use ebs_aws::catalogue::{Platform, VolumeConfig, VolumeType, prices};
use ebs_base::units::GIB;
use ebs_samples::evidence::{
    Block, CostCounts, CounterDelta, Coverage, DeviceCounts, IoCounts, IoKey, Layout, Medium, Member, Role, Sample,
    Sampling, SpaceSeries, StorageCounts, StorageLayout, Totals, Volume, WaitKey, Window,
};
use ebs_tuning::findings::{Cause, Finding, PageMisses, Saving};
use ebs_workload::declarations::{Declarations, Declared};
use ebs_workload::demand::Demand;
use ebs_workload::io_sources::sources;
use ebs_workload::run_timeline::RunTimeline;
use ebs_workload::steady_state::Steadiness;
use ebs_workload::waits::waits;

/// A workload of `iops` requests of 8 KiB a second, 70 % of them reads.
fn window(seconds: i64, iops: u64) -> Window {
    let sample = |second: i64| {
        let reads = iops * 7 / 10 + (second as u64 * 37) % 100;
        let writes = iops * 3 / 10;
        let counts = DeviceCounts {
            reads,
            writes,
            read_bytes: reads * 8192,
            write_bytes: writes * 8192,
            read_ms: reads / 2,
            write_ms: writes,
            busy_ms: 900,
            weighted_ms: reads / 2 + writes,
            ..DeviceCounts::default()
        };
        Sample {
            at_us: second * 1_000_000,
            dt_us: 1_000_000,
            devices: [(0, CounterDelta::Known(counts))].into(),
            reset: false,
        }
    };
    let volume = Volume {
        device: "nvme1n1".into(),
        roles: vec![Role::Data, Role::Wal],
        timed: true,
        filesystem_bytes: Some(500 * GIB),
        used_bytes: Some(400 * GIB),
        ..Volume::default()
    };
    let mut totals = Totals::default();
    totals.io.known_us = seconds.unsigned_abs() * 1_000_000;
    totals.waits.sweeps = 100 * seconds.unsigned_abs();
    totals.waits.swept_us = totals.io.known_us;
    let block = Block {
        interval_us: 1_000_000,
        sampling: Sampling { cost: CostCounts { cpu_us: 300_000, ..Default::default() }, ..Sampling::default() },
        layout: StorageLayout { volumes: vec![volume], ..StorageLayout::default() },
        totals,
        samples: (1..=seconds).map(sample).collect(),
        ..Block::default()
    };
    Window::assemble([block], 0, seconds * 1_000_000)
}

fn settings() -> Settings {
    Settings::default()
}

fn report(window: &Window, settings: &Settings) -> Vec<String> {
    report_with(window, settings, &Declarations::default())
}

fn report_with(window: &Window, settings: &Settings, declared: &Declarations) -> Vec<String> {
    report_with_findings(window, settings, declared, Vec::new())
}

fn found_lines(window: &Window, findings: Vec<Finding>) -> Vec<String> {
    report_with_findings(window, &settings(), &Declarations::default(), findings)
}

fn report_with_findings(
    window: &Window,
    settings: &Settings,
    declared: &Declarations,
    findings: Vec<Finding>,
) -> Vec<String> {
    let request = settings.check(prices(&settings.region).unwrap().clone()).unwrap();
    render_all(&Report {
        subject: "run tpcc-100".into(),
        server: "PostgreSQL 18.6".into(),
        when: "09:20:00 to 09:40:00 UTC".into(),
        utc_offset: UtcOffset::default(),
        request: &request,
        window,
        coverage: Coverage::from_window(window),
        steadiness: Some(Steadiness::from_window(window, &RunTimeline::new(window.from_us, window.to_us), false)),
        checkpoint_timeout_s: None,
        advice: Some(advise(window, &request, declared, &|| ())),
        sources: sources(window),
        waits: waits(window),
        declared,
        arguments: Arguments { run: Some("'tpcc-100'".into()), ..Arguments::default() },
        findings,
    })
}

fn has(lines: &[String], part: &str) -> bool {
    lines.iter().any(|line| line.contains(part))
}

#[test]
fn findings_stand_before_the_commands_and_the_first_three_are_shown() {
    let finding = |subject: &str, saving| Finding {
        cause: Cause::Pages(PageMisses {
            table: subject.to_owned(),
            updated_s: 1_000.0,
            missed_s: 350.0,
            missed_share: 0.35,
            hot_share: 0.6,
            indexes: 2,
            fillfactor: 90,
        }),
        share: Some(0.6),
        saving,
        usd_month_saved: None,
    };
    let many = Saving { low: 80.0, high: 200.0 };
    let subjects =
        [("a", Some(many)), ("b", Some(Saving { low: 0.0, high: 5.0 })), (&"long ".repeat(60), None), ("d", None)];
    let findings: Vec<Finding> = subjects.into_iter().map(|(subject, saving)| finding(subject, saving)).collect();
    let window = window(900, 14_000);
    let found = found_lines(&window, findings);
    assert!(found.iter().all(|line| line.chars().count() <= WIDTH), "{found:#?}");
    assert_eq!(found.iter().filter(|line| line.starts_with("Before you buy")).count(), 1);
    let at = |part: &str| {
        found.iter().position(|line| line.contains(part)).unwrap_or_else(|| panic!("no {part}: {found:#?}"))
    };
    assert!(
        at("Before you buy") < at("1. a: 350 of 1,000 updates/s")
            && at("1. a:") < at("60 % of the device's requests · saves 80 to 200 device requests/s")
    );
    assert!(at("at most 5.0 device requests/s") < at("60 % of the device's requests · each dirties another page"));
    assert!(at("each dirties another page") < at("1 more: SELECT * FROM ebs_findings('tpcc-100')"));
    assert!(at("1 more") < at("Commands with their rollback"));
    assert_eq!(found_lines(&window, Vec::new()), report(&window, &settings()));
}

#[test]
fn the_report_fits_its_width() {
    for (seconds, iops) in [(60, 10), (900, 900), (900, 14_000), (900, 300_000)] {
        for line in report(&window(seconds, iops), &settings()) {
            assert!(line.chars().count() <= WIDTH, "{} columns: {line}", line.chars().count());
        }
    }
}

#[test]
fn a_small_demand_gets_what_gp3_includes() {
    let text = report(&window(900, 900), &settings());
    assert!(has(&text, "Recommended   gp3, 1 × 500 GiB, 3,000 IOPS, 125 MiB/s"), "{text:#?}");
    assert!(has(&text, "$40.00 a month"), "{text:#?}");
    assert!(has(&text, "then bound by none"), "{text:#?}");
}

#[test]
fn a_larger_demand_buys_iops_and_names_the_near_miss() {
    let text = report(&window(900, 14_000), &settings());
    assert!(has(&text, "then bound by volume IOPS"), "{text:#?}");
    assert!(has(&text, "gp3, 1 × 500 GiB, 3,000 IOPS, 125 MiB/s"), "{text:#?}");
    assert!(has(&text, "throttles 100 % of seconds (limit 1.0 %)"), "{text:#?}");
    assert!(has(&text, "IOPS needed, gp2 has at most 16,000"), "{text:#?}");
}

#[test]
fn a_faster_device_than_the_one_advised_is_a_doubt() {
    let in_flight = |permille: u64| {
        let mut window = window(900, 900);
        for interval in &mut window.intervals {
            if let CounterDelta::Known(counts) = &mut interval.devices[0].1 {
                counts.weighted_ms = permille;
            }
        }
        report(&window, &settings()).join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
    };
    // gp3 takes about 0.754 ms for this mix: 950 requests a second keep 0.72 average queue depth there. At 0.6 the sessions think for 0.4 of
    // the time: 950 / (0.4 + 0.717) is 851.
    assert!(!in_flight(800).contains("it delivers about"));
    let fast = in_flight(600);
    assert!(!in_flight(60).contains("it delivers about"), "a device that is mostly idle");
    assert!(
        fast.contains(
            "; if sessions wait for each answer, at the observed queue depth of 0.60 it delivers about 851 of 950 IOPS"
        ),
        "{fast}"
    );
}

/// A gp3 has 3,000 IOPS unless more are provisioned; a gp2 of 100 GiB reaches as many while it has credits.
#[test]
fn more_than_what_was_declared_can_do_is_a_doubt() {
    let said = |kind: VolumeType, iops: u64| {
        let config = VolumeConfig::new(Platform::Ec2, kind, 100, None, None).unwrap();
        let data = Declared::new("data", config, 1);
        let declared = Declarations { instance: None, volumes: vec![data], ..Declarations::default() };
        let text = report_with(&window(900, iops), &settings(), &declared).join(" ");
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let doubt = "up to 7,100 IOPS observed, 3,000 declared: check the declaration";
    for kind in [VolumeType::Gp3, VolumeType::Gp2] {
        assert!(said(kind, 7_000).contains(doubt), "{}", said(kind, 7_000));
        assert!(!said(kind, 2_500).contains("whether data is on the volume"), "{}", said(kind, 2_500));
    }
}

/// 64 pages at 3,000 IOPS take 21.3 ms.
#[test]
fn a_burst_of_the_background_writer_is_a_doubt() {
    let doubted = |backend_type: &str, iops: u64| {
        let mut window = window(900, iops);
        let key = IoKey { backend_type: backend_type.into(), object: "relation".into(), context: "normal".into() };
        window.totals.io.rows.push((key, IoCounts { write_bytes: 9 * 8192, ..IoCounts::default() }));
        report(&window, &settings()).join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let said = "64 pages at once (bgwriter_flush_after) would otherwise hold up reads for 21.3 ms at 3,000 IOPS";
    assert!(doubted("background writer", 900).contains(said), "{}", doubted("background writer", 900));
    assert!(!doubted("client backend", 900).contains("64 pages"));
    assert!(!doubted("checkpointer", 14_000).contains("64 pages"), "4 ms are no news");
}

#[test]
fn an_instance_that_binds_is_named_and_no_larger_volume_advised() {
    let small = Settings { instance: Some("m5.large".into()), ..settings() };
    let text = report(&window(900, 14_000), &small);
    // 9,800 to 9,899 reads and 4,200 writes, and a fifth: 16,918.8.
    assert!(
        has(&text, "Recommended   a larger instance for 17,000 IOPS and 133 MiB/s: m5.4xlarge or m8ib.2xlarge. "),
        "{text:#?}"
    );
    assert!(has(&text, " (18,750 IOPS for 30 minutes a day)"), "{text:#?}");
    assert!(has(&text, "Until then    gp3, 1 × 500 GiB, 3,600 IOPS"), "{text:#?}");
}

#[test]
fn what_nothing_can_do_is_said() {
    let text = report(&window(900, 300_000), &settings());
    assert!(has(&text, "none meets everything requested"), "{text:#?}");
    assert!(has(&text, "IOPS needed, io2 has at most 256,000"), "{text:#?}");
}

#[test]
fn too_little_evidence_is_an_answer() {
    let text = report(&window(20, 900), &settings());
    assert!(has(&text, "Insufficient data: 20 s of device samples, at least 30 s are needed."), "{text:#?}");
    let nothing = report(&Window::default(), &settings());
    assert!(has(&nothing, "Insufficient data: no samples in this window."), "{nothing:#?}");
}

#[test]
fn wal_on_a_volume_of_its_own_gets_advice_of_its_own() {
    let mut window = window(900, 5_000);
    let wal = Volume { device: "nvme2n1".into(), roles: vec![Role::Wal], ..window.layout.volumes[0].clone() };
    window.layout.volumes[0].roles = vec![Role::Data];
    window.layout.volumes.push(wal);
    window.current.push(1);
    for interval in &mut window.intervals {
        let counts = DeviceCounts { writes: 200, write_bytes: 200 * 16384, ..DeviceCounts::default() };
        interval.devices.push((1, CounterDelta::Known(counts)));
    }
    let text = report(&window, &settings());
    assert!(has(&text, "I/O demand: data (nvme1n1") && has(&text, "I/O demand: wal (nvme2n1"), "{text:#?}");
    assert!(has(&text, "Volumes for data") && has(&text, "Volumes for wal"), "{text:#?}");
    // gp3: 500 GiB and 3,119 IOPS above the included, ordered as 3,200; 500 GiB and nothing above.
    let together = text.iter().find(|line| line.starts_with("Together")).unwrap();
    let bills: Vec<&String> = text.iter().filter(|line| line.starts_with("Recommended")).collect();
    assert!(bills[0].contains("$56.00") && bills[1].contains("$40.00") && together.contains("$96.00"), "{text:#?}");
}

/// 3 GiB a day over two weeks: 490 in a month, of which a fifth is free on 612.5 GiB.
#[test]
fn the_size_follows_how_the_volume_fills() {
    let mut window = window(900, 900);
    let text = report(&window, &settings());
    assert!(
        has(&text, "  space               80 % full · size needed 500 GiB, 20 % of it free now · growth"),
        "{text:#?}"
    );
    window.space = vec![SpaceSeries::default()];
    for hour in 0..=336u64 {
        window.space[0].push(hour as i64 * 3_600_000_000, 400 * GIB - (336 - hour) * GIB / 8);
    }
    let text = report(&window, &settings());
    let space =
        "  space               80 % full · grows by 3.00 GiB a day (3.00 to 3.00), in 30 days at most 490 GiB used ·";
    assert!(has(&text, space) && has(&text, "  size needed 613 GiB, 20 % of it free then"), "{text:#?}");
    assert!(has(&text, "Recommended   gp3, 1 × 613 GiB") && has(&text, "$49.04 a month"), "{text:#?}");
    assert!(text.iter().all(|line| line.chars().count() <= WIDTH), "{text:#?}");
}

#[test]
fn what_the_processes_did_not_cause_is_a_doubt() {
    let caused_with = |percent: u64, settings: Settings| {
        let mut window = window(900, 900);
        let device = Demand::from_window(&window, 0).total();
        let part = |bytes: u64| bytes * percent / 100;
        let (read_bytes, write_bytes) = (part(device.read_bytes), part(device.write_bytes));
        window.totals.storage.known_us = 900_000_000;
        window.totals.storage.counts =
            StorageCounts { read_bytes, write_bytes, handed_bytes: write_bytes, ..StorageCounts::default() };
        report(&window, &settings).join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let caused = |percent| caused_with(percent, settings());
    let alone = caused_with(60, Settings { io_source: IoSource::Postgresql, ..settings() });
    assert!(caused(60).contains("(ebs_balance); the advice sizes for all of them"), "{}", caused(60));
    assert!(alone.contains("(ebs_balance); the advice leaves them out"), "{alone}");
    assert!(caused(60).contains("the source of 40 % of the device's bytes: not PostgreSQL's processes (ebs_balance)"));
    assert!(!caused(90).contains("the source of"), "{}", caused(90));
}

#[test]
fn what_is_known_of_volume_and_instance_is_shown() {
    let mut window = window(900, 900);
    window.layout.instance = Some("r6id.4xlarge".into());
    let member =
        |n: u8| Member { device: format!("nvme{n}n1"), medium: Medium::Ebs(format!("vol-0{n}23456789abcdef0")) };
    let volume = &mut window.layout.volumes[0];
    volume.members = vec![member(1)];
    let text = report(&window, &settings());
    assert!(text[0].contains(" · r6id.4xlarge · "), "{text:#?}");
    assert!(has(&text, "I/O demand: data+wal (nvme1n1, vol-0123456789abcdef0, 400 of 500 GiB used)"), "{text:#?}");
    let flat = text.join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("instance => 'r6id.4xlarge')"), "{text:#?}");
    assert!(!has(&text, "Today"), "{text:#?}");

    let volume = &mut window.layout.volumes[0];
    volume.device = "md0".into();
    volume.layout = Layout::Md("raid0".into());
    volume.members = (1..=4).map(member).collect();
    let config = VolumeConfig::new(Platform::Ec2, VolumeType::Io2, 500, Some(20_000), None).unwrap();
    let data = Declared::new("data", config, 4);
    let declared = Declarations { instance: Some("m5.large".into()), volumes: vec![data], ..Declarations::default() };
    let text = report_with(&window, &settings(), &declared);
    assert!(text[0].contains(" · m5.large · "), "{text:#?}");
    assert!(has(&text, "I/O demand: data+wal (md0, raid0 of nvme1n1 vol-0123456789abcdef0, nvme2n1"), "{text:#?}");
    assert!(has(&text, "nvme4n1 vol-0423456789abcdef0; 400 of 500 GiB used)"), "{text:#?}");
    assert!(has(&text, "  declared 4 × io2 20,000 IOPS, 500 GiB each"), "{text:#?}");
    assert!(text.iter().all(|line| line.chars().count() <= WIDTH), "{text:#?}");
    // The instance of the request has precedence over both.
    let named = Settings { instance: Some("r6i.4xlarge".into()), ..settings() };
    assert!(report_with(&window, &named, &declared)[0].contains(" · r6i.4xlarge · "));
}

#[test]
fn the_same_evidence_gives_the_same_report() {
    assert_eq!(report(&window(300, 5_000), &settings()), report(&window(300, 5_000), &settings()));
}

#[test]
fn the_bottleneck_is_a_line() {
    let mut window = window(600, 1_000);
    let key = |class: &str, event: &str| WaitKey {
        backend_type: "client backend".into(),
        class: class.into(),
        event: event.into(),
        ..WaitKey::default()
    };
    let sessions = [(key("CPU*", "CPU*"), 2_280_000_000), (key("IO", "DataFileRead"), 120_000_000)];
    window.totals.waits.rows = sessions.into_iter().collect();
    let text = report(&window, &settings()).join(" ");
    assert!(text.contains("Bottleneck: CPU; more IOPS will not increase throughput"), "{text}");
}

#[test]
fn the_kind_of_the_load_is_a_line() {
    let text = report(&window(900, 900), &settings());
    let load: Vec<&String> = text.iter().filter(|line| line.starts_with("  load  ")).collect();
    assert!(load.len() == 1 && load[0].contains("as in an open loop"), "{text:#?}");
}
