//! Demand above a limit, second by second: the cost of bursts to a closed workload. Nothing is carried on, as sessions that
//! wait send less.

use super::series::{Measure, Series};

/// Demand above a limit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ExcessDemand {
    /// Share of all that was asked for.
    pub share: f64,
    /// Seconds, each as far as it is above: one in which twice the limit is asked for counts half.
    pub seconds: f64,
}

/// Sums the demand of `series` above `limit` a second.
pub(crate) fn excess_demand(series: &Series, measure: Measure, limit: f64) -> ExcessDemand {
    series.pause.now();
    let (mut excess, mut seconds) = (0.0, 0.0);
    for (_, chunk, steps) in series.chunks() {
        if chunk.most[measure as usize] <= limit {
            continue;
        }
        for step in steps {
            let rate = step.rate(measure);
            if rate > limit {
                excess += (rate - limit) * step.seconds;
                seconds += (1.0 - limit / rate) * step.seconds;
            }
        }
    }
    let all = series.sum(measure);
    ExcessDemand { share: if all > 0.0 { excess / all } else { 0.0 }, seconds }
}
