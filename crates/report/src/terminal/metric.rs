//! Metrics that can be charted.

use std::str::FromStr;

use ebs_base::error::InputError;
use ebs_base::names;
use ebs_workload::io_profile;

/// Minimum similarity of a suggested name. High, because names of metrics share words.
const SIMILAR: f64 = 0.85;

/// A metric of a chart.
#[derive(Clone, Copy)]
pub enum Metric {
    /// A metric of the volumes over time.
    OverTime(io_profile::Metric),
    /// Wait events of active sessions.
    Waits,
    /// PostgreSQL's bytes by source.
    Sources,
    /// Latency histograms, where the evidence has them.
    Latencies,
}

/// Metrics without a time axis.
const OTHERS: [(&str, Metric); 3] =
    [("waits", Metric::Waits), ("sources", Metric::Sources), ("latencies", Metric::Latencies)];

/// Returns every accepted name.
fn metrics() -> impl Iterator<Item = &'static str> {
    io_profile::Metric::ALL.into_iter().map(io_profile::Metric::name).chain(OTHERS.iter().map(|(name, _)| *name))
}

impl FromStr for Metric {
    type Err = InputError;

    /// Looks up a name as in ebs_io_mix, or with underscores.
    fn from_str(name: &str) -> Result<Metric, InputError> {
        let wanted = names::bounded(name).map(|name| name.to_lowercase().replace('_', " "));
        wanted.as_deref().and_then(find).ok_or_else(|| {
            let near = wanted.map(|wanted| names::similar(&wanted, metrics(), SIMILAR)).unwrap_or_default();
            let meant = near.first().map_or(String::new(), |near| format!("Perhaps you meant \"{near}\". "));
            let accepted = format!("{meant}Accepted are {}.", metrics().collect::<Vec<_>>().join(", "));
            InputError::UnknownName { what: "metric", name: names::quoted(name), accepted }
        })
    }
}

fn find(name: &str) -> Option<Metric> {
    let over_time = io_profile::Metric::from_name(name).map(Metric::OverTime);
    over_time.or_else(|| OTHERS.iter().find(|(other, _)| *other == name).map(|(_, metric)| *metric))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_ebs_io_mix_or_the_hint_has_them() {
        assert!(
            matches!(" Read_Throughput".parse(), Ok(Metric::OverTime(metric)) if metric.name() == "read throughput")
        );
        let refused = "red latency".parse::<Metric>().err().unwrap();
        assert_eq!(refused.to_string(), "unknown metric \"red latency\"");
        assert!(refused.hint().starts_with("Perhaps you meant \"read latency\". Accepted are requests, reads, "));
        assert!(metrics().all(|name| name.parse::<Metric>().is_ok()));
    }
}
