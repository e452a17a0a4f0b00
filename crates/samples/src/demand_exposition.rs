//! Histograms of one-second demand in Prometheus' text format
//! (<https://prometheus.io/docs/instrumenting/exposition_formats/>), for node_exporter's textfile collector.
//!
//! The series have the names of a histogram and the type counter: as a histogram, node_exporter would cut seconds to whole ones.

use ebs_base::units::SECOND_US;

use crate::demand_histogram::{DemandHistogram, DemandMetric, bound_label};

/// Histograms of a volume.
#[derive(Clone, Debug, PartialEq)]
pub struct VolumeDemand {
    /// EBS volume ID; the device where none is known.
    pub volume: String,
    /// The kernel's name of the disk, or of what several make together.
    pub device: String,
    /// A histogram a metric.
    pub histograms: Vec<DemandHistogram>,
}

/// Seconds as a number of the format: exact to the microsecond.
pub fn seconds(us: u64) -> f64 {
    us as f64 / SECOND_US as f64
}

/// Lines of the series of all volumes; none without volumes.
pub fn exposition(volumes: &[VolumeDemand]) -> Vec<String> {
    DemandMetric::ALL.iter().flat_map(|metric| metric_lines(*metric, volumes)).collect()
}

fn metric_lines(metric: DemandMetric, volumes: &[VolumeDemand]) -> Vec<String> {
    let name = metric.name();
    let (mut buckets, mut sums, mut counts) = (Vec::new(), Vec::new(), Vec::new());
    for volume in volumes {
        let labels = format!("volume=\"{}\",device=\"{}\"", escaped(&volume.volume), escaped(&volume.device));
        for histogram in volume.histograms.iter().filter(|histogram| histogram.metric() == metric) {
            let reading = histogram.reading();
            buckets.extend(reading.cumulative_us.iter().map(|&(bound, us)| {
                format!("ebs_demand_{name}_bucket{{{labels},le=\"{}\"}} {}", bound_label(bound), seconds(us))
            }));
            sums.push(format!("ebs_demand_{name}_sum{{{labels}}} {}", reading.amount));
            counts.push(format!("ebs_demand_{name}_count{{{labels}}} {}", seconds(histogram.total_us())));
        }
    }
    let series = [
        ("bucket", buckets, format!("Seconds in which {name} per second were at most le.")),
        ("sum", sums, format!("Number of {name} in these seconds.")),
        ("count", counts, "Seconds counted.".to_owned()),
    ];
    let family = |(kind, lines, help): (&str, Vec<String>, String)| {
        let begin =
            [format!("# HELP ebs_demand_{name}_{kind} {help}"), format!("# TYPE ebs_demand_{name}_{kind} counter")];
        let begin = if lines.is_empty() { Vec::new() } else { begin.to_vec() };
        begin.into_iter().chain(lines)
    };
    series.into_iter().flat_map(family).collect()
}

/// The value of a label, in which backslashes, quotation marks and line feeds are escaped.
fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn series_have_a_type_and_their_labels() {
        let mut requests = DemandHistogram::new(DemandMetric::Requests);
        requests.add(0, 1_000_000);
        requests.add(100, 1_000_001);
        let volume = VolumeDemand { volume: "vol-0a".into(), device: "nvme\"1\\".into(), histograms: vec![requests] };
        let expected = r#"
# HELP ebs_demand_requests_bucket Seconds in which requests per second were at most le.
# TYPE ebs_demand_requests_bucket counter
ebs_demand_requests_bucket{volume="vol-0a",device="nvme\"1\\",le="1"} 1
ebs_demand_requests_bucket{volume="vol-0a",device="nvme\"1\\",le="101.1"} 2.000001
ebs_demand_requests_bucket{volume="vol-0a",device="nvme\"1\\",le="+Inf"} 2.000001
# HELP ebs_demand_requests_sum Number of requests in these seconds.
# TYPE ebs_demand_requests_sum counter
ebs_demand_requests_sum{volume="vol-0a",device="nvme\"1\\"} 100
# HELP ebs_demand_requests_count Seconds counted.
# TYPE ebs_demand_requests_count counter
ebs_demand_requests_count{volume="vol-0a",device="nvme\"1\\"} 2.000001"#;
        assert_eq!(exposition(&[volume]), expected.trim().lines().collect::<Vec<_>>());
        assert_eq!(exposition(&[]), Vec::<String>::new());
    }
}
