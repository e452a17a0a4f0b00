//! Absurd counters of one volume: no panic, and the answers of the others stay.

use ebs_advice::Action;
use ebs_imports::configuration::{Configuration, read};
use ebs_prometheus::Series;
use ebs_workload::io_profile::Metric;
use proptest::prelude::*;

use crate::made_rates::{every, qonto_series};
use crate::made_series::{disk, labels, series};
use crate::{Fleet, Selection, Settings, VolumeAnswer, evaluate};

const SCRAPES: usize = 121;
const TARGET: [(&str, &str); 2] = [("instance", "db1:9100"), ("job", "postgres")];

/// Answers of a volume whose counters are those given, and of an ordinary one beside it, in this order.
fn answers(requests: &[Option<f64>]) -> Vec<VolumeAnswer> {
    let ordinary: Vec<Option<f64>> = (0..SCRAPES).map(|scrape| Some(60_000.0 * scrape as f64)).collect();
    let mut all = disk(&TARGET, "nvme1n1", "vol0000000000000000a", requests);
    all.extend(disk(&TARGET, "nvme2n1", "vol0000000000000000b", &ordinary));
    let dmi = [("__name__", "node_dmi_info"), ("board_asset_tag", "i-0aaaaaaa"), ("product_name", "r6i.4xlarge")];
    all.push(series(&[&dmi[..], &TARGET].concat(), &[Some(1.0); SCRAPES]));
    evaluated(all, 1_000)
}

/// Answers over the time of the scrapes, from this second on.
fn evaluated(series: Vec<Series>, from_s: i64) -> Vec<VolumeAnswer> {
    let volume = |id| {
        format!(
            r#"{{"VolumeId": "{id}", "VolumeType": "gp3", "Size": 200, "Iops": 6000, "Throughput": 250, "State": "in-use",
            "AvailabilityZone": "us-east-1a", "Attachments": [{{"InstanceId": "i-0aaaaaaa"}}]}}"#
        )
    };
    let volumes = ["vol-0000000000000000a", "vol-0000000000000000b"].map(volume).join(",");
    let configuration: Configuration = read(&format!(r#"{{"Volumes": [{volumes}]}}"#), &|| ()).unwrap();
    let found = Fleet::discover(labels(&series), &configuration, &Selection::default());
    let (from_us, to_us) = (from_s * 1_000_000, (from_s + 60 * (SCRAPES as i64 - 1)) * 1_000_000);
    let settings = Settings { from_us, to_us, region: Some("us-east-1".to_owned()), ..Settings::default() };
    assert_eq!(found.batches.len(), 1);
    let mut answers = evaluate(&found.batches[0], series, &configuration, &settings, &|| ());
    answers.sort_by(|one, other| one.identity.id.cmp(&other.identity.id));
    answers
}

fn check(answers: &[VolumeAnswer]) {
    let [_, ordinary] = answers else { panic!("{}", answers.len()) };
    let iops = ordinary.demand.as_ref().unwrap().find(Metric::Requests).unwrap().clone();
    assert_eq!((iops.p50.unwrap(), iops.max.unwrap()), (2_000.0, 2_000.0));
}

/// Counters that are 10^14 times as high as they should be, and one value of 10^300 in the middle.
#[test]
fn absurd_counters_leave_the_others_their_answers() {
    let absurd = |scrape: usize| Some(6e4 * 1e14 * scrape as f64 + if scrape > 60 { 1e300 } else { 0.0 });
    let all = answers(&(0..SCRAPES).map(absurd).collect::<Vec<_>>());
    check(&all);
    assert_eq!([all[0].action, all[1].action], [Action::NoAnswer, Action::Modify]);
}

/// Averages of CloudWatch are no counters: nothing subtracts them.
fn rates(each: f64) -> Vec<VolumeAnswer> {
    let names =
        ["rds_read_iops_average", "rds_write_iops_average", "rds_read_throughput_bytes", "rds_write_throughput_bytes"];
    let mut all: Vec<Series> = names.map(|name| qonto_series(name, &[], each)).into();
    all.push(every(60, &[("__name__", "rds_instance_info"), ("dbidentifier", "mydb")], [1.0; SCRAPES].into_iter()));
    evaluated(all, 0)
}

#[test]
fn absurd_rates_are_no_panic() {
    for each in [1e14, 1e18, 1e19, 1e300] {
        assert!(!rates(each).is_empty());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn no_counters_are_a_panic(
        values in prop::collection::vec(prop::option::weighted(0.95, prop_oneof![Just(0.0), 0.0..1e6, 0.0..1e20, 0.0..1e300]), SCRAPES),
        is_sorted: bool,
    ) {
        let mut values = values;
        if is_sorted {
            values.sort_by(|one, other| one.partial_cmp(other).unwrap());
        }
        check(&answers(&values));
    }
}
