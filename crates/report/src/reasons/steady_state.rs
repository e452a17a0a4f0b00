//! The steady state of a run, in words.

use ebs_base::format;
use ebs_workload::steady_state::{Steadiness, SteadyState, Work};

/// Describes it: `steady`, `not steady: transactions rise by 12 % from its beginning to its end`; `None` where too little was counted.
pub fn describe(steadiness: &Steadiness) -> Option<String> {
    let work = match steadiness.work? {
        Work::Transactions => "transactions",
        Work::Requests => "requests",
    };
    Some(match steadiness.state()? {
        SteadyState::Steady => "steady".to_owned(),
        SteadyState::Unsettled => format!("not steady: {work} never settle"),
        SteadyState::Drifting { share } => {
            let way = if share > 0.0 { "rise" } else { "fall" };
            // A share of the mean: above one, a reader would take it for more than there was.
            let by = match share.abs() {
                share if share < 1.0 => format::share(share),
                _ => "more than their mean".to_owned(),
            };
            format!("not steady: {work} {way} by {by} from its beginning to its end")
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebs_workload::steady_state::{RampUp, Trend};

    /// A drift is a share of the mean: work that ends after a tenth of the run falls by more than its mean.
    #[test]
    fn nothing_falls_by_more_than_there_was() {
        let of = |drift, ramp_up| {
            let trend = Some(Trend { drift, p: 0.001 });
            describe(&Steadiness { work: Some(Work::Requests), ramp_up, trend, checkpoint_cycles: None }).unwrap()
        };
        assert_eq!(of(-0.4, RampUp::None), "not steady: requests fall by 40 % from its beginning to its end");
        let much = "not steady: requests fall by more than their mean from its beginning to its end";
        assert_eq!(of(-2.07, RampUp::None), much);
        assert_eq!(of(0.0, RampUp::TooLong), "not steady: requests never settle");
        assert_eq!(of(0.0, RampUp::None), "steady");
    }
}
