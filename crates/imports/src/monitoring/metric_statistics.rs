//! Answers of `aws cloudwatch get-metric-statistics`, a metric each, as results of get-metric-data
//! (<https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_GetMetricStatistics.html>).

use ebs_base::input::WorkMeter;
use ebs_base::names::quoted;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::ImportError;
use super::metric::Metric;
use super::statistic::Statistic;

/// Answer of one metric.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct MetricStatistics {
    label: String,
    datapoints: Vec<Map<String, Value>>,
}

/// The answer as a result of get-metric-data: of the statistic that the metric needs, or of the first that its points have, which its reader refuses.
/// `None` where it is no such answer.
pub(super) fn result(answer: &Value, meter: &WorkMeter) -> Option<Result<Value, ImportError>> {
    answer.get("Label").and(answer.get("Datapoints"))?;
    let malformed = |problem: String| ImportError::Malformed { at: "Datapoints".to_owned(), problem };
    let answer = match MetricStatistics::deserialize(answer) {
        Ok(answer) => answer,
        Err(error) => return Some(Err(malformed(error.to_string().chars().take(200).collect()))),
    };
    let needed = Metric::from_names(&answer.label, "").and_then(|(_, metric)| metric.statistic());
    let has = |statistic: &Statistic| answer.datapoints.iter().all(|point| point.contains_key(statistic.name()));
    let statistic = needed.into_iter().chain(Statistic::ALL).find(has);
    let name = statistic.map_or("Sum", Statistic::name);
    let points = answer
        .datapoints
        .iter()
        .inspect(|_| meter.step())
        .map(|point| Some((point.get("Timestamp")?, point.get(name)?)));
    let Some((timestamps, values)) = points.collect::<Option<(Vec<_>, Vec<_>)>>() else {
        return Some(Err(malformed(format!("\"{}\" has a point without Timestamp or {name}", quoted(&answer.label)))));
    };
    Some(Ok(json!({"Id": "", "Label": format!("{} {name}", answer.label), "Timestamps": timestamps, "Values": values})))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(answer: &Value) -> Option<Result<Value, ImportError>> {
        super::result(answer, &WorkMeter::new(&|| ()))
    }

    #[test]
    fn the_statistic_that_the_metric_needs_is_taken() {
        let point = json!({"Timestamp": "2026-11-20T10:00:00Z", "Average": 1.5, "Sum": 90.0, "Unit": "Count"});
        let answer = json!({"Label": "VolumeReadOps", "Datapoints": [point]});
        let expected =
            json!({"Id": "", "Label": "VolumeReadOps Sum", "Timestamps": ["2026-11-20T10:00:00Z"], "Values": [90.0]});
        assert_eq!(result(&answer), Some(Ok(expected)));
        assert_eq!(result(&json!({"MetricDataResults": []})), None);
        let average = json!({"Label": "VolumeReadOps", "Datapoints": [{"Timestamp": 1, "Average": 1.5}]});
        assert_eq!(result(&average).unwrap().unwrap()["Label"], "VolumeReadOps Average");
        assert!(result(&json!({"Label": "x", "Datapoints": [{"Sum": 1}]})).unwrap().is_err());
        assert!(result(&json!({"Label": "x", "Datapoints": 5})).unwrap().is_err());
        assert_eq!(result(&json!({"Datapoints": []})), None);
    }
}
