//! Targets: the labels that all metrics of an exporter have in common.

use ebs_prometheus::Labels;

use super::metric::OWN_LABELS;

/// Labels of the exporter that a series is of: without those that belong to its metric.
pub fn target(labels: &Labels) -> Labels {
    labels.iter().filter(|(label, _)| !OWN_LABELS.contains(label)).collect()
}

/// Name of an exporter for users: its label `instance`, or else all its labels.
pub fn target_name(target: &Labels) -> String {
    let all = || target.iter().map(|(label, value)| format!("{label}={value}")).collect::<Vec<_>>().join(",");
    target.get("instance").map_or_else(all, str::to_owned)
}
