//! Targets: the labels that all metrics of an exporter have in common.

use ebs_prometheus::Labels;

use crate::discovery::metric::{self, OWN_LABELS};

/// Labels of the exporter that a series is of: without those that belong to its metric.
pub fn target(labels: &Labels) -> Labels {
    let of_metric: &[&str] = match labels.name() {
        metric::RDS_INSTANCE_INFO => &metric::RDS_INFO_LABELS,
        metric::RDS_OS_USED | metric::RDS_OS_SIZE => &metric::RDS_FILE_SYSTEM_LABELS,
        _ => &[],
    };
    let is_own = |label: &str| OWN_LABELS.contains(&label) || of_metric.contains(&label);
    labels.iter().filter(|(label, _)| !is_own(label)).collect()
}

/// Name of an exporter for users: its label `instance`, or else all its labels.
pub fn target_name(target: &Labels) -> String {
    let all = || target.iter().map(|(label, value)| format!("{label}={value}")).collect::<Vec<_>>().join(",");
    target.get("instance").map_or_else(all, str::to_owned)
}
