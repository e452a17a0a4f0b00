//! Signals that would end ebsctl: they go to the command, and the run is ended whatever they do.

use std::fs;
use std::sync::mpsc::Sender;
use std::thread;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use super::drive::Message;
use crate::error::Error;

/// Sends each of them as a message.
pub fn listen(sender: Sender<Message>) -> Result<(), Error> {
    let mut wanted = vec![SIGINT, SIGTERM];
    // Under nohup a hang-up is to go unnoticed, and so it does: whoever listens to it would undo that.
    wanted.extend((!is_ignored(SIGHUP)).then_some(SIGHUP));
    let mut signals = Signals::new(wanted).map_err(Error::Signals)?;
    thread::spawn(move || {
        for signal in signals.forever() {
            if sender.send(Message::Signal(signal)).is_err() {
                break;
            }
        }
    });
    Ok(())
}

/// Whether this process was started with the signal ignored.
fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// `SIGINT`, or the number.
pub fn name(signal: i32) -> String {
    let known = signal_hook::low_level::signal_name(signal);
    known.map_or_else(|| format!("signal {signal}"), str::to_owned)
}
