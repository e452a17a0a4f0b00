//! Measurement of the overhead of the path to the daemon and back. It is taken off each time of service, so that a caller sees
//! the latency that was set.

use std::io;
use std::path::Path;
use std::time::Instant;

use rustix::fs::{Mode, OFlags, open};
use rustix::io::pread;

/// Number of measured reads: enough that a short load of the machine does not change the median; they take a tenth of a second.
const READS: usize = 1_001;
/// Number of reads before the measured ones, while caches are cold.
const WARM_UP_READS: usize = 200;
const BYTES: usize = 4_096;

/// Median time, in µs, of sequential 4 KiB reads of a device whose daemon replies at once.
pub fn measure_us(device: &Path) -> io::Result<f64> {
    let file = open(device, OFlags::RDONLY | OFlags::DIRECT | OFlags::CLOEXEC, Mode::empty())?;
    // Direct I/O needs memory that is aligned to the sector size.
    let mut memory = vec![0; 2 * BYTES];
    let begin = memory.as_ptr().align_offset(BYTES);
    let buffer = &mut memory[begin..begin + BYTES];
    let mut times_us: Vec<f64> = Vec::with_capacity(WARM_UP_READS + READS);
    for n in 0..WARM_UP_READS + READS {
        let began = Instant::now();
        pread(&file, &mut *buffer, (n * BYTES) as u64)?;
        times_us.push(began.elapsed().as_secs_f64() * 1e6);
    }
    times_us.drain(..WARM_UP_READS);
    times_us.sort_by(f64::total_cmp);
    Ok(times_us[READS / 2])
}
