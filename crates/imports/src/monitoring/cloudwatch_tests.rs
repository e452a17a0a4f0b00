use super::*;
use crate::monitoring::ImportError;

const RDS: &str = include_str!("../../../../sql/reports/cloudwatch-rds.json");
const EBS: &str = include_str!("../../../../sql/reports/cloudwatch-ebs.json");

fn read(text: &str) -> Result<MonitoringData, ImportError> {
    cloudwatch(&serde_json::from_str(text).unwrap(), None, &|| ())
}

fn refused(text: &str) -> String {
    read(text).unwrap_err().to_string()
}

/// 1,000 reads a second over a minute are 60,000, of 0.5 ms each. The point of 10:02 is missing, and stands in no
/// order.
#[test]
fn averages_of_rds_are_rates_and_a_missing_point_is_a_gap() {
    let made = read(RDS).unwrap();
    assert_eq!((made.series.len(), made.series[0].device.as_str()), (1, "storage"));
    let points = &made.series[0].points;
    let first = points[0].counts;
    assert_eq!((first.reads, first.writes, first.read_bytes), (60_000, 24_000, 491_520_000));
    assert_eq!((first.read_ms, first.write_ms), (30_000, 24_000));
    // 2026-11-20 10:00:00 UTC.
    let ends: Vec<i64> = points.iter().map(|s| s.ended_us / 1_000_000 - 1_795_168_800).collect();
    assert_eq!(ends, [60, 120, 240]);
}

/// 300,000 reads in five minutes took 150 s together: 0.5 ms each. Where no reads of the WAL volume were reported,
/// nothing is known of that period.
#[test]
fn sums_of_ebs_are_counts_by_volume() {
    let made = read(EBS).unwrap();
    assert_eq!(made.series.iter().map(|s| s.device.as_str()).collect::<Vec<_>>(), ["vol-0data", "vol-0wal"]);
    let first = made.series[0].points[0];
    assert_eq!(
        (first.counts.reads, first.counts.read_ms, first.ended_us - first.began_us),
        (300_000, 150_000, 300_000_000)
    );
    assert_eq!((made.series[0].timed, made.series[1].timed), (true, false));
    assert_eq!((made.series[0].points.len(), made.series[1].points.len()), (3, 2));
}

#[test]
fn ids_and_seconds_since_1970_do_as_well() {
    let by_id = RDS.replace("\"Label\": \"", "\"Label\": \"my ").replace("\"Id\": \"m1\"", "\"Id\": \"readIOPS\"");
    assert_eq!(read(&by_id).unwrap().series[0].device, "my");
    let seconds =
        RDS.replace("\"2026-11-20T10:00:00Z\"", "1795168800").replace("\"2026-11-20T10:01:00Z\"", "1795168860.0");
    assert_eq!(read(&seconds).unwrap(), read(RDS).unwrap());
}

/// The AWS CLI puts pages one after the other: the same metric comes again.
#[test]
fn pages_are_put_together_and_a_part_is_refused() {
    let mut answer: Value = serde_json::from_str(RDS).unwrap();
    let results = answer["MetricDataResults"].as_array_mut().unwrap();
    let mut page = results[0].clone();
    page["Timestamps"] = serde_json::json!(["2026-11-20T10:04:00Z"]);
    page["Values"] = serde_json::json!([1.0]);
    results[0]["StatusCode"] = "PartialData".into();
    let partial = cloudwatch(&answer, None, &|| ()).unwrap_err().to_string();
    assert_eq!(partial, "ReadIOPS: its values are not complete (PartialData)");
    answer["MetricDataResults"].as_array_mut().unwrap().push(page);
    assert!(cloudwatch(&answer, None, &|| ()).is_ok());
    answer["NextToken"] = "abc".into();
    assert_eq!(
        cloudwatch(&answer, None, &|| ()).unwrap_err().to_string(),
        "NextToken: this is a part of the answer only"
    );
}

#[test]
fn the_period_is_what_all_distances_are_multiples_of() {
    let answer: Value = serde_json::from_str(RDS).unwrap();
    let asked = |period| cloudwatch(&answer, Some(period), &|| ()).map(|made| made.series[0].points[0].ended_us);
    assert_eq!(asked(60), Ok((1_795_168_800 + 60) * 1_000_000));
    assert!(matches!(asked(300), Err(ImportError::Argument(_))) && matches!(asked(0), Err(ImportError::Argument(_))));
    let odd = RDS.replace("T10:01:00Z", "T10:01:07Z");
    assert_eq!(refused(&odd), "Timestamps: they are 1 s apart, which is no period of EBS or RDS");
}

#[test]
fn what_is_wrong_is_named_with_its_metric() {
    assert_eq!(refused("[]"), "no \"MetricDataResults\" of get-metric-data found");
    assert_eq!(refused("{\"Datapoints\": []}"), "no \"MetricDataResults\" of get-metric-data found");
    assert!(refused("{\"MetricDataResults\": [1]}").starts_with("MetricDataResults: "));
    let others = "{\"MetricDataResults\": [{\"Id\": \"m1\", \"Label\": \"CPUUtilization\"}]}";
    assert_eq!(refused(others), "no metric of EBS or RDS found");
    assert_eq!(refused(&RDS.replace("WriteIOPS", "WriteOps")), "storage: neither VolumeWriteOps nor WriteIOPS");
    assert_eq!(refused(&RDS.replacen("2000.0, ", "", 1)), "ReadIOPS: 3 timestamps and 2 values");
    assert_eq!(refused(&RDS.replacen("2000.0", "-1.0", 1)), "ReadIOPS: no number from 0 to 1e15: -1");
    assert_eq!(refused(&RDS.replacen("2026-11-20T10:03:00Z", "soon", 1)), "ReadIOPS: no time: \"soon\"");
}
