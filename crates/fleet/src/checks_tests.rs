//! The EBS CSI driver's time above limits, beside node_exporter's counts.

use ebs_imports::configuration::read;
use ebs_prometheus::Series;
use ebs_workload::io_profile::Metric;

use crate::made_series::{disk, labels, series};
use crate::{Fleet, Grade, Selection, Settings, Source, UnknownFact, VolumeAnswer, evaluate};

const ID: &str = "vol-06c1835863d5d7360";
const SCRAPES: usize = 1_441;

const DOCUMENT: &str = r#"{"Volumes": [{"VolumeId": "vol-06c1835863d5d7360", "VolumeType": "gp3", "Size": 200, "Iops": 3000,
    "Throughput": 125, "State": "in-use", "AvailabilityZone": "us-east-1a", "Attachments": [{"InstanceId": "i-0aaaaaaa"}]}]}"#;

/// Requests in total: 500 a second, and 2,000 for a tenth of the minutes.
fn requests() -> Vec<Option<f64>> {
    let mut sum = 0.0;
    let minute = |number: usize| {
        sum += if number.is_multiple_of(10) { 60_000.0 } else { 15_000.0 };
        Some(sum)
    };
    (0..SCRAPES).map(minute).collect()
}

/// The driver's counters: these seconds above the volume's IOPS in each minute.
fn driver(exceeded_s: f64) -> Vec<Series> {
    let with = |name: &str, values: Vec<Option<f64>>| {
        series(&[("__name__", name), ("volume_id", ID), ("instance_id", "i-0aaaaaaa"), ("job", "csi")], &values)
    };
    let counted = |each: f64| (0..SCRAPES).map(|scrape| Some(each * scrape as f64)).collect::<Vec<_>>();
    vec![
        with("aws_ebs_csi_read_ops_total", requests()),
        with("aws_ebs_csi_write_ops_total", requests()),
        with("aws_ebs_csi_read_bytes_total", requests().into_iter().map(|sum| sum.map(|sum| sum * 8_192.0)).collect()),
        with("aws_ebs_csi_write_bytes_total", requests().into_iter().map(|sum| sum.map(|sum| sum * 8_192.0)).collect()),
        with("aws_ebs_csi_exceeded_iops_seconds_total", counted(exceeded_s)),
        with("aws_ebs_csi_exceeded_tp_seconds_total", counted(0.0)),
    ]
}

fn answer(series: Vec<Series>) -> VolumeAnswer {
    let configuration = read(DOCUMENT, &|| ()).unwrap();
    let found = Fleet::discover(labels(&series), &configuration, &Selection::default());
    assert_eq!(found.batches.len(), 1);
    let (from_us, to_us) = (1_000_000_000, 1_000_000_000 + 60_000_000 * (SCRAPES as i64 - 1));
    let settings = Settings { from_us, to_us, ..Settings::default() };
    evaluate(&found.batches[0], series, &configuration, &settings, &|| ()).remove(0)
}

fn node() -> Vec<Series> {
    let target = [("instance", "i-0aaaaaaa:9100"), ("job", "node")];
    disk(&target, "nvme1n1", "vol06c1835863d5d7360", &requests())
}

/// Averages of a minute leave more than 3,000 possible at the 99th percentile; the driver never counted a second above 3,000.
#[test]
fn a_limit_that_was_never_exceeded_is_the_upper_end() {
    let high = |answer: &VolumeAnswer| {
        answer.demand.as_ref().unwrap().find(Metric::Requests).unwrap().p99_interval.unwrap().high
    };
    // Requests of 4 ms may have queued.
    let mut queued = node();
    let times = queued.iter_mut().filter(|one| one.labels.name().contains("time_seconds"));
    times.flat_map(|one| &mut one.samples).for_each(|sample| sample.value *= 4.0);
    let alone = answer(queued);
    assert!(high(&alone) > 3_000.0, "{}", high(&alone));
    assert_eq!(alone.evidence.grade, Grade::Scrapes);
    let checked = answer([node(), driver(0.0)].concat());
    assert_eq!((high(&checked), checked.evidence.grade), (3_000.0, Grade::Checked));
    assert_eq!(checked.evidence.source, Some(Source::NodeExporter));
    assert!(!checked.unknown.iter().any(|fact| matches!(fact, UnknownFact::Bursts { .. })));
}

/// Three of 60 seconds above the limit: demand is truncated for 5 % of the time.
#[test]
fn time_above_a_limit_is_time_at_it() {
    let exceeded = answer([node(), driver(3.0)].concat());
    assert!((exceeded.limit_share.unwrap() - 0.05).abs() < 0.001, "{:?}", exceeded.limit_share);
    assert_eq!(exceeded.binding, Some(ebs_prediction::BindingLimit::VOLUME_IOPS));
}

#[test]
fn the_driver_alone_is_a_source() {
    let only = answer(driver(0.0));
    assert_eq!((only.evidence.source, only.evidence.grade), (Some(Source::CsiDriver), Grade::Checked));
    assert!(only.demand.as_ref().unwrap().mean(Metric::ReadLatency).is_none());
    assert_eq!(only.identity.instance.as_deref(), Some("i-0aaaaaaa"));
}
