//! RDS instances of one identifier in several regions and accounts.

use std::collections::BTreeSet;

use ebs_aws::catalogue::VolumeType;
use ebs_imports::configuration::{Configuration, read};
use ebs_prometheus::{CompiledSelector, Series};
use ebs_workload::io_profile::Metric;

use crate::made_rates::every;
use crate::made_series::labels;
use crate::{
    Fleet, Reason, Selection, Settings, UnknownFact, Unobserved, Unseen, VolumeAnswer, answer_unobserved, evaluate,
};

const A: &str = "111111111111";
const B: &str = "222222222222";

/// A day of rates of "mydb" by an exporter whose metrics begin so.
fn rates(prefix: &str, own: &[(&str, &str)], reads: f64) -> Vec<Series> {
    let names = match prefix {
        "rds_" => ["read_iops_average", "write_iops_average", "read_throughput_bytes", "write_throughput_bytes"],
        _ => ["read_iops_average", "write_iops_average", "read_throughput_average", "write_throughput_average"],
    };
    let values = [reads, 100.0, 8_192.0 * reads, 819_200.0];
    let series = |(name, value): (&str, f64)| {
        let name = format!("{prefix}{name}");
        every(60, &[&[("__name__", name.as_str())], own].concat(), std::iter::repeat_n(value, 1_441))
    };
    names.into_iter().zip(values).map(series).collect()
}

fn qonto(region: &str, account: &str, reads: f64) -> Vec<Series> {
    rates("rds_", &[("dbidentifier", "mydb"), ("aws_region", region), ("aws_account_id", account)], reads)
}

fn percona(region: &str, reads: f64) -> Vec<Series> {
    rates("aws_rds_", &[("instance", "mydb"), ("region", region)], reads)
}

/// An exporter of CloudWatch that shows no region.
fn unlocated(reads: f64) -> Vec<Series> {
    rates("aws_rds_", &[("instance", "cloudwatch:9106"), ("dbinstance_identifier", "mydb")], reads)
}

fn document(region: &str, account: &str, gib: u64) -> String {
    format!(
        r#"{{"DBInstances": [{{"DBInstanceIdentifier": "mydb", "DBInstanceArn": "arn:aws:rds:{region}:{account}:db:mydb",
        "DBInstanceClass": "db.r6i.2xlarge", "Engine": "postgres", "AllocatedStorage": {gib}, "StorageType": "gp3",
        "Iops": 12000, "StorageThroughput": 500}}]}}"#
    )
}

struct Answered {
    keys: Vec<String>,
    answers: Vec<VolumeAnswer>,
    unobserved: Vec<VolumeAnswer>,
}

fn answered(series: &[Vec<Series>], documents: &[String]) -> Answered {
    let configuration =
        if documents.is_empty() { Configuration::default() } else { read(&documents.join("\n"), &|| ()).unwrap() };
    let series = series.concat();
    let selection = Selection { volumes: vec!["mydb".to_owned()], ..Selection::default() };
    let found = Fleet::discover(labels(&series), &configuration, &selection);
    let settings = Settings { from_us: 0, to_us: 86_400_000_000, ..Settings::default() };
    let answers = found.batches.iter().flat_map(|batch| {
        let selectors: Vec<_> =
            batch.selectors().iter().map(|selector| CompiledSelector::new(selector).unwrap()).collect();
        let fetched = series.iter().filter(|one| selectors.iter().any(|selector| selector.matches(&one.labels)));
        evaluate(batch, fetched.cloned().collect(), &configuration, &settings, &|| ())
    });
    Answered {
        keys: found.batches.iter().map(|batch| batch.key.clone()).collect(),
        answers: answers.collect(),
        unobserved: found.unobserved.iter().map(|one| answer_unobserved(one, &configuration, &settings)).collect(),
    }
}

/// Region, account, size of the present volume (GiB), and reads and writes a second.
fn row(answer: &VolumeAnswer) -> (Option<&str>, Option<&str>, Option<u64>, Option<f64>) {
    let present = answer.present.as_ref().map(|present| present.config.size_gib);
    let demand = answer.demand.as_ref().map(|demand| demand.find(Metric::Requests).unwrap().max.unwrap());
    (answer.identity.region.as_deref(), answer.identity.account.as_deref(), present, demand)
}

fn candidates(answer: &VolumeAnswer) -> Vec<String> {
    let of_fact = |fact: &UnknownFact| match fact {
        UnknownFact::RdsInstance { candidates } => Some(candidates.iter().map(ToString::to_string).collect()),
        _ => None,
    };
    answer.unknown.iter().find_map(of_fact).unwrap_or_default()
}

#[test]
fn two_places_are_two_volumes_with_their_own_documents_and_demand() {
    for (other, account) in [("eu-west-1", A), ("us-east-1", B)] {
        let series = [qonto("us-east-1", A, 1_000.0), qonto(other, account, 400.0)];
        let all = answered(&series, &[document("us-east-1", A, 500), document(other, account, 800)]);
        let mut rows: Vec<_> = all.answers.iter().map(row).collect();
        rows.sort_by_key(|(_, _, gib, _)| *gib);
        let expected = [
            (Some("us-east-1"), Some(A), Some(500), Some(1_100.0)),
            (Some(other), Some(account), Some(800), Some(500.0)),
        ];
        assert_eq!(rows, expected);
        assert!(all.unobserved.is_empty());
        let mut keys = [format!("mydb ({other}, account {account})"), format!("mydb (us-east-1, account {A})")];
        keys.sort();
        assert_eq!(all.keys, keys);
    }
}

#[test]
fn series_without_a_place_are_of_the_only_document() {
    let all = answered(&[unlocated(1_000.0)], &[document("us-east-1", A, 500)]);
    assert_eq!(
        all.answers.iter().map(row).collect::<Vec<_>>(),
        [(Some("us-east-1"), Some(A), Some(500), Some(1_100.0))]
    );
    assert_eq!((all.keys, all.unobserved.len()), (vec!["mydb".to_owned()], 0));
}

#[test]
fn a_region_without_an_account_is_of_the_only_document_there() {
    let documents = [document("us-east-1", A, 500), document("eu-west-1", A, 800)];
    let all = answered(&[percona("eu-west-1", 1_000.0)], &documents);
    assert_eq!(
        all.answers.iter().map(row).collect::<Vec<_>>(),
        [(Some("eu-west-1"), Some(A), Some(800), Some(1_100.0))]
    );
    // The other instance has no series.
    assert_eq!(all.unobserved.iter().map(row).collect::<Vec<_>>(), [(Some("us-east-1"), Some(A), Some(500), None)]);
    assert!(matches!(all.unobserved[0].reason, Reason::Unseen(Unseen::NotScraped)));
    let one = answered(&[percona("eu-west-1", 1_000.0)], &documents[1..]);
    assert_eq!(
        (one.keys, one.answers[0].present.as_ref().unwrap().config.volume_type),
        (vec!["mydb".to_owned()], VolumeType::Gp3)
    );
}

/// No document is taken of two, and what each of the two has is not shown as unscraped.
#[test]
fn series_that_may_be_of_several_instances_have_no_configuration_and_name_these() {
    let all = answered(&[unlocated(1_000.0)], &[document("us-east-1", A, 500), document("eu-west-1", A, 800)]);
    assert_eq!(all.answers.iter().map(row).collect::<Vec<_>>(), [(None, None, None, Some(1_100.0))]);
    assert!(all.answers[0].unknown.contains(&UnknownFact::Configuration));
    let places = [format!("eu-west-1, account {A}"), format!("us-east-1, account {A}")];
    assert_eq!((candidates(&all.answers[0]), all.unobserved.len()), (places.to_vec(), 0));
}

#[test]
fn exporters_of_one_instance_are_one_volume() {
    let all = answered(&[qonto("us-east-1", A, 1_000.0), percona("us-east-1", 1_000.0), unlocated(1_000.0)], &[]);
    assert_eq!(all.answers.iter().map(row).collect::<Vec<_>>(), [(Some("us-east-1"), Some(A), None, Some(1_100.0))]);
    assert_eq!(all.keys, ["mydb"]);
    assert!(candidates(&all.answers[0]).is_empty());
}

/// An exporter that shows the region alone is of neither of the two accounts there.
#[test]
fn counts_of_two_places_are_never_put_together() {
    let series = [qonto("us-east-1", A, 1_000.0), qonto("us-east-1", B, 400.0), percona("us-east-1", 50.0)];
    let all = answered(&series, &[document("us-east-1", A, 500)]);
    let rows: Vec<_> = all.answers.iter().map(row).collect();
    let expected = [
        (Some("us-east-1"), None, None, Some(150.0)),
        (Some("us-east-1"), Some(A), Some(500), Some(1_100.0)),
        (Some("us-east-1"), Some(B), None, Some(500.0)),
    ];
    assert_eq!(rows.len(), 3);
    expected.iter().for_each(|one| assert!(rows.contains(one), "{one:?} {rows:?}"));
    assert_eq!(all.keys.iter().collect::<BTreeSet<_>>().len(), 3);
}

/// A refusal in one region says nothing on the instance in another.
#[test]
fn refused_series_are_of_their_own_place() {
    let amounts = |own: &[(&str, &str)]| {
        let name = [("__name__", "node_disk_reads_completed_total"), ("device", "rdsdev"), ("instance", "mydb")];
        vec![every(60, &[&name[..], own].concat(), [0.0, 1.0].into_iter())]
    };
    let refused = |series: &[Vec<Series>], documents: &[String]| {
        let unobserved = answered(series, documents).unobserved;
        unobserved.into_iter().map(|one| (one.identity.region, one.reason)).collect::<Vec<_>>()
    };
    let rates = qonto("eu-west-1", A, 400.0);
    let other = refused(&[amounts(&[("region", "us-east-1")]), rates.clone()], &[]);
    assert!(
        matches!(&other[..], [(Some(region), Reason::Unseen(Unseen::NotCumulative))] if region == "us-east-1"),
        "{other:?}"
    );
    assert!(refused(&[amounts(&[("region", "eu-west-1")]), rates.clone()], &[]).is_empty());
    assert!(refused(&[amounts(&[]), rates.clone(), qonto("us-east-1", A, 1.0)], &[]).is_empty());
    let aurora = document("us-east-1", A, 1).replace("postgres", "aurora-postgresql");
    let other = refused(&[rates], &[aurora, document("eu-west-1", A, 500)]);
    assert!(
        matches!(&other[..], [(Some(region), Reason::Unseen(Unseen::Aurora))] if region == "us-east-1"),
        "{other:?}"
    );
}

/// Parts of a job array divide by the keys; the journal finds rows by them.
#[test]
fn instances_without_series_have_keys_of_their_own() {
    let text = [document("us-east-1", A, 500), document("eu-west-1", A, 800)].join("\n");
    let keys = |text: &str| {
        let found = Fleet::discover(Vec::new(), &read(text, &|| ()).unwrap(), &Selection::default());
        found.unobserved.iter().map(Unobserved::key).collect::<Vec<_>>()
    };
    assert_eq!(keys(&text), [format!("mydb (eu-west-1, account {A})"), format!("mydb (us-east-1, account {A})")]);
    assert_eq!(keys(&document("us-east-1", A, 500)), ["mydb"]);
}
