//! Idle volumes on the screen, in the whole report, on the page and as commands: one answer.

use super::screen::scenario::{Load, Scenario, page, volume};
use super::show::Show;
use crate::json;
use ebs_advice::Settings;
use ebs_aws::catalogue::{Platform, VolumeConfig, VolumeType};
use ebs_base::units::GIB;
use ebs_samples::evidence::Role;
use ebs_workload::declarations::{Declarations, Declared};

/// Two days of minutes without requests on gp3 of 500 GiB with so many IOPS.
fn idle(iops: u64) -> Scenario {
    let config = VolumeConfig::new(Platform::Ec2, VolumeType::Gp3, 500, Some(iops), None).unwrap();
    let load = Load { reads: 0, writes: 0, kib: 8.0, read_ms: 0.7, write_ms: 0.7, spread: 0 };
    let volumes = vec![Declared::new("data", config, 1)];
    Scenario {
        seconds: 2 * 86_400,
        sample_s: 60,
        volumes: vec![(volume("nvme1n1", &[Role::Data, Role::Wal]), load)],
        declared: Declarations { instance: None, volumes, ..Declarations::default() },
        settings: Settings::default(),
        ..Scenario::imported("run idle", load)
    }
}

#[test]
fn a_dear_idle_volume_is_changed_everywhere() {
    let scenario = idle(6_000);
    let screen = scenario.screen().join("\n");
    assert!(screen.contains("saves $15.00") && screen.contains("NEXT         SELECT ebs_advise("), "{screen}");
    let order = "RECOMMENDED  gp3  500 GiB  3,000 IOPS  125 MiB/s";
    assert!(screen.contains(order) && screen.contains("$40.00 / month") && screen.contains("0 requests in 2 days"));
    let sentence = "Recommended: gp3, 1 × 500 GiB, 3,000 IOPS, 125 MiB/s, $40.00 a month, saves $15.00: 0 requests";
    assert!(scenario.render(Show::All).join(" ").contains(sentence));
    assert!(scenario.with_report(page).contains("Recommended: gp3, 1 × 500 GiB, 3,000 IOPS"));
    let commands = scenario.render(Show::Commands).join("\n");
    assert!(commands.contains("aws ec2 modify-volume") && commands.contains("--iops 3000"), "{commands}");
}

#[test]
fn a_cheap_idle_volume_is_kept_everywhere() {
    let scenario = idle(3_000);
    assert!(scenario.screen().join("\n").contains("RECOMMENDED  keep gp3  500 GiB  3,000 IOPS  125 MiB/s"));
    assert!(scenario.with_report(page).contains("Recommended: keep gp3"));
    let commands = scenario.render(Show::Commands).join("\n");
    assert!(commands.contains("No change: gp3, 1 × 500 GiB") && !commands.contains("aws "), "{commands}");
}

/// More than an idle volume was asked for; and less than either volume costs.
#[test]
fn a_request_for_more_has_no_answer_by_idle_time() {
    for settings in [
        Settings { min_size_gib: Some(1_000), ..Settings::default() },
        Settings { budget_usd: Some("10".parse().unwrap()), ..Settings::default() },
    ] {
        let screen = Scenario { settings, ..idle(6_000) }.screen().join("\n");
        assert!(screen.contains("INSUFFICIENT DATA"), "{screen}");
    }
}

/// gp2 of 500 GiB of which 490 are used.
#[test]
fn findings_stand_beside_the_order() {
    let mut scenario = idle(3_000);
    scenario.declared.volumes[0].config = VolumeConfig::new(Platform::Ec2, VolumeType::Gp2, 500, None, None).unwrap();
    scenario.volumes[0].0.used_bytes = Some(490 * GIB);
    let commands = scenario.render(Show::Commands).join(" ");
    for text in [scenario.screen().join(" "), scenario.with_report(page), commands] {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ").replace("# ", "");
        assert!(text.contains("gp2 is a previous generation; 98 % of its space is used"), "{text}");
    }
    let document = scenario.with_report(json::render);
    assert_eq!(document["idle"]["findings"].as_array().unwrap().len(), 3);
}
