use std::path::Path;

use super::super::screen::scenario::{Load, Scenario, declared, volume};
use super::super::shell::WIDTH;
use super::super::show::Show;
use ebs_advice::Settings;
use ebs_aws::catalogue::VolumeType;
use ebs_samples::evidence::Role;
use ebs_schema::assert_unchanged;

fn base(iops: u64) -> Scenario {
    Scenario::new("run tpcc-100", iops)
}

/// Data and WAL on volumes of their own.
fn two_volumes(iops: u64) -> Scenario {
    let load = |reads, writes| Load { reads, writes, kib: 8.0, read_ms: 0.8, write_ms: 0.7, spread: reads / 20 };
    let volumes =
        vec![(volume("nvme1n1", &[Role::Data]), load(iops, iops / 3)), (volume("nvme2n1", &[Role::Wal]), load(0, 900))];
    Scenario { volumes, ..base(iops) }
}

fn on(platform: &str, instance: &str, scenario: Scenario) -> Scenario {
    let settings = Settings { platform: platform.into(), instance: Some(instance.into()), ..scenario.settings };
    Scenario { settings, ..scenario }
}

fn scenarios() -> [(&'static str, Scenario); 4] {
    let mut nothing = base(9_000);
    nothing.settings.budget_usd = Some("1".parse().unwrap());
    let gp2 = Scenario { declared: declared("data", VolumeType::Gp2, None), ..base(1_200) };
    [
        ("gp2", gp2),
        ("instance", on("ec2", "m5.large", base(14_000))),
        ("rds_instance", on("rds", "db.m5.large", base(14_000))),
        ("nothing_feasible", nothing),
    ]
}

#[test]
fn commands_are_as_they_were_read() {
    for (name, scenario) in scenarios() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("src/text/golden/commands_{name}.txt"));
        let lines = scenario.render(Show::Commands);
        assert_unchanged(&path, &(lines.join("\n") + "\n"));
    }
}

#[test]
fn commands_have_room() {
    let outposts = on("outposts", "m5.large", two_volumes(4_500));
    let cluster = on("rds-cluster", "db.r6i.4xlarge", base(9_000));
    for scenario in scenarios().map(|(_, scenario)| scenario).into_iter().chain([outposts, cluster]) {
        let lines = scenario.render(Show::Commands);
        assert!(lines.iter().all(|line| line.chars().count() <= WIDTH), "{}", lines.join("\n"));
    }
}

#[test]
fn a_saturated_instance_has_its_change_once_and_the_volumes_until_then() {
    for two in [false, true] {
        let scenario = if two { two_volumes(14_000) } else { base(14_000) };
        let text = on("ec2", "m5.large", scenario).render(Show::Commands).join("\n");
        assert_eq!(text.matches("aws ec2 modify-instance-attribute").count(), 1, "{text}");
        assert!(text.contains("Until then, change") && text.contains("aws ec2 create-volume"), "{text}");
        assert!(!text.contains("no volume meets everything"), "{text}");
    }
}
