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

/// The time on the CPUs that shows outside of waits, as a run had it: CPU time and queueing, less what passes inside of waits.
///
/// A system call that waits also computes, in the kernel, and both count as its wait event. In recorded runs of one session, whose
/// CPUs were free, 0.29 to 0.36 of the CPU time of select-only passed so (docs/prediction.md). And [`residence_factor`] is a model of the
/// queueing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Residence {
    /// Share of the CPU time that passes inside of waits.
    inside_waits: f64,
    /// Queueing as a multiple of the modelled one.
    queueing: f64,
    /// Queueing beside that, as a multiple of the CPU time: it does not depend on the load.
    constant: f64,
}

impl Default for Residence {
    fn default() -> Self {
        Residence::MODELLED
    }
}

impl Residence {
    /// Queueing as modelled, with nothing inside of waits.
    pub const MODELLED: Residence = Residence { inside_waits: 0.0, queueing: 1.0, constant: 0.0 };

    /// Derives both from the CPU time of a transaction and the time that is left for it and for its client, by the factor of
    /// [`residence_factor`], and from the time that it waited for CPUs, where the kernel counted it. Where it did not, first comes the part
    /// inside of waits, up to [`MAX_INSIDE_WAITS`] or as much as is certain, then the queueing.
    pub fn new(cpu_s: f64, left_s: f64, factor: f64, waited_s: Option<f64>) -> Residence {
        if cpu_s <= 0.0 {
            return Residence::default();
        }
        let (shown, modelled) = (left_s / cpu_s, factor - 1.0);
        let (inside_waits, queueing) = match waited_s {
            Some(waited_s) => ((1.0 + waited_s / cpu_s - shown).clamp(0.0, 1.0), waited_s / cpu_s),
            None => {
                let inside_waits = (factor - shown).clamp(0.0, MAX_INSIDE_WAITS).max(1.0 - shown);
                let most = factor * MAX_QUEUEING - 1.0;
                (inside_waits, (shown - 1.0 + inside_waits).clamp(0.0, most.max(0.0)))
            }
        };
        let multiple = (queueing + CERTAIN_QUEUE) / (modelled + CERTAIN_QUEUE);
        Residence { inside_waits, queueing: multiple, constant: queueing - multiple * modelled }
    }

    /// The same with the modelled queueing.
    pub fn as_modelled(&self) -> Residence {
        Residence { inside_waits: self.inside_waits.min(MAX_INSIDE_WAITS), ..Residence::MODELLED }
    }

    /// Time that shows outside of waits, of so much CPU time at this factor.
    pub fn seconds(&self, cpu_s: f64, factor: f64) -> f64 {
        cpu_s * (1.0 - self.inside_waits + (factor - 1.0) * self.queueing + self.constant).max(0.0)
    }
}

/// Largest share of the CPU time that is taken to pass inside of waits where queueing may explain it as well: recorded runs of one session
/// had 0.29 to 0.36 of the CPU time of server and client, that of an idle machine included.
pub const MAX_INSIDE_WAITS: f64 = 0.35;

/// Largest time on the CPUs as a multiple of the modelled one: 0.9 to 1.2 in recorded runs. More is think time.
const MAX_QUEUEING: f64 = 1.2;

/// Queueing, as a multiple of the CPU time, from which on its relation to the modelled one shows: the quotient of two shorter ones is
/// noise. A choice.
const CERTAIN_QUEUE: f64 = 0.5;

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

/// Time constant of [`cache_cooling`], seconds. A choice that fits those figures of select-only: 0.06 ms and 0.24 ms times the
/// cooling are within 12 % of each.
const COOLING_S: f64 = 1.5e-3;

/// CPU time of the whole machine that a long wait costs, seconds; the uncertainty is from zero to twice that.
pub const COLD_CACHE_S: f64 = 100e-6;

/// CPUs that a machine uses without any transaction: PostgreSQL's background processes, the kernel's timers, monitoring. The uncertainty
/// is from zero to twice that.
///
/// Recorded on the same runs: with CPUs that do not depend on transactions, 0.019 for TPC-B to 0.062 for simple-update by least squares,
/// the CPU time per transaction is within 7.5 % of a constant and [`COLD_CACHE_S`] for each long wait, without them within 11 %.
pub const IDLE_CPUS: f64 = 0.02;

/// Largest share of the measured CPU time that is taken for that of an idle machine: at least half of it comes with transactions, however
/// few there are. A choice.
const MAX_IDLE_SHARE: f64 = 0.5;

/// Share of the CPU time that comes with transactions, where an idle machine uses `idle_cpus` of `busy_cpus`.
pub fn transactions_share(idle_cpus: f64, busy_cpus: f64) -> f64 {
    if busy_cpus > 0.0 { 1.0 - (idle_cpus / busy_cpus).min(MAX_IDLE_SHARE) } else { 1.0 }
}

/// Least CPU time of a transaction with short waits, as a share of that with long ones. A choice, below the 0.43 of select-only on 0.5 ms
/// against 18 ms ([`cache_cooling`]).
pub const MIN_CPU_FACTOR: f64 = 0.35;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn idle_cpus_delay_nothing() {
        assert_eq!(residence_factor(0.0, 16.0, 2.0, 1.0), 1.0);
        assert_eq!(residence_factor(0.9, 1.0, 2.0, 1.0), 1.0);
    }

    /// 2 ms of CPU time with a factor of 2 show as 4 ms; as 3.5 ms, where a quarter passes inside of waits.
    #[test]
    fn what_is_left_tells_queueing_from_time_inside_of_waits() {
        let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
        assert_eq!(Residence::new(2e-3, 4e-3, 2.0, None), Residence::MODELLED);
        let found = Residence::new(2e-3, 3.5e-3, 2.0, None);
        assert!(near(found.inside_waits, 0.25) && near(found.queueing, 1.0), "{found:?}");
        // More than 1.2 times the model is think time; less than 0.65 of the CPU time is inside of waits for certain.
        assert!(near(Residence::new(2e-3, 9e-3, 2.0, None).seconds(2e-3, 2.0), 4.8e-3));
        assert!(near(Residence::new(2e-3, 1e-3, 1.0, None).seconds(2e-3, 1.0), 1e-3));
        // 1 ms of waiting for a CPU was counted: half of what the model says, with 0.75 of the CPU time outside of waits.
        let found = Residence::new(2e-3, 2.5e-3, 2.0, Some(1e-3));
        assert!(near(found.inside_waits, 0.25) && near(found.queueing, 1.0 / 1.5), "{found:?}");
        assert!(near(found.seconds(2e-3, 2.0), 2.5e-3), "{found:?}");
    }

    /// A queue where the model has none says nothing of one that is a hundred times as long.
    #[test]
    fn short_queues_are_no_step() {
        let at = |factor: f64| Residence::new(1e-3, 1.1e-3, factor, None).seconds(1e-3, 4.0);
        for factor in [1.0, 1.001, 1.01, 1.05] {
            assert!((at(factor) / at(1.0) - 1.0).abs() < 0.1, "{factor}: {} {}", at(factor), at(1.0));
        }
    }

    #[test]
    fn busier_cpus_stretch_more() {
        let at = |utilization| residence_factor(utilization, 16.0, 2.0, 1.0);
        assert!(at(0.9) > at(0.5) && at(0.5) > at(0.1));
        assert!(residence_factor(0.5, 16.0, 2.0, 5.0) > at(0.5));
    }
}
