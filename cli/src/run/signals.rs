//! Signals that would end ebsctl: they are passed on to the command, and the run is always ended.

use std::sync::mpsc::Sender;
use std::thread;
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGINT, SIGKILL, SIGTERM};
use signal_hook::iterator::Signals;

use super::event::Event;
use crate::ending_signals::ending_signals;
use crate::error::Error;

/// Delay before SIGINT is passed on: the terminal sends Ctrl-C to the command too, which usually ends it.
const SIGINT_DELAY: Duration = Duration::from_secs(1);

/// Handles the signals by sending them as events.
pub fn handle(events: Sender<Event>) -> Result<(), Error> {
    let mut signals = Signals::new(ending_signals()).map_err(Error::HandleSignals)?;
    thread::spawn(move || {
        for signal in signals.forever() {
            if events.send(Event::Signal(signal)).is_err() {
                break;
            }
        }
    });
    Ok(())
}

/// `SIGINT`, or the number.
pub fn name(signal: i32) -> String {
    let name = signal_hook::low_level::signal_name(signal);
    name.map_or_else(|| format!("signal {signal}"), str::to_owned)
}

/// Signals passed on to the command: the first as it is, with the second SIGTERM, then SIGKILL.
#[derive(Default)]
pub struct Forwarding {
    received: u32,
    first: Option<i32>,
    delayed: Option<(Instant, i32)>,
}

impl Forwarding {
    /// The first signal that was received.
    pub fn first(&self) -> Option<i32> {
        self.first
    }

    /// Adds a signal that was received; returns one to send to the command at once.
    pub fn receive(&mut self, signal: i32, now: Instant) -> Option<i32> {
        self.first.get_or_insert(signal);
        self.received += 1;
        match (self.received, signal) {
            (1, SIGINT) => {
                self.delayed = Some((now + SIGINT_DELAY, SIGINT));
                None
            }
            (1, signal) => Some(signal),
            (2, _) => Some(SIGTERM),
            _ => Some(SIGKILL),
        }
    }

    /// Takes a delayed signal that is due.
    pub fn take_due(&mut self, now: Instant) -> Option<i32> {
        self.delayed.take_if(|(due, _)| *due <= now).map(|(_, signal)| signal)
    }
}

#[cfg(test)]
mod tests {
    use signal_hook::consts::SIGHUP;

    use super::*;

    #[test]
    fn each_signal_is_passed_on_stronger_than_the_one_before() {
        let (mut forwarding, now) = (Forwarding::default(), Instant::now());
        assert_eq!(forwarding.receive(SIGHUP, now), Some(SIGHUP));
        assert_eq!(forwarding.receive(SIGINT, now), Some(SIGTERM));
        assert_eq!(forwarding.receive(SIGINT, now), Some(SIGKILL));
        assert_eq!(forwarding.first(), Some(SIGHUP));
    }

    #[test]
    fn ctrl_c_is_passed_on_once_and_later() {
        let (mut forwarding, now) = (Forwarding::default(), Instant::now());
        assert_eq!(forwarding.receive(SIGINT, now), None);
        assert_eq!(forwarding.take_due(now), None);
        assert_eq!(forwarding.take_due(now + SIGINT_DELAY), Some(SIGINT));
        assert_eq!(forwarding.take_due(now + SIGINT_DELAY), None);
    }
}
