//! Sentences of rows whose description or averages leave a doubt.

use ebs_fixtures::fleet::MadeFleet;
use ebs_fleet::{CheckedArguments, Fleet, Selection, Settings, evaluate};
use ebs_imports::configuration::read;
use ebs_prometheus::{Labels, Series};
use serde_json::{Value, json};

use crate::row_from_answer;
use ebs_fleet_row::Row;

/// The row of volume `number` of the fleet of known demand, with so many times its requests, described otherwise.
fn row(number: usize, times: f64, others: &Value, instance_type: &str) -> Row {
    requested(ebs_advice::Settings::default(), (number, times), others, instance_type)
}

/// The same with these arguments.
fn requested(
    arguments: ebs_advice::Settings,
    (number, times): (usize, f64),
    others: &Value,
    instance_type: &str,
) -> Row {
    let fleet = MadeFleet::new(10, 4, 60);
    let volume = fleet.volume(number);
    let mut volumes = fleet.describe_volumes();
    let all = volumes["Volumes"].as_array_mut().unwrap();
    let described = all.iter_mut().find(|one| one["VolumeId"] == volume.id.as_str()).unwrap();
    for (key, value) in others.as_object().unwrap() {
        described[key] = value.clone();
    }
    let instances = fleet.describe_instances().to_string().replace("r6i.4xlarge", instance_type);
    let mut series: Vec<Series> = fleet.series(&volume);
    let is_scaled = |one: &&mut Series| {
        one.labels.name().starts_with("node_disk_")
            && one.labels.name().ends_with("_total")
            && !one.labels.name().contains("io_time_seconds")
    };
    let samples = series.iter_mut().filter(is_scaled).flat_map(|one| &mut one.samples);
    samples.for_each(|sample| sample.value *= times);
    let configuration = read(&format!("{volumes}\n{instances}"), &|| ()).unwrap();
    let labels: Vec<Labels> = series.iter().map(|one| one.labels.clone()).collect();
    let found = Fleet::discover(labels, &configuration, &Selection::default());
    let (from_us, to_us) = (fleet.from_s * 1_000_000, fleet.to_s() * 1_000_000);
    let advice = CheckedArguments::new(arguments).unwrap();
    let settings = Settings { from_us, to_us, advice, ..Settings::default() };
    row_from_answer(&evaluate(&found.batches[0], series, &configuration, &settings, &|| ())[0])
}

fn text<'a>(coded: &'a [ebs_fleet_row::Coded], code: &str) -> Option<&'a str> {
    coded.iter().find(|one| one.code == code).map(|one| one.text.as_str())
}

#[test]
fn what_averages_may_hide_is_priced_and_not_bought() {
    // A quarter of an hour every six hours at 7,425 to 7,500: with 20 % headroom 9,000.
    let others = json!({"VolumeType": "gp3", "Iops": 12_000, "Throughput": 500});
    let row = row(2, 5.0, &others, "r6i.4xlarge");
    assert_eq!(row.reason.code, "present_suffices");
    let begin = "the present volume carried the demand: p99 7,463 IOPS + 20 % headroom of 12,000; seconds within 60 s averages may have reached ";
    assert!(row.reason.text.starts_with(begin), "{}", row.reason.text);
    // Nothing queued at the 12,000 that there are. 2,400 IOPS more at 0.005 are $12.00, 210 MiB/s less at 0.04 $8.40.
    let end =
        "(upper end of the CI), for which gp3, 1 × 1,000 GiB, 14,400 IOPS, 290 MiB/s would cost $3.60 a month more";
    assert!(row.reason.text.ends_with(end), "{}", row.reason.text);
}

#[test]
fn truncated_demand_is_at_least_that() {
    let row = row(3, 1.0, &json!({"Iops": 12_000}), "r6i.4xlarge");
    assert_eq!((row.reason.code.as_str(), row.confidence.as_deref()), ("description_refuted", Some("low")));
    assert!(row.reason.text.starts_with("at least: demand stops at 3,000 IOPS for "), "{}", row.reason.text);
    assert!(
        row.reason.text.contains("below the described 12,000 IOPS, and actual demand is unknown"),
        "{}",
        row.reason.text
    );
    let saturated = text(&row.findings, "saturated").unwrap();
    assert!(saturated.starts_with("at the limit of volume IOPS for "), "{saturated}");
}

#[test]
fn types_that_are_not_known_are_named() {
    let row = row(9, 1.0, &json!({"VolumeType": "gp9"}), "weird.type");
    assert!(row.reason.text.ends_with("; the present type gp9 is not in the catalogue"), "{}", row.reason.text);
    assert_eq!(
        text(&row.unknown, "configuration"),
        Some("limits and price of the volume type gp9: it is not in the catalogue")
    );
    let instance = text(&row.unknown, "instance_type").unwrap();
    assert_eq!(
        instance,
        "limits of the instance type weird.type: it is not in the catalogue, and assumed to have none"
    );
}

/// Used space grows by 2 GiB a day: reason and finding have the same figures.
#[test]
fn growth_has_one_format() {
    let row = row(6, 1.0, &json!({}), "r6i.4xlarge");
    assert_eq!(text(&row.findings, "fills_up"), Some("full in 20 days at 2.0 GiB a day"));
    assert!(
        row.reason.text.starts_with("100 GiB are full in 20 days at 2.0 GiB a day: 148 GiB hold its growth"),
        "{}",
        row.reason.text
    );
}

/// gp3 carries the 600 IOPS five times over: what it lacks is the durability alone.
#[test]
fn a_requested_durability_is_the_reason() {
    let reason = |durability_pct| {
        let arguments = ebs_advice::Settings { durability_pct, ..ebs_advice::Settings::default() };
        requested(arguments, (9, 1.0), &json!({}), "r6i.4xlarge").reason
    };
    assert_eq!([reason(None), reason(Some(99.8))].map(|reason| reason.code), ["as_present", "as_present"]);
    let found = reason(Some(99.999));
    assert_eq!(found.code, "present_misses_target");
    let begin = "the present gp3 promises 99.8 % durability a year, 99.999 % requested; ";
    assert!(found.text.starts_with(begin), "{}", found.text);
}
