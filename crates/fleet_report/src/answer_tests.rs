//! Rows of a made-up fleet: codes, sentences and figures.

use ebs_advice::{ActionReason, Finding};
use ebs_fixtures::fleet::{FleetKind, MadeFleet};
use ebs_fleet::{Fleet, Reason, Selection, Settings, Unobserved, Unseen, VolumeAnswer, answer_unobserved, evaluate};
use ebs_fleet_row::{Action, Row};
use ebs_imports::configuration::{Configuration, read};
use ebs_prometheus::{Labels, Series};

use crate::{row_from_answer, rows_not_evaluated};

/// Rows of the first volume of each kind, over three days.
fn rows() -> Vec<(FleetKind, Row)> {
    let fleet = MadeFleet::new(20, 3, 60);
    let text = format!("{}\n{}", fleet.describe_volumes(), fleet.describe_instances());
    let configuration = read(&text, &|| ()).unwrap();
    let (from_us, to_us) = (fleet.from_s * 1_000_000, fleet.to_s() * 1_000_000);
    let settings = Settings { from_us, to_us, ..Settings::default() };
    let row = |number: usize| {
        let volume = fleet.volume(number);
        let both = [number, number + 10];
        let numbers = if volume.kind == FleetKind::InstanceBound { &both[..] } else { &both[..1] };
        let series: Vec<Series> = numbers.iter().flat_map(|number| fleet.series(&fleet.volume(*number))).collect();
        let labels: Vec<Labels> = series.iter().map(|one| one.labels.clone()).collect();
        let found = Fleet::discover(labels, &configuration, &Selection::default());
        let answers = evaluate(&found.batches[0], series, &configuration, &settings, &|| ());
        (volume.kind, row_from_answer(&answers[0]))
    };
    (0..10).map(row).collect()
}

#[test]
fn every_row_has_codes_and_sentences() {
    for (kind, row) in rows() {
        let codes: Vec<&str> = row.findings.iter().map(|one| one.code.as_str()).collect();
        let (action, reason, expected): (Action, &str, &[&str]) = match kind {
            FleetKind::Idle => (Action::Modify, "idle", &["idle"]),
            FleetKind::Steady => (Action::Modify, "cheaper_suffices", &[]),
            FleetKind::Bursty => (Action::Modify, "cheaper_suffices", &["previous_generation"]),
            FleetKind::Saturated => (Action::Modify, "present_too_small", &["saturated"]),
            FleetKind::InstanceBound => (Action::LargerInstance, "instance_binds", &["instance_binds"]),
            FleetKind::RunningDry => {
                (Action::Modify, "present_too_small", &["previous_generation", "credits_exhausted", "saturated"])
            }
            FleetKind::Growing => (Action::Modify, "present_too_small", &["fills_up"]),
            FleetKind::Moved => (Action::Modify, "cheaper_suffices", &["moved"]),
            FleetKind::Replaced | FleetKind::Right => (Action::Keep, "as_present", &[]),
        };
        assert_eq!(
            (row.action, row.reason.code.as_str(), codes.as_slice()),
            (action, reason, expected),
            "{kind:?}: {row:?}"
        );
        let texts = row.findings.iter().chain(&row.unknown).chain([&row.reason]);
        assert!(texts.clone().all(|one| !one.text.is_empty() && !one.text.contains("NaN")), "{kind:?}: {row:?}");
        assert_eq!((row.region.as_deref(), row.zone.as_deref()), (Some("us-east-1"), Some("us-east-1a")));
        assert_eq!(row.name, Some(format!("pg-{}", &row.volume[row.volume.len() - 3..])));
        assert!(row.demand.as_ref().is_some_and(|demand| demand.iops_over_time.len() == 48));
    }
}

#[test]
fn the_reason_of_a_bound_instance_names_the_type_that_suffices() {
    let rows = rows();
    let row = &rows.iter().find(|(kind, _)| *kind == FleetKind::InstanceBound).unwrap().1;
    assert!(
        row.reason.text.starts_with("m5.large sustains 3,600 IOPS, all its volumes need 4,8"),
        "{}",
        row.reason.text
    );
    assert!(row.reason.text.ends_with(": m5.xlarge sustains it"), "{}", row.reason.text);
    assert_eq!(row.binding_limit.as_deref(), Some("instance IOPS"));
}

/// Used space that grows shows that the data are needed, whatever the counts say.
#[test]
fn an_idle_volume_that_fills_up_is_not_to_be_deleted() {
    let volume =
        Unobserved { id: "vol-0123456789abcdef0".to_owned(), rds: None, claim: None, reason: Unseen::NotScraped };
    let mut answer = answer_unobserved(&volume, &Configuration::default(), &Settings::default());
    answer.reason = Reason::Decided(ActionReason::Idle { requests: 3, seconds: 172_800.0 });
    let text = |answer: &VolumeAnswer| row_from_answer(answer).reason.text;
    assert_eq!(text(&answer), "3 requests in 2 days: delete it if its data are not needed");
    answer.findings.push(Finding::FillsUp { days: 11.0, per_day: 3e9 });
    assert_eq!(text(&answer), "3 requests in 2 days: its data grow");
}

/// A document attaches it to nothing, and an exporter showed it mounted.
#[test]
fn a_mounted_volume_is_named_with_its_place_and_time() {
    let volume =
        Unobserved { id: "vol-0123456789abcdef0".to_owned(), rds: None, claim: None, reason: Unseen::NotScraped };
    let mut answer = answer_unobserved(&volume, &Configuration::default(), &Settings::default());
    answer.reason = Reason::Decided(ActionReason::Idle { requests: 0, seconds: 172_800.0 });
    answer.findings = vec![Finding::Unattached { last_io_us: None, last_seen_us: Some(60_000_000) }];
    (answer.identity.instance, answer.identity.mountpoints) = (Some("d:9100".to_owned()), vec!["/data".to_owned()]);
    answer.evidence.interval_s = Some(60.0);
    let row = row_from_answer(&answer);
    assert_eq!(row.reason.text, "0 requests in 2 days: it was mounted");
    let expected = "attached to no instance by describe-volumes; mounted at /data on d:9100, last seen at 1970-01-01T00:01:00Z, without I/O";
    assert_eq!(row.findings[0].text, expected);
}

/// A row comes back from its line digit for digit.
#[test]
fn a_row_is_a_line_of_json() {
    for (_, row) in rows() {
        let line = serde_json::to_string(&row).unwrap();
        assert_eq!(serde_json::from_str::<Row>(&line).unwrap(), row);
    }
}

#[test]
fn what_was_not_evaluated_has_its_configuration() {
    let fleet = MadeFleet::new(1, 1, 60);
    let configuration = read(&fleet.describe_volumes().to_string(), &|| ()).unwrap();
    let labels = fleet.series(&fleet.volume(0)).into_iter().map(|one| one.labels).collect();
    let found = Fleet::discover(labels, &configuration, &Selection::default());
    let rows = rows_not_evaluated(&found.batches[0], &configuration, &Settings::default());
    let [row] = rows.as_slice() else { panic!("{rows:?}") };
    assert_eq!((row.action, row.reason.code.as_str()), (Action::NoAnswer, "not_evaluated"));
    assert_eq!(row.reason.text, "its evaluation failed by a defect of ebsctl");
    // gp3 200 GiB with 6,000 IOPS and 250 MiB/s: 16 + 15 + 5.
    assert_eq!(row.present.as_ref().and_then(|present| present.usd_month), Some(36.0));
}

#[test]
fn an_unattached_volume_is_answered_by_its_price() {
    let fleet = MadeFleet::new(9, 1, 60);
    let configuration = read(&fleet.describe_volumes().to_string(), &|| ()).unwrap();
    let found = Fleet::discover(Vec::new(), &configuration, &Selection::default());
    let unattached = found.unobserved.iter().find(|one| one.id == MadeFleet::replaced_id(8)).unwrap();
    let row = row_from_answer(&answer_unobserved(unattached, &configuration, &Settings::default()));
    assert_eq!((row.action, row.reason.code.as_str(), row.usd_month_saved), (Action::Delete, "unattached", Some(22.4)));
    assert_eq!(row.evidence.grade, "none");
}
