//! Events in all their shapes. The messages are written here; their keys are those of AWS's documentation.

use std::fmt::Write;

use proptest::prelude::*;

use super::*;
use crate::monitoring::ImportError;
use ebs_samples::evidence::{CounterDelta, DeviceCounts, Role};

const SECOND_US: i64 = 1_000_000;
/// 2026-11-20 09:00:00 UTC.
const BEGIN_S: i64 = 1_795_165_200;

fn stamp(second: i64) -> String {
    jiff::Timestamp::from_second(second).unwrap().to_string()
}

fn device(name: &str, mount: &str, reads: f64, writes: f64) -> String {
    let mount = if mount.is_empty() { String::new() } else { format!(r#""mountPoint":"{mount}","#) };
    let (read_kb, write_kb) = (8.0 * reads, 16.0 * writes);
    format!(
        r#"{{"device":"{name}",{mount}"readIOsPS":{reads},"writeIOsPS":{writes},"tps":{},"readKbPS":{read_kb},"writeKbPS":{write_kb},"await":2.0,"avgQueueLen":{},"rrqmPS":1.0,"wrqmPS":3.0,"util":1.0,"avgReqSz":9}}"#,
        reads + writes,
        (reads + writes) * 0.002
    )
}

fn message_of(instance: &str, second: i64, disks: &str) -> String {
    format!(
        r#"{{"engine":"POSTGRES","instanceID":"{instance}","instanceResourceID":"db-{instance}","timestamp":"{}","version":1,"numVCPUs":4,"cpuUtilization":{{"total":30.5,"wait":5.5,"idle":69.5,"user":20.0}},{disks},"fileSys":[{{"mountPoint":"/rdsdbdata","total":104857600,"used":{}}},{{"mountPoint":"/","total":10230600,"used":5825720}}],"processList":[{{"name":"postgres: a \"b\"","id":1}}]}}"#,
        stamp(second),
        1_000_000 + second - BEGIN_S,
    )
}

fn message(second: i64) -> String {
    let disks = format!(
        r#""diskIO":[{},{}],"physicalDeviceIO":[{},{}]"#,
        device("rdsdev", "", 300.0, 300.0),
        device("filesystem", "", 1.0, 1.0),
        device("nvme1n1", "", 100.0, 50.0),
        device("nvme2n1", "", 110.0, 60.0)
    );
    message_of("mydb", second, &disks)
}

fn event(second: i64) -> String {
    let text = serde_json::Value::String(message(second));
    format!(r#"{{"timestamp":{},"message":{text},"ingestionTime":1}}"#, second * 1_000)
}

fn page(seconds: impl IntoIterator<Item = i64>) -> String {
    let events: Vec<String> = seconds.into_iter().map(event).collect();
    format!(r#"{{"events":[{}],"nextForwardToken":"f/1","nextBackwardToken":"b/1"}}"#, events.join(","))
}

fn import_of(texts: &[&str], selection: Selection) -> Result<OsMetrics, ReadError> {
    let mut collector = Collector::new(selection);
    for text in texts {
        collector.read(text.as_bytes(), &|| ())?;
    }
    Ok(collector.finish(&|| ())?)
}

fn import(text: &str) -> OsMetrics {
    import_of(&[text], Selection::default()).unwrap()
}

fn refused(text: &str) -> String {
    import_of(&[text], Selection::default()).unwrap_err().to_string()
}

fn counts(metrics: &OsMetrics, volume: u16) -> Vec<DeviceCounts> {
    let samples = metrics.blocks.iter().flat_map(|block| &block.samples);
    let reading = samples.flat_map(|sample| &sample.devices).filter(|(index, _)| *index == volume);
    reading
        .filter_map(|(_, delta)| if let CounterDelta::Known(counts) = delta { Some(*counts) } else { None })
        .collect()
}

#[test]
fn every_shape_gives_the_same_samples() {
    let seconds = || BEGIN_S..BEGIN_S + 5;
    let pages = import(&page(seconds()));
    let lines = |line: fn(i64) -> String| seconds().map(line).collect::<Vec<_>>().join("\n");
    assert_eq!(import(&lines(message)), pages);
    assert_eq!(import(&lines(event)), pages);
    assert_eq!(import(&lines(|second| format!("{} {}", stamp(second).replace('Z', ".000Z"), message(second)))), pages);
    assert_eq!(import(&format!("[{}]", seconds().map(event).collect::<Vec<_>>().join(","))), pages);
    let streamed = page(seconds()).replace(r#""ingestionTime""#, r#""logStreamName":"db-mydb","ingestionTime""#);
    assert_eq!(import(&format!("\u{feff}{streamed}")), pages);
    let two = format!("{}\n{}", page(BEGIN_S..BEGIN_S + 2), page(BEGIN_S + 2..BEGIN_S + 5));
    assert_eq!(import(&two), pages);
    // In any order, with an overlap, from several files.
    let (late, early) = (page(BEGIN_S + 2..BEGIN_S + 5), page((BEGIN_S..BEGIN_S + 4).rev()));
    assert_eq!(import_of(&[&late, &early], Selection::default()).unwrap(), pages);
    assert_eq!(pages.intervals(), 5);
    assert_eq!((pages.db_instance.as_deref(), pages.dbi_resource_id.as_deref()), (Some("mydb"), Some("db-mydb")));
}

/// Parts of events that --query of the AWS CLI, jq and start-live-tail leave.
#[test]
fn parts_of_events_give_the_same_samples() {
    let lines = |line: &dyn Fn(i64) -> String, between: &str| (0..5).map(line).collect::<Vec<_>>().join(between);
    let text = |n: i64| serde_json::Value::String(message(BEGIN_S + n)).to_string();
    let ms = |n: i64| (BEGIN_S + n) * 1_000;
    let bare = import(&lines(&|n| message(BEGIN_S + n), "\n"));
    assert_eq!(import(&lines(&text, "\n")), bare);
    assert_eq!(import(&format!("[{}]", lines(&text, ","))), bare);
    assert_eq!(import(&lines(&|n| format!("{}\t{}", ms(n), message(BEGIN_S + n)), "\n")), bare);
    assert_eq!(import(&format!("[{}]", lines(&|n| format!("[{}, {}]", ms(n), text(n)), ","))), bare);
    assert_eq!(import(&format!(r#"{{"sessionResults":[{}]}}"#, lines(&|n| event(BEGIN_S + n), ","))), bare);
    for (other, form) in [
        ("timestamp,message\n1795165200000,\"{\"", "a CSV export of the CloudWatch console"),
        ("\u{1b}[32m2026-11-20T09:00:00Z", "what the AWS CLI prints with --color on"),
    ] {
        assert_eq!(refused(other), format!("this is {form}, which is not read"));
    }
}

/// 100 + 110 reads of 8 KiB, 50 + 60 writes of 16 KiB, 2 ms each: 0.64 in flight.
/// The same events by `aws logs tail`, a subscription, Firehose and Logs Insights.
#[test]
fn every_wrapping_gives_the_same_samples() {
    let bare = import(&(0..5).map(|n| message(BEGIN_S + n) + "\n").collect::<String>());
    let clock = |n: i64| stamp(BEGIN_S + n).trim_end_matches('Z').to_owned();
    let lines = |line: &dyn Fn(i64) -> String| (0..5).map(line).collect::<String>();
    let pretty = |n: i64| {
        let value: serde_json::Value = serde_json::from_str(&message(BEGIN_S + n)).unwrap();
        serde_json::to_string_pretty(&value).unwrap()
    };
    let escaped = |n: i64| serde_json::Value::String(message(BEGIN_S + n));
    let batch = |n: i64| {
        format!(
            r#"{{"messageType":"DATA_MESSAGE","owner":"1","logGroup":"RDSOSMetrics","logStream":"db-X","subscriptionFilters":["a"],"logEvents":[{{"id":"1","timestamp":{},"message":{}}}]}}"#,
            (BEGIN_S + n) * 1_000,
            escaped(n)
        )
    };
    let control = r#"{"messageType":"CONTROL_MESSAGE","owner":"CloudwatchLogs","logGroup":"","logStream":"","subscriptionFilters":[],"logEvents":[{"id":"","timestamp":1,"message":"CWL CONTROL MESSAGE: Checking health of destination Firehose."}]}"#;
    let insights = |n: i64| {
        let at = clock(n).replace('T', " ");
        format!(
            r#"[{{"field":"@timestamp","value":"{at}.000"}},{{"field":"@message","value":{}}},{{"field":"@ptr","value":"Cl"}}]"#,
            escaped(n)
        )
    };
    let results: Vec<String> = (0..5).rev().map(insights).collect();
    let exported = |n: i64| {
        format!(r#"{{"@timestamp":"{}.000","@message":{}}}"#, clock(n).replace('T', " "), message(BEGIN_S + n))
    };
    for text in [
        lines(&|n| format!("{}+00:00 db-X {}\n", clock(n), message(BEGIN_S + n))),
        lines(&|n| format!("{}.000000+00:00 db-X {}\n", clock(n), message(BEGIN_S + n))),
        lines(&|n| format!("{} {}\n", clock(n), message(BEGIN_S + n))),
        lines(&|n| format!("{}+00:00 db-X {}\n", clock(n), pretty(n))),
        lines(&|n| format!("{}+00:00 db-X\n{}\n", clock(n), pretty(n))),
        lines(&batch),
        format!("{control}{}{control}", lines(&batch)),
        format!(r#"{{"results":[{}],"statistics":{{"recordsMatched":5.0}},"status":"Complete"}}"#, results.join(",")),
        format!("[{}]", (0..5).map(exported).collect::<Vec<_>>().join(",\n")),
        lines(&|n| exported(n).replace(&message(BEGIN_S + n), &escaped(n).to_string())),
    ] {
        assert_eq!(import(&text), bare, "{}", &text[..200]);
    }
}

#[test]
fn a_form_that_is_not_read_is_named() {
    for (text, form) in [
        ("@timestamp,@message\n2026-11-20 09:00:00.000,\"{\"\"engine\"\":1}\"\n", "a CSV export of Logs Insights"),
        ("\"@timestamp\",\"@message\"\n", "a CSV export of Logs Insights"),
        ("EVENTS\t1795165200000\t{}\t1795165200000\n", "what the AWS CLI prints with --output text"),
        ("b/335\tf/335\nEVENTS\t1\t{}\t1\n", "what the AWS CLI prints with --output text"),
        ("events:\n- ingestionTime: 1\n", "what the AWS CLI prints with --output yaml"),
        ("---------------\n|  GetLogEvents  |\n", "what the AWS CLI prints with --output table"),
        (r#"{"awslogs":{"data":"H4sI"}}"#, "an event of a Lambda subscription, compressed in base64"),
    ] {
        assert_eq!(refused(text), format!("this is {form}, which is not read"), "{text}");
    }
    assert!(refused("2026-11-20T09:00:00+00:00 db-X hello\n").contains("no message behind its time"));
}

#[test]
fn physical_devices_are_summed_and_rates_become_counts() {
    let metrics = import(&page((0..4).map(|step| BEGIN_S + 10 * step)));
    let expected = DeviceCounts {
        reads: 2_100,
        writes: 1_100,
        read_bytes: 2_100 * 8_192,
        write_bytes: 1_100 * 16_384,
        read_ms: 4_200,
        write_ms: 2_200,
        weighted_ms: 6_400,
        read_merges: 20,
        write_merges: 60,
        ..DeviceCounts::default()
    };
    assert_eq!(counts(&metrics, 0), [expected; 4]);
    let block = &metrics.blocks[0];
    assert_eq!(block.interval_us, 10_000_000);
    let volume = &block.layout.volumes[0];
    assert_eq!((volume.device.as_str(), volume.roles.as_slice()), ("storage", &[Role::Data, Role::Wal][..]));
    assert_eq!((volume.filesystem_bytes, volume.used_bytes), (Some(100 << 30), Some(1_000_000 << 10)));
    // 30.5 % less 5.5 % of waiting, of four CPUs.
    let processor = block.totals.processor;
    assert_eq!(
        (processor.counts.host_us, processor.counts.server_us, processor.known_us),
        (40_000_000, 40_000_000, 40_000_000)
    );
    assert_eq!(block.totals.cpus.map(f64::from), Some(4.0));
}

#[test]
fn a_log_volume_is_the_wal_volume_and_the_root_is_none() {
    let disks = format!(
        r#""physicalDeviceIO":[{},{},{}]"#,
        device("nvme1n1", "/rdsdbdata", 100.0, 50.0),
        device("nvme2n1", "/rdslogvolume", 0.0, 70.0),
        device("nvme0n1", "/", 9.0, 9.0)
    );
    let text: String = (0..3).map(|step| message_of("mydb", BEGIN_S + step, &disks)).collect();
    let metrics = import(&text);
    let layout = &metrics.blocks[0].layout;
    let volumes: Vec<_> = layout.volumes.iter().map(|volume| (volume.device.as_str(), volume.role())).collect();
    assert_eq!(volumes, [("storage", "data".to_owned()), ("log volume", "wal".to_owned())]);
    assert_eq!(counts(&metrics, 0)[1].reads, 100);
    assert_eq!(counts(&metrics, 1)[1].writes, 70);
    // A device that is named, alone.
    let one = Selection { device: Some("nvme2n1".to_owned()), ..Selection::default() };
    assert_eq!(counts(&import_of(&[&text], one).unwrap(), 0)[1].writes, 70);
    let none = Selection { device: Some("sdf".to_owned()), ..Selection::default() };
    let Err(ReadError::Events(error)) = import_of(&[&text], none) else { panic!("accepted") };
    assert_eq!(
        error,
        ImportError::UnknownDevice {
            name: "sdf".to_owned(),
            devices: ["nvme1n1", "nvme2n1", "nvme0n1"].map(str::to_owned).into()
        }
    );
}

#[test]
fn the_stripe_stands_for_volumes_that_are_missing() {
    let disks =
        format!(r#""diskIO":[{},{}]"#, device("filesystem", "", 9.0, 9.0), device("rdsdbdata", "", 100.0, 50.0));
    let text: String = (0..3).map(|step| message_of("mydb", BEGIN_S + step, &disks)).collect();
    let metrics = import(&text);
    assert_eq!(counts(&metrics, 0)[0].reads, 100);
    assert!(metrics.limitations.iter().any(|doubt| doubt.contains("physicalDeviceIO")));
    assert!(!import(&page(BEGIN_S..BEGIN_S + 3)).limitations.iter().any(|doubt| doubt.contains("physicalDeviceIO")));
}

#[test]
fn a_gap_is_no_interval_and_a_change_begins_a_block() {
    let minutes = (0..3).map(|step| BEGIN_S + 60 * step);
    let seconds = (1..=700).map(|step| BEGIN_S + 120 + step).chain((0..100).map(|step| BEGIN_S + 2_000 + step));
    let metrics = import(&page(minutes.chain(seconds)));
    let lengths: Vec<u64> = metrics.blocks.iter().flat_map(|block| &block.samples).map(|sample| sample.dt_us).collect();
    assert_eq!(lengths.len(), 803);
    assert!(lengths[..3].iter().all(|us| *us == 60_000_000) && lengths[3..].iter().all(|us| *us == 1_000_000));
    let intervals: Vec<u64> = metrics.blocks.iter().map(|block| block.interval_us).collect();
    assert_eq!(intervals[0], 60_000_000);
    assert!(intervals.len() == 1 + 700_usize.div_ceil(60) + 2 && intervals[1..].iter().all(|us| *us == 1_000_000));
    // Space grows from block to block.
    let used = |index: usize| metrics.blocks[index].layout.volumes[0].used_bytes;
    assert!(used(2) > used(1));
}

#[test]
fn what_is_refused_is_named() {
    let whole = page(BEGIN_S..BEGIN_S + 3);
    assert_eq!(refused(""), "no event of Enhanced Monitoring found");
    assert_eq!(refused(r#"{"events":[],"nextForwardToken":"f/1"}"#), "no event of Enhanced Monitoring found");
    assert_eq!(
        refused("node_disk_reads_completed_total{device=\"rdsdev\"} 1"),
        "no event of Enhanced Monitoring found"
    );
    assert_eq!(refused(&whole[..whole.len() - 200]), "event 3 of RDS Enhanced Monitoring: it is cut off");
    assert_eq!(
        refused(&whole.replacen(":30.5", ":", 1)),
        "event 1 of RDS Enhanced Monitoring: expected value at line 1 column 159"
    );
    let one = |text: &str, from: &str, to: &str| refused(&text.replace(from, to));
    assert_eq!(one(&message(BEGIN_S), "readIOsPS", "reads"), "event 1: \"nvme1n1\" has no readIOsPS that is a rate");
    assert_eq!(
        one(&message(BEGIN_S), "POSTGRES", "aurora-postgresql"),
        "instance \"mydb\" is of Aurora, whose storage is no EBS volume"
    );
    for engine in ["ORACLE", "SQLSERVER", "DB2", "DocDB"] {
        let refused = one(&message(BEGIN_S), "POSTGRES", engine);
        assert_eq!(refused, format!("instance \"mydb\" is of engine \"{engine}\", whose storage is not known"));
    }
    assert_eq!(
        one(&message(BEGIN_S), r#""2026-"#, r#""x"#),
        "event 1 of RDS Enhanced Monitoring: no timestamp between the years 1970 and 9999"
    );
    assert_eq!(
        refused(&message(BEGIN_S)),
        "events that are alone, or more than 75 s apart, do not tell the length of an interval"
    );
    let network =
        r#""diskIO":[{"readLatency":0.0,"writeLatency":1.1,"readIOsPS":0.0,"writeIOsPS":3.3,"diskQueueDepth":0}]"#;
    assert_eq!(
        refused(&message_of("au", BEGIN_S, network)),
        "instance \"au\" is of Aurora, whose storage is no EBS volume"
    );
    assert_eq!(refused(&message_of("mssql", BEGIN_S, r#""disks":[]"#)), "no device that holds data found");
}

#[test]
fn several_instances_are_refused_unless_one_is_named() {
    let other = message(BEGIN_S + 1).replace("mydb", "other");
    let text = format!("{} {other} {}", page([BEGIN_S]), page(BEGIN_S + 1..BEGIN_S + 4));
    assert_eq!(refused(&text), "the events are of several instances: \"mydb\" and \"other\"");
    let named = |name: &str| import_of(&[&text], Selection { instance: Some(name.to_owned()), ..Selection::default() });
    assert_eq!(named("mydb").unwrap().intervals(), 4);
    assert_eq!(named("db-mydb").unwrap().intervals(), 4);
    assert_eq!(named("nobody").unwrap_err().to_string(), "there is no event of instance \"nobody\"");
}

#[test]
fn events_that_contradict_are_few_or_refused() {
    let standby =
        |second: i64| event(second).replace("100.0", "101.0").replace("readIOsPS\\\":100", "readIOsPS\\\":101");
    let mut text = page(BEGIN_S..BEGIN_S + 300);
    text.push_str(&standby(BEGIN_S + 7));
    let metrics = import(&text);
    assert_eq!(metrics.intervals(), 300);
    let doubt = "events that repeat a time with other figures are left out: 1, the first at 2026-11-20T09:00:07Z";
    assert!(metrics.limitations.iter().any(|known| known == doubt), "{:?}", metrics.limitations);
    for second in 0..10 {
        text.push_str(&standby(BEGIN_S + second));
    }
    assert_eq!(
        refused(&text),
        "11 events have the time of another and other figures, the first at 2026-11-20T09:00:00Z"
    );
}

#[test]
fn an_endless_event_is_refused_in_bounded_memory() {
    let mut text = String::from(r#"{"events":[{"message":""#);
    write!(text, "{}", "x".repeat(MAX_EVENT_BYTES + 100)).unwrap();
    assert_eq!(refused(&text), "event 1: more than 2097152 bytes in an event");
}

proptest! {
    /// Each event is an interval, none overlaps another, and no gap is counted.
    #[test]
    fn intervals_never_overlap(steps in prop::collection::vec(1i64..100, 2..50)) {
        let times = [BEGIN_S - 1, BEGIN_S].into_iter().chain(steps.iter().scan(BEGIN_S, |at, step| { *at += step; Some(*at) }));
        let metrics = import(&page(times));
        let spans = metrics.blocks.iter().flat_map(|block| &block.samples)
            .map(|sample| (sample.at_us - sample.dt_us as i64, sample.at_us)).collect::<Vec<_>>();
        prop_assert!(spans.windows(2).all(|pair| pair[0].1 <= pair[1].0), "{:?}", spans);
        prop_assert!(spans.iter().all(|(began, ended)| ended - began <= 76 * SECOND_US));
    }
}

#[test]
fn results_of_a_query_are_complete() {
    let results = |status: &str| {
        let text = serde_json::Value::String(message(BEGIN_S));
        format!(r#"{{"results":[[{{"field":"@message","value":{text}}}]],"status":"{status}"}}"#)
    };
    for status in ["Running", "Scheduled", "Failed", "Cancelled", "Timeout", "Unknown"] {
        let expected = format!("results of Logs Insights: they are not complete ({status})");
        assert_eq!(refused(&results(status)), expected);
    }
    assert!(!refused(&results("Complete")).contains("complete"));
}

#[test]
fn other_documents_are_named() {
    let cloudwatch = r#"{"MetricDataResults": [{"Id": "a", "Label": "b"}], "Messages": []}"#;
    assert_eq!(refused(cloudwatch), "this looks like an answer of CloudWatch");
    let text = r#"{"events":[{"timestamp":1,"message":"START RequestId"}]}"#;
    assert_eq!(refused(text), format!("event 1 of {SOURCE}: its message is no JSON object: \"START RequestId\""));
}
