//! The CPUs: time on the CPUs under load, and the cost of caches that cool while a session waits.

/// Time that a transaction spends on the CPU or runnable, as a multiple of its CPU time.
///
/// Each CPU has a queue of its own (Linux moves tasks between them only now and then), with its part of the sessions, so that
/// a task finds the others there: Schweitzer's approximation for a closed network, 1 / (1 − ρ (n − 1) / n). And sessions
/// that one flush releases come at once: on average half of them are served before one of them.
pub fn residence_factor(utilization: f64, sessions: f64, cpus: f64, group: f64) -> f64 {
    let each = (sessions / cpus).max(1.0);
    let found = utilization.min(0.999) * (each - 1.0) / each;
    1.0 / (1.0 - found) + (group - 1.0) / (2.0 * cpus)
}

/// CPU time that a wait of this length costs after it, as a share of the maximum: caches and idle CPUs cool over a
/// millisecond or two.
///
/// Recorded on a virtual machine of 2 CPUs, 58 runs: CPU time per transaction of select-only is 0.13 ms where reads take
/// 0.5 ms, 0.18 at 0.9, 0.23 at 1.8, 0.26 at 5 and 0.30 at 18 ms, at any number of sessions; the other workloads show the
/// same per wait. Cold caches cost from microseconds to over a millisecond (Li, Ding, Shen: "Quantifying the cost of
/// context switch", 2007, <https://doi.org/10.1145/1281700.1281702>), so the cost on other machines is an uncertainty.
pub fn cache_cooling(wait_s: f64) -> f64 {
    1.0 - (-wait_s / COOLING_S).exp()
}

/// Time constant of [`cache_cooling`], seconds.
const COOLING_S: f64 = 1.5e-3;

/// CPU time of the whole machine that a long wait costs, seconds; the uncertainty is from zero to twice that.
pub const COLD_CACHE_S: f64 = 100e-6;

/// Least CPU time of a transaction with short waits, as a share of that with long ones.
pub const MIN_CPU_FACTOR: f64 = 0.35;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn idle_cpus_delay_nothing() {
        assert_eq!(residence_factor(0.0, 16.0, 2.0, 1.0), 1.0);
        assert_eq!(residence_factor(0.9, 1.0, 2.0, 1.0), 1.0);
    }

    #[test]
    fn busier_cpus_stretch_more() {
        let at = |utilization| residence_factor(utilization, 16.0, 2.0, 1.0);
        assert!(at(0.9) > at(0.5) && at(0.5) > at(0.1));
        assert!(residence_factor(0.5, 16.0, 2.0, 5.0) > at(0.5));
    }
}
