//! Follows what the way to the daemon and back takes: less on a busy machine, whose CPUs are awake, than on an idle one.

use std::thread::sleep;
use std::time::Duration;

use super::inbox::Outbox;
use crate::block_layer::Completed;
use crate::place::Place;
use crate::volume::RequestKind;

const EVERY: Duration = Duration::from_secs(1);
/// The kernel's sum of times is in milliseconds: over so many requests that is 2 µs.
const REQUESTS: u64 = 500;
/// A longer way is no way but a queue of requests before the daemon, and whoever is in it waits for others.
const LONGEST_US: f64 = 150.0;
/// The caller's own part, before the block layer begins to count and after it ends: of the unshaped 4 KiB reads by which the way
/// is measured at the start.
const CALLER_US: f64 = 5.0;
/// How much of a second's difference is taken over: a stretch that was unlike the others does not count for much.
const SHARE: f64 = 0.3;

/// Keeps what is taken off the time of service near what the way takes, for as long as the process lives. By reads: writes
/// come in bursts, which queue.
pub fn follow(place: &Place, mut outbox: Outbox) {
    let mut before = None;
    loop {
        sleep(EVERY);
        let seen = place.state().ok().and_then(|state| Completed::reads_of(&state.device?));
        let Some(served) = outbox.ask(|volume, _| volume.statistics.completed_so_far(RequestKind::Read)) else {
            return;
        };
        let Some(seen) = seen else { continue };
        let (seen_before, served_before) = *before.get_or_insert((seen, served));
        let requests = served.0 - served_before.0;
        if requests < REQUESTS {
            continue;
        }
        before = Some((seen, served));
        let served_us = (served.1 - served_before.1) as f64 / 1e3 / requests as f64;
        let Some(path_us) = seen.mean_us_since(seen_before).map(|mean_us| mean_us - served_us) else { continue };
        if outbox
            .ask(move |volume, _| volume.shaper.compensate(followed(volume.shaper.overhead_s(), path_us)))
            .is_none()
        {
            return;
        }
    }
}

/// Seconds to take off, after a second in which the way took so many µs.
fn followed(overhead_s: f64, path_us: f64) -> f64 {
    let way_us = path_us + CALLER_US;
    if !(0.0..LONGEST_US).contains(&way_us) {
        return overhead_s;
    }
    overhead_s + SHARE * (way_us / 1e6 - overhead_s)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_comes_near_what_the_way_takes_and_a_queue_is_no_way() {
        let after =
            |path_us: f64, seconds: usize| (0..seconds).fold(60e-6, |overhead_s, _| followed(overhead_s, path_us));
        assert!((after(25.0, 20) - 30e-6).abs() < 1e-6);
        assert!((after(25.0, 1) - 51e-6).abs() < 1e-9);
        assert_eq!(after(2_000.0, 20), 60e-6);
        assert_eq!(after(-50.0, 20), 60e-6);
    }
}
