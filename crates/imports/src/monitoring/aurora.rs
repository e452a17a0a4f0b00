//! Aurora: what `aws cloudwatch get-metric-data` gives of a cluster's volume, which is what AWS bills.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::aurora_metric::AuroraMetric;
use super::cloudwatch::{MAX_LABEL, MetricDataResult, RESULTS, add, gcd, malformed, shortened};
use super::table::brief;
use super::{ImportError, MAX_COUNT, MAX_DEVICES};
use ebs_base::input::{WorkMeter, is_short};

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
    let results = answer.get(RESULTS).ok_or(ImportError::Foreign("\"MetricDataResults\" of get-metric-data"))?;
    let results = results.as_array().ok_or_else(|| malformed(RESULTS, "it is no array"))?;
    if answer.get("NextToken").is_some_and(|token| !token.is_null()) {
        return Err(malformed("NextToken", "this is a part of the answer only"));
    }
    let mut clusters: BTreeMap<String, AuroraUsage> = BTreeMap::new();
    let mut incomplete: BTreeMap<(String, AuroraMetric), String> = BTreeMap::new();
    for result in results {
        meter.step();
        let result = MetricDataResult::deserialize(result).map_err(|error| malformed(RESULTS, &shortened(&error)))?;
        if ![&result.label, &result.id].into_iter().all(|text| is_short(text, MAX_LABEL)) {
            return Err(beyond(MAX_LABEL, "characters in a label or an id"));
        }
        let Some((cluster, metric)) = AuroraMetric::from_names(&result.label, &result.id) else { continue };
        // An answer of several pages has a metric several times: what the last of them says holds.
        match result.status_code.as_deref() {
            None | Some("Complete") => incomplete.remove(&(cluster.clone(), metric)),
            Some(status) => incomplete.insert((cluster.clone(), metric), brief(status)),
        };
        let usage = clusters.entry(cluster).or_default();
        let points = match metric {
            AuroraMetric::Reads => &mut usage.reads,
            AuroraMetric::Writes => &mut usage.writes,
            AuroraMetric::UsedBytes => &mut usage.used_bytes,
        };
        add(points, (metric.name(), MAX_COUNT), &result, &meter)?;
        if clusters.len() > MAX_DEVICES {
            return Err(beyond(MAX_DEVICES, "clusters"));
        }
    }
    if let Some(((_, metric), status)) = incomplete.first_key_value() {
        return Err(malformed(metric.name(), &format!("its values are not complete ({status})")));
    }
    if clusters.is_empty() {
        return Err(ImportError::Foreign("metric of an Aurora cluster"));
    }
    let each = clusters
        .into_iter()
        .map(|(cluster, usage)| Ok(AuroraUsage { cluster, period_s: period(&usage, period_s)?, ..usage }));
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

fn beyond(most: usize, what: &'static str) -> ImportError {
    ImportError::TooMuch { at: RESULTS.to_owned(), most, what }
}

/// Seconds between two points of requests: the greatest common divisor of all distances, since what is missing makes them longer.
/// Sizes are reported at times of their own.
fn period(usage: &AuroraUsage, given: Option<i64>) -> Result<Option<i64>, ImportError> {
    let mut times: Vec<i64> = usage.reads.keys().chain(usage.writes.keys()).copied().collect();
    times.sort_unstable();
    times.dedup();
    if times.is_empty() {
        return Ok(None);
    }
    let common = times.windows(2).fold(0, |common, pair| gcd(pair[1] - pair[0], common));
    let possible = |period: i64| period > 0 && period % 60 == 0;
    match given {
        Some(given) if !possible(given) || common % given != 0 => {
            Err(ImportError::Argument(format!("period_s => {given} does not fit the timestamps")))
        }
        Some(given) => Ok(Some(given)),
        None if possible(common) => Ok(Some(common)),
        None if common == 0 => Err(ImportError::Argument("one timestamp does not tell its period".to_owned())),
        None => Err(malformed("Timestamps", &format!("they are {common} s apart, which is no period of CloudWatch"))),
    }
}

#[cfg(test)]
#[path = "aurora_tests.rs"]
mod tests;
