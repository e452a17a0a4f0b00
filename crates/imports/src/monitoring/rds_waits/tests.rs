//! Pages are written here; their keys are those of the API reference.

use proptest::prelude::*;

use super::*;
use crate::monitoring::ImportError;
use ebs_samples::evidence::{Block, Sample, WaitKey};

const BEGIN_S: i64 = 1_795_165_200;

fn metric(dimensions: &str, points: &[(i64, f64)]) -> String {
    let point = |(second, value): &(i64, f64)| format!(r#"{{"Timestamp":{}.0,"Value":{value}}}"#, BEGIN_S + second);
    let points: Vec<String> = points.iter().map(point).collect();
    format!(r#"{{"Key":{{"Metric":"db.load.avg"{dimensions}}},"DataPoints":[{}]}}"#, points.join(","))
}

fn wait(name: &str, class: &str, points: &[(i64, f64)]) -> String {
    metric(&format!(r#","Dimensions":{{"db.wait_event.name":"{name}","db.wait_event.type":"{class}"}}"#), points)
}

fn page(metrics: &[String]) -> String {
    format!(r#"{{"Identifier":"db-MY","MetricList":[{}]}}"#, metrics.join(","))
}

fn load(text: &str) -> WaitLoad {
    read(text, None, &|| ()).unwrap()
}

fn refused(text: &str) -> String {
    read(text, None, &|| ()).unwrap_err().to_string()
}

/// Seconds from `first` on.
fn block(first: i64, seconds: i64) -> Block {
    let sample = |second: i64| Sample {
        at_us: (BEGIN_S + second + 1) * 1_000_000,
        dt_us: 1_000_000,
        devices: vec![].into(),
        reset: false,
    };
    Block { interval_us: 1_000_000, samples: (first..first + seconds).map(sample).collect(), ..Block::default() }
}

fn sessions(block: &Block) -> Vec<(String, f64)> {
    let waits = &block.totals.waits;
    let row =
        |(key, us): (&WaitKey, &u64)| (format!("{}:{}", key.class, key.event), *us as f64 / waits.swept_us as f64);
    waits.rows.iter().map(row).collect()
}

#[test]
fn points_are_means_of_the_periods_that_end_with_them() {
    let text = page(&[
        metric("", &[(60, 3.0), (120, 6.0)]),
        wait("CPU", "CPU", &[(60, 1.0), (120, 2.0)]),
        wait("DataFileRead", "IO", &[(60, 2.0)]),
        wait("LWLock:WALWrite", "LWLock", &[(120, 3.0)]),
    ]);
    let load = load(&text);
    assert_eq!((load.period_us, load.span_us()), (60_000_000, (BEGIN_S * 1_000_000, (BEGIN_S + 120) * 1_000_000)));
    let mut first = block(0, 60);
    assert_eq!(load.add_to(&mut first), Covered { sampled_us: 60_000_000, known_us: 60_000_000 });
    assert_eq!(sessions(&first), [("CPU*:CPU*".to_owned(), 1.0), ("IO:DataFileRead".to_owned(), 2.0)]);
    assert_eq!(first.totals.waits.sweeps, 60);
    // Half of it in each period, and half of what follows in none. What the events lack of all sessions is unlisted.
    let mut both = block(30, 60);
    load.add_to(&mut both);
    let expected = [("CPU*:CPU*", 1.5), ("IO:DataFileRead", 1.0), ("LWLock:WALWrite", 1.5), ("unlisted:unlisted", 0.5)];
    assert_eq!(sessions(&both), expected.map(|(name, sessions)| (name.to_owned(), sessions)));
    let mut late = block(90, 60);
    assert_eq!(load.add_to(&mut late).known_us, 30_000_000);
    assert_eq!(late.totals.waits.swept_us, 30_000_000);
    let mut never = block(200, 60);
    assert_eq!(load.add_to(&mut never).known_us, 0);
    assert!(never.totals.waits.rows.is_empty());
    assert_eq!(load.outside((BEGIN_S * 1_000_000, (BEGIN_S + 60) * 1_000_000)), (1, 2));
}

#[test]
fn times_are_numbers_or_texts_and_beginnings_where_the_page_shows_it() {
    let seconds = |alignment: &str, times: [&str; 2]| {
        let point = |time: &str| format!(r#"{{"Timestamp":{time},"Value":1.0}}"#);
        let [first, second] = times.map(point);
        let text = format!(
            r#"{{{alignment}"MetricList":[{{"Key":{{"Metric":"db.load.avg","Dimensions":{{"db.wait_event.name":"IO:WALSync"}}}},"DataPoints":[{first},{second}]}}]}}"#
        );
        load(&text).span_us().0 / 1_000_000 - BEGIN_S
    };
    assert_eq!(seconds("", ["1795165260", "1795165320.0"]), 0);
    let texts = [r#""2026-11-20T09:01:00Z""#, r#""2026-11-20T10:02:00+01:00""#];
    assert_eq!(seconds("", texts), 0);
    let edges = r#""AlignedStartTime":1795165260.0,"AlignedEndTime":1795165380.0,"#;
    assert_eq!(seconds(edges, ["1795165260", "1795165320"]), 60);
    let edges = r#""AlignedStartTime":1795165200.0,"AlignedEndTime":1795165320.0,"#;
    assert_eq!(seconds(edges, ["1795165260", "1795165320"]), 0);
}

#[test]
fn pages_follow_one_another_and_other_metrics_are_skipped() {
    let one = page(&[
        wait("CPU", "CPU", &[(1, 1.0), (2, 1.0)]),
        metric("", &[(1, 1.0)]).replace("db.load", "os.cpuUtilization.total"),
    ]);
    let two = page(&[wait("CPU", "CPU", &[(2, 1.0), (3, 5.0)])])
        .replace(r#""MetricList""#, r#""NextToken":"n","MetricList""#);
    let load = load(&format!("{one}\n{two}"));
    assert_eq!((load.period_us, load.outside((0, 1)).1), (1_000_000, 3));
    assert_eq!(refused(&two), "NextToken: this is a part of the answer only");
}

#[test]
fn what_is_refused_is_named() {
    let cpu = || wait("CPU", "CPU", &[(60, 1.0), (120, 1.0)]);
    assert_eq!(refused(""), "no db.load.avg by wait event found");
    assert_eq!(refused("{}"), "no \"MetricList\" of get-resource-metrics found");
    assert_eq!(refused(&page(&[])), "no db.load.avg by wait event found");
    assert_eq!(refused(&page(&[metric("", &[(60, 1.0)])])), "no db.load.avg by wait event found");
    let whole = page(&[cpu()]);
    assert_eq!(refused(&whole[..whole.len() - 5]), "page 1: it is cut off");
    let grouped = metric(r#","Dimensions":{"db.sql_tokenized.id":"X"}"#, &[(60, 1.0)]);
    assert!(refused(&page(&[grouped])).starts_with("page 1: db.load.avg is not grouped by wait event"));
    assert_eq!(
        refused(&page(&[wait("CPU", "CPU", &[(60, 1.0)])])),
        "the points of one time do not tell their period: give period_s"
    );
    assert_eq!(refused(&page(&[wait("CPU", "CPU", &[(60, -1.0)])])), "page 1: no number of sessions: -1");
    assert_eq!(
        refused(&page(&[cpu(), wait("CPU", "CPU", &[(60, 2.0)])])),
        "page 1: two values of one wait at 2026-11-20T09:01:00Z"
    );
    let excess = page(&[cpu(), metric("", &[(60, 0.4), (120, 0.6)])]);
    assert_eq!(
        refused(&excess),
        "Performance Insights: the wait events have 1.00 sessions on average, and db.load.avg 0.50"
    );
    let two = format!("{}{}", page(&[cpu()]), page(&[cpu()]).replace("db-MY", "db-OTHER"));
    assert_eq!(refused(&two), "the events are of several instances: \"db-MY\" and \"db-OTHER\"");
    let with = |period_s| read(&page(&[cpu()]), Some(period_s), &|| ());
    assert_eq!(with(7), Err(ImportError::Argument("period_s => 7 does not fit the times of the points".to_owned())));
    assert_eq!(with(30).unwrap().period_us, 30_000_000);
}

proptest! {
    /// The time of all sessions is that of the points, however the run is cut into blocks.
    #[test]
    fn session_time_is_preserved(loads in prop::collection::vec(0f64..50.0, 2..20), seconds in 1i64..100) {
        let points: Vec<(i64, f64)> = (1..).map(|n| 10 * n).zip(loads.iter().copied()).collect();
        let load = load(&page(&[wait("IO:DataFileRead", "IO", &points)]));
        let end = 10 * points.len() as i64;
        let total: u64 = (0..end).step_by(seconds as usize).map(|first| {
            let mut one = block(first, seconds.min(end - first));
            load.add_to(&mut one);
            one.totals.waits.rows.values().sum::<u64>()
        }).sum();
        let expected: f64 = loads.iter().map(|sessions| sessions * 1e7).sum();
        prop_assert!((total as f64 - expected).abs() <= 0.5 * end as f64 + 1.0, "{} {}", total, expected);
    }
}
