//! Enhanced Monitoring by Percona's exporter.

use ebs_imports::configuration::Configuration;
use ebs_prometheus::Series;
use ebs_workload::io_profile::Metric;

use crate::made_rates::{answer, every};
use crate::made_series::labels;
use crate::{Fleet, Selection, Source, Unseen};

/// Scrapes of a day at 15 s.
const SCRAPES: usize = 5_760;

fn metric(name: &str, device: Option<&str>, values: impl Iterator<Item = f64>) -> Series {
    let own = [("__name__", name), ("instance", "mydb"), ("region", "us-east-1")];
    let device = device.map(|device| ("device", device));
    every(15, &own.into_iter().chain(device).collect::<Vec<_>>(), values)
}

/// Events each 30 s, which two scrapes show: `reads` of each event, of 8 KiB and 2 ms, beside 100 writes a second.
fn events(device: &str, reads: impl Fn(usize) -> f64 + Copy) -> Vec<Series> {
    let with = |name: &str, value: &dyn Fn(usize) -> f64| {
        metric(name, Some(device), (0..SCRAPES).map(|scrape| value(scrape / 2)))
    };
    vec![
        with("rdsosmetrics_diskIO_readIOsPS", &reads),
        with("rdsosmetrics_diskIO_writeIOsPS", &|_| 100.0),
        with("rdsosmetrics_diskIO_readKbPS", &|event| 8.0 * reads(event)),
        with("rdsosmetrics_diskIO_writeKbPS", &|_| 800.0),
        with("rdsosmetrics_diskIO_await", &|_| 2.0),
        with("rdsosmetrics_diskIO_avgQueueLen", &|_| 0.0),
    ]
}

/// Time of the event that a scrape shows: 4 s before the first of both.
fn times() -> Series {
    metric("rdsosmetrics_timestamp", None, (0..SCRAPES).map(|scrape| (scrape / 2 * 30) as f64 - 4.0))
}

/// One event in ten has 4,000 reads a second, the others 400.
fn reads(event: usize) -> f64 {
    if event.is_multiple_of(10) { 4_000.0 } else { 400.0 }
}

#[test]
fn each_event_counts_once_at_its_own_time() {
    let series = [events("rdsdev", reads), vec![times()]].concat();
    let one = answer(series, None);
    let demand = one.demand.as_ref().unwrap();
    assert_eq!((one.evidence.source, one.evidence.interval_s), (Some(Source::RdsEnhanced), Some(30.0)));
    assert_eq!(
        (demand.find(Metric::Requests).unwrap().p50.unwrap(), demand.find(Metric::Requests).unwrap().max.unwrap()),
        (500.0, 4_100.0)
    );
    assert_eq!(
        (demand.mean(Metric::ReadLatency), demand.mean(Metric::WriteLatency), demand.mean(Metric::RequestSize)),
        (Some(2.0), Some(2.0), Some(8.0))
    );
    assert!(one.evidence.coverage > 0.99, "{}", one.evidence.coverage);
}

/// 500 requests a second, which came in a tenth of the time.
#[test]
fn the_busy_share_is_the_time_of_the_requests() {
    let busy = metric("rdsosmetrics_diskIO_util", Some("rdsdev"), std::iter::repeat_n(10.0, SCRAPES));
    let one = answer([events("rdsdev", |_| 400.0), vec![times(), busy]].concat(), None);
    let busy = one.evidence.busy.unwrap();
    assert!((busy.iops - 5_000.0).abs() < 1.0 && (busy.share - 0.1).abs() < 1e-3, "{busy:?}");
    assert_eq!(answer(events("rdsdev", |_| 400.0), None).evidence.busy, None);
}

#[test]
fn without_the_times_of_events_each_scrape_is_one() {
    let one = answer(events("rdsdbdata", reads), None);
    assert_eq!(
        (one.evidence.interval_s, one.demand.unwrap().find(Metric::Requests).unwrap().max.unwrap()),
        (Some(15.0), 4_100.0)
    );
}

/// The file system is above the stripe: their requests are the same.
#[test]
fn the_stripe_comes_before_the_file_system_above_it() {
    let series = [events("filesystem", |_| 9_000.0), events("rdsdev", reads), vec![times()]].concat();
    assert_eq!(answer(series, None).demand.unwrap().find(Metric::Requests).unwrap().max.unwrap(), 4_100.0);
    let alone = [events("filesystem", |_| 9_000.0), vec![times()]].concat();
    assert_eq!(answer(alone, None).demand.unwrap().find(Metric::Requests).unwrap().max.unwrap(), 9_100.0);
}

/// CloudWatch's minutes cover all of the day, and the events 96 % of it.
#[test]
fn events_come_before_the_averages_of_a_minute() {
    let minutes = |name: &str, value: f64| {
        every(
            60,
            &[("__name__", name), ("instance", "mydb"), ("region", "us-east-1")],
            std::iter::repeat_n(value, 1_441),
        )
    };
    let cloudwatch = vec![
        minutes("aws_rds_read_iops_average", 760.0),
        minutes("aws_rds_write_iops_average", 100.0),
        minutes("aws_rds_read_throughput_average", 6_225_920.0),
        minutes("aws_rds_write_throughput_average", 819_200.0),
    ];
    let mut events = [events("rdsdev", reads), vec![times()]].concat();
    events.iter_mut().for_each(|series| series.samples.truncate(SCRAPES - SCRAPES / 25));
    let one = answer([cloudwatch, events].concat(), None);
    assert_eq!(
        (one.evidence.source, one.demand.unwrap().find(Metric::Requests).unwrap().max.unwrap()),
        (Some(Source::RdsEnhanced), 4_100.0)
    );
}

#[test]
fn the_file_system_of_the_data_is_the_space() {
    let mounted = |name: &str, kib: f64| {
        let own = [("__name__", name), ("instance", "mydb"), ("region", "us-east-1")];
        let file_system = [("mount_point", "/rdsdbdata"), ("name", "rdsfilesys")];
        every(15, &[&own[..], &file_system].concat(), std::iter::repeat_n(kib, SCRAPES))
    };
    let mut series = [events("rdsdev", reads), vec![times()]].concat();
    series.extend([
        mounted("rdsosmetrics_fileSys_used", 1_048_576.0),
        mounted("rdsosmetrics_fileSys_total", 4_194_304.0),
    ]);
    let found = Fleet::discover(labels(&series), &Configuration::default(), &Selection::default());
    let texts: Vec<String> = found.batches[0].selectors().iter().map(ToString::to_string).collect();
    assert!(
        texts.iter().any(|text| text.contains("fileSys_used") && text.contains("mount_point=\"/rdsdbdata\"")),
        "{texts:?}"
    );
    let space = answer(series, None).space.unwrap();
    assert_eq!((space.used, space.size), (1_073_741_824.0, 4_294_967_296.0));
}

/// Storage of an Aurora cluster has no device; its temporary volume is none of the cluster's.
#[test]
fn aurora_has_no_device() {
    let mut series = events("rdstemp", reads);
    series.push(metric("rdsosmetrics_diskIO_readIOsPS", Some(""), (0..SCRAPES).map(|_| 1.0)));
    series.push(metric("node_disk_read_bytes_total", Some("rdsdev"), (0..SCRAPES).map(|_| 1.0)));
    let found = Fleet::discover(labels(&series), &Configuration::default(), &Selection::default());
    assert!(found.batches.is_empty());
    let reasons: Vec<_> = found.unobserved.iter().map(|one| (one.id.as_str(), one.reason)).collect();
    assert_eq!(reasons, [("mydb", Unseen::Aurora)]);
}
