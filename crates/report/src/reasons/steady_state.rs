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
        SteadyState::Interrupted(lost) => {
            let (seconds, share) = (format::count(lost.seconds), format::share(lost.share));
            format!("not steady: {work} fell far below their usual rate for {seconds} s, {share} of the work")
        }
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
    use ebs_workload::steady_state::{RampUp, Shortfall, Trend};

    /// A drift is a share of the mean: work that ends after a tenth of the run falls by more than its mean.
    #[test]
    fn nothing_falls_by_more_than_there_was() {
        let of = |drift, ramp_up| {
            let trend = Some(Trend { drift, p: 0.001 });
            let (shortfall, checkpoint_cycles) = (None, None);
            describe(&Steadiness { work: Some(Work::Requests), ramp_up, trend, shortfall, checkpoint_cycles }).unwrap()
        };
        assert_eq!(of(-0.4, RampUp::None), "not steady: requests fall by 40 % from its beginning to its end");
        let much = "not steady: requests fall by more than their mean from its beginning to its end";
        assert_eq!(of(-2.07, RampUp::None), much);
        assert_eq!(of(0.0, RampUp::TooLong), "not steady: requests never settle");
        assert_eq!(of(0.0, RampUp::None), "steady");
    }

    #[test]
    fn a_run_that_lost_a_fifth_of_its_work_says_so() {
        let of = |share| {
            describe(&Steadiness {
                work: Some(Work::Transactions),
                ramp_up: RampUp::None,
                trend: Some(Trend { drift: 0.0, p: 1.0 }),
                shortfall: Some(Shortfall { share, seconds: 30.0 }),
                checkpoint_cycles: None,
            })
            .unwrap()
        };
        let lost = "not steady: transactions fell far below their usual rate for 30 s, 20 % of the work";
        assert_eq!((of(0.2).as_str(), of(0.049).as_str()), (lost, "steady"));
    }
}
