//! Takes a volume down, whatever became of its daemon: file system, block device, daemon, files.

use std::fs;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::asked::Asked;
use crate::error::Error;
use crate::place::{Place, State};
use crate::protocol::{Command, ask};
use crate::{file_system, loop_device};

/// Whatever used the file system may need a moment to end.
const PATIENCE: Duration = Duration::from_secs(3);

/// Takes it down and removes its bytes. Refuses while something uses its file system, unless `force`d or the daemon is gone:
/// then whoever still uses it gets I/O errors. A volume that is not there is no error: it is down.
pub fn stop(place: &Place, force: bool) -> Result<(), Error> {
    if place.exists() { take_down(place, force) } else { Ok(()) }
}

/// The same, of what there is of it.
pub fn take_down(place: &Place, force: bool) -> Result<(), Error> {
    // Without limits, so that what is still to be written does not take minutes. A daemon that does not listen serves no more.
    let serving = place.daemon().is_some() && ask(&place.socket(), &Command::Open).is_ok();
    if !serving {
        end(place.daemon());
    }
    if let Ok(state) = place.state() {
        detach(place, &state, force || !serving).inspect_err(|_| restore(place))?;
    }
    // Ends the daemon, if it serves.
    let _ = file_system::detach(&place.volume(), !serving);
    await_end(place);
    end(place.daemon());
    let _ = file_system::detach(&place.volume(), true);
    if let Ok(state) = place.state() {
        let _ = fs::remove_file(&state.backing);
        if let Some(store) = state.backing.parent() {
            // If it is empty: it may be a directory of others'.
            let _ = fs::remove_dir(store);
        }
        if state.made_mount {
            let _ = fs::remove_dir(&state.mount);
        }
    }
    place.remove();
    Ok(())
}

/// It goes on as what it was: a volume without limits would be taken for one that has them.
fn restore(place: &Place) {
    let _ = ask(&place.socket(), &Command::Set { change: Asked::default() });
}

fn detach(place: &Place, state: &State, lazily: bool) -> Result<(), Error> {
    let mut devices = loop_device::over(&place.volume());
    devices.extend(state.device.clone().filter(|device| !devices.contains(device)));
    let ours = |source: &str| devices.iter().any(|device| device.to_string_lossy() == source);
    let began = Instant::now();
    while file_system::mounted(&state.mount).is_some_and(|source| ours(&source)) {
        let patient = began.elapsed() < PATIENCE;
        if file_system::detach(&state.mount, lazily && !patient) {
            continue;
        }
        if !patient {
            return Err(Error::failed(format!("\"{}\" is in use", state.mount.display()))
                .hint("End what uses it (fuser -vm), or force it: whoever uses it gets I/O errors then."));
        }
        sleep(Duration::from_millis(50));
    }
    for device in loop_device::over(&place.volume()) {
        loop_device::remove(&device);
    }
    Ok(())
}

fn end(daemon: Option<Pid>) {
    if let Some(pid) = daemon {
        let _ = kill_process(pid, Signal::KILL);
    }
}

fn await_end(place: &Place) {
    let began = Instant::now();
    while place.daemon().is_some() && began.elapsed() < PATIENCE {
        sleep(Duration::from_millis(5));
    }
}
