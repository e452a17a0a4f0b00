//! Aurora's metrics of a cluster by their names.
//!
//! Sources: <https://docs.aws.amazon.com/AmazonRDS/latest/AuroraUserGuide/Aurora.AuroraMonitoring.Metrics.html>: VolumeReadIOPs and
//! VolumeWriteIOPs are numbers of billed operations, reported every 5 minutes (not rates, whatever the name says);
//! <https://github.com/aws/agent-toolkit-for-aws> (io-optimized-data-collection.md): Sum of both, Average of VolumeBytesUsed.

use super::ImportError;
use super::statistic::Statistic;

ebs_base::named! {
    /// A metric of a cluster's volume.
    #[derive(PartialOrd, Ord)]
    pub(super) enum AuroraMetric {
        /// Billed reads, Sum.
        Reads = "VolumeReadIOPs",
        /// Billed writes, Sum.
        Writes = "VolumeWriteIOPs",
        /// Storage used, Average, bytes.
        UsedBytes = "VolumeBytesUsed",
    }
}

impl AuroraMetric {
    /// The metric that a label (`prod VolumeReadIOPs`) or an id (`volumereadiops_prod`) names, and the cluster: what else stands
    /// there, but a statistic; it may be nothing.
    pub fn from_names(label: &str, id: &str) -> Option<(String, AuroraMetric)> {
        let (words, id) = (Statistic::without(label), Statistic::without_last(id));
        for (index, word) in words.iter().enumerate() {
            if let Some(metric) = Self::ALL.into_iter().find(|metric| word.eq_ignore_ascii_case(metric.name())) {
                let others = words.iter().enumerate().filter(|(other, _)| *other != index).map(|(_, word)| *word);
                return Some((others.collect::<Vec<_>>().join(" "), metric));
            }
        }
        let begins = |name: &str| id.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
        let metric = Self::ALL.into_iter().find(|metric| begins(metric.name()))?;
        Some((id[metric.name().len()..].trim_start_matches('_').to_owned(), metric))
    }

    /// Refuses another statistic than that of the metric, where its label or its id names one.
    pub fn check_statistic(self, label: &str, id: &str) -> Result<(), ImportError> {
        let needed = match self {
            AuroraMetric::Reads | AuroraMetric::Writes => Statistic::Sum,
            AuroraMetric::UsedBytes => Statistic::Average,
        };
        needed.check(self.name(), label, id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_metric_is_known_by_its_label_or_its_id() {
        let read = |label, id| AuroraMetric::from_names(label, id).map(|(cluster, metric)| (cluster, metric.name()));
        assert_eq!(read("VolumeReadIOPs", "m1"), Some((String::new(), "VolumeReadIOPs")));
        assert_eq!(read("prod volumebytesused", "m1"), Some(("prod".into(), "VolumeBytesUsed")));
        assert_eq!(read("writes", "volumewriteiops_prod_1"), Some(("prod_1".into(), "VolumeWriteIOPs")));
        for label in ["ReadIOPS", "VolumeReadOps", "VolumeReadIOPsX", "", "é"] {
            assert_eq!(read(label, "é"), None, "{label}");
        }
    }
}
