//! Demand above a limit, second by second: the cost of bursts to a closed workload. The excess is not carried over to the next
//! second, as sessions that wait send less.

use super::outcome::{ExcessDemand, Measure};
use super::series::Series;

/// Demand of `series` above `limit` a second.
pub(crate) fn excess_demand(series: &Series, measure: Measure, limit: f64) -> ExcessDemand {
    let (results, key) = (&series.results.excess, (measure, limit.to_bits()));
    let known = results.borrow().get(&key).copied();
    known.unwrap_or_else(|| {
        let excess = sum_excess(series, measure, limit);
        results.borrow_mut().insert(key, excess);
        excess
    })
}

fn sum_excess(series: &Series, measure: Measure, limit: f64) -> ExcessDemand {
    series.pause.now();
    let (mut excess, mut seconds) = (0.0, 0.0);
    for (_, chunk, steps) in series.chunks() {
        if chunk.max_rates[measure as usize] <= limit {
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
    let total = series.sum(measure);
    ExcessDemand { share: if total > 0.0 { excess / total } else { 0.0 }, seconds }
}
