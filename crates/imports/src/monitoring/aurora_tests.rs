use super::*;
use serde_json::json;

const CLUSTER: &str = include_str!("../../../../sql/reports/cloudwatch-aurora.json");

fn read(text: &str) -> Result<Vec<AuroraUsage>, ImportError> {
    aurora(&serde_json::from_str(text).unwrap(), None, &|| ())
}

/// Hours of two days; one hour of writes is missing, and sizes have times of their own.
#[test]
fn sums_and_sizes_are_read_as_they_stand() {
    let usage = select(read(CLUSTER).unwrap(), None).unwrap();
    assert_eq!((usage.cluster.as_str(), usage.period_s), ("", Some(3_600)));
    assert_eq!((usage.reads.len(), usage.writes.len(), usage.used_bytes.len()), (4, 3, 2));
    assert_eq!(usage.reads.values().sum::<f64>(), 10_000_000.0);
}

#[test]
fn a_metric_without_values_is_unknown() {
    let mut answer: Value = serde_json::from_str(CLUSTER).unwrap();
    answer["MetricDataResults"][1]["Timestamps"] = json!([]);
    answer["MetricDataResults"][1]["Values"] = json!([]);
    let usage = &aurora(&answer, None, &|| ()).unwrap()[0];
    assert!(usage.writes.is_empty() && !usage.reads.is_empty());
    answer["MetricDataResults"].as_array_mut().unwrap().drain(..2);
    assert_eq!(aurora(&answer, None, &|| ()).unwrap()[0].period_s, None);
}

#[test]
fn one_of_several_clusters_is_named() {
    let two = CLUSTER.replace("\"VolumeReadIOPs\"", "\"prod VolumeReadIOPs\"");
    let clusters = read(&two).unwrap();
    assert_eq!(select(clusters.clone(), Some("prod")).unwrap().writes.len(), 0);
    let refusal = |name| select(clusters.clone(), name).unwrap_err();
    assert_eq!(refusal(None).to_string(), "there is more than one cluster, and none is named");
    assert_eq!(refusal(Some("test")).to_string(), "there is no cluster \"test\"");
    assert!(refusal(Some("test")).hint().unwrap().contains("prod"));
}

#[test]
fn parts_and_foreign_answers_are_refused() {
    let refused = |text: &str| read(text).unwrap_err().to_string();
    assert_eq!(refused("{}"), "no \"MetricDataResults\" of get-metric-data found");
    assert_eq!(refused("{\"MetricDataResults\": []}"), "no metric of an Aurora cluster found");
    assert_eq!(
        refused(include_str!("../../../../sql/reports/cloudwatch-rds.json")),
        "no metric of an Aurora cluster found"
    );
    let token = CLUSTER.replacen('{', "{\"NextToken\": \"x\",", 1);
    assert_eq!(refused(&token), "NextToken: this is a part of the answer only");
    let partial = CLUSTER.replacen("Complete", "PartialData", 1);
    assert_eq!(refused(&partial), "VolumeReadIOPs: its values are not complete (PartialData)");
    let average = CLUSTER.replace("\"VolumeReadIOPs\"", "\"VolumeReadIOPs Average\"");
    assert_eq!(refused(&average), "VolumeReadIOPs Average: Sum is needed");
    let sum = CLUSTER.replace("\"VolumeReadIOPs\"", "\"VolumeReadIOPs Sum\"");
    assert_eq!(read(&sum).unwrap(), read(CLUSTER).unwrap());
    let negative = CLUSTER.replacen("2500000", "-1", 1);
    assert_eq!(refused(&negative), "VolumeReadIOPs: no number from 0 to 1e15: -1");
}

#[test]
fn a_period_that_timestamps_do_not_tell_is_given() {
    let one = json!({ "MetricDataResults": [
        { "Label": "VolumeReadIOPs", "Timestamps": ["2026-11-01T00:00:00Z"], "Values": [7] }] });
    assert_eq!(aurora(&one, None, &|| ()).unwrap_err().to_string(), "one timestamp does not tell its period");
    assert_eq!(aurora(&one, Some(2_592_000), &|| ()).unwrap()[0].period_s, Some(2_592_000));
    assert!(aurora(&one, Some(90), &|| ()).is_err());
}
