//! Targets: the labels that all metrics of an exporter have in common.

use ebs_prometheus::Labels;

use super::metric::{OWN_LABELS, RDS_INFO_LABELS, RDS_INSTANCE_INFO};

/// Labels of the exporter that a series is of: without those that belong to its metric.
pub fn target(labels: &Labels) -> Labels {
    let is_info = labels.name() == RDS_INSTANCE_INFO;
    let is_own = |label: &str| OWN_LABELS.contains(&label) || is_info && RDS_INFO_LABELS.contains(&label);
    labels.iter().filter(|(label, _)| !is_own(label)).collect()
}

/// Name of an exporter for users: its label `instance`, or else all its labels.
pub fn target_name(target: &Labels) -> String {
    let all = || target.iter().map(|(label, value)| format!("{label}={value}")).collect::<Vec<_>>().join(",");
    target.get("instance").map_or_else(all, str::to_owned)
}
