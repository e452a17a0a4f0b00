//! SIGTERM and SIGINT, which stop the service.

use std::io;
use std::os::unix::net::UnixStream;
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::low_level::pipe;

/// A descriptor that is readable after a signal.
pub struct StopSignal(UnixStream);

impl StopSignal {
    /// Handles the signals: from here on they do not end the process.
    pub fn register() -> io::Result<StopSignal> {
        let (receiver, sender) = UnixStream::pair()?;
        pipe::register(SIGTERM, sender.try_clone()?)?;
        pipe::register(SIGINT, sender)?;
        Ok(StopSignal(receiver))
    }

    /// Waits for a signal; returns false if none came before `deadline`.
    pub fn wait_until(&self, deadline: Instant) -> bool {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let timeout = Timespec { tv_sec: left.as_secs() as i64, tv_nsec: left.subsec_nanos().into() };
            match poll(&mut [PollFd::new(&self.0, PollFlags::IN)], Some(&timeout)) {
                Ok(0) => return false,
                Err(rustix::io::Errno::INTR) => (),
                // After an unexpected error, an orderly end is better than a loop without pause.
                Ok(_) | Err(_) => return true,
            }
        }
    }
}

#[cfg(test)]
impl StopSignal {
    /// Returns a signal for tests, and its other end, which sends it when it is dropped.
    pub fn manual() -> (StopSignal, UnixStream) {
        let (receiver, sender) = UnixStream::pair().unwrap();
        (StopSignal(receiver), sender)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use signal_hook::low_level::raise;

    use super::*;

    #[test]
    fn a_signal_ends_the_wait_before_its_deadline() {
        let stop = StopSignal::register().unwrap();
        let begin = Instant::now();
        assert!(!stop.wait_until(begin + Duration::from_millis(20)));
        assert!(begin.elapsed() >= Duration::from_millis(20));
        raise(SIGTERM).unwrap();
        assert!(stop.wait_until(Instant::now() + Duration::from_secs(60)));
        let stop = StopSignal::register().unwrap();
        raise(SIGINT).unwrap();
        assert!(stop.wait_until(Instant::now() + Duration::from_secs(60)));
    }
}
