use super::*;
use crate::monitoring::metric::Figure;
use crate::monitoring::{ImportError, Series, is_rds_source, rds_os};
use ebs_samples::evidence::{Balance, CheckedTime};

const RDS: &str = include_str!("../../../../sql/reports/cloudwatch-rds.json");
const EBS: &str = include_str!("../../../../sql/reports/cloudwatch-ebs.json");

fn read(text: &str) -> Result<MonitoringData, ImportError> {
    cloudwatch(&serde_json::from_str(text).unwrap(), None, &|| ())
}

fn refused(text: &str) -> String {
    read(text).unwrap_err().to_string()
}

#[test]
fn the_source_tells_rds_from_ebs() {
    assert!(is_rds_source(read(RDS).unwrap().source));
    assert!(is_rds_source(rds_os::SOURCE));
    assert!(!is_rds_source(read(EBS).unwrap().source));
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

/// Labels of `${PROP('MetricName')} ${PROP('Stat')}`, and ids that end with the statistic.
#[test]
fn a_statistic_that_is_named_is_that_of_the_metric() {
    let label = |text: &str, metric: &str, statistic: &str| {
        text.replace(&format!("{metric}\""), &format!("{metric} {statistic}\""))
    };
    assert_eq!(read(&label(RDS, "ReadIOPS", "Average")).unwrap(), read(RDS).unwrap());
    assert_eq!(read(&label(EBS, "VolumeReadOps", "Sum")).unwrap(), read(EBS).unwrap());
    for statistic in ["p99", "Maximum", "Sum", "TM(5%:95%)"] {
        let error = refused(&label(RDS, "ReadLatency", statistic));
        assert_eq!(error, format!("ReadLatency {statistic}: Average is needed"));
    }
    assert_eq!(refused(&label(EBS, "VolumeReadBytes", "Average")), "VolumeReadBytes Average: Sum is needed");
    assert_eq!(refused(&RDS.replace("\"m1\"", "\"readIOPS_p99\"")), "ReadIOPS p99: Average is needed");
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

/// An answer with these metrics: label, first minute and values of the following ones.
fn answer(metrics: &[(&str, i64, &[f64])]) -> Value {
    let result = |(label, first, values): &(&str, i64, &[f64])| {
        let timestamps: Vec<i64> =
            (0..values.len() as i64).map(|minute| 1_795_168_800 + 60 * (first + minute)).collect();
        serde_json::json!({"Label": label, "Timestamps": timestamps, "Values": values})
    };
    serde_json::json!({"MetricDataResults": metrics.iter().map(result).collect::<Vec<_>>()})
}

fn one(metrics: &[(&str, i64, &[f64])]) -> Series {
    cloudwatch(&answer(metrics), None, &|| ()).unwrap().series.remove(0)
}

const REQUESTS: [(&str, i64, &[f64]); 2] = [("ReadIOPS", 0, &[300.0, 300.0]), ("WriteIOPS", 0, &[100.0, 0.0])];
const BYTES: [(&str, i64, &[f64]); 2] = [("ReadThroughput", 0, &[3e6, 3e6]), ("WriteThroughput", 0, &[1e6, 0.0])];

/// 0.8 in flight over 60 s are 48 s, of which reads have three quarters: 1.5 ms each for 24,000 requests of 2 ms.
#[test]
fn requests_in_flight_give_the_latency_by_littles_law() {
    let series = one(&[&REQUESTS[..], &BYTES[..], &[("DiskQueueDepth", 0, &[0.8, 0.3])]].concat());
    let counts: Vec<_> = series.points.iter().map(|point| point.counts).collect();
    assert!(series.timed && series.checks.is_empty());
    assert_eq!((counts[0].read_ms, counts[0].write_ms, counts[0].weighted_ms), (36_000, 12_000, 48_000));
    assert_eq!((counts[1].read_ms, counts[1].write_ms, counts[1].weighted_ms), (18_000, 0, 18_000));
    let text = "the latencies of reads and of writes of storage apart (no ReadLatency or WriteLatency): the mean is requests in flight \
                (DiskQueueDepth) over their rate, by Little's law";
    assert_eq!(series.limitations, [text]);
    // Of one direction that is counted, the rest is the other's.
    let queue = ("DiskQueueDepth", 0, &[0.8, 0.3][..]);
    let series = one(&[&REQUESTS[..], &BYTES[..], &[queue, ("ReadLatency", 0, &[0.002, 0.001])]].concat());
    let counts = series.points[0].counts;
    assert!(series.timed);
    assert_eq!((counts.read_ms, counts.write_ms, counts.weighted_ms), (36_000, 12_000, 48_000));
    // Both counted: the queue is beside them.
    let latencies = [("ReadLatency", 0, &[0.002, 0.001][..]), ("WriteLatency", 0, &[0.001, 0.001])];
    let series = one(&[&REQUESTS[..], &BYTES[..], &[queue], &latencies[..]].concat());
    let counts = series.points[0].counts;
    assert_eq!((counts.write_ms, counts.weighted_ms, series.limitations.len()), (6_000, 48_000, 0));
}

#[test]
fn a_missing_metric_leaves_its_own_figure_unknown() {
    let series = one(&[&REQUESTS[..], &BYTES[..]].concat());
    assert_eq!((series.timed, series.checks.bytes_unknown, series.points.len()), (false, false, 2));
    assert_eq!(series.limitations, ["latencies of storage (no ReadLatency or WriteLatency)"]);
    let latencies = [("ReadLatency", 0, &[0.002, 0.001][..]), ("WriteLatency", 0, &[0.001, 0.001])];
    let series = one(&[&REQUESTS[..], &BYTES[1..], &latencies[..]].concat());
    assert_eq!((series.timed, series.checks.bytes_unknown, series.points.len()), (true, true, 2));
    assert!(series.limitations[0].starts_with("the throughput of storage (no ReadThroughput): "));
    // A period of which bytes are missing alone is a gap.
    let series = one(&[&REQUESTS[..], &[("ReadThroughput", 0, &[3e6]), BYTES[1]]].concat());
    assert_eq!((series.points.len(), series.checks.bytes_unknown), (1, false));
    let refused = cloudwatch(&answer(&REQUESTS[..1]), Some(60), &|| ()).unwrap_err().to_string();
    assert_eq!(refused, "storage: neither VolumeWriteOps nor WriteIOPS");
    let refused = cloudwatch(&answer(&[("EBSIOBalance%", 0, &[1.0])]), Some(60), &|| ()).unwrap_err().to_string();
    assert_eq!(refused, "no metric of EBS or RDS found");
}

/// Volumes of one instance: each with its own checks, and the instance's for both.
#[test]
fn checks_belong_to_their_volume_or_to_all_of_the_instance() {
    let none = [0.0, 0.0];
    let ops = ["vol-0a VolumeReadOps", "vol-0a VolumeWriteOps", "vol-0b VolumeReadOps", "vol-0b VolumeWriteOps"];
    let ops = ops.map(|label| (label, 0, &none[..]));
    let checks: [(&str, i64, &[f64]); 5] = [
        ("vol-0a VolumeIOPSExceededCheck", 0, &[0.0, 1.0]),
        ("vol-0b VolumeIOPSExceededCheck", 1, &[0.0]),
        ("i-01 InstanceEBSThroughputExceededCheck", 0, &none),
        ("i-01 EBSIOBalance%", 0, &[40.0, 0.0]),
        ("vol-0b BurstBalance", 0, &[100.0, 99.0]),
    ];
    let made = cloudwatch(&answer(&[&ops[..], &checks[..]].concat()), None, &|| ()).unwrap();
    let [a, b] = [0, 1].map(|index| &made.series[index].checks);
    let checked = |known_s, exceeded_s| Some(CheckedTime { known_s, exceeded_s });
    assert_eq!((a.volume_iops, b.volume_iops), (checked(120.0, 60.0), checked(60.0, 0.0)));
    assert_eq!((a.instance_throughput, b.instance_throughput), (checked(120.0, 0.0), checked(120.0, 0.0)));
    assert_eq!((a.volume_throughput, a.instance_iops, a.burst_balance), (None, None, None));
    let spent = Some(Balance { least_pct: 0.0, known_s: 120.0, spent_s: 60.0 });
    assert_eq!(
        (a.io_balance, b.io_balance, b.burst_balance.map(|balance| balance.least_pct)),
        (spent, spent, Some(99.0))
    );
    assert!(!a.is_never_exceeded(a.volume_iops) && !b.is_never_exceeded(b.volume_iops));
    assert!(a.is_never_exceeded(a.instance_throughput) && a.seconds == 120.0 && a.device == "vol-0a");
    assert!(
        made.series[0]
            .limitations
            .iter()
            .any(|text| text.contains("beyond the volume's IOPS limit, which it exceeded in 1 of 2 min"))
    );
    assert!(made.series[1].limitations.iter().any(|text| {
        text.contains("while the instance's EBS I/O balance (EBSIOBalance%) was empty, in 1 of 2 min from ")
    }));
}

#[test]
fn a_check_without_a_name_is_that_of_the_only_device() {
    let series =
        one(&[&REQUESTS[..], &[("EBSByteBalance%", 0, &[3.0, 2.0]), ("BurstBalance", 0, &[50.0, 50.0])]].concat());
    assert_eq!(series.checks.byte_balance.map(|balance| (balance.least_pct, balance.is_spent())), Some((2.0, false)));
    assert_eq!(series.checks.burst_balance.map(|balance| balance.least_pct), Some(50.0));
    let refused = cloudwatch(&answer(&[&REQUESTS[..], &[("BurstBalance", 0, &[101.0])]].concat()), None, &|| ());
    assert_eq!(refused.unwrap_err().to_string(), "BurstBalance: no number from 0 to 100: 101");
}

/// The queries that the documentation gives: each names a metric that is read, once for its device, with the statistic that it is read as.
#[test]
fn documented_queries_ask_for_what_is_read() {
    const RDS: &str = include_str!("../../../../docs/cloudwatch/rds-queries.json");
    const EBS: &str = include_str!("../../../../docs/cloudwatch/ebs-queries.json");
    for (text, device, count) in [(RDS, "DATABASE", 11), (EBS, "VOLUME", 16)] {
        let queries: Vec<Value> = serde_json::from_str(text).unwrap();
        let mut ids = BTreeSet::new();
        for query in &queries {
            let (id, label) = (query["Id"].as_str().unwrap(), query["Label"].as_str().unwrap());
            let (named, metric) = Metric::from_names(label, id).unwrap();
            let stat = &query["MetricStat"];
            assert_eq!(stat["Metric"]["MetricName"], metric.name());
            assert!(named == device || metric.figure.is_of_instance() || named.is_empty(), "{label}: {named}");
            let of_volume = stat["Metric"]["Namespace"] != "AWS/RDS";
            let expected = match metric.figure {
                Figure::QueueDepth => "Average",
                Figure::Exceeded(_) => "Maximum",
                Figure::Balance(_) | Figure::FreeSpace => "Minimum",
                _ if of_volume => "Sum",
                _ => "Average",
            };
            assert_eq!((stat["Stat"].as_str(), stat["Period"].as_i64()), (Some(expected), Some(60)), "{label}");
            assert!(ids.insert(id.to_owned()) && id.chars().all(|letter| letter.is_ascii_lowercase() || letter == '_'));
            let none = serde_json::json!({"Id": id, "Label": label, "Timestamps": [1_795_168_800], "Values": [0.0]});
            assert!(serde_json::from_value::<MetricDataResult>(none).is_ok());
        }
        assert_eq!(queries.len(), count);
    }
}
