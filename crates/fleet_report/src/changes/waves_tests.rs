use std::collections::HashSet;

use proptest::prelude::*;

use super::super::options::{ChangeFormat, ChangeOptions};
use super::super::plan::Plan;
use super::*;
use crate::fixtures;

fn row(number: u32, instance: u32, owner: Option<u32>, risk: Option<&str>) -> Row {
    Row {
        volume: format!("vol-{number:04}"),
        instance: Some(format!("i-{instance}")),
        owner: owner.map(|owner| format!("team-{owner}")),
        risk: risk.map(str::to_owned),
        ..fixtures::full()
    }
}

fn planned(rows: &[Row], per_wave: usize) -> Vec<Vec<String>> {
    let plan = Plan::new(rows, ChangeFormat::Cli, &ChangeOptions { per_wave });
    let volumes = |wave: &Wave| wave.changes.iter().map(|change| change.row.volume.clone()).collect();
    plan.waves.iter().map(volumes).collect()
}

#[test]
fn one_volume_of_an_instance_and_half_of_an_owner() {
    // Two volumes of i-1; three more instances of the same owner.
    let rows = [
        row(1, 1, Some(1), Some("low")),
        row(2, 1, Some(1), Some("low")),
        row(3, 2, Some(1), Some("low")),
        row(4, 3, Some(1), Some("low")),
        row(5, 4, Some(1), Some("low")),
    ];
    assert_eq!(planned(&rows, 20), [vec!["vol-0001", "vol-0003"], vec!["vol-0002", "vol-0004"], vec!["vol-0005"]]);
}

#[test]
fn pods_of_one_set_are_never_changed_together() {
    let claimed = |number, claim: &str| Row { claim: Some(claim.to_owned()), ..row(number, number, None, Some("low")) };
    let rows = [claimed(1, "db/data-pg-0"), claimed(2, "db/data-pg-1"), claimed(3, "other/data-pg-0")];
    assert_eq!(planned(&rows, 20), [vec!["vol-0001", "vol-0003"], vec!["vol-0002"]]);
}

#[test]
fn low_risk_comes_first_then_the_cheapest() {
    let mut rows = [
        row(1, 1, None, None),
        row(2, 2, None, Some("high")),
        row(3, 3, None, Some("very low")),
        row(4, 4, None, Some("very low")),
    ];
    rows[3].present = Some(fixtures::volumes("io1", 500, 10_000, 500, 5.0));
    assert_eq!(planned(&rows, 20), [vec!["vol-0004", "vol-0003"], vec!["vol-0002"], vec!["vol-0001"]]);
}

/// Sessions would wait on the second, and the demand does not need the third, whatever their risk is.
#[test]
fn slower_and_dearer_changes_come_last() {
    let found = |number, code: &str, saved| Row {
        findings: vec![fixtures::coded(code, "")],
        usd_month_saved: Some(saved),
        ..row(number, number, None, Some("very low"))
    };
    let rows = [
        found(1, "unsuitable_type", -20.0),
        found(2, "slower", 100.0),
        found(3, "unsuitable_type", 5.0),
        Row { limit_pct: Some(12.0), ..found(4, "unsuitable_type", -20.0) },
        row(5, 5, None, Some("high")),
        found(6, "may_be_slower", 100.0),
    ];
    assert_eq!(
        planned(&rows, 20),
        [vec!["vol-0003", "vol-0004", "vol-0006"], vec!["vol-0005"], vec!["vol-0002"], vec!["vol-0001"]]
    );
    let text = crate::changes(&rows, ChangeFormat::Cli, &ChangeOptions::default());
    assert!(text.contains("Wave 3: 1 volume, account 123456789012, region eu-west-1, risk very low, slower: sessions"));
    assert!(text.contains("costs more; the demand does not need it\n"), "{text}");
}

#[test]
fn a_wave_has_one_account_and_region() {
    let elsewhere = Row { region: Some("us-east-1".to_owned()), ..row(2, 2, None, Some("low")) };
    assert_eq!(planned(&[row(1, 1, None, Some("low")), elsewhere], 20).len(), 2);
}

proptest! {
    #[test]
    fn every_change_is_in_one_wave_that_keeps_the_rules(
        rows in prop::collection::vec((0..12_u32, prop::option::of(0..3_u32), prop::option::of(0..5_usize)), 1..40),
        per_wave in 1..8_usize,
    ) {
        let rows: Vec<Row> = (0..).zip(rows)
            .map(|(number, (instance, owner, risk))| row(number, instance, owner, risk.map(|risk| crate::risk::RISKS[risk])))
            .collect();
        let limits = limits(&rows);
        let plan = Plan::new(&rows, ChangeFormat::Cli, &ChangeOptions { per_wave });
        let mut changed = HashSet::new();
        for wave in &plan.waves {
            prop_assert!(wave.changes.len() <= per_wave && !wave.changes.is_empty());
            let mut instances = HashSet::new();
            let mut used: HashMap<Replicas, usize> = HashMap::new();
            for change in &wave.changes {
                prop_assert!(changed.insert(change.row.volume.clone()));
                prop_assert!(instances.insert(instance(change.row)));
                replicas(change.row).for_each(|key| *used.entry(key).or_default() += 1);
            }
            prop_assert!(used.iter().all(|(key, used)| *used <= limits[key]));
        }
        prop_assert_eq!(changed.len(), rows.len());
        let risks: Vec<(Stage, bool, usize)> = plan.waves.iter().map(|wave| rank(wave.changes[0].row)).collect();
        prop_assert!(risks.is_sorted());
    }
}
