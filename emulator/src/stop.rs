//! Takes a volume down, also after its daemon failed: file system, block device, daemon, files.

use std::fs;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::control::{self, Request};
use crate::error::Error;
use crate::host::{file_system, loop_device};
use crate::runtime_directory::{RuntimeDirectory, VolumeState};
use crate::spec::VolumeSpec;

/// Time for processes that use the file system, and for the daemon, to end.
const STOP_TIMEOUT: Duration = Duration::from_secs(3);

/// Takes a volume down and removes its bytes. Refuses while its file system is in use, unless `force`d or the daemon is gone: its
/// users get I/O errors then. A volume that does not exist is no error.
pub fn stop(directory: &RuntimeDirectory, force: bool) -> Result<(), Error> {
    if directory.exists() { take_down(directory, force) } else { Ok(()) }
}

/// Takes down the parts of a volume that exist.
pub fn take_down(directory: &RuntimeDirectory, force: bool) -> Result<(), Error> {
    // Limits are lifted, because writing dirty pages could take minutes. A daemon that does not respond serves no requests either.
    let serving = directory.daemon_pid().is_some() && control::send(&directory.socket(), &Request::Unlimit).is_ok();
    if !serving {
        kill(directory.daemon_pid());
    }
    if let Ok(state) = directory.read_state() {
        remove_device(directory, &state, force || !serving).inspect_err(|_| restore_limits(directory))?;
    }
    // Ends the daemon if it serves.
    let _ = file_system::unmount(&directory.volume_file(), !serving);
    await_daemon_end(directory);
    kill(directory.daemon_pid());
    let _ = file_system::unmount(&directory.volume_file(), true);
    if let Ok(state) = directory.read_state() {
        remove_files(&state);
    }
    directory.remove();
    Ok(())
}

/// Restores the limits of a volume that is not stopped.
fn restore_limits(directory: &RuntimeDirectory) {
    let _ = control::set(&directory.socket(), VolumeSpec::default());
}

/// Unmounts the file system and detaches the loop devices. Refuses while the file system is in use, unless `lazy`.
fn remove_device(directory: &RuntimeDirectory, state: &VolumeState, lazy: bool) -> Result<(), Error> {
    let attached = loop_device::attached_to(&directory.volume_file());
    let is_ours = |source: &str| attached.iter().chain(&state.device).any(|device| device.to_string_lossy() == source);
    let began = Instant::now();
    while file_system::mounted_source(&state.mount).is_some_and(|source| is_ours(&source)) {
        let timed_out = began.elapsed() >= STOP_TIMEOUT;
        if file_system::unmount(&state.mount, lazy && timed_out) {
            continue;
        }
        if timed_out {
            return Err(Error::failed(format!("\"{}\" is in use", state.mount.display()))
                .hint("End what uses it (fuser -vm), or force it: processes that use it get I/O errors then."));
        }
        sleep(Duration::from_millis(50));
    }
    for device in loop_device::attached_to(&directory.volume_file()) {
        loop_device::detach(&device);
    }
    Ok(())
}

fn remove_files(state: &VolumeState) {
    let _ = fs::remove_file(&state.backing);
    if let Some(store) = state.backing.parent() {
        // Fails unless it is empty: others may use the directory.
        let _ = fs::remove_dir(store);
    }
    if state.made_mount {
        let _ = fs::remove_dir(&state.mount);
    }
}

fn kill(daemon: Option<Pid>) {
    if let Some(pid) = daemon {
        let _ = kill_process(pid, Signal::KILL);
    }
}

fn await_daemon_end(directory: &RuntimeDirectory) {
    let began = Instant::now();
    while directory.daemon_pid().is_some() && began.elapsed() < STOP_TIMEOUT {
        sleep(Duration::from_millis(5));
    }
}
