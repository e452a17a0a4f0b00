//! CloudWatch: what `aws cloudwatch get-metric-data` gives, of EBS volumes or of an RDS instance.
//!
//! | of reads (and of writes likewise) | requests | bytes | time | statistic |
//! |---|---|---|---|---|
//! | EBS | VolumeReadOps | VolumeReadBytes | VolumeTotalReadTime, s | Sum |
//! | RDS | ReadIOPS, 1/s | ReadThroughput, bytes/s | ReadLatency, s a request | Average |
//!
//! Sources: <https://docs.aws.amazon.com/ebs/latest/userguide/using_cloudwatch_ebs.html>,
//! <https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/rds-metrics.html>,
//! <https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_MetricDataResult.html>. A timestamp is the
//! beginning of its period, which the answer does not tell; EBS and RDS publish once a minute or less often.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::aurora_metric::AuroraMetric;
use super::civil::{self, Stamp};
use super::metric::{Figure, Metric};
use super::table::brief;
use super::{ImportError, MAX_DEVICES, MonitoringData, Series, SeriesPoint};
use ebs_base::input::{WorkMeter, is_short};
use ebs_base::units::SECOND_US;
use ebs_samples::evidence::DeviceCounts;

/// The key of what the answer holds.
pub(super) const RESULTS: &str = "MetricDataResults";

/// Longest label or id of a metric, characters: an id has 255 at most, a label names a volume and its metric.
pub(super) const MAX_LABEL: usize = 1_024;

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct MetricDataResult {
    #[serde(default)]
    pub id: String,
    #[serde(default)]
    pub label: String,
    #[serde(default)]
    timestamps: Vec<Value>,
    #[serde(default)]
    values: Vec<f64>,
    pub status_code: Option<String>,
}

/// Data points of a volume or an instance: for each metric its value by the beginning of the period, in seconds since 1970.
type Points = BTreeMap<Metric, BTreeMap<i64, f64>>;

/// The series of every volume or instance in the answer; `period_s` where it is known, otherwise it is read off the
/// distances of timestamps. `pause` is called between pieces of the work.
pub fn cloudwatch(answer: &Value, period_s: Option<i64>, pause: &dyn Fn()) -> Result<MonitoringData, ImportError> {
    let meter = WorkMeter::new(pause);
    let results = answer.get(RESULTS).ok_or(ImportError::Foreign("\"MetricDataResults\" of get-metric-data"))?;
    let results = results.as_array().ok_or_else(|| malformed(RESULTS, "it is no array"))?;
    if answer.get("NextToken").is_some_and(|token| !token.is_null()) {
        return Err(malformed("NextToken", "this is a part of the answer only"));
    }
    let mut devices: BTreeMap<String, Points> = BTreeMap::new();
    let mut incomplete: BTreeMap<(String, Metric), String> = BTreeMap::new();
    for result in results {
        meter.step();
        let result = MetricDataResult::deserialize(result).map_err(|error| malformed(RESULTS, &shortened(&error)))?;
        if ![&result.label, &result.id].into_iter().all(|text| is_short(text, MAX_LABEL)) {
            let at = RESULTS.to_owned();
            return Err(ImportError::TooMuch { at, most: MAX_LABEL, what: "characters in a label or an id" });
        }
        let Some((device, metric)) = Metric::from_names(&result.label, &result.id) else {
            if AuroraMetric::from_names(&result.label, &result.id).is_some() {
                return Err(ImportError::AuroraCluster);
            }
            continue;
        };
        // An answer of several pages has a metric several times: what the last of them says holds.
        match result.status_code.as_deref() {
            None | Some("Complete") => incomplete.remove(&(device.clone(), metric)),
            Some(status) => incomplete.insert((device.clone(), metric), brief(status)),
        };
        add(
            devices.entry(device).or_default().entry(metric).or_default(),
            (metric.name(), super::MAX_COUNT),
            &result,
            &meter,
        )?;
        if devices.len() > MAX_DEVICES {
            return Err(ImportError::TooMuch {
                at: RESULTS.to_owned(),
                most: MAX_DEVICES,
                what: "volumes or instances",
            });
        }
    }
    if let Some(((_, metric), status)) = incomplete.first_key_value() {
        return Err(malformed(metric.name(), &format!("its values are not complete ({status})")));
    }
    if devices.is_empty() {
        return Err(ImportError::Foreign("metric of EBS or RDS"));
    }
    let period_s = period(&devices, period_s)?;
    let each = devices.into_iter().map(|(device, points)| series(device, &points, period_s, &meter));
    Ok(MonitoringData { source: "CloudWatch", series: each.collect::<Result<_, _>>()?, limitations: Vec::new() })
}

pub(super) fn malformed(at: &str, problem: &str) -> ImportError {
    ImportError::Malformed { at: at.to_owned(), problem: problem.to_owned() }
}

/// serde's message, shortened: it quotes a text of any length that stands in place of a number.
pub(super) fn shortened(error: &serde_json::Error) -> String {
    error.to_string().chars().take(200).collect()
}

/// Adds the points of a result, in whatever order they stand; values of the metric are below its end.
pub(super) fn add(
    points: &mut BTreeMap<i64, f64>,
    (metric, end): (&str, f64),
    result: &MetricDataResult,
    meter: &WorkMeter,
) -> Result<(), ImportError> {
    let refuse = |problem: String| malformed(metric, &problem);
    if result.timestamps.len() != result.values.len() {
        let (times, values) = (result.timestamps.len(), result.values.len());
        return Err(refuse(format!("{times} timestamps and {values} values")));
    }
    for (timestamp, value) in result.timestamps.iter().zip(&result.values) {
        meter.step();
        let second = second(timestamp).ok_or_else(|| refuse(format!("no time: {}", brief(&timestamp.to_string()))))?;
        if !(0.0..end).contains(value) {
            return Err(refuse(format!("no number from 0 to 1e15: {value}")));
        }
        if points.insert(second, *value).is_some_and(|before| before != *value) {
            return Err(refuse(format!("two values at {}", brief(&timestamp.to_string()))));
        }
    }
    Ok(())
}

/// `2026-11-20T10:00:00Z`, or seconds since 1970.
fn second(timestamp: &Value) -> Option<i64> {
    const YEAR_10000: f64 = 253_402_300_800.0;
    match timestamp {
        Value::String(text) => match civil::stamp(text)? {
            Stamp::Absolute(us) => Some(us / SECOND_US as i64),
            Stamp::Civil(..) => None,
        },
        other => other.as_f64().filter(|second| (0.0..YEAR_10000).contains(second)).map(|second| second as i64),
    }
}

/// Seconds between two points: the greatest common divisor of all distances, since what is missing makes them longer.
fn period(devices: &BTreeMap<String, Points>, asked: Option<i64>) -> Result<i64, ImportError> {
    let mut times: Vec<i64> = devices.values().flat_map(Points::values).flat_map(BTreeMap::keys).copied().collect();
    times.sort_unstable();
    times.dedup();
    let common = times.windows(2).fold(0, |common, pair| gcd(pair[1] - pair[0], common));
    let possible = |period: i64| period > 0 && period % 60 == 0;
    match asked {
        Some(asked) if !possible(asked) || common % asked != 0 => {
            Err(ImportError::Argument(format!("period_s => {asked} does not fit the timestamps")))
        }
        Some(asked) => Ok(asked),
        None if possible(common) => Ok(common),
        None if common == 0 => Err(ImportError::Argument("one timestamp does not tell its period".to_owned())),
        None => Err(malformed("Timestamps", &format!("they are {common} s apart, which is no period of EBS or RDS"))),
    }
}

pub(super) fn gcd(mut a: i64, mut b: i64) -> i64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The periods of which requests and bytes are known: what is missing is a gap, not zero.
fn series(device: String, metrics: &Points, period_s: i64, meter: &WorkMeter) -> Result<Series, ImportError> {
    let of = |metric: Figure, write: bool| {
        let found = metrics.iter().find(|(known, _)| known.figure == metric && known.write == write);
        found.map(|(metric, points)| (*metric, points))
    };
    let needed = |figure: Figure, write: bool| {
        let (ebs, rds) = Metric::names_of(figure, write);
        of(figure, write).ok_or_else(|| malformed(&device, &format!("neither {ebs} nor {rds}")))
    };
    let (reads, writes) = (needed(Figure::Requests, false)?, needed(Figure::Requests, true)?);
    let (read_bytes, write_bytes) = (needed(Figure::Bytes, false)?, needed(Figure::Bytes, true)?);
    let (read_time, write_time) = (of(Figure::Time, false), of(Figure::Time, true));
    let mut points = Vec::new();
    let mut timed = true;
    for &second in reads.1.keys() {
        meter.step();
        let count =
            |(metric, points): (Metric, &BTreeMap<i64, f64>)| Some(metric.count(*points.get(&second)?, period_s));
        let counted = (count(reads), count(writes), count(read_bytes), count(write_bytes));
        let (Some(reads), Some(writes), Some(read_bytes), Some(write_bytes)) = counted else { continue };
        let time = |found: Option<(Metric, &BTreeMap<i64, f64>)>, requests: f64| {
            let (metric, points) = found?;
            Some(metric.milliseconds(*points.get(&second)?, requests))
        };
        let (read_ms, write_ms) = (time(read_time, reads), time(write_time, writes));
        timed &= read_ms.is_some() && write_ms.is_some();
        let values = [reads, writes, read_bytes, write_bytes, read_ms.unwrap_or(0.0), write_ms.unwrap_or(0.0)];
        if values.iter().any(|value| *value >= super::MAX_COUNT) {
            return Err(malformed(&device, "more than any volume does"));
        }
        let [reads, writes, read_bytes, write_bytes, read_ms, write_ms] = values.map(|value| value.round() as u64);
        let weighted_ms = read_ms + write_ms;
        let counts = DeviceCounts {
            reads,
            writes,
            read_bytes,
            write_bytes,
            read_ms,
            write_ms,
            weighted_ms,
            busy_ms: 0,
            ..DeviceCounts::default()
        };
        let began_us = second * SECOND_US as i64;
        points.push(SeriesPoint { began_us, ended_us: began_us + period_s * SECOND_US as i64, counts });
    }
    if points.is_empty() {
        return Err(malformed(&device, "there is no period of which requests and bytes are known"));
    }
    Ok(Series { device, points, timed })
}

#[cfg(test)]
#[path = "cloudwatch_tests.rs"]
mod tests;
