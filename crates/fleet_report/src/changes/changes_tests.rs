use std::path::Path;

use ebs_aws::catalogue::Platform;
use ebs_fleet_row::Action;
use ebs_schema::assert_unchanged;
use proptest::prelude::*;

use super::*;
use crate::fixtures;

const FORMATS: [ChangeFormat; 3] = [ChangeFormat::Cli, ChangeFormat::Terraform, ChangeFormat::Vac];

fn rendered(rows: &[Row], format: ChangeFormat) -> String {
    changes(rows, format, &ChangeOptions::default())
}

fn golden(name: &str, text: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/changes/golden").join(name);
    assert_unchanged(&file, text);
}

/// The fleet, and storage of RDS.
fn rows() -> Vec<Row> {
    let rds = fixtures::with_saving(Row {
        volume: "billing".to_owned(),
        platform: "rds-multi-az".to_owned(),
        name: None,
        instance: Some("billing".to_owned()),
        present: Some(fixtures::priced(Platform::RdsMultiAz, "io1", 500, 10_000, 500)),
        recommended: Some(fixtures::priced(Platform::RdsMultiAz, "gp3", 520, 12_000, 500)),
        risk: Some("medium".to_owned()),
        ..fixtures::full()
    });
    fixtures::fleet().into_iter().chain([rds]).collect()
}

#[test]
fn a_fleet_has_its_changes_in_each_form() {
    for (format, name) in FORMATS.into_iter().zip(["changes.sh", "changes.tf", "changes.yaml"]) {
        golden(name, &rendered(&rows(), format));
    }
}

#[test]
fn nothing_to_change_is_nothing() {
    let keep = Row { action: Action::Keep, ..fixtures::full() };
    for format in FORMATS {
        let text = rendered(std::slice::from_ref(&keep), format);
        assert!(text.contains("# Changes of 0 volumes in 0 waves, by ebsctl fleet"), "{text}");
        assert!(
            !text.contains("modify-volume --") && !text.contains("resource") && !text.contains("kubectl patch"),
            "{text}"
        );
        assert!(!text.contains("from 1 to 0"), "{text}");
    }
}

/// The text with the volume changed, and the line on it.
fn line(row: Row) -> String {
    let text = rendered(&[row], ChangeFormat::Cli);
    assert!(!text.contains("aws ec2 modify-volume"), "{text}");
    let lines: Vec<&str> = text.lines().skip_while(|line| !line.starts_with("# By hand")).skip(1).collect();
    lines.join(" ").replace(" # ", " ")
}

#[test]
fn what_cannot_be_done_by_a_command_is_said() {
    let full = fixtures::full;
    let volumes = |size_gib, volumes| {
        let one = fixtures::volumes("gp3", size_gib, 3_000, 125, 1.0);
        Some(ebs_fleet_row::Volumes { volumes, ..one })
    };
    for (row, words) in [
        (
            Row { recommended: volumes(400, 1), ..full() },
            "400 GiB are recommended and a volume of 500 GiB cannot shrink",
        ),
        (Row { recommended: volumes(500, 4), ..full() }, "another number of volumes"),
        (Row { present: None, ..full() }, "there is no way back"),
        (Row { recommended: None, ..full() }, "no configuration that AWS sells"),
        (Row { volume: "vol-0;reboot".to_owned(), ..full() }, "no identifier that AWS could have given"),
        (
            Row { findings: vec![fixtures::coded("modification_runs", "")], ..full() },
            "last modification is not completed",
        ),
        (Row { action: Action::Delete, ..full() }, "not attached. Create a snapshot"),
        (Row { action: Action::LargerInstance, ..full() }, "a larger instance comes first"),
    ] {
        let line = line(row);
        assert!(line.contains(words), "{line}");
    }
}

/// 6 % of 14 days are less than a day, and 6.5 % are as good as one.
#[test]
fn less_than_a_day_of_evidence_changes_nothing() {
    let covered = |volume: &str, coverage_pct| {
        let evidence = ebs_fleet_row::Evidence { coverage_pct, ..fixtures::full().evidence };
        Row { volume: volume.to_owned(), claim: Some("db/data-0".to_owned()), evidence, ..fixtures::full() }
    };
    let unknown = Row { evidence: Default::default(), ..covered("vol-0003", 0.0) };
    let rows = [covered("vol-0002", 6.0), covered("vol-0001", 6.5), unknown];
    for format in FORMATS {
        let text = rendered(&rows, format);
        assert!(
            text.contains("# Left out: 2 volumes with less than a day of evidence: vol-0002, vol-0003.\n"),
            "{text}"
        );
        assert!(text.contains("# Changes of 1 volume in 1 wave"), "{text}");
        let code = text.lines().filter(|line| !line.starts_with("# Left out"));
        assert!(code.clone().all(|line| !line.contains("vol-0002") && !line.contains("vol-0003")), "{text}");
        assert!(!text.contains("By hand"), "{text}");
    }
    assert!(!rendered(&rows[1..2], ChangeFormat::Cli).contains("Left out"));
}

/// A modification that changes nothing would be one of the four of a day.
#[test]
fn a_size_alone_has_no_way_back() {
    let recommended = fixtures::priced(Platform::Ec2, "gp3", 600, 3_000, 125);
    let present = fixtures::priced(Platform::Ec2, "gp3", 500, 3_000, 125);
    let claim = Some("db/data-0".to_owned());
    let grown = Row { claim, present: Some(present), recommended: Some(recommended), ..fixtures::full() };
    for format in FORMATS {
        let text = rendered(std::slice::from_ref(&grown), format);
        assert!(text.contains("# way back: none: a volume cannot shrink\n") || format == ChangeFormat::Vac, "{text}");
        assert!(text.contains("way back: none: a volume cannot shrink\n"), "{text}");
        assert_eq!(
            text.matches("aws ec2 modify-volume --").count(),
            usize::from(format == ChangeFormat::Cli),
            "{text}"
        );
        assert_eq!(text.matches("kubectl patch").count(), usize::from(format == ChangeFormat::Vac), "{text}");
    }
    let text = rendered(&[grown], ChangeFormat::Cli);
    let back = text.split("\nback-1)\n").nth(1).unwrap();
    assert!(
        back.contains("  # vol-06c1835863d5d7360: none: a volume cannot shrink\n") && !back.contains("if has"),
        "{back}"
    );
}

/// gp2 has at most 16,384 GiB.
#[test]
fn a_type_that_has_no_such_size_is_no_way_back() {
    let change = |gib| {
        let present = fixtures::priced(Platform::Ec2, "gp2", 16_000, 16_000, 250);
        let recommended = fixtures::priced(Platform::Ec2, "gp3", gib, 16_000, 250);
        let claim = Some("db/data-0".to_owned());
        Row { claim, present: Some(present), recommended: Some(recommended), ..fixtures::full() }
    };
    for format in FORMATS {
        let is_possible = |gib| !rendered(&[change(gib)], format).contains("way back: none: a volume cannot shrink\n");
        assert_eq!([16_384, 18_750].map(is_possible), [true, false]);
        let text = rendered(&[change(18_750)], format);
        assert!(text.contains("18,750") && !text.contains("By hand"), "{text}");
    }
}

#[test]
fn growth_is_said_and_stays() {
    let text = rendered(&fixtures::fleet(), ChangeFormat::Cli);
    assert!(
        text.contains("--volume-id vol-0c01 --volume-type gp3 --size 600 --iops 4500 --throughput 125\n"),
        "{text}"
    );
    assert!(text.contains("# The size grows from 500 to 600 GiB, which cannot be undone"), "{text}");
    assert!(text.contains("  # the size stays at 600 GiB\n"), "{text}");
}

/// The comments name a loss of durability and of speed to the person who approves a wave.
#[test]
fn a_change_has_its_reason_and_findings_above_it() {
    let row = Row {
        claim: Some("db/data-0".to_owned()),
        reason: fixtures::coded("cheaper_suffices", "gp3 has 5,000 IOPS for the 3,900 needed"),
        findings: vec![
            fixtures::coded("slower", "sessions would wait"),
            fixtures::coded("lower_durability", "durability falls from 99.999 % to 99.8 % a year"),
        ],
        unknown: ["bursts", "latency", "daily_cycle"].map(|code| fixtures::coded(code, "a long text")).into(),
        ..fixtures::full()
    };
    for (format, indent, command) in [
        (ChangeFormat::Cli, "  ", "aws ec2 modify-volume --"),
        (ChangeFormat::Terraform, "", "resource \""),
        (ChangeFormat::Vac, "", "kubectl patch pvc"),
    ] {
        let text = rendered(std::slice::from_ref(&row), format);
        let rationale = [
            "reason: gp3 has 5,000 IOPS for the 3,900 needed",
            "finding slower: sessions would wait",
            "finding lower_durability: durability falls from 99.999 % to 99.8 % a year",
            "not known: bursts within 60 s; demand at other times of a day",
        ];
        let rationale: String = rationale.iter().map(|line| format!("{indent}# {line}\n")).collect();
        let before = text.split(command).next().unwrap();
        assert!(before.contains(&rationale), "{text}");
    }
}

proptest! {
    /// No name leaves its comment or its word, in any form.
    #[test]
    fn a_name_is_only_a_comment(name in "[a-z'\"`$;#{}()\n\r\u{2028}<>\\\\ ]{0,24}") {
        let plain = |name: &str| Row { name: Some(name.to_owned()), owner: Some("x".to_owned()), ..fixtures::full() };
        let named = Row {
            claim: Some(name.clone()), instance: Some(name.clone()), instance_type: Some(name.clone()), confidence: Some(name.clone()),
            reason: fixtures::coded(&name, &name), findings: vec![fixtures::coded(&name, &name)],
            unknown: vec![fixtures::coded("bursts", &name), fixtures::coded("daily_cycle", &name)], ..plain(&name)
        };
        for format in FORMATS {
            let code = |row: &Row| -> Vec<String> {
                let text = rendered(std::slice::from_ref(row), format);
                text.lines().filter(|line| !line.trim_start().starts_with('#')).map(str::to_owned).collect()
            };
            prop_assert_eq!(code(&named), code(&Row { claim: None, ..plain("a") }));
        }
    }
}
