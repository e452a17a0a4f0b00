//! The three clocks.

use std::time::{SystemTime, UNIX_EPOCH};

use rustix::time::{ClockId, clock_gettime};

/// Wall clock, microseconds since 1970.
pub fn wall_us() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_micros()).unwrap_or(i64::MAX)
}

/// Monotonic clock, microseconds from any origin: intervals are measured with it, so that a clock step is none.
pub fn monotonic_us() -> u64 {
    micros(ClockId::Monotonic)
}

/// CPU time this process has used, microseconds.
pub fn cpu_us() -> u64 {
    micros(ClockId::ProcessCPUTime)
}

fn micros(clock: ClockId) -> u64 {
    let time = clock_gettime(clock);
    time.tv_sec.unsigned_abs() * 1_000_000 + time.tv_nsec.unsigned_abs() / 1_000
}
