//! SIGTERM and SIGINT as something that can be waited for.

use std::io;
use std::os::unix::net::UnixStream;
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::low_level::pipe;

/// Readable once a signal came.
pub struct Stop(UnixStream);

impl Stop {
    /// From here on the signals do not end the process.
    pub fn on_signals() -> io::Result<Stop> {
        let (signalled, signal) = UnixStream::pair()?;
        pipe::register(SIGTERM, signal.try_clone()?)?;
        pipe::register(SIGINT, signal)?;
        Ok(Stop(signalled))
    }

    /// Waits until `deadline`, or for a signal: whether one came.
    pub fn before(&self, deadline: Instant) -> bool {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let timeout = Timespec { tv_sec: left.as_secs() as i64, tv_nsec: left.subsec_nanos().into() };
            match poll(&mut [PollFd::new(&self.0, PollFlags::IN)], Some(&timeout)) {
                Ok(0) => return false,
                Err(rustix::io::Errno::INTR) => (),
                // An error that is none of ours: better an orderly end than a loop without pause.
                Ok(_) | Err(_) => return true,
            }
        }
    }
}

#[cfg(test)]
impl Stop {
    /// One that the other end of the pair triggers by being dropped or written to.
    pub fn by_hand() -> (Stop, UnixStream) {
        let (signalled, signal) = UnixStream::pair().unwrap();
        (Stop(signalled), signal)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use signal_hook::low_level::raise;

    use super::*;

    #[test]
    fn a_signal_ends_the_wait_and_silence_lasts_to_its_end() {
        let stop = Stop::on_signals().unwrap();
        let begin = Instant::now();
        assert!(!stop.before(begin + Duration::from_millis(20)));
        assert!(begin.elapsed() >= Duration::from_millis(20));
        raise(SIGTERM).unwrap();
        assert!(stop.before(Instant::now() + Duration::from_secs(60)));
        let stop = Stop::on_signals().unwrap();
        raise(SIGINT).unwrap();
        assert!(stop.before(Instant::now() + Duration::from_secs(60)));
    }
}
