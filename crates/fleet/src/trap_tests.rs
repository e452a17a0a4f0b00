//! Traps of exporters and documents, each as it arrives: discovery, counts and answer together. Those of counters alone are in
//! `track_tests.rs`.

use ebs_advice::{Action, ActionReason, Finding};
use ebs_imports::configuration::{Configuration, read};
use ebs_prometheus::{Labels, Sample, Series};
use ebs_workload::io_profile::Metric;

use crate::made_rates::{answer, every, qonto};
use crate::made_series::{disk, labels, series, stale};
use crate::{Fleet, Grade, Reason, Selection, Settings, Source, Timer, UnknownFact, Unseen, VolumeAnswer, evaluate};

const ID: &str = "vol-06c1835863d5d7360";
const SERIAL: &str = "vol06c1835863d5d7360";
const NODE: [(&str, &str); 2] = [("instance", "db1:9100"), ("job", "postgres")];
/// A day at 60 s.
const SCRAPES: usize = 1_441;

fn set(labels: &[(&str, &str)]) -> Labels {
    labels.iter().copied().collect()
}

fn counted(each: f64) -> Vec<Option<f64>> {
    (0..SCRAPES).map(|scrape| Some(each * scrape as f64)).collect()
}

/// Answer for the only volume of these series, over the day that they are of.
fn of_day(series: Vec<Series>, replica_label: &str, documents: &str) -> VolumeAnswer {
    let configuration = if documents.is_empty() { Configuration::default() } else { read(documents, &|| ()).unwrap() };
    let selection = Selection { replica_labels: vec![replica_label.to_owned()], ..Selection::default() };
    let found = Fleet::discover(labels(&series), &configuration, &selection);
    assert_eq!(found.batches.len(), 1);
    let to_us = 1_000_000_000 + 60_000_000 * (SCRAPES as i64 - 1);
    let settings =
        Settings { from_us: 1_000_000_000, to_us, region: Some("us-east-1".to_owned()), ..Settings::default() };
    let mut answers = evaluate(&found.batches[0], series, &configuration, &settings, &|| ());
    assert_eq!(answers.len(), 1);
    answers.remove(0)
}

fn document(volume: &str) -> String {
    format!(
        r#"{{"Volumes": [{{"VolumeId": "{ID}", "VolumeType": "gp3", "Size": 200, "State": "in-use", "AvailabilityZone": "us-east-1a",
        "Attachments": [{{"InstanceId": "i-0bbbbbbb"}}], {volume}}}]}}"#
    )
}

/// Replicas of an exporter of counters scrape 20 s after one another: their counts are the same, never twice.
#[test]
fn replicas_that_scrape_at_other_times_are_one_counter() {
    let replica = |name: &'static str| [NODE[0], NODE[1], ("replica", name)];
    let mut all = disk(&replica("a"), "nvme1n1", SERIAL, &counted(60_000.0));
    let mut others = disk(&replica("b"), "nvme1n1", SERIAL, &counted(60_000.0));
    for one in &mut others {
        one.samples.iter_mut().for_each(|sample| sample.at_ms += 20_000);
    }
    all.extend(others);
    let one = of_day(all, "replica", &document(r#""Iops": 3000, "Throughput": 125"#));
    let iops = one.demand.unwrap().find(Metric::Requests).unwrap().clone();
    assert_eq!((iops.p50.unwrap(), iops.max.unwrap()), (2_000.0, 2_000.0));
    assert!(one.evidence.coverage <= 1.0 && one.evidence.resets == 0, "{:?}", one.evidence);
}

#[test]
fn replicas_of_rates_are_one_instance() {
    let with = |one: Series, name: &str| {
        let labels = one.labels.iter().chain([("replica", name)]).collect();
        Series { labels, ..one }
    };
    let all: Vec<Series> = qonto().into_iter().flat_map(|one| [with(one.clone(), "a"), with(one, "b")]).collect();
    let selection = Selection { replica_labels: vec!["replica".to_owned()], ..Selection::default() };
    let found = Fleet::discover(labels(&all), &Configuration::default(), &selection);
    let settings = Settings { from_us: 0, to_us: 86_400_000_000, ..Settings::default() };
    let answers = evaluate(&found.batches[0], all, &Configuration::default(), &settings, &|| ());
    assert_eq!(answers.len(), 1);
    let iops = answers[0].demand.as_ref().unwrap().find(Metric::Requests).unwrap().clone();
    assert_eq!((iops.p50.unwrap(), iops.max.unwrap()), (1_500.0, 1_500.0));
}

/// Serial numbers of instance store, and disks that device mapper and md make, which have none, are no volumes.
#[test]
fn other_disks_are_no_volumes() {
    let info = |device: &str, serial: &str, model: &str| {
        let own = [("__name__", "node_disk_info"), ("device", device), ("serial", serial), ("model", model)];
        set(&[&own[..], &NODE].concat())
    };
    let counter = |device: &str| {
        set(&[&[("__name__", "node_disk_reads_completed_total"), ("device", device)][..], &NODE].concat())
    };
    let labels = vec![
        info("nvme0n1", SERIAL, "Amazon Elastic Block Store"),
        info("nvme1n1", "AWS6AAF61E0B6A7C1C6A", "Amazon EC2 NVMe Instance Storage"),
        info("dm-0", "", ""),
        info("md127", "", ""),
        counter("nvme0n1"),
        counter("nvme1n1"),
        counter("dm-0"),
        counter("md127"),
    ];
    let found = Fleet::discover(labels, &Configuration::default(), &Selection::default());
    let ids: Vec<&str> =
        found.batches.iter().flat_map(|batch| &batch.volumes).map(|volume| volume.id.as_str()).collect();
    assert_eq!((ids, found.unobserved.len()), (vec![ID], 0));
}

/// Machines elsewhere have an asset tag and a product name too.
#[test]
fn only_ec2_s_asset_tag_is_an_instance() {
    let host = |tag: &str, product: &str| {
        let mut all = disk(&NODE, "nvme1n1", SERIAL, &counted(60.0));
        let own = [("__name__", "node_dmi_info"), ("board_asset_tag", tag), ("product_name", product)];
        all.push(series(&[&own[..], &NODE].concat(), &vec![Some(1.0); SCRAPES]));
        let one = of_day(all, "replica", "");
        (one.identity.instance, one.identity.instance_type)
    };
    let ec2 = ("i-0123456789abcdef0", "t3.medium");
    assert_eq!(host(ec2.0, ec2.1), (Some(ec2.0.to_owned()), Some(ec2.1.to_owned())));
    for tag in ["Not Specified", "i-prod-7", ""] {
        assert_eq!(host(tag, "PowerEdge R740"), (Some("db1:9100".to_owned()), None), "{tag}");
    }
}

/// Requests in flight are the weighted time over the time: 1,000 reads a second of 1 ms, the writes' time left aside by the made counters.
#[test]
fn the_queue_is_the_weighted_time_over_the_time() {
    let one = of_day(disk(&NODE, "nvme1n1", SERIAL, &counted(60_000.0)), "replica", &document(r#""Iops": 3000"#));
    assert!((one.demand.unwrap().mean(Metric::Concurrency).unwrap() - 1.0).abs() < 1e-6);
}

/// No exporter of the machine shows a volume's type, IOPS and throughput: only a document does.
#[test]
fn a_volume_without_a_document_has_an_unknown_configuration() {
    let one = of_day(disk(&NODE, "nvme1n1", SERIAL, &counted(60_000.0)), "replica", "");
    assert!(matches!(one.reason, Reason::Decided(ActionReason::ConfigurationUnknown(_))), "{:?}", one.reason);
    assert!(one.present.is_none() && one.saved.is_none() && one.unknown.contains(&UnknownFact::Configuration));
    assert_eq!(one.recommended, None, "neither a document nor a file system tells the size");
}

/// Percona's node_disk_* of all devices of RDS are amounts of an interval: refused by both names, and by no other device's.
#[test]
fn amounts_under_the_name_of_a_counter_are_refused() {
    for device in ["rdsdev", "filesystem", "rdsdbdata"] {
        for name in ["node_disk_reads_completed_total", "node_disk_read_bytes_total"] {
            let mut all = disk(&NODE, "nvme1n1", SERIAL, &counted(60.0));
            all.push(series(&[("__name__", name), ("instance", "mydb"), ("device", device)], &counted(0.0)));
            let found = Fleet::discover(labels(&all), &Configuration::default(), &Selection::default());
            let refused: Vec<_> =
                found.unobserved.iter().map(|one| (one.id.as_str(), one.is_rds(), one.reason)).collect();
            assert_eq!(refused, [("mydb", true, Unseen::NotCumulative)], "{name} {device}");
            assert_eq!(found.batches.len(), 1);
        }
    }
}

/// The driver's counters of a volume on an instance, from a time on; `exceeded` are seconds above the volume's IOPS.
fn driver(instance: &str, requests: &[Option<f64>], exceeded: Option<&[Option<f64>]>) -> Vec<Series> {
    let with = |name: &str, values: &[Option<f64>]| {
        let own = [("__name__", name), ("volume_id", ID), ("instance_id", instance), ("instance", instance)];
        series(&own, values)
    };
    let bytes: Vec<Option<f64>> = requests.iter().map(|value| value.map(|value| value * 8_192.0)).collect();
    let zero: Vec<Option<f64>> = requests.iter().map(|value| value.map(|_| 0.0)).collect();
    let mut all = vec![
        with("aws_ebs_csi_read_ops_total", requests),
        with("aws_ebs_csi_write_ops_total", &zero),
        with("aws_ebs_csi_read_bytes_total", &bytes),
        with("aws_ebs_csi_write_bytes_total", &zero),
    ];
    if let Some(exceeded) = exceeded {
        all.push(with("aws_ebs_csi_exceeded_iops_seconds_total", exceeded));
        all.push(with("aws_ebs_csi_exceeded_tp_seconds_total", &zero));
    }
    all
}

/// EBS counts from the attachment on: the counters begin anew on the other instance, and on the same one.
#[test]
fn the_driver_s_counters_begin_anew_where_the_volume_is_attached() {
    let half = SCRAPES / 2;
    let on = |range: std::ops::Range<usize>| {
        let value = |scrape: usize| range.contains(&scrape).then(|| 60_000.0 * (scrape - range.start) as f64 + 1.0);
        (0..SCRAPES).map(value).collect::<Vec<_>>()
    };
    let none = |values: &[Option<f64>]| values.iter().map(|value| value.map(|_| 0.0)).collect::<Vec<_>>();
    let (first, second) = (on(0..half), on(half..SCRAPES));
    let documents = document(r#""Iops": 3000, "Throughput": 125"#);
    let moved =
        [driver("i-0aaaaaaa", &first, Some(&none(&first))), driver("i-0bbbbbbb", &second, Some(&none(&second)))];
    let moved = of_day(moved.concat(), "replica", &documents);
    let again: Vec<_> = first.iter().zip(&second).map(|(first, second)| first.or(*second)).collect();
    let again = of_day(driver("i-0bbbbbbb", &again, Some(&none(&again))), "replica", &documents);
    for (one, resets) in [(&moved, 0), (&again, 1)] {
        let iops = one.demand.as_ref().unwrap().find(Metric::Requests).unwrap().clone();
        assert_eq!((iops.p50.unwrap(), iops.max.unwrap(), one.evidence.resets), (1_000.0, 1_000.0, resets));
        assert!(one.evidence.coverage > 0.995 && one.evidence.source == Some(Source::CsiDriver));
        assert_eq!(one.limit_share, Some(0.0));
    }
    assert!(moved.findings.iter().any(|one| matches!(one, Finding::Moved { instances } if instances.len() == 2)));
}

/// 2,400 a second in one minute of ten, else 500: a second may have been above 3,000.
fn uneven() -> Vec<Option<f64>> {
    let mut sum = 0.0;
    let minute = |number: usize| {
        sum += if number.is_multiple_of(10) { 144_000.0 } else { 30_000.0 };
        Some(sum)
    };
    (0..SCRAPES).map(minute).collect()
}

/// A driver without the counters of time above limits, with one that begins late, or lacks scrapes: nothing is known there, not zero.
#[test]
fn absent_time_above_a_limit_is_not_zero() {
    let requests = uneven();
    let with = |exceeded: Option<&[Option<f64>]>| {
        of_day(driver("i-0bbbbbbb", &requests, exceeded), "replica", &document(r#""Iops": 3000, "Throughput": 125"#))
    };
    let high = |one: &VolumeAnswer| one.demand.as_ref()?.find(Metric::Requests)?.p99_interval.map(|ends| ends.high);
    let known = with(Some(&vec![Some(7.0); SCRAPES]));
    assert_eq!((known.evidence.grade, known.limit_share, high(&known)), (Grade::Checked, Some(0.0), Some(3_000.0)));
    let absent = with(None);
    assert_eq!(absent.evidence.grade, Grade::Scrapes);
    assert!(high(&absent) > Some(3_000.0), "{:?}", high(&absent));
    let is_missing = |scrape: usize| scrape < SCRAPES / 2 || scrape.is_multiple_of(50);
    let some = (0..SCRAPES).map(|scrape| (!is_missing(scrape)).then_some(7.0)).collect::<Vec<_>>();
    let some = with(Some(&some));
    assert_eq!((some.evidence.grade, some.limit_share), (Grade::Scrapes, Some(0.0)));
    assert!(high(&some) > Some(3_000.0), "{:?}", high(&some));
}

/// The document of a modification of the volume at this part of the day.
fn modified(original_iops: u64, state: &str, part: f64) -> String {
    let at = |seconds: f64| {
        format!(
            "1970-01-0{}T{:02}:{:02}:00Z",
            1 + (seconds / 86_400.0) as u32,
            (seconds / 3_600.0) as u32 % 24,
            (seconds / 60.0) as u32 % 60
        )
    };
    let started_s = 1_000.0 + part * 86_400.0;
    let end = if state == "completed" { format!(r#","EndTime": "{}""#, at(started_s + 600.0)) } else { String::new() };
    format!(
        r#"{}{{"VolumesModifications": [{{"VolumeId": "{ID}", "ModificationState": "{state}", "StartTime": "{}"{end},
        "OriginalVolumeType": "gp3", "OriginalIops": {original_iops}, "OriginalThroughput": 125, "OriginalSize": 100,
        "TargetVolumeType": "gp3", "TargetIops": 3000, "TargetThroughput": 125, "TargetSize": 200}}]}}"#,
        document(r#""Iops": 3000, "Throughput": 125"#),
        at(started_s),
    )
}

/// No second above 6,000 says nothing on 3,000: the volume had other limits until its modification ended. Its size is no limit.
#[test]
fn time_above_a_limit_of_before_a_modification_says_nothing_on_the_present_one() {
    let requests = uneven();
    let grade = |original_iops: u64, state: &str, part: f64| {
        let series = driver("i-0bbbbbbb", &requests, Some(&vec![Some(7.0); SCRAPES]));
        of_day(series, "replica", &modified(original_iops, state, part)).evidence.grade
    };
    assert_eq!(grade(6_000, "completed", 0.5), Grade::Scrapes);
    assert_eq!(grade(6_000, "optimizing", 0.99), Grade::Scrapes);
    assert_eq!(grade(6_000, "failed", 0.5), Grade::Checked);
    assert_eq!(grade(3_000, "completed", 0.5), Grade::Checked);
}

/// No other modification can be started until one has ended.
#[test]
fn a_modification_that_runs_is_named() {
    let named = |state: &str| {
        let series = disk(&NODE, "nvme1n1", SERIAL, &counted(60_000.0));
        of_day(series, "replica", &modified(6_000, state, 0.9))
            .findings
            .iter()
            .any(|one| matches!(one, Finding::ModificationRuns(_)))
    };
    assert_eq!(["modifying", "optimizing", "completed", "failed"].map(named), [true, true, false, false]);
}

/// The counters of two instances are of different requests: neither is all that the volume was asked for.
#[test]
fn a_volume_on_two_instances_at_once_has_no_answer() {
    let on = |name: &'static str, id: &'static str| {
        let target = [("instance", name), ("job", "postgres")];
        let mut all = disk(&target, "nvme1n1", SERIAL, &counted(60_000.0));
        let dmi = [("__name__", "node_dmi_info"), ("board_asset_tag", id), ("product_name", "r6i.large")];
        all.push(series(&[&dmi[..], &target].concat(), &vec![Some(1.0); SCRAPES]));
        all
    };
    let both = [on("a:9100", "i-0aaaaaaa"), on("b:9100", "i-0bbbbbbb")].concat();
    let one = of_day(both, "replica", &document(r#""Iops": 3000, "Throughput": 125"#));
    assert!(matches!(one.reason, Reason::MultiAttach), "{:?}", one.reason);
    assert_eq!(one.action, Action::NoAnswer);
}

/// One instance alone shows its counters: what the other asked for is not known.
#[test]
fn a_volume_that_is_attached_to_two_instances_has_no_answer() {
    let described = |attachments: &str| {
        let volume = document(r#""MultiAttachEnabled": true, "Iops": 3000, "Throughput": 125"#);
        let volume = volume.replace(r#"{"InstanceId": "i-0bbbbbbb"}"#, attachments);
        of_day(disk(&NODE, "nvme1n1", SERIAL, &counted(60_000.0)), "replica", &volume)
    };
    let two = described(r#"{"InstanceId": "i-0bbbbbbb"}, {"InstanceId": "i-0aaaaaaa"}"#);
    assert!(two.action == Action::NoAnswer && matches!(two.reason, Reason::MultiAttach), "{:?}", two.reason);
    let one = described(r#"{"InstanceId": "i-0bbbbbbb"}, {"InstanceId": "i-0bbbbbbb"}"#);
    assert!(!matches!(one.reason, Reason::MultiAttach), "{:?}", one.reason);
}

/// A day of Percona's exporter: 1,000 reads a second of 2 ms, 500 writes.
fn percona(read_latency: &dyn Fn(usize) -> Option<f64>, reads: &dyn Fn(usize) -> f64) -> VolumeAnswer {
    let with = |name: &str, value: &dyn Fn(usize) -> Option<f64>| {
        let own = [("__name__", name), ("instance", "mydb"), ("region", "us-east-1")];
        let mut one = every(60, &own, (0..SCRAPES).map(|scrape| value(scrape).unwrap_or(stale())));
        one.samples.retain(|sample| !sample.is_stale());
        one
    };
    let all = vec![
        with("aws_rds_read_iops_average", &|scrape| Some(reads(scrape))),
        with("aws_rds_write_iops_average", &|_| Some(500.0)),
        with("aws_rds_read_throughput_average", &|scrape| Some(8_192.0 * reads(scrape))),
        with("aws_rds_write_throughput_average", &|_| Some(4_096_000.0)),
        with("aws_rds_read_latency_average", read_latency),
        with("aws_rds_write_latency_average", &|_| Some(0.001)),
    ];
    answer(all, None)
}

/// Scrapes without a latency would make it less, were it zero there; one without requests has none.
#[test]
fn a_latency_that_is_missing_is_not_zero() {
    let mut all = Vec::new();
    for missing in [0, 10, 3] {
        let latency = |scrape: usize| (missing == 0 || !scrape.is_multiple_of(missing)).then_some(0.002);
        all.push(percona(&latency, &|_| 1_000.0).demand.unwrap().mean(Metric::ReadLatency));
    }
    // Most lack it.
    let little = percona(&|scrape| scrape.is_multiple_of(3).then_some(0.002), &|_| 1_000.0);
    assert!(little.unknown.contains(&UnknownFact::Latency(Timer::Missing)));
    assert_eq!(little.demand.unwrap().mean(Metric::ReadLatency), None);
    let idle = |scrape: usize| scrape.is_multiple_of(2);
    let night = percona(&|scrape| (!idle(scrape)).then_some(0.002), &|scrape| if idle(scrape) { 0.0 } else { 1_000.0 });
    assert!(night.evidence.coverage > 0.99, "{:?}", night.evidence);
    all.push(night.demand.unwrap().mean(Metric::ReadLatency));
    for read_ms in all {
        assert!(read_ms.is_some_and(|ms| (ms - 2.0).abs() < 1e-9), "{read_ms:?}");
    }
}

/// Series of the histograms of requests and bytes, whose seconds all had 1,000 requests of 8 KiB, with this count of seconds by scrape.
fn histogram(value: &dyn Fn(usize) -> Option<f64>) -> Vec<Series> {
    let with = |name: &str, le: Option<&str>, factor: f64| {
        let own = [("__name__", name), ("volume", ID), ("device", "nvme1n1")];
        let labels = own.into_iter().chain(le.map(|le| ("le", le)));
        let samples = (0..SCRAPES).filter_map(|scrape| {
            Some(Sample { at_ms: 1_000_000 + 60_000 * scrape as i64, value: value(scrape)? * factor })
        });
        Series { labels: labels.collect(), samples: samples.collect() }
    };
    let of_metric = |metric: &str, le: &str, each: f64| {
        let name = |part: &str| format!("ebs_demand_{metric}_{part}");
        vec![
            with(&name("bucket"), Some(le), 1.0),
            with(&name("bucket"), Some("+Inf"), 1.0),
            with(&name("sum"), None, each),
            with(&name("count"), None, 1.0),
        ]
    };
    [of_metric("requests", "1006", 1_000.0), of_metric("bytes", "8346000", 8_192_000.0)].concat()
}

/// The histogram is a counter as others: a restart of its exporter is a reset, a marker of staleness and missing scrapes are a gap.
#[test]
fn histograms_have_the_traps_of_counters() {
    let documents = document(r#""Iops": 3000, "Throughput": 125"#);
    let seconds = |value: &dyn Fn(usize) -> Option<f64>| {
        let one = of_day(histogram(value), "replica", &documents);
        assert_eq!(one.evidence.grade, Grade::Seconds);
        let iops = one.demand.unwrap().find(Metric::Requests).unwrap().clone();
        assert!((iops.p50.unwrap() - 1_000.0).abs() < 50.0 && (iops.max.unwrap() - 1_000.0).abs() < 50.0, "{iops:?}");
        (one.evidence.coverage * (SCRAPES - 1) as f64).round() as usize
    };
    let whole = |scrape: usize| 60.0 * scrape as f64;
    assert_eq!(seconds(&|scrape| Some(whole(scrape))), SCRAPES - 1);
    // Its exporter began anew once.
    let reset = |scrape: usize| Some(if scrape < 700 { whole(scrape) + 9e6 } else { whole(scrape - 700) });
    assert_eq!(seconds(&reset), SCRAPES - 2);
    for missing in [None, Some(stale()), Some(f64::NAN)] {
        let gap = |scrape: usize| if (700..710).contains(&scrape) { missing } else { Some(whole(scrape)) };
        assert_eq!(seconds(&gap), SCRAPES - 1 - 11);
    }
}

/// A histogram of more seconds than there were is no panic.
#[test]
fn absurd_histograms_are_no_panic() {
    for each in [1e14, 1e300] {
        let one = of_day(histogram(&|scrape| Some(each * scrape as f64)), "replica", &document(r#""Iops": 3000"#));
        assert_eq!(one.identity.id, ID);
    }
}
