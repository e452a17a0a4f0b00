//! CloudWatch: what `aws cloudwatch get-metric-data` gives, of EBS volumes or of an RDS instance.
//!
//! | of reads (and of writes likewise) | requests | bytes | time | statistic |
//! |---|---|---|---|---|
//! | EBS | VolumeReadOps | VolumeReadBytes | VolumeTotalReadTime, s | Sum |
//! | RDS | ReadIOPS, 1/s | ReadThroughput, bytes/s | ReadLatency, s a request | Average |
//!
//! And of both directions the requests in flight (VolumeQueueLength, DiskQueueDepth: Average), checks of limits (Maximum) and balances
//! of burst credits (Minimum). Requests must be there; a metric that is missing leaves its own figure unknown (`cloudwatch_series.rs`).
//!
//! Sources: <https://docs.aws.amazon.com/ebs/latest/userguide/using_cloudwatch_ebs.html>,
//! <https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/rds-metrics.html>,
//! <https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_MetricDataResult.html>. A timestamp is the
//! beginning of its period, which the answer does not tell; EBS and RDS publish once a minute or less often.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::Value;

use super::aurora_metric::AuroraMetric;
use super::checks::{Checks, Values};
use super::civil::{self, Stamp};
use super::cloudwatch_series::series;
use super::metric::Metric;
use super::rds_source::CLOUDWATCH_RDS;
use super::table::brief;
use super::{ImportError, MAX_DEVICES, MonitoringData};
use ebs_base::input::{WorkMeter, is_short};
use ebs_base::units::SECOND_US;

/// The key of what the answer holds.
pub(super) const RESULTS: &str = "MetricDataResults";

/// Source of EBS's metrics.
const EBS_SOURCE: &str = "CloudWatch";

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
type Points = BTreeMap<Metric, Values>;

/// The series of every volume or instance in the answer; `period_s` where it is known, otherwise it is read off the
/// distances of timestamps. `pause` is called between pieces of the work.
pub fn cloudwatch(answer: &Value, period_s: Option<i64>, pause: &dyn Fn()) -> Result<MonitoringData, ImportError> {
    let meter = WorkMeter::new(pause);
    let results = answer.get(RESULTS).ok_or(ImportError::Foreign("\"MetricDataResults\" of get-metric-data"))?;
    let results = results.as_array().ok_or_else(|| malformed(RESULTS, "it is no array"))?;
    if answer.get("NextToken").is_some_and(|token| !token.is_null()) {
        return Err(malformed("NextToken", "this is a part of the answer only"));
    }
    let (devices, checks) = gather(results, &meter)?;
    if devices.is_empty() {
        return Err(ImportError::Foreign("metric of EBS or RDS"));
    }
    let period_s = period(&devices, period_s)?;
    let is_rds = devices.values().flat_map(Points::keys).all(|metric| !metric.is_of_volume());
    let each = devices.into_iter().map(|(device, points)| series(device, &points, period_s, &meter));
    let mut series = each.collect::<Result<Vec<_>, _>>()?;
    checks.assign(&mut series, &meter);
    Ok(MonitoringData { source: if is_rds { CLOUDWATCH_RDS } else { EBS_SOURCE }, series, limitations: Vec::new() })
}

/// The points of every device, and checks and balances beside them.
fn gather(results: &[Value], meter: &WorkMeter) -> Result<(BTreeMap<String, Points>, Checks), ImportError> {
    let (mut devices, mut checks): (BTreeMap<String, Points>, Checks) = (BTreeMap::new(), Checks::default());
    let mut incomplete: BTreeMap<(String, Metric), String> = BTreeMap::new();
    let mut names: BTreeSet<String> = BTreeSet::new();
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
        names.insert(device.clone());
        if names.len() > MAX_DEVICES {
            let at = RESULTS.to_owned();
            return Err(ImportError::TooMuch { at, most: MAX_DEVICES, what: "volumes or instances" });
        }
        let points = match metric.figure.is_counted() {
            true => devices.entry(device).or_default().entry(metric).or_default(),
            false => checks.0.entry((metric, device)).or_default(),
        };
        add(points, (&metric.name(), metric.figure.end()), &result, meter)?;
    }
    if let Some(((_, metric), status)) = incomplete.first_key_value() {
        return Err(malformed(&metric.name(), &format!("its values are not complete ({status})")));
    }
    Ok((devices, checks))
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
    points: &mut Values,
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
            let end = if end < super::MAX_COUNT { "100" } else { "1e15" };
            return Err(refuse(format!("no number from 0 to {end}: {value}")));
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

/// Greatest common divisor.
pub(super) fn gcd(mut a: i64, mut b: i64) -> i64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
#[path = "cloudwatch_tests.rs"]
mod tests;
