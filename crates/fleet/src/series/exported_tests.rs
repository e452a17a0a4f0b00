//! Configuration of RDS instances by the exporter that shows their rates.

use ebs_advice::{Action, ActionReason};
use ebs_aws::catalogue::{Platform, VolumeType};
use ebs_imports::configuration::Configuration;
use ebs_prometheus::{Matcher, Operator, Selector, Series};

use crate::made_rates::{answer, qonto, qonto_series};
use crate::made_series::labels;
use crate::{Fleet, Reason, Selection, UnknownFact, Unseen};

const GIB: f64 = 1_073_741_824.0;
const MIB: f64 = 1_048_576.0;

fn info(storage_type: &str, multi_az: &str, engine: &str) -> Series {
    let own = [
        ("instance_class", "db.r6i.2xlarge"),
        ("engine", engine),
        ("storage_type", storage_type),
        ("multi_az", multi_az),
    ];
    let others =
        [("cluster_identifier", ""), ("role", "primary"), ("arn", "arn:aws:rds:us-east-1:123456789012:db:mydb")];
    qonto_series("rds_instance_info", &[&own[..], &others].concat(), 1.0)
}

fn described(info: Series, [gib, iops, mibps]: [f64; 3]) -> Vec<Series> {
    let allocated = [
        qonto_series("rds_allocated_storage_bytes", &[], gib * GIB),
        qonto_series("rds_allocated_disk_iops_average", &[], iops),
        qonto_series("rds_allocated_disk_throughput_bytes", &[], mibps * MIB),
    ];
    qonto().into_iter().chain([info]).chain(allocated).collect()
}

/// RDS's gp3 of 500 GiB includes 12,000 IOPS and 500 MiB/s; it is twice as dear in two zones.
#[test]
fn the_exporter_describes_what_no_document_does() {
    let one = answer(described(info("gp3", "true", "postgres"), [500.0, 12_000.0, 500.0]), None);
    let present = one.present.as_ref().unwrap();
    let config = present.config;
    assert_eq!(
        (config.volume_type, config.size_gib, config.iops, config.throughput_mibps),
        (VolumeType::Gp3, 500, 12_000, 500)
    );
    assert_eq!((config.platform, one.action), (Platform::RdsMultiAz, Action::Keep), "{:?}", one.reason);
    assert_eq!(
        (one.identity.region.as_deref(), one.identity.account.as_deref()),
        (Some("us-east-1"), Some("123456789012"))
    );
    assert_eq!(one.identity.instance_type.as_deref(), Some("db.r6i.2xlarge"));
    assert!(present.usd_month.is_some() && !one.unknown.contains(&UnknownFact::Configuration));
}

/// The exporter derives 250 MiB/s of gp2, that RDS stripes over four volumes of 1,000 MiB/s.
#[test]
fn figures_that_the_exporter_derives_are_those_of_the_catalogue() {
    let config =
        answer(described(info("gp2", "false", "postgres"), [2_000.0, 6_000.0, 250.0]), None).present.unwrap().config;
    assert_eq!((config.platform, config.iops, config.throughput_mibps), (Platform::Rds, 6_000, 1_000));
}

#[test]
fn a_document_comes_before_the_exporter() {
    let document = r#"{"DBInstances": [{"DBInstanceIdentifier": "mydb", "DBInstanceClass": "db.m5.large", "Engine": "postgres",
        "DBInstanceArn": "arn:aws:rds:us-east-1:123456789012:db:mydb", "AllocatedStorage": 800, "StorageType": "gp2"}]}"#;
    let one = answer(described(info("gp3", "true", "postgres"), [500.0, 12_000.0, 500.0]), Some(document));
    let config = one.present.unwrap().config;
    assert_eq!((config.volume_type, config.size_gib, config.platform), (VolumeType::Gp2, 800, Platform::Rds));
    assert_eq!(one.identity.instance_type.as_deref(), Some("db.m5.large"));
}

/// A change of the class makes another series; the last one is the present.
#[test]
fn the_last_labels_are_the_present_ones() {
    let mut before = info("gp3", "false", "postgres");
    before.samples.truncate(700);
    before.labels = before
        .labels
        .iter()
        .map(|(label, value)| match label {
            "instance_class" => (label, "db.m5.large"),
            _ => (label, value),
        })
        .collect();
    let mut after = info("gp3", "false", "postgres");
    after.samples.drain(..700);
    let mut series = described(after, [500.0, 12_000.0, 500.0]);
    series.insert(0, before);
    assert_eq!(answer(series, None).identity.instance_type.as_deref(), Some("db.r6i.2xlarge"));
}

#[test]
fn aurora_by_the_exporter_has_no_answer_and_an_instance_without_rates_is_named() {
    let job = Matcher::new("job", Operator::Equal, "rds");
    let selection = Selection { matches: vec![Selector { matchers: vec![job] }], ..Selection::default() };
    let unseen = |series: &[Series]| {
        let found = Fleet::discover(labels(series), &Configuration::default(), &selection);
        (found.batches.len(), found.unobserved.into_iter().map(|one| (one.id, one.reason)).collect::<Vec<_>>())
    };
    let aurora = described(info("aurora", "false", "aurora-postgresql"), [1.0, 1.0, 1.0]);
    assert_eq!(unseen(&aurora), (0, vec![("mydb".to_owned(), Unseen::Aurora)]));
    assert_eq!(unseen(&[info("gp3", "false", "postgres")]), (0, vec![("mydb".to_owned(), Unseen::NotScraped)]));
    assert_eq!(unseen(&described(info("gp3", "false", "postgres"), [1.0, 1.0, 1.0])), (1, vec![]));
}

#[test]
fn rates_without_a_description_leave_the_configuration_unknown() {
    let one = answer(qonto(), None);
    assert!(matches!(one.reason, Reason::Decided(ActionReason::ConfigurationUnknown(_))), "{:?}", one.reason);
    assert!(one.unknown.contains(&UnknownFact::Configuration));
}
