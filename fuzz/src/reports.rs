//! Generated reports of any size, for tests of bounds and of work.

use std::fmt::Write;

use ebs_imports::monitoring::{Calendar, IostatSettings};

/// Settings of iostat's reports, which contain their times or begin in 1970.
pub fn settings() -> IostatSettings {
    IostatSettings { calendar: utc(), since_boot: false, untimed: Some((0, 1_000_000)) }
}

/// Clocks in UTC.
pub fn utc() -> Calendar {
    Calendar::new("UTC", false).expect("a known zone")
}

/// Joins pieces of a text.
pub(crate) fn join_pieces(count: usize, between: &str, piece: impl Fn(usize) -> String) -> String {
    (0..count).map(piece).collect::<Vec<_>>().join(between)
}

/// Text with this number of iostat reports and of devices in each.
pub fn iostat(reports: usize, devices: usize) -> String {
    let mut text = String::new();
    for _ in 0..reports {
        text.push_str("Device r/s w/s rkB/s wkB/s r_await w_await\n");
        (0..devices).for_each(|device| writeln!(text, "sd{device} 10.5 2 84 16 0.5 1").expect("a string takes it"));
        text.push('\n');
    }
    text
}

/// JSON with this number of iostat reports and of devices in each.
pub fn iostat_json(reports: usize, devices: usize) -> String {
    let disk = |number| format!(r#"{{"disk_device":"sd{number}","r/s":1.5,"w/s":1,"rkB/s":1,"wkB/s":1}}"#);
    let report = |_| format!(r#"{{"disk":[{}]}}"#, join_pieces(devices, ",", disk));
    format!(r#"{{"sysstat":{{"hosts":[{{"statistics":[{}]}}]}}}}"#, join_pieces(reports, ",", report))
}

/// Time of day of a report.
fn clock(report: usize) -> String {
    format!("{:02}:{:02}:{:02}", report / 3_600 % 24, report / 60 % 60, report % 60)
}

/// Text with this number of sar reports, a second apart, and of devices in each.
pub fn sar(reports: usize, devices: usize) -> String {
    let mut text = "Linux 6.1.0 (host) 11/21/26 _x86_64_ (2 CPU)\n\n00:00:00 DEV tps rkB/s wkB/s\n".to_owned();
    for report in 1..=reports {
        let at = clock(report);
        (0..devices).for_each(|device| writeln!(text, "{at} sd{device} 10.5 84 16").expect("a string takes it"));
    }
    text
}

/// CSV of sadf with this number of reports and of devices in each.
pub fn sadf(reports: usize, devices: usize) -> String {
    let row = |report: usize, device| format!("host;1;{};sd{device};1;1;1", 1_795_281_561 + report);
    let reports = join_pieces(reports, "\n", |report| join_pieces(devices, "\n", |device| row(report, device)));
    format!("# hostname;interval;timestamp;DEV;tps;rkB/s;wkB/s\n{reports}\n")
}

/// CloudWatch response with this number of volumes and of periods.
pub fn cloudwatch(volumes: usize, periods: usize) -> String {
    metric_data(volumes, periods, &["VolumeReadOps", "VolumeWriteOps", "VolumeReadBytes", "VolumeWriteBytes"])
}

/// CloudWatch response with this number of Aurora clusters and of periods.
pub fn aurora(clusters: usize, periods: usize) -> String {
    metric_data(clusters, periods, &["VolumeReadIOPs", "VolumeWriteIOPs", "VolumeBytesUsed"])
}

fn metric_data(volumes: usize, periods: usize, metrics: &[&str]) -> String {
    let times = join_pieces(periods, ",", |period| (period * 60).to_string());
    let values = join_pieces(periods, ",", |_| "60".to_owned());
    let result = |volume: usize, metric: &str| {
        format!(r#"{{"Label":"vol-{volume} {metric}","Timestamps":[{times}],"Values":[{values}]}}"#)
    };
    let of_volume = |volume| metrics.iter().map(|metric| result(volume, metric)).collect::<Vec<_>>().join(",");
    format!(r#"{{"MetricDataResults":[{}]}}"#, join_pieces(volumes, ",", of_volume))
}

/// Events of Enhanced Monitoring, a second apart, each with this number of volumes.
pub fn rds_os(events: usize, volumes: usize) -> String {
    let volume = |number: usize| {
        format!(
            r#"{{"device":"nvme{number}n1","readIOsPS":10,"writeIOsPS":5,"readKbPS":80,"writeKbPS":40,"readKb":80,"writeKb":40,"await":1}}"#
        )
    };
    let volumes = join_pieces(volumes, ",", volume);
    let event = |number: usize| {
        let (days, clock) = (1 + number / 86_400, clock(number));
        format!(r#"{{"instanceID":"x","timestamp":"2026-01-{days:02}T{clock}Z","physicalDeviceIO":[{volumes}]}}"#)
    };
    join_pieces(events, "\n", event)
}

/// Page of Performance Insights with this number of wait events and of periods of a second.
pub fn rds_waits(waits: usize, periods: usize) -> String {
    let points =
        join_pieces(periods, ",", |period| format!(r#"{{"Timestamp":{},"Value":1.5}}"#, 1_767_225_600 + period));
    let metric = |number: usize| {
        format!(
            r#"{{"Key":{{"Metric":"db.load.avg","Dimensions":{{"db.wait_event.name":"IO:E{number}"}}}},"DataPoints":[{points}]}}"#
        )
    };
    format!(r#"{{"MetricList":[{}]}}"#, join_pieces(waits, ",", metric))
}

/// Document of describe-volumes with this number of volumes.
pub fn configuration(volumes: usize) -> String {
    let volume = |number: usize| {
        format!(
            r#"{{"VolumeId":"vol-{number}","VolumeType":"gp3","Size":500,"Iops":3000,"Throughput":125,"AvailabilityZone":"us-east-1a","Tags":[{{"Key":"Name","Value":"data"}}]}}"#
        )
    };
    format!(r#"{{"Volumes":[{}]}}"#, join_pieces(volumes, ",", volume))
}

/// Document of fio with this number of jobs, percentiles and bins. Copies have one section, other jobs one each.
pub fn fio(jobs: usize, copies: bool, percentiles: usize, bins: usize) -> String {
    let percentiles =
        join_pieces(percentiles, ",", |number| format!(r#""{}":{number}"#, number as f64 / percentiles as f64));
    let bins = join_pieces(bins, ",", |number| format!(r#""{}":1"#, (number + 1) * 1_000));
    let job = |number: usize| {
        let name = if copies { 0 } else { number };
        format!(
            r#"{{"jobname":"j{name}","read":{{"total_ios":1,"io_bytes":4096,"iops":1,"bw":1,"clat_ns":{{"mean":1,"percentile":{{{percentiles}}},"bins":{{{bins}}}}}}}}}"#
        )
    };
    format!(r#"{{"fio version":"fio-3.33","timestamp":1700000000,"jobs":[{}]}}"#, join_pieces(jobs, ",", job))
}

/// Document with this number of prices.
pub fn prices(prices: usize) -> String {
    let price = |_| r#"{"region":"us-east-1","volume_type":"gp3","part":"storage","usd":"0.08"}"#.to_owned();
    let prices = join_pieces(prices, ",", price);
    format!(r#"{{"offer":"AmazonEC2","version":"1","published":"2026-10-15","prices":[{prices}]}}"#)
}

/// Document of a run with its required members and these.
pub fn run(members: &str) -> String {
    format!(
        r#"{{"document":"ebs_advisor runs","schema_version":1,"runs":[{{"label":"a","started_us":1,"ended_us":2,"tags":[],{members}}}]}}"#
    )
}

/// Member of a run's document: a reading with this number of statements and columns.
pub fn statements(columns: usize, rows: usize) -> String {
    let names = join_pieces(columns, ",", |number| format!(r#""c{number}""#));
    let row = format!("[{}]", join_pieces(columns, ",", |_| "1".to_owned()));
    let rows = join_pieces(rows, ",", |_| row.clone());
    format!(
        r#""readings":[{{"moment_us":1,"reading":{{"read_us":1,"block_size":8192,"statements":{{"Ok":{{"reset_us":null,"evictions":null,"timed":true,"hidden":0,"roles":{{}},"databases":{{}},"entries":{{"columns":[{names}],"rows":[{rows}]}}}}}}}}}}]"#
    )
}
