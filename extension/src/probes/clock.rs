//! Clocks: three to read, one to sleep by.

use std::time::{SystemTime, UNIX_EPOCH};

use ebs_samples::evidence::ClockSource;
use rustix::thread::clock_nanosleep_absolute;
use rustix::time::{ClockId, Timespec, clock_gettime};

use crate::settings;

/// Wall clock, microseconds since 1970.
pub fn wall_us() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_micros()).unwrap_or(i64::MAX)
}

/// Monotonic clock, microseconds from any origin: intervals are measured with it, so that steps of the wall clock do not count.
pub fn monotonic_us() -> u64 {
    read_us(ClockId::Monotonic)
}

/// CPU time this process has used, microseconds.
pub fn cpu_us() -> u64 {
    read_us(ClockId::ProcessCPUTime)
}

fn read_us(clock: ClockId) -> u64 {
    let time = clock_gettime(clock);
    time.tv_sec.unsigned_abs() * 1_000_000 + time.tv_nsec.unsigned_abs() / 1_000
}

/// Readings whose cost is measured: 25 ns each on a TSC, 1 µs where every one is a system call.
const READINGS: u32 = 1_000;

/// The kernel's clock source, and the cost of a reading of the monotonic clock now.
pub fn measure_clock() -> ClockSource {
    let file = settings::sysfs_root().join("devices/system/clocksource/clocksource0/current_clocksource");
    let name = std::fs::read_to_string(file).ok().map(|text| text.trim().to_owned());
    let begin = clock_gettime(ClockId::Monotonic);
    (0..READINGS).for_each(|_| {
        std::hint::black_box(clock_gettime(ClockId::Monotonic));
    });
    let end = clock_gettime(ClockId::Monotonic);
    let ns = (end.tv_sec - begin.tv_sec) * 1_000_000_000 + end.tv_nsec - begin.tv_nsec;
    ClockSource { name, reading_ns: u64::try_from(ns).unwrap_or(0) / u64::from(READINGS) }
}

/// Sleeps until this time of the monotonic clock, or until a signal comes: to the microsecond, while a latch waits whole
/// milliseconds.
pub fn sleep_until(mono_us: u64) {
    let until = Timespec { tv_sec: (mono_us / 1_000_000) as i64, tv_nsec: (mono_us % 1_000_000 * 1_000) as i64 };
    // Interrupted or not, the caller reads the clock again.
    let _ = clock_nanosleep_absolute(ClockId::Monotonic, &until);
}
