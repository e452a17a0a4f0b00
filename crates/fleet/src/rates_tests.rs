//! Rates and sums of CloudWatch, as exporters repeat them.

use ebs_imports::configuration::{Configuration, read};
use ebs_prometheus::{Labels, Sample, Series};

use crate::made_series::labels;
use crate::{Action, Fleet, Reason, Selection, Settings, Source, UnknownFact, VolumeAnswer, evaluate};

/// Values each `step_s` seconds from zero on.
fn every(step_s: i64, own: &[(&str, &str)], values: impl Iterator<Item = f64>) -> Series {
    let sample = |(number, value): (i64, f64)| Sample { at_ms: number * step_s * 1_000, value };
    Series { labels: own.iter().copied().collect::<Labels>(), samples: (0i64..).zip(values).map(sample).collect() }
}

fn answer(series: Vec<Series>, documents: Option<&str>) -> VolumeAnswer {
    let configuration = documents.map_or_else(Configuration::default, |text| read(text, &|| ()).unwrap());
    let found = Fleet::discover(labels(&series), &configuration, &Selection::default());
    let settings = Settings { from_us: 0, to_us: 86_400_000_000, ..Settings::default() };
    evaluate(&found.batches[0], series, &configuration, &settings, &|| ()).remove(0)
}

const DATABASE: &str = r#"{"DBInstances": [{"DBInstanceIdentifier": "mydb", "DBInstanceArn": "arn:aws:rds:us-east-1:123456789012:db:mydb",
    "DBInstanceClass": "db.r6i.2xlarge", "Engine": "postgres", "AllocatedStorage": 500, "StorageType": "gp3", "Iops": 12000,
    "StorageThroughput": 500, "MultiAZ": false, "DBInstanceStatus": "available"}]}"#;

/// 1,000 reads and 500 writes a second of 8 KiB: RDS's gp3 of 500 GiB includes 12,000 IOPS.
#[test]
fn the_rates_of_qontos_exporter_are_of_the_time_before_them() {
    let with = |name: &str, value: f64| {
        let own = [
            ("__name__", name),
            ("dbidentifier", "mydb"),
            ("aws_region", "us-east-1"),
            ("aws_account_id", "123456789012"),
        ];
        every(60, &own, std::iter::repeat_n(value, 1_441))
    };
    let series = vec![
        with("rds_read_iops_average", 1_000.0),
        with("rds_write_iops_average", 500.0),
        with("rds_read_throughput_bytes", 8_192_000.0),
        with("rds_write_throughput_bytes", 4_096_000.0),
        with("rds_free_storage_bytes", 200.0 * 1_073_741_824.0),
    ];
    let answer = answer(series, Some(DATABASE));
    let demand = answer.demand.as_ref().unwrap();
    assert_eq!((demand.iops.p50, demand.iops.p99, answer.evidence.source), (1_500.0, 1_500.0, Some(Source::RdsQonto)));
    assert!((demand.read_pct.unwrap() - 66.67).abs() < 0.01 && demand.read_ms.is_none());
    assert_eq!((answer.action, answer.identity.platform.name()), (Action::Keep, "rds"), "{:?}", answer.reason);
    assert!(answer.unknown.contains(&UnknownFact::Latency) && answer.unknown.contains(&UnknownFact::Merging));
    assert_eq!(answer.identity.instance_type.as_deref(), Some("db.r6i.2xlarge"));
    let space = answer.space.unwrap();
    assert_eq!((space.used, space.size), (300.0 * 1_073_741_824.0, 500.0 * 1_073_741_824.0));
}

/// Percona's exporter has latencies, seconds of a request: 1,000 × 0.5 ms and 500 × 2 ms.
#[test]
fn latencies_of_perconas_exporter_are_means_of_a_request() {
    let with = |name: &str, value: f64| {
        every(
            60,
            &[("__name__", name), ("instance", "mydb"), ("region", "us-east-1")],
            std::iter::repeat_n(value, 1_441),
        )
    };
    let series = vec![
        with("aws_rds_read_iops_average", 1_000.0),
        with("aws_rds_write_iops_average", 500.0),
        with("aws_rds_read_throughput_average", 8_192_000.0),
        with("aws_rds_write_throughput_average", 4_096_000.0),
        with("aws_rds_read_latency_average", 0.0005),
        with("aws_rds_write_latency_average", 0.002),
    ];
    let demand = answer(series, Some(DATABASE)).demand.unwrap();
    assert_eq!((demand.read_ms, demand.write_ms), (Some(0.5), Some(2.0)));
}

/// Sums of five minutes, each scraped five times: 300,000 requests are 1,000 a second.
fn yace(sum: impl Fn(usize) -> f64) -> Vec<Series> {
    let with = |name: &str, factor: f64| {
        let own = [("__name__", name), ("dimension_VolumeId", "vol-06c1835863d5d7360"), ("region", "us-east-1")];
        every(60, &own, (0..1_441).map(|scrape| sum(scrape / 5) * factor))
    };
    vec![
        with("aws_ebs_volume_read_ops_sum", 1.0),
        with("aws_ebs_volume_write_ops_sum", 0.0),
        with("aws_ebs_volume_read_bytes_sum", 8_192.0),
        with("aws_ebs_volume_write_bytes_sum", 0.0),
    ]
}

#[test]
fn sums_of_a_period_are_amounts_of_it() {
    let answer = answer(yace(|period| 300_000.0 + period as f64), None);
    let demand = answer.demand.as_ref().unwrap();
    assert!((demand.iops.p50 - 1_000.0).abs() < 1.0, "{demand:?}");
    assert_eq!((answer.evidence.source, answer.evidence.interval_s), (Some(Source::YaceEbs), Some(300.0)));
    assert!(answer.unknown.contains(&UnknownFact::NilToZero));
    assert!(answer.evidence.coverage > 0.98, "{}", answer.evidence.coverage);
}

#[test]
fn sums_that_never_change_have_no_period() {
    let answer = answer(yace(|_| 0.0), None);
    assert!(matches!(answer.reason, Reason::PeriodUnknown), "{:?}", answer.reason);
    assert_eq!(answer.action, Action::NoAnswer);
}
