//! Aurora: what `aws cloudwatch get-metric-data` gives of a cluster's volume, which is what AWS bills.

use std::collections::BTreeMap;

use serde_json::Value;

use super::aurora_metric::AuroraMetric;
use super::metric_data::{Incomplete, MetricDataResult, period, results, too_much};
use super::table::brief;
use super::{ImportError, MAX_COUNT, MAX_DEVICES};
use crate::format::{Format, Reader, Sign};
#[cfg(any(test, feature = "made"))]
use crate::made::{self, Inputs, Made, recorded};
use ebs_base::input::WorkMeter;

/// Answers of CloudWatch about a cluster.
pub const FORMAT: Format = Format {
    name: "aurora",
    kind: "metrics of an Aurora cluster",
    command: "The SQL function ebs_aurora",
    page: "docs/aurora.md",
    shape: "Accepted is what aws cloudwatch get-metric-data gives of an Aurora cluster (VolumeReadIOPs, VolumeWriteIOPs: Sum, \
            VolumeBytesUsed: Average), known by Label or Id.",
    signs: &[Sign::Text(has_metric)],
    reader: Reader::AuroraUsage,
    sql: None,
    #[cfg(any(test, feature = "made"))]
    inputs: Inputs {
        samples: &[recorded!("cloudwatch-aurora.json")],
        made: &[
            Made { what: "many periods", make: |bytes| made::aurora(1, bytes / 30) },
            Made { what: "many clusters", make: |bytes| made::aurora(100, bytes / 3_000) },
        ],
    },
};

fn has_metric(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let names = AuroraMetric::ALL.map(|metric| metric.name().to_ascii_lowercase());
    text.contains("\"metricdataresults\"") && names.iter().any(|name| text.contains(name))
}

/// Values of a metric by the beginning of their period, seconds since 1970.
pub type Points = BTreeMap<i64, f64>;

/// Use of a cluster's volume. A metric without values is empty: unknown, not zero.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AuroraUsage {
    /// Name of the cluster, as labels have it; empty where they name none.
    pub cluster: String,
    /// Length of a period of requests, seconds; `None` without requests.
    pub period_s: Option<i64>,
    /// Billed reads of each period.
    pub reads: Points,
    /// Billed writes of each period.
    pub writes: Points,
    /// Bytes that the volume uses.
    pub used_bytes: Points,
}

/// The use of every cluster in the answer; `period_s` where it is known, otherwise it is read off the distances of timestamps.
/// `pause` is called between pieces of the work.
pub fn aurora(answer: &Value, period_s: Option<i64>, pause: &dyn Fn()) -> Result<Vec<AuroraUsage>, ImportError> {
    let meter = WorkMeter::new(pause);
    let mut clusters: BTreeMap<String, AuroraUsage> = BTreeMap::new();
    let mut incomplete = Incomplete::default();
    for result in results(answer, &meter)? {
        meter.step();
        let result = MetricDataResult::read(&result)?;
        let Some((cluster, metric)) = AuroraMetric::from_names(&result.label, &result.id) else { continue };
        metric.check_statistic(&result.label, &result.id)?;
        incomplete.note((cluster.clone(), metric), &result);
        let usage = clusters.entry(cluster).or_default();
        let points = match metric {
            AuroraMetric::Reads => &mut usage.reads,
            AuroraMetric::Writes => &mut usage.writes,
            AuroraMetric::UsedBytes => &mut usage.used_bytes,
        };
        result.add_to(points, (metric.name(), MAX_COUNT), &meter)?;
        if clusters.len() > MAX_DEVICES {
            return Err(too_much(MAX_DEVICES, "clusters"));
        }
    }
    incomplete.check(|(_, metric): &(String, AuroraMetric)| metric.name().to_owned())?;
    if clusters.is_empty() {
        return Err(ImportError::Foreign("metric of an Aurora cluster"));
    }
    let each = clusters
        .into_iter()
        .map(|(cluster, usage)| Ok(AuroraUsage { cluster, period_s: request_period(&usage, period_s)?, ..usage }));
    each.collect()
}

/// The cluster of this name, or the only one.
pub fn select(mut clusters: Vec<AuroraUsage>, name: Option<&str>) -> Result<AuroraUsage, ImportError> {
    let names = |clusters: &[AuroraUsage]| clusters.iter().map(|usage| usage.cluster.clone()).collect::<Vec<_>>();
    match name {
        Some(name) => match clusters.iter().position(|usage| usage.cluster == name) {
            Some(index) => Ok(clusters.swap_remove(index)),
            None => Err(ImportError::UnknownCluster { name: brief(name), clusters: names(&clusters) }),
        },
        None if clusters.len() > 1 => Err(ImportError::SeveralClusters(names(&clusters))),
        None => clusters.pop().ok_or(ImportError::Foreign("metric of an Aurora cluster")),
    }
}

/// Seconds between two points of requests; `None` without any. Sizes are reported at times of their own.
fn request_period(usage: &AuroraUsage, given: Option<i64>) -> Result<Option<i64>, ImportError> {
    let mut seconds = usage.reads.keys().chain(usage.writes.keys()).copied().peekable();
    if seconds.peek().is_none() {
        return Ok(None);
    }
    period(seconds, given, "CloudWatch").map(Some)
}

#[cfg(test)]
#[path = "aurora_tests.rs"]
mod tests;
