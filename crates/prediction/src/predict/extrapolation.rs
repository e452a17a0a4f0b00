//! Distance of a prediction from its run, and the uncertainty that grows with it.
//!
//! Two runs of one setting differ, too. The farther the predicted volume or the number of sessions is from those of the run, the more the
//! requests of a transaction differ: the page cache holds another share, and checkpoints merge more or fewer pages. The
//! constants are those with which nine in ten results are within the interval, for each group of the back-test
//! (`backtest_tests.rs` has the table).

/// Distance of a prediction from its run, as logarithms.
#[derive(Clone, Copy, Debug)]
pub struct Extrapolation {
    /// Ratio of throughput per session.
    pub per_session: f64,
    /// Ratio of sessions.
    pub sessions: f64,
}

/// Difference of two runs of one setting, which nine in ten pairs are below: the mean of nine pairs of recorded runs was 3.5 %, and of a
/// normal distribution it is 2.06 of that.
const REPEATED_SPREAD: f64 = 0.07;

/// Drift of the requests per transaction near the setting of the run: recorded runs of select-only differ by 0.06 in their logarithm.
const DRIFT: f64 = 0.06;

/// The same for each e-fold of distance. Chosen on the back-test, as all that is in proportion to a distance.
const DRIFT_PER_DISTANCE: f64 = 0.06;

/// Part of the change of sessions in the distance: one that is all in their number changes requests half as much. A choice,
/// which the groups of 1 and 16 sessions of the back-test hold.
const SESSIONS_WEIGHT: f64 = 0.5;

/// Largest drift: requests hardly become fewer than half, or twice as many. A choice.
const MAX_DRIFT: f64 = 0.5;

/// Residual for each e-fold of sessions: what they wait for each other outside of locks, CPUs and the volume. Chosen on the back-test.
const SESSIONS_SPREAD: f64 = 0.05;

/// Spread of the CPU time of a transaction, nine in ten: two runs with 83 % busy CPUs differed by 12 %.
pub const CPU_SPREAD: f64 = 0.12;

impl Extrapolation {
    /// Relative uncertainty of the requests of a transaction.
    pub fn drift(&self) -> f64 {
        // Not hypot(): its present symbol needs glibc 2.35, and RHEL 9 and Amazon Linux 2023 have 2.34 (scripts/check-glibc).
        let sessions = SESSIONS_WEIGHT * self.sessions;
        let distance = (self.per_session * self.per_session + sessions * sessions).sqrt();
        (DRIFT + DRIFT_PER_DISTANCE * distance).min(MAX_DRIFT)
    }

    /// Squares of the distances to the lower and to the upper bound that no assumption of the model explains.
    pub fn residual(&self) -> f64 {
        REPEATED_SPREAD.powi(2) + (SESSIONS_SPREAD * self.sessions).powi(2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_farther_the_less_certain() {
        let at = |per_session: f64, sessions: f64| Extrapolation { per_session, sessions };
        assert_eq!((at(0.0, 0.0).drift(), at(0.0, 0.0).residual()), (DRIFT, REPEATED_SPREAD.powi(2)));
        assert!(at(-1.0, 0.0).drift() > at(-0.5, 0.0).drift() && at(0.0, -2.0).drift() > at(0.0, 0.0).drift());
        assert!(at(0.0, 2.0).residual() > at(0.0, 1.0).residual());
        assert_eq!(at(100.0, 0.0).drift(), MAX_DRIFT);
    }
}
