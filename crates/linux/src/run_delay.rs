//! Waits for a CPU: time in which processes could have run and had none, from /proc/PID/schedstat.

use std::collections::HashMap;

use ebs_base::counter::{Counters, Delta, counters};
use ebs_samples::evidence::RunDelayCounts;

counters! {
    /// Waits for a CPU in nanoseconds, as the kernel counts them: a wait is often shorter than a microsecond.
    QueueCounts {
        /// Nanoseconds in which the process could have run and had no CPU.
        waited_ns,
    }
}

/// /proc/PID/schedstat: time on CPUs, time waiting for one, and time slices, of the process's first thread. `None` where all are zero,
/// which a process that has run does not have: the kernel keeps no such statistics
/// (proc_pid_schedstat, <https://github.com/torvalds/linux/blob/v6.12/fs/proc/base.c>).
pub fn queue_counts(text: &str) -> Option<QueueCounts> {
    let figures: Vec<u64> = text.split_ascii_whitespace().map(str::parse).collect::<Result<_, _>>().ok()?;
    let [run_ns, waited_ns, slices] = figures[..] else { return None };
    (run_ns > 0 || waited_ns > 0 || slices > 0).then_some(QueueCounts { waited_ns })
}

/// Waits of processes for a CPU, by process id, each with the start of the process: it tells one from a later one with its id.
pub type Queues = HashMap<i32, (u64, QueueCounts)>;

/// Sum of the waits of sessions, reading by reading.
#[derive(Clone, Debug, Default)]
pub struct RunDelay {
    before: Option<Queues>,
    sum: QueueCounts,
}

impl RunDelay {
    /// Adds the waits of these clients between the previous reading and this one, and returns the sum since the first. `now` has all
    /// processes of the server: one that it has not had before is new, and has waited since its start only.
    pub fn count(&mut self, now: Queues, clients: &[i32]) -> RunDelayCounts {
        if let Some(before) = &self.before {
            let waited = clients.iter().filter_map(|pid| since(*now.get(pid)?, before.get(pid).copied()));
            self.sum = waited.fold(self.sum, QueueCounts::plus);
        }
        self.before = Some(now);
        RunDelayCounts { run_delay_us: self.sum.waited_ns / 1_000 }
    }

    /// Starts over after a reading that failed; the sum stays.
    pub fn forget(&mut self) {
        self.before = None;
    }
}

fn since((started, counts): (u64, QueueCounts), before: Option<(u64, QueueCounts)>) -> Option<QueueCounts> {
    let before = before.filter(|before| before.0 == started).map_or_else(QueueCounts::default, |before| before.1);
    match counts.since(before) {
        Delta::Advanced(waited) => Some(waited),
        Delta::Reset => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_figure_is_the_wait() {
        assert_eq!(queue_counts("5000000 1234 17\n"), Some(QueueCounts { waited_ns: 1_234 }));
        // One that never had to wait.
        assert_eq!(queue_counts("5000000 0 17\n"), Some(QueueCounts { waited_ns: 0 }));
        let unknown = ["0 0 0\n", "", "5000000\n", "5000000 1234 17 4\n", "a b c\n", "5 -1 1\n"].map(queue_counts);
        assert_eq!(unknown, [None; 6]);
    }

    #[test]
    fn waits_count_from_one_reading_to_the_next_and_of_new_processes_in_whole() {
        let at = |rows: &[(i32, u64, u64)]| -> Queues {
            rows.iter().map(|&(pid, started, waited_ns)| (pid, (started, QueueCounts { waited_ns }))).collect()
        };
        let mut delay = RunDelay::default();
        let mut count = |rows: &[(i32, u64, u64)], clients: &[i32]| delay.count(at(rows), clients).run_delay_us;
        assert_eq!(count(&[(1, 1, 900_000), (2, 1, 5_000), (3, 1, 0)], &[1, 2]), 0);
        // Parts of microseconds add up, and of who is no client nothing is counted.
        assert_eq!(count(&[(1, 1, 900_600), (2, 1, 5_600), (3, 1, 7_000_000)], &[1, 2]), 1);
        // The second has ended, and its number is that of another, which waited 40 µs. The third is told to be a client, from now on.
        assert_eq!(count(&[(1, 1, 900_600), (2, 9, 40_000), (3, 1, 7_002_000)], &[1, 2, 3]), 43);
        delay.forget();
        assert_eq!(delay.count(at(&[(1, 1, 5_000_000)]), &[1]).run_delay_us, 43);
        // One that is not listed for once is not new when it is again.
        assert_eq!(delay.count(at(&[(1, 1, 6_000_000)]), &[]).run_delay_us, 43);
        assert_eq!(delay.count(at(&[(1, 1, 6_005_000)]), &[1]).run_delay_us, 48);
    }
}
