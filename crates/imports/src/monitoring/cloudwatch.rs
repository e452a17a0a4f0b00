//! CloudWatch: what `aws cloudwatch get-metric-data` or get-metric-statistics gives, of EBS volumes or of an RDS instance.
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

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::aurora_metric::AuroraMetric;
use super::checks::{Checks, Values};
use super::cloudwatch_series::series;
use super::metric::Metric;
use super::metric_data::{Incomplete, MetricDataResult, period, results, too_much};
use super::rds_source::CLOUDWATCH_RDS;
use super::{ImportError, MAX_DEVICES, MonitoringData};
use crate::format::arguments::{DATA, DEVICE, LABEL, PERIOD_S, WAL_DEVICE};
use crate::format::{DemandReader, Format, Reader, Sign, SqlFunction};
#[cfg(any(test, feature = "made"))]
use crate::made::{self, Inputs, Made, Sample, recorded};
use ebs_base::input::WorkMeter;

/// Source of EBS's metrics.
const EBS_SOURCE: &str = "CloudWatch";

/// Answers of CloudWatch.
pub(super) const FORMAT: Format = Format {
    name: "cloudwatch",
    kind: "an answer of CloudWatch",
    command: "",
    page: "docs/importing.md",
    shape: "Accepted is what aws cloudwatch get-metric-data or get-metric-statistics gives of EBS (at least VolumeReadOps and VolumeWriteOps: \
            Sum) or RDS (at least ReadIOPS and WriteIOPS: Average), known by Label or Id; of several answers an array, or a file each for ebsctl.",
    signs: &[Sign::Keys(&["MetricDataResults"]), Sign::Keys(&["Datapoints", "Label"])],
    reader: Reader::Demand(DemandReader::Json(|answer, options, pause| cloudwatch(answer, options.period_s, pause))),
    sql: Some(SqlFunction {
        name: "ebs_import_cloudwatch",
        arguments: &[&LABEL, &DATA, &DEVICE, &WAL_DEVICE, &PERIOD_S],
        document: &DATA,
        comment: "Creates a run from the metrics of RDS or EBS in aws cloudwatch get-metric-data output and returns the number of its periods (docs/importing.md).",
        example: "SELECT ebs_import_cloudwatch('rds', pg_read_file('/tmp/rds.json')::jsonb)",
    }),
    #[cfg(any(test, feature = "made"))]
    inputs: Inputs {
        samples: &[
            recorded!("cloudwatch-rds.json"),
            recorded!("cloudwatch-ebs.json"),
            recorded!("cloudwatch-checks.json"),
            Sample::text(
                r#"{"Label": "VolumeReadOps", "Datapoints": [{"Timestamp": "2026-11-20T10:00:00Z", "Sum": 90.0, "Unit": "Count"}]}"#,
            ),
        ],
        made: &[
            Made { what: "many periods", make: |bytes| made::cloudwatch(1, bytes / 40) },
            Made { what: "many volumes", make: |bytes| made::cloudwatch(100, bytes / 4_000) },
        ],
    },
};

/// Data points of a volume or an instance: for each metric its value by the beginning of the period, in seconds since 1970.
type Points = BTreeMap<Metric, Values>;

/// The series of every volume or instance in the answer; `period_s` where it is known, otherwise it is read off the
/// distances of timestamps. `pause` is called between pieces of the work.
pub fn cloudwatch(answer: &Value, period_s: Option<i64>, pause: &dyn Fn()) -> Result<MonitoringData, ImportError> {
    let meter = WorkMeter::new(pause);
    let (devices, checks) = gather(&results(answer, &meter)?, &meter)?;
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
fn gather(results: &[Cow<Value>], meter: &WorkMeter) -> Result<(BTreeMap<String, Points>, Checks), ImportError> {
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
