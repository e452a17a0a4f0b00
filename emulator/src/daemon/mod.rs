//! The process behind a volume: one thread serves the kernel's requests, one serves commands, one tracks the overhead.

mod control_server;
mod overhead_tracker;
mod pending_reply;
mod server;
mod softirq;
mod task_queue;

use std::fs::{self, File};
use std::io;
use std::num::NonZeroU64;
use std::os::unix::net::UnixListener;
use std::process::Command;
use std::thread;

use control_server::ControlServer;
use server::Server;
use softirq::SoftirqTrigger;
use task_queue::task_queue;

use crate::error::Error;
use crate::fuse::device::FuseDevice;
use crate::runtime_directory::RuntimeDirectory;
use crate::volume::{EmulatedVolume, Settings};

/// Seed of service times, fixed so that the same requests in the same order take the same time.
const SEED: u64 = 0xEB5;
/// Real-time priority above every ordinary process and below the kernel's threads.
const PRIORITY: &str = "10";

/// Runs the daemon of this volume until it is unmounted.
pub fn run(directory: RuntimeDirectory) -> Result<(), Error> {
    let state = directory.read_state()?;
    let failed = |action: &'static str| move |error: io::Error| Error::failed(format!("could not {action}: {error}"));
    close_inherited_files();
    // A new session, so that the daemon outlives the process that started it, and its terminal.
    let _ = rustix::process::setsid();
    fs::write(directory.pid_file(), std::process::id().to_string())
        .map_err(failed("write the file of the process id"))?;
    let listener = UnixListener::bind(directory.socket()).map_err(failed("listen to commands"))?;
    let backing =
        File::options().read(true).write(true).open(&state.backing).map_err(failed("open the backing file"))?;
    let size = backing.metadata().map_err(failed("read the size of the backing file"))?.len();
    let (sender, receiver) = task_queue().map_err(failed("make a pipe"))?;
    let softirqs = SoftirqTrigger::new().map_err(failed("make a socket"))?;
    let device = FuseDevice::mount(&directory.volume_file()).map_err(|errno| failed("mount")(errno.into()))?;
    let volume = EmulatedVolume::new(Settings::unlimited(), SEED)
        .map_err(|error| Error::failed(format!("could not create the histogram of lateness: {error}")))?;
    let server = Server::new(device, (backing, size), receiver, softirqs, volume);
    let (tracked, tasks) = (directory.clone(), sender.clone());
    thread::spawn(move || overhead_tracker::track_overhead(&tracked, &tasks));
    let control = ControlServer::new(directory, sender, state.spec);
    thread::spawn(move || control.run(&listener));
    request_precise_timers();
    server.run().map_err(|errno| Error::failed(format!("could not serve: {errno}")))
}

/// Closes all files except standard input, output and error: the daemon outlives the shell that started it, and would keep its
/// locks and pipes open.
fn close_inherited_files() {
    let entries = fs::read_dir("/proc/self/fd").into_iter().flatten().flatten();
    // Collected first: after that the descriptor of the directory itself is closed, and closing it again does nothing.
    let numbers: Vec<i32> = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    for number in numbers.into_iter().filter(|number| *number > 2) {
        let _ = nix::unistd::close(number);
    }
}

/// Makes timers precise as far as the system allows it. Otherwise replies are later, which the statistics show.
fn request_precise_timers() {
    // The kernel's default slack lets sleeps end up to 50 µs late.
    let _ = rustix::thread::set_current_timer_slack(NonZeroU64::new(1));
    // Prevents a deadlock: memory for this process must not be freed by writing to the volume that it serves.
    let _ = rustix::process::configure_io_flusher_behavior(true);
    let pid = std::process::id().to_string();
    let output = Command::new("chrt").args(["--fifo", "--pid", PRIORITY, &pid]).output();
    if !output.is_ok_and(|output| output.status.success()) {
        eprintln!("running without real-time priority: chrt was refused");
    }
}
