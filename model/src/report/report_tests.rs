use super::*;
use crate::advice::{Settings, advise};
use crate::evidence::{Block, DeviceCounts, Place, Reading, Role, Tick, Volume, WalCounts};
use crate::sources::sources;
use crate::units::GIB;
use crate::waits::waits;

/// A gp3-sized workload: 600 seconds around `iops` requests of 8 KiB, seven in ten of them reads.
fn window(seconds: i64, iops: u64) -> Window {
    let tick = |second: i64| {
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
        };
        Tick {
            at_us: second * 1_000_000,
            dt_us: 1_000_000,
            devices: vec![(0, Reading::Known(counts))],
            io: Reading::Known(vec![]),
            wal: Reading::Known(WalCounts::default()),
            waits: vec![],
            sweeps: 1,
            io_timed: true,
            wal_timed: true,
        }
    };
    let volume = Volume {
        device: "nvme1n1".into(),
        roles: vec![Role::Data, Role::Wal],
        timed: true,
        filesystem_bytes: Some(500 * GIB),
        used_bytes: Some(120 * GIB),
    };
    let block = Block {
        interval_us: 1_000_000,
        sampler_cpu_us: 300_000,
        place: Place { volumes: vec![volume], unplaced: vec![] },
        ticks: (1..=seconds).map(tick).collect(),
        ..Block::default()
    };
    Window::assemble([block], 0, seconds * 1_000_000)
}

fn settings() -> Settings {
    let (platform, region, percentile, headroom, max_throttled_pct, max_volumes) = crate::advice::DEFAULTS;
    Settings {
        platform: platform.into(),
        region: region.into(),
        instance: None,
        percentile,
        headroom,
        max_throttled_pct,
        durability_pct: None,
        budget_usd: None,
        max_volumes,
        min_size_gib: None,
    }
}

fn report(window: &Window, settings: &Settings) -> Vec<String> {
    let request = settings.check().unwrap();
    lines(&Report {
        subject: "run tpcc-100".into(),
        server: "PostgreSQL 18.6".into(),
        when: "09:20:00 to 09:40:00 UTC".into(),
        request: &request,
        window,
        coverage: Coverage::of(window),
        roles: advise(window, &request),
        sources: sources(window),
        waits: waits(window),
        details: "SELECT * FROM ebs_options('tpcc-100')".into(),
    })
}

fn has(lines: &[String], part: &str) -> bool {
    lines.iter().any(|line| line.contains(part))
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
    assert!(has(&text, "bound by none"), "{text:#?}");
}

#[test]
fn a_larger_demand_buys_iops_and_names_the_near_miss() {
    let text = report(&window(900, 14_000), &settings());
    assert!(has(&text, "bound by volume IOPS"), "{text:#?}");
    assert!(has(&text, "gp3, 1 × 500 GiB, 3,000 IOPS, 125 MiB/s"), "{text:#?}");
    assert!(has(&text, "throttles 100 % of seconds (limit 1.0 %)"), "{text:#?}");
    assert!(has(&text, "IOPS needed, gp2 has at most 16,000"), "{text:#?}");
}

#[test]
fn a_faster_device_than_the_one_advised_is_a_doubt() {
    let in_flight = |permille: u64| {
        let mut window = window(900, 900);
        for moment in &mut window.moments {
            if let Reading::Known(counts) = &mut moment.devices[0].1 {
                counts.weighted_ms = permille;
            }
        }
        report(&window, &settings()).join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
    };
    // gp3 takes about 0.83 ms for this mix: 950 requests a second keep 0.79 in flight there.
    assert!(!in_flight(800).contains("in flight, as here"));
    let fast = in_flight(600);
    assert!(!in_flight(60).contains("in flight, as here"), "a device that is mostly idle");
    assert!(fast.contains("with 0.60 in flight, as here, it serves some 718 a second: sessions would wait"), "{fast}");
}

#[test]
fn an_instance_that_binds_is_named_and_no_larger_volume_advised() {
    let small = Settings { instance: Some("m5.large".into()), ..settings() };
    let text = report(&window(900, 14_000), &small);
    assert!(has(&text, "Recommended: a larger instance. m5.large carries 3,600 IOPS without end"), "{text:#?}");
    assert!(has(&text, "Until then    gp3, 1 × 500 GiB, 3,600 IOPS"), "{text:#?}");
}

#[test]
fn what_nothing_can_do_is_said() {
    let text = report(&window(900, 300_000), &settings());
    assert!(has(&text, "nothing meets everything asked for"), "{text:#?}");
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
    let wal = Volume { device: "nvme2n1".into(), roles: vec![Role::Wal], ..window.place.volumes[0].clone() };
    window.place.volumes[0].roles = vec![Role::Data];
    window.place.volumes.push(wal);
    window.current.push(1);
    for moment in &mut window.moments {
        let counts = DeviceCounts { writes: 200, write_bytes: 200 * 16384, ..DeviceCounts::default() };
        moment.devices.push((1, Reading::Known(counts)));
    }
    let text = report(&window, &settings());
    assert!(has(&text, "What was asked of data (nvme1n1") && has(&text, "What was asked of wal (nvme2n1"), "{text:#?}");
    assert!(has(&text, "Volumes for data") && has(&text, "Volumes for wal"), "{text:#?}");
    // gp3: 500 GiB and 3,119 IOPS above the included; 500 GiB and nothing above.
    let together = text.iter().find(|line| line.starts_with("Together")).unwrap();
    let bills: Vec<&String> = text.iter().filter(|line| line.starts_with("Recommended")).collect();
    assert!(bills[0].contains("$55.60") && bills[1].contains("$40.00") && together.contains("$95.60"), "{text:#?}");
}

#[test]
fn the_same_evidence_gives_the_same_report() {
    assert_eq!(report(&window(300, 5_000), &settings()), report(&window(300, 5_000), &settings()));
}
