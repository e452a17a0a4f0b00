//! Bounds of a percentile, and the samples that they rest on.

use ebs_base::format::{count, rate};
use ebs_stats::QuantileEvidence;
use ebs_workload::io_profile::{Figure, Metric, find};

/// Describes a number of samples that is too small, and the number needed: `60 samples (299 are needed)`.
pub fn describe_samples(evidence: &QuantileEvidence) -> String {
    let (samples, effective, required) =
        (count(evidence.samples), count(evidence.effective.floor()), count(evidence.required as f64));
    let plural = if samples == "1" { "" } else { "s" };
    if samples == effective {
        return format!("{samples} sample{plural} ({required} are needed)");
    }
    format!("{samples} sample{plural} worth {effective} independent ones ({required} are needed)")
}

/// Describes the percentile of requests that is not bounded, the highest that is, and the figure that sizes are read off; `None`
/// where the 99th is bounded.
pub fn describe_unbounded(figures: &[Figure]) -> Option<String> {
    let figure = find(figures, Metric::Requests)?;
    let (evidence, max, high) = (figure.p99_evidence?, figure.max?, figure.p99_interval?.high);
    let bounded_pct = (100.0 * evidence.bounded?).floor();
    let unbounded = format!("the p99 of requests: it is not bounded by {}", describe_samples(&evidence));
    let bounded = match bounded_pct >= 50.0 {
        true => format!("; p{} is at most {}/s, the greatest sample", count(bounded_pct), rate(max)),
        false => String::new(),
    };
    let model = match high > max {
        true => format!("; sizes allow for {}/s, by a model", rate(high)),
        false => format!("; sizes allow for {}/s, the greatest sample", rate(high)),
    };
    Some(format!("{unbounded}{bounded}{model}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebs_samples::evidence::DeviceCounts;
    use ebs_workload::demand::{Demand, DemandInterval};
    use ebs_workload::io_profile::figures;

    /// Demand of 1 to n thousand requests in as many seconds, in an order without runs.
    fn demand(n: u64, averaged_s: u64) -> Vec<Figure> {
        let interval = |i: u64| DemandInterval {
            ended_us: 0,
            seconds: averaged_s as f64,
            counts: DeviceCounts { reads: (1 + i * 37 % n) * 1_000 * averaged_s, ..DeviceCounts::default() },
            ..DemandInterval::default()
        };
        let intervals = (0..n).map(interval).collect();
        figures(&Demand { averaged_s: averaged_s as f64, intervals, ..Demand::default() })
    }

    /// 60 samples bound the quantile 0.05^(1/60) = 0.951; the tail is worked out in `ebs_stats`: 80.4.
    #[test]
    fn the_percentile_that_is_bounded_is_named() {
        assert_eq!(
            describe_unbounded(&demand(60, 1)).unwrap(),
            "the p99 of requests: it is not bounded by 60 samples (299 are needed); p95 is at most 60,000/s, the greatest \
             sample; sizes allow for 80,394/s, by a model"
        );
        assert_eq!(describe_unbounded(&demand(299, 1)), None);
        assert!(describe_unbounded(&demand(298, 1)).is_some());
        assert_eq!(
            describe_unbounded(&demand(1, 3_600)).unwrap(),
            "the p99 of requests: it is not bounded by 1 sample (299 are needed); sizes allow for 1,667/s, by a model"
        );
    }

    #[test]
    fn dependent_samples_are_named_with_their_worth() {
        let evidence = QuantileEvidence { samples: 1_200.0, effective: 66.7, required: 299, bounded: Some(0.956) };
        assert_eq!(describe_samples(&evidence), "1,200 samples worth 66 independent ones (299 are needed)");
    }
}
