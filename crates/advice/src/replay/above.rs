//! How much of a demand is above a limit, second by second: what bursts cost those who wait for each answer before they ask
//! again. Nothing is carried on, as a closed loop asks for less while it waits.

use super::series::{Measure, Series};

/// What is above a limit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Above {
    /// Share of all that was asked for.
    pub share: f64,
    /// Seconds, each as far as it is above: one in which twice the limit is asked for counts half.
    pub seconds: f64,
}

/// What of `series` is above `limit` a second.
pub(crate) fn above(series: &Series, measure: Measure, limit: f64) -> Above {
    series.pause.now();
    let (mut excess, mut seconds) = (0.0, 0.0);
    for (_, stretch, steps) in series.stretches() {
        if stretch.most[measure as usize] <= limit {
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
    Above { share: if all > 0.0 { excess / all } else { 0.0 }, seconds }
}
