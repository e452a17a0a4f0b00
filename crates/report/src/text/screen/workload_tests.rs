//! A plateau on the screen.

use super::super::scenario::{Load, Scenario, declared, volume};
use ebs_advice::Settings;
use ebs_aws::catalogue::VolumeType;
use ebs_samples::evidence::{Role, Tier};

/// Ten minutes of imported reads of 8 KiB and 12 ms on an instance.
fn plateau(reads: u64, instance: &str) -> Scenario {
    imported(reads, 12.0, instance)
}

/// The same of another latency.
fn imported(reads: u64, read_ms: f64, instance: &str) -> Scenario {
    let load = Load { reads, writes: 0, kib: 8.0, read_ms, write_ms: 0.0, spread: reads / 400 };
    Scenario {
        tier: Tier::Imported,
        seconds: 600,
        volumes: vec![(volume("nvme1n1", &[Role::Data, Role::Wal]), load)],
        waits: Vec::new(),
        tps: None,
        busy: None,
        settings: Settings { instance: Some(instance.into()), ..Settings::default() },
        ..Scenario::new("plateau", reads)
    }
}

/// 10,650 of gp3's 10,700 IOPS are 0.8875 of the 12,000 that m6i.2xlarge sustains, with a likelihood of 0.34: both are told, the
/// instance's with its name. Of 10,300 it is 0.856: none.
#[test]
fn a_limit_that_is_possible_has_the_name_of_its_owner() {
    let why = |iops: u64| {
        let on = plateau(iops - 50, "m6i.2xlarge");
        let screen = Scenario { declared: declared("data", VolumeType::Gp3, Some(iops)), ..on }.screen();
        let lines = screen.iter().skip_while(|line| !line.starts_with("  Why")).take(2);
        lines.map(|line| line[13..].trim()).collect::<Vec<_>>().join(" ")
    };
    let both = why(10_700);
    assert!(
        both.starts_with("the volume was at its limit of 10,700 IOPS, or m6i.2xlarge's limit of 12,000 IOPS; the"),
        "{both}"
    );
    let one = why(10_300);
    assert!(one.starts_with("the volume was at its limit of 10,300 IOPS; the demand"), "{one}");
}
