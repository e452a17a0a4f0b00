//! Tracks the overhead of the path to the daemon and back, which is shorter on a busy machine, whose CPUs are awake, than on an idle
//! one.

use std::thread::sleep;
use std::time::Duration;

use super::task_queue::TaskSender;
use crate::host::block_layer::CompletedRequests;
use crate::runtime_directory::RuntimeDirectory;
use crate::volume::RequestKind;

const INTERVAL: Duration = Duration::from_secs(1);
/// Requests between two measurements. The kernel's sum of times is in milliseconds, which is 2 µs for each of this number.
const MIN_REQUESTS: u64 = 500;
/// Maximum of a valid measurement. A longer time includes requests that wait for each other in front of the daemon.
const MAX_OVERHEAD_US: f64 = 150.0;
/// Part of the overhead outside of the block layer's measurement, in the caller. The latency of the unshaped 4 KiB reads by which
/// the overhead is measured at the start includes it.
const CALLER_US: f64 = 5.0;
/// Weight of one measurement in the moving average, so that a single outlier has little effect.
const SMOOTHING_FACTOR: f64 = 0.3;

/// Adjusts the overhead that is subtracted from the service time to the measured one, until the process ends. Only reads are
/// measured: writes come in bursts, which queue.
pub fn track_overhead(directory: &RuntimeDirectory, tasks: &TaskSender) {
    let mut before = None;
    loop {
        sleep(INTERVAL);
        let seen = directory.read_state().ok().and_then(|state| CompletedRequests::reads(&state.device?));
        let Some(served) = tasks.run(|volume, _| volume.statistics.completed(RequestKind::Read)) else { return };
        let Some(seen) = seen else { continue };
        let (seen_before, served_before) = *before.get_or_insert((seen, served));
        let requests = served.0 - served_before.0;
        if requests < MIN_REQUESTS {
            continue;
        }
        before = Some((seen, served));
        let served_us = (served.1 - served_before.1) as f64 / 1e3 / requests as f64;
        let Some(path_us) = seen.mean_us_since(seen_before).map(|mean_us| mean_us - served_us) else { continue };
        let smooth = move |overhead_s| smooth_overhead(overhead_s, path_us);
        if tasks.run(move |volume, _| volume.shaper.set_overhead(smooth(volume.shaper.overhead_s()))).is_none() {
            return;
        }
    }
}

/// Overhead in seconds after a measurement of the path between the block layer and the daemon.
fn smooth_overhead(overhead_s: f64, path_us: f64) -> f64 {
    let measured_us = path_us + CALLER_US;
    if !(0.0..MAX_OVERHEAD_US).contains(&measured_us) {
        return overhead_s;
    }
    overhead_s + SMOOTHING_FACTOR * (measured_us / 1e6 - overhead_s)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_approaches_the_measured_overhead_and_ignores_queues() {
        let after = |path_us: f64, seconds: usize| {
            (0..seconds).fold(60e-6, |overhead_s, _| smooth_overhead(overhead_s, path_us))
        };
        assert!((after(25.0, 20) - 30e-6).abs() < 1e-6);
        assert!((after(25.0, 1) - 51e-6).abs() < 1e-9);
        assert_eq!(after(2_000.0, 20), 60e-6);
        assert_eq!(after(-50.0, 20), 60e-6);
    }
}
