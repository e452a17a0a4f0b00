//! Pace of the clients: whether they wait for the answers or send when they please.
//!
//! In a closed loop each session sends its next request once it has the answer to the last, after a think time; in an open
//! loop requests arrive at the clients' own pace, however long the answers take (Schroeder, Wierman, Harchol-Balter, "Open
//! Versus Closed: A Cautionary Tale", NSDI 2006,
//! <https://www.usenix.org/legacy/event/nsdi06/tech/schroeder.html>). Samples show think time and no reason for it. Between both
//! the throughput is a geometric mean of the closed loop's and of the open one's, weighted by the think time, so that no share
//! of it is a step.

/// Largest think time share of a closed loop: parsing an answer and sending the next request take a client some of it. A choice.
pub const MAX_CLOSED_SHARE: f64 = 0.1;

/// Least think time share of an open loop, in which sessions spend as much time with their clients as with the server. A choice.
pub const MIN_OPEN_SHARE: f64 = 0.5;

/// Think time share from which on a closed loop would hardly differ from an open one.
const SURELY_OPEN_SHARE: f64 = 0.95;

/// Weight of the closed loop where this share of the sessions' time is think time: one is closed, zero is open.
pub fn closed_weight(think_share: f64) -> f64 {
    let share = think_share.clamp(MAX_CLOSED_SHARE, MIN_OPEN_SHARE);
    (MIN_OPEN_SHARE / share).ln() / (MIN_OPEN_SHARE / MAX_CLOSED_SHARE).ln()
}

/// Degree to which either may hold, 0 to 1: none where there is hardly any think time or hardly anything else.
pub(super) fn ambiguity(think_share: f64) -> f64 {
    let begins = think_share / MAX_CLOSED_SHARE - 1.0;
    let ends = (SURELY_OPEN_SHARE - think_share) / (SURELY_OPEN_SHARE - MIN_OPEN_SHARE);
    begins.min(ends).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_share_of_think_time_is_a_step() {
        assert_eq!(
            (closed_weight(0.0), closed_weight(0.1), closed_weight(0.5), closed_weight(1.0)),
            (1.0, 1.0, 0.0, 0.0)
        );
        let figures = |share: f64| [closed_weight(share), ambiguity(share)];
        for share in (0..1000).map(|n| f64::from(n) / 1000.0) {
            for (now, next) in figures(share).into_iter().zip(figures(share + 0.001)) {
                assert!((now - next).abs() < 0.011, "{share}: {now} {next}");
            }
        }
    }
}
