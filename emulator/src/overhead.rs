//! What a request costs on the way to the daemon and back: measured once on the device, and taken off each time of service,
//! so that a caller sees the latency that was set.

use std::io;
use std::path::Path;
use std::time::Instant;

use rustix::fs::{Mode, OFlags, open};
use rustix::io::pread;

/// Enough that the median does not depend on who else runs for a moment; a tenth of a second in all.
const READS: usize = 1_001;
/// The first ones find nothing warm.
const NOT_COUNTED: usize = 200;
const BYTES: usize = 4_096;

/// Median of reads of 4 KiB one at a time, which are answered at once, in microseconds.
pub fn measured_us(device: &Path) -> io::Result<f64> {
    let file = open(device, OFlags::RDONLY | OFlags::DIRECT | OFlags::CLOEXEC, Mode::empty())?;
    // Direct I/O wants memory that begins at a multiple of the sector size.
    let mut memory = vec![0; 2 * BYTES];
    let begin = memory.as_ptr().align_offset(BYTES);
    let buffer = &mut memory[begin..begin + BYTES];
    let mut took: Vec<f64> = Vec::with_capacity(NOT_COUNTED + READS);
    for n in 0..NOT_COUNTED + READS {
        let began = Instant::now();
        pread(&file, &mut *buffer, (n * BYTES) as u64)?;
        took.push(began.elapsed().as_secs_f64() * 1e6);
    }
    took.drain(..NOT_COUNTED);
    took.sort_by(f64::total_cmp);
    Ok(took[READS / 2])
}
