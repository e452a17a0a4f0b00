//! Rates and sums of CloudWatch, as exporters repeat them.

use crate::made_rates::{answer, every, qonto};
use crate::{Source, Timer, UnknownFact};
use ebs_advice::Action;
use ebs_workload::io_profile::Metric;

const DATABASE: &str = r#"{"DBInstances": [{"DBInstanceIdentifier": "mydb", "DBInstanceArn": "arn:aws:rds:us-east-1:123456789012:db:mydb",
    "DBInstanceClass": "db.r6i.2xlarge", "Engine": "postgres", "AllocatedStorage": 500, "StorageType": "gp3", "Iops": 12000,
    "StorageThroughput": 500, "MultiAZ": false, "DBInstanceStatus": "available"}]}"#;

/// 1,000 reads and 500 writes a second of 8 KiB: RDS's gp3 of 500 GiB includes 12,000 IOPS.
#[test]
fn the_rates_of_qontos_exporter_are_of_the_time_before_them() {
    let answer = answer(qonto(), Some(DATABASE));
    let demand = answer.demand.as_ref().unwrap();
    assert_eq!(
        (
            demand.find(Metric::Requests).unwrap().p50.unwrap(),
            demand.find(Metric::Requests).unwrap().p99.unwrap(),
            answer.evidence.source
        ),
        (1_500.0, 1_500.0, Some(Source::RdsQonto))
    );
    assert!(
        (demand.mean(Metric::ReadShare).unwrap() - 66.67).abs() < 0.01 && demand.mean(Metric::ReadLatency).is_none()
    );
    assert_eq!((answer.action, answer.identity.platform.name()), (Action::Keep, "rds"), "{:?}", answer.reason);
    assert!(
        answer.unknown.contains(&UnknownFact::Latency(Timer::Missing))
            && answer.unknown.contains(&UnknownFact::Merging)
    );
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
    assert_eq!((demand.mean(Metric::ReadLatency), demand.mean(Metric::WriteLatency)), (Some(0.5), Some(2.0)));
}
