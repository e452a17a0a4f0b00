//! RDS with a dedicated log volume: what the screen, the report and the commands say of it.

use super::super::scenario::{Load, Scenario, volume};
use crate::text::Show;
use ebs_advice::Settings;
use ebs_aws::catalogue::{Platform, VolumeConfig, VolumeType};
use ebs_samples::evidence::Role;
use ebs_workload::declarations::{Declarations, Declared};

/// Ten minutes of 3,900 requests a second on io1 of 400 GiB with 12,000 IOPS, and of 400 on its log volume.
fn on_io1_with_log_volume(settings: Settings) -> Scenario {
    let load = |reads, writes| Load { reads, writes, kib: 8.0, read_ms: 0.7, write_ms: 0.7, spread: 0 };
    let declared = |volume: &str, config| Declared {
        volume: volume.to_owned(),
        config,
        volumes: 1,
        declared_us: 0,
        imported_us: Some(1_795_132_800_000_000),
        is_multi_attach: false,
    };
    let data = VolumeConfig::new(Platform::RdsMultiAz, VolumeType::Io1, 400, Some(12_000), None).unwrap();
    let log = VolumeConfig::log_volume(Platform::RdsMultiAz, VolumeType::Io1).unwrap();
    Scenario {
        volumes: vec![
            (volume("mydb", &[Role::Data]), load(3_000, 900)),
            (volume("mydb log volume", &[Role::Wal]), load(0, 400)),
        ],
        declared: Declarations {
            instance: Some("db.r6g.4xlarge".into()),
            volumes: vec![declared("mydb", data), declared("mydb log volume", log)],
            ..Declarations::default()
        },
        settings: Settings {
            platform: "rds-multi-az".into(),
            instance: Some("db.r6g.4xlarge".into()),
            min_size_gib: Some(400),
            ..settings
        },
        ..Scenario::imported("mydb", load(0, 0))
    }
}

#[test]
fn the_row_of_today_has_the_limit_of_one_volume() {
    let screen = on_io1_with_log_volume(Settings::default()).screen();
    let today = screen.iter().find(|line| line.contains("today io1 + io1"));
    let today = today.unwrap_or_else(|| panic!("{screen:#?}"));
    assert!(today.contains(" 3,900/12,000 ") && today.ends_with("  IOPS of data"), "{today}");
}

#[test]
fn it_stands_beside_io2_and_is_removed_with_gp3() {
    let gp3 = on_io1_with_log_volume(Settings::default());
    let commands = gp3.render(Show::Commands).join("\n");
    assert!(commands.contains("--no-dedicated-log-volume") && commands.contains("# Rollback"), "{commands}");
    assert!(!commands.contains("CURRENT_TYPE") && !commands.contains("From below 400 GiB"), "{commands}");
    let texts = [Show::Screen, Show::All].map(|show| gp3.render(show).join("\n"));
    assert!(texts.iter().all(|text| !text.contains("WAL apart")), "{texts:?}");
    let io2 = on_io1_with_log_volume(Settings { durability_pct: Some(99.999), ..Settings::default() });
    let screen = io2.screen();
    let row =
        screen.iter().find(|line| line.starts_with("  io2 + log volume ")).unwrap_or_else(|| panic!("{screen:#?}"));
    assert!(row.ends_with("  WAL apart"), "{row}");
    let whole = io2.render(Show::All).join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(whole.contains("(dedicated log volume, beside the io2 storage)"), "{whole}");
    assert!(!io2.render(Show::Commands).join("\n").contains("log-volume"));
}

#[test]
fn the_class_is_named_as_rds_does() {
    let scenario = on_io1_with_log_volume(Settings::default());
    for show in [Show::Screen, Show::All, Show::Commands] {
        let text = scenario.render(show).join("\n");
        assert!(text.contains("db.r6g.4xlarge"), "{text}");
        assert_eq!(text.matches(" r6g.4xlarge").count(), 0, "{text}");
    }
}
