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

use serde_json::Value;

use super::aurora_metric::AuroraMetric;
use super::checks::{Checks, Values};
use super::cloudwatch_series::series;
use super::metric::Metric;
use super::metric_data::{Incomplete, MetricDataResult, period, results, too_much};
use super::rds_source::CLOUDWATCH_RDS;
use super::{ImportError, MAX_DEVICES, MonitoringData};
use ebs_base::input::WorkMeter;

/// Source of EBS's metrics.
const EBS_SOURCE: &str = "CloudWatch";

/// Data points of a volume or an instance: for each metric its value by the beginning of the period, in seconds since 1970.
type Points = BTreeMap<Metric, Values>;

/// The series of every volume or instance in the answer; `period_s` where it is known, otherwise it is read off the
/// distances of timestamps. `pause` is called between pieces of the work.
pub fn cloudwatch(answer: &Value, period_s: Option<i64>, pause: &dyn Fn()) -> Result<MonitoringData, ImportError> {
    let meter = WorkMeter::new(pause);
    let (devices, checks) = gather(results(answer)?, &meter)?;
    if devices.is_empty() {
        return Err(ImportError::Foreign("metric of EBS or RDS"));
    }
    let seconds = devices.values().flat_map(Points::values).flat_map(BTreeMap::keys).copied();
    let period_s = period(seconds, period_s, "EBS or RDS")?;
    let is_rds = devices.values().flat_map(Points::keys).all(|metric| !metric.is_of_volume());
    let each = devices.into_iter().map(|(device, points)| series(device, &points, period_s, &meter));
    let mut series = each.collect::<Result<Vec<_>, _>>()?;
    checks.assign(&mut series, &meter);
    Ok(MonitoringData { source: if is_rds { CLOUDWATCH_RDS } else { EBS_SOURCE }, series, limitations: Vec::new() })
}

/// The points of every device, and checks and balances beside them.
fn gather(results: &[Value], meter: &WorkMeter) -> Result<(BTreeMap<String, Points>, Checks), ImportError> {
    let (mut devices, mut checks): (BTreeMap<String, Points>, Checks) = (BTreeMap::new(), Checks::default());
    let mut incomplete = Incomplete::default();
    let mut names: BTreeSet<String> = BTreeSet::new();
    for result in results {
        meter.step();
        let result = MetricDataResult::read(result)?;
        let Some((device, metric)) = Metric::from_names(&result.label, &result.id) else {
            if AuroraMetric::from_names(&result.label, &result.id).is_some() {
                return Err(ImportError::AuroraCluster);
            }
            continue;
        };
        metric.check_statistic(&result.label, &result.id)?;
        incomplete.note((device.clone(), metric), &result);
        names.insert(device.clone());
        if names.len() > MAX_DEVICES {
            return Err(too_much(MAX_DEVICES, "volumes or instances"));
        }
        let points = match metric.figure.is_counted() {
            true => devices.entry(device).or_default().entry(metric).or_default(),
            false => checks.0.entry((metric, device)).or_default(),
        };
        result.add_to(points, (&metric.name(), metric.figure.end()), meter)?;
    }
    incomplete.check(|(_, metric)| metric.name())?;
    Ok((devices, checks))
}

#[cfg(test)]
#[path = "cloudwatch_tests.rs"]
mod tests;
