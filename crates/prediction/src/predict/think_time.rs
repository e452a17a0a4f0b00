//! Think time of a closed loop by the requests in flight, where nothing is known of its sessions.

/// Largest change of throughput either way: no volume is so much faster or slower than another.
const MAX_CHANGE: f64 = 1e3;

/// Think time of the sessions of a closed loop, summed over a second of the run: they keep at least one request in flight while they wait,
/// so that a mean queue depth below one is the share of time at which any of them does.
pub(super) fn think_time_s(in_flight: f64) -> f64 {
    (1.0 - in_flight).max(0.0)
}

/// Throughput of a closed loop over that of the run, where the requests that its sessions wait for took `before_s` in a second of the run,
/// with so many of all requests in flight on average, and take `after_s` on another volume.
pub fn closed_loop_ratio(in_flight: f64, before_s: f64, after_s: f64) -> f64 {
    ratio_with_think_time(think_time_s(in_flight), before_s, after_s)
}

/// The same of sessions that spend so much of a second of the run elsewhere.
pub(super) fn ratio_with_think_time(think_s: f64, before_s: f64, after_s: f64) -> f64 {
    let ratio = (before_s + think_s) / (after_s + think_s).max(f64::MIN_POSITIVE);
    ratio.clamp(1.0 / MAX_CHANGE, MAX_CHANGE)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Half a request in flight thinks for half of the time: waits of twice the time give 1 / (0.5 + 1). Two are never without one.
    #[test]
    fn think_time_stays_below_one_request_in_flight() {
        assert_eq!(closed_loop_ratio(0.5, 0.5, 1.0), 1.0 / 1.5);
        assert_eq!(closed_loop_ratio(2.0, 2.0, 4.0), 0.5);
        assert_eq!(closed_loop_ratio(1.0, 1.0, 0.0), MAX_CHANGE);
    }
}
