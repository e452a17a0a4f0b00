//! Screens of workloads as a DBA sees them, and their bounds for any workload.

use std::path::Path;

use super::super::layout::{COLUMNS, LINES};
use super::super::scenario::{Load, Scenario, declared, volume};
use ebs_advice::LoadKind;
use ebs_aws::catalogue::VolumeType;
use ebs_samples::evidence::{Role, Tier};
use ebs_schema::assert_unchanged;

fn scenarios() -> Vec<(&'static str, Scenario)> {
    let base = |iops| Scenario::new("run tpcc-100", iops);
    let hammerdb = Scenario { driver_load: Some(LoadKind::Closed), ..base(9_000) };
    let demo = {
        let load = Load { reads: 2_950, writes: 5_980, kib: 8.4, read_ms: 0.1, write_ms: 0.1, spread: 900 };
        let waits = vec![
            ("CPU*", "CPU*", 1.6),
            ("IO", "DataFileRead", 0.4),
            ("IO", "WalSync", 0.9),
            ("Client", "ClientRead", 0.4),
        ];
        let settings = ebs_advice::Settings::default();
        let volumes = vec![(volume("vda", &[Role::Data, Role::Wal]), load)];
        let driver_load = Some(LoadKind::Closed);
        Scenario {
            seconds: 60,
            volumes,
            waits,
            tps: Some(2_423),
            busy: Some(0.89),
            settings,
            driver_load,
            ..base(9_000)
        }
    };
    let saturated = {
        let load = Load { reads: 2_000, writes: 1_000, kib: 8.0, read_ms: 6.0, write_ms: 6.0, spread: 0 };
        let waits = vec![("IO", "DataFileRead", 14.0), ("IO", "WalSync", 4.0), ("CPU*", "CPU*", 1.0)];
        let volumes = vec![(volume("nvme1n1", &[Role::Data, Role::Wal]), load)];
        Scenario { volumes, waits, declared: declared("data", VolumeType::Gp3, None), tps: Some(750), ..base(3_000) }
    };
    let mut instance = base(14_000);
    instance.settings.instance = Some("m5.large".into());
    let two = {
        let load = |reads, writes| Load { reads, writes, kib: 8.0, read_ms: 0.8, write_ms: 0.7, spread: reads / 20 };
        let volumes = vec![
            (volume("nvme1n1", &[Role::Data]), load(4_500, 1_500)),
            (volume("nvme2n1", &[Role::Wal]), load(0, 900)),
        ];
        Scenario { volumes, ..base(6_000) }
    };
    let mut rds = base(9_000);
    rds.settings =
        ebs_advice::Settings { platform: "rds".into(), instance: Some("db.r6i.4xlarge".into()), ..rds.settings };
    let import = Scenario {
        server: "imported samples".into(),
        tier: Tier::Imported,
        waits: Vec::new(),
        tps: None,
        busy: None,
        settings: ebs_advice::Settings::default(),
        ..base(9_000)
    };
    let little = Scenario { seconds: 60, waits: Vec::new(), tps: None, busy: None, ..base(2_000) };
    let gp2 = Scenario { declared: declared("data", VolumeType::Gp2, None), ..base(1_200) };
    let nothing = Scenario {
        volumes: vec![(
            volume("nvme1n1", &[Role::Data, Role::Wal]),
            Load { kib: 8.0, reads: 300_000, writes: 100_000, read_ms: 0.1, write_ms: 0.1, spread: 0 },
        )],
        settings: ebs_advice::Settings::default(),
        ..base(1)
    };
    let idle = Scenario { seconds: 20, ..base(2_000) };
    let budget = {
        let mut budget = base(9_000);
        budget.settings.budget_usd = Some("20".parse().unwrap());
        budget
    };
    vec![
        ("demo", demo),
        ("saturated", saturated),
        ("instance", instance),
        ("insufficient", idle),
        ("two_volumes", two),
        ("rds", rds),
        ("import", import),
        ("little_evidence", little),
        ("declared_gp2", gp2),
        ("hammerdb", hammerdb),
        ("nothing_feasible", nothing),
        ("budget", budget),
    ]
}

#[test]
fn screens_are_as_they_were_read() {
    for (name, scenario) in scenarios() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("src/text/screen/golden/{name}.txt"));
        assert_unchanged(&path, &(scenario.screen().join("\n") + "\n"));
    }
}

fn assert_bounds(screen: &[String]) {
    let too_long = |line: &&String| line.chars().count() > COLUMNS;
    assert!(screen.len() <= LINES, "{} lines:\n{}", screen.len(), screen.join("\n"));
    assert!(!screen.iter().any(|line| too_long(&line)), "{}", screen.join("\n"));
}

#[test]
fn each_screen_has_room() {
    for (_, scenario) in scenarios() {
        assert_bounds(&scenario.screen());
    }
}
