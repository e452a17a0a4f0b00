//! Generated documents of any size, for tests of bounds and of work.

use std::fmt::Write;

pub(crate) use crate::format::recorded;
pub use crate::format::{Inputs, Made, Sample};

/// Joins pieces of a text.
pub fn join_pieces(count: usize, between: &str, piece: impl Fn(usize) -> String) -> String {
    (0..count).map(piece).collect::<Vec<_>>().join(between)
}

/// Time of a report, from 2026 on.
fn time(report: usize) -> String {
    format!("2026-{:02}-{:02}T{}", 1 + report / 86_400 / 28 % 12, 1 + report / 86_400 % 28, clock(report))
}

/// Time of day of a report.
fn clock(report: usize) -> String {
    format!("{:02}:{:02}:{:02}", report / 3_600 % 24, report / 60 % 60, report % 60)
}

/// Text with this number of iostat reports, a second apart, and of devices in each.
pub fn iostat(reports: usize, devices: usize) -> String {
    let mut text = String::new();
    for report in 0..reports {
        writeln!(text, "{}+0000\nDevice r/s w/s rkB/s wkB/s r_await w_await", time(report)).expect("a string takes it");
        (0..devices).for_each(|device| writeln!(text, "sd{device} 10.5 2 84 16 0.5 1").expect("a string takes it"));
        text.push('\n');
    }
    text
}

/// JSON with this number of iostat reports, a second apart, and of devices in each.
pub fn iostat_json(reports: usize, devices: usize) -> String {
    let disk = |number| format!(r#"{{"disk_device":"sd{number}","r/s":1.5,"w/s":1,"rkB/s":1,"wkB/s":1}}"#);
    let disks = join_pieces(devices, ",", disk);
    let report = |number| format!(r#"{{"timestamp":"{}+0000","disk":[{disks}]}}"#, time(number));
    format!(r#"{{"sysstat":{{"hosts":[{{"statistics":[{}]}}]}}}}"#, join_pieces(reports, ",", report))
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
        let time = time(number);
        format!(
            r#"{{"instanceID":"x","instanceResourceID":"db-X","timestamp":"{time}Z","physicalDeviceIO":[{volumes}]}}"#
        )
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

/// Array with this number of samples, a second apart.
pub fn samples(samples: usize) -> String {
    let sample = |number: usize| {
        let ts = time(number);
        format!(r#"{{"ts":"{ts}Z","reads":2000,"writes":50,"read_bytes":16384000,"write_bytes":409600}}"#)
    };
    format!("[{}]", join_pieces(samples, ",", sample))
}

/// Array with this number of totals, a minute each.
pub fn awr(reports: usize) -> String {
    let report = |number: usize| {
        let (begin, end) = (time(number * 60), time((number + 1) * 60));
        format!(
            r#"{{"begin":"{begin}Z","end":"{end}Z","read_requests":100000,"write_requests":100,"read_bytes":819200000,"write_bytes":819200}}"#
        )
    };
    format!("[{}]", join_pieces(reports, ",", report))
}

/// Log of pgbench with this number of transactions.
pub fn transactions(transactions: usize) -> String {
    join_pieces(transactions, "", |number| format!("{number} 1 4000 0 {} 500000\n", 1_763_712_000 + number))
}

/// Output of HammerDB with this number of errors, each of another user, and of failures.
pub fn hammerdb_errors(users: usize) -> String {
    let errors = join_pieces(users, "", |user| format!("Error in Virtual User {user}: x\n"));
    errors + &"Vuser 99999999:FINISHED FAILED\n".repeat(users)
}

/// Output of HammerDB with this number of sets of queries, and of their means.
pub fn hammerdb_query_sets(sets: usize) -> String {
    "Vuser 1:Completed 1 query set(s) in 19 seconds\n".repeat(sets)
        + &"Vuser 2:Geometric mean of query times returning rows (22) is 0.5\n".repeat(sets)
}

/// Rows of a fleet that keeps this number of volumes.
pub fn fleet(volumes: usize) -> String {
    let row = |number: usize| {
        let present = r#"{"volume_type":"gp3","volumes":1,"size_gib":500,"usd_month":40}"#;
        format!(r#"{{"volume":"vol-{number}","action":"keep","usd_month_saved":0,"present":{present}}}"#)
    };
    join_pieces(volumes, "\n", row)
}
