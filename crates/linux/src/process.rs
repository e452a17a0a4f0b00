//! Counters of one process in /proc/PID, and of the machine in /proc/stat.

use std::io::{BufRead, Read};

use procfs_core::process::{Io, Stat};
use procfs_core::{FromBufRead, FromRead, ProcError, ProcResult};

use ebs_base::counter::counters;
use ebs_base::units::SECOND_US;
use ebs_samples::evidence::StorageCounts;

/// /proc/PID/io (<https://docs.kernel.org/filesystems/proc.html>): of all threads of the process, and of the children it
/// has waited for, with theirs.
pub fn process_io(mut text: impl BufRead) -> ProcResult<StorageCounts> {
    let mut bytes = Vec::new();
    text.read_to_end(&mut bytes)?;
    // procfs-core cuts names by bytes, and panics within a character.
    if !bytes.is_ascii() {
        return Err(malformed("io"));
    }
    let io = Io::from_buf_read(&bytes[..])?;
    Ok(StorageCounts {
        read_bytes: io.read_bytes,
        write_bytes: io.write_bytes,
        cancelled_bytes: io.cancelled_write_bytes,
        handed_bytes: io.wchar,
    })
}

counters! {
    /// CPU time, user and system together.
    TimeCounts {
        /// Microseconds of the process itself, all its threads together.
        own_us,
        /// Microseconds of its children that have ended and that it has waited for, with theirs.
        ended_us,
    }
}

counters! {
    /// CPU time of the machine, by ticks.
    MachineCounts {
        /// Microseconds in which a CPU ran anything.
        busy_us,
    }
}

/// Fields of /proc/PID/stat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Process {
    /// Process id of the parent.
    pub parent: i32,
    /// True for a kernel thread.
    pub kernel: bool,
    /// Start time, ticks since boot. Tells a process from a later one with the same id.
    pub started: u64,
    /// CPU time used so far.
    pub times: TimeCounts,
}

/// PF_KTHREAD (include/linux/sched.h).
const KERNEL_THREAD: u32 = 0x0020_0000;

/// /proc/PID/stat, with times in `ticks` a second (sysconf(_SC_CLK_TCK)).
pub fn process(mut text: impl Read, ticks: u64) -> ProcResult<Process> {
    let mut bytes = Vec::new();
    text.read_to_end(&mut bytes)?;
    if !has_a_name(String::from_utf8_lossy(&bytes).trim()) {
        return Err(malformed("stat"));
    }
    let stat = Stat::from_read(&bytes[..])?;
    let (own, ended) = (stat.utime.saturating_add(stat.stime), stat.cutime.saturating_add(stat.cstime));
    Ok(Process {
        parent: stat.ppid,
        kernel: stat.flags & KERNEL_THREAD != 0,
        started: stat.starttime,
        times: TimeCounts { own_us: micros(own, ticks), ended_us: micros(u64::try_from(ended).unwrap_or(0), ticks) },
    })
}

/// Returns true if the name stands between `12 (` and `) S`: procfs-core cuts any other line beyond its end and panics.
fn has_a_name(line: &str) -> bool {
    let (Some(open), Some(close)) = (line.find('('), line.rfind(')')) else { return false };
    open < close && line[..open].ends_with(' ') && line[close + 1..].starts_with(' ')
}

fn malformed(file: &str) -> ProcError {
    ProcError::Other(format!("/proc/PID/{file} is malformed"))
}

/// CPU time of the machine from the first line of /proc/stat, without idle time, waiting for I/O, and time stolen by the
/// hypervisor. Times in the file are in `ticks` a second; `None` if that line is not there.
pub fn machine_time(text: &str, ticks: u64) -> Option<MachineCounts> {
    let times = text.lines().next()?.strip_prefix("cpu ")?.split_ascii_whitespace();
    let times: Vec<u64> = times.map(str::parse).collect::<Result<_, _>>().ok()?;
    let [user, nice, system, _idle, _iowait, irq, softirq, ..] = times[..] else { return None };
    let busy = [user, nice, system, irq, softirq].into_iter().fold(0, u64::saturating_add);
    Some(MachineCounts { busy_us: micros(busy, ticks) })
}

fn micros(count: u64, ticks: u64) -> u64 {
    count.saturating_mul(SECOND_US) / ticks.max(1)
}

/// Process ids of the children, from /proc/PID/task/TID/children: those this thread has forked. What is no number is
/// left out.
pub fn children(text: &str) -> Vec<i32> {
    text.split_ascii_whitespace().filter_map(|pid| pid.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn storage_and_what_system_calls_moved_are_apart() {
        let text = "rchar: 3000\nwchar: 4000\nsyscr: 3\nsyscw: 4\nread_bytes: 100\nwrite_bytes: 200\ncancelled_write_bytes: 50\n";
        let counts = StorageCounts { read_bytes: 100, write_bytes: 200, cancelled_bytes: 50, handed_bytes: 4000 };
        assert_eq!(process_io(text.as_bytes()).unwrap(), counts);
        assert!(process_io("rchar: 3000\n".as_bytes()).is_err());
    }

    #[test]
    fn a_process_may_be_named_anything() {
        let numbers = "S 4711 1 1 0 -1 4194560 1 1 0 0 3 4 5 6 20 0 1 0 100 1000 10 18446744073709551615 1 1 0 0 0 0 0 0 0 0 0 0 17 1 0 0 0 0 0 0 0 0 0 0 0 0 0";
        let found = process(format!("12 (odd ) S 1 name) {numbers}\n").as_bytes(), 100).unwrap();
        let times = TimeCounts { own_us: 70_000, ended_us: 110_000 };
        assert_eq!(found, Process { parent: 4711, kernel: false, started: 100, times });
        assert!(process("12 (short) S\n".as_bytes(), 100).is_err());
    }

    #[test]
    fn a_line_cut_off_at_the_name_is_refused() {
        for cut in ["", "12", "12 (odd", "12 (odd )", "(odd) S 1", "12 )(", "\u{20ac}(odd) S", "12 (odd)\u{20ac}"] {
            assert!(process(cut.as_bytes(), 100).is_err(), "{cut}");
        }
        assert!(process_io("\u{1f418} 12 12\n".as_bytes()).is_err());
    }

    #[test]
    fn threads_of_the_kernel_are_told_apart() {
        let kthreadd = "2 (kthreadd) S 0 0 0 0 -1 2129984 0 0 0 0 0 1 0 0 20 0 1 0 24 0 0 18446744073709551615 0 0 0 0 0 0 0 2147483647 0 1 0 0 0 1 0 0 0 0 0 0 0 0 0 0 0 0 0\n";
        let found = process(kthreadd.as_bytes(), 100).unwrap();
        assert_eq!((found.kernel, found.parent, found.times.own_us), (true, 0, 10_000));
    }

    #[test]
    fn a_machine_is_busy_when_it_is_not_idle() {
        let text = "cpu  100 20 30 9999 777 4 5 600 50 0\ncpu0 1 1 1 1 1 1 1 1 1 1\n";
        assert_eq!(machine_time(text, 100), Some(MachineCounts { busy_us: 1_590_000 }));
        assert_eq!([machine_time("cpu 1 2 3\n", 100), machine_time("", 100), machine_time("cpu  a\n", 100)], [None; 3]);
    }

    #[test]
    fn children_are_numbers() {
        assert_eq!(children("12 34 56 "), [12, 34, 56]);
        assert_eq!(children(""), [0i32; 0]);
    }
}
