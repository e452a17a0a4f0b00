//! The process behind a volume: one thread serves requests, another listens to commands.

mod follower;
mod inbox;
mod listener;
mod pending;
mod server;

use std::fs::{self, File};
use std::io;
use std::num::NonZeroU64;
use std::os::unix::net::UnixListener;
use std::process::Command;

use crate::error::Error;
use crate::fuse::device::Device;
use crate::place::Place;
use crate::volume::{EmulatedVolume, Settings};

/// A fixed seed: the same requests in the same order take the same time.
const SEED: u64 = 0xEB5;
/// Above every ordinary process, below the kernel's own threads.
const PRIORITY: &str = "10";

/// Runs the volume of this place until it is unmounted.
pub fn run(place: Place) -> Result<(), Error> {
    let state = place.state()?;
    let said = |what: &'static str| move |error: io::Error| Error::failed(format!("could not {what}: {error}"));
    close_inherited();
    // Whoever started this may end, and its terminal with it.
    let _ = rustix::process::setsid();
    fs::write(place.pid(), std::process::id().to_string()).map_err(said("write the file of the process id"))?;
    let listener = UnixListener::bind(place.socket()).map_err(said("listen to commands"))?;
    let backing = File::options().read(true).write(true).open(&state.backing).map_err(said("open the backing file"))?;
    let size = backing.metadata().map_err(said("read the size of the backing file"))?.len();
    let (inbox, outbox) = inbox::pair().map_err(said("make a pipe"))?;
    let device = Device::mounted(&place.volume()).map_err(|errno| said("mount")(errno.into()))?;
    let volume = EmulatedVolume::new(Settings::unlimited(), SEED);
    let server = server::Server::new(device, backing, size, inbox, volume);
    let (own, beside) = (outbox.another().map_err(said("make a pipe"))?, Place::of(&place.name)?);
    std::thread::spawn(move || follower::follow(&beside, own));
    let commands = listener::Listener::new(place, outbox, state.asked);
    std::thread::spawn(move || commands.run(&listener));
    be_punctual();
    server.run().map_err(|errno| Error::failed(format!("could not serve: {errno}")))
}

/// A daemon outlives the shell that started it, whose locks and pipes it would keep: all but standard input and output.
fn close_inherited() {
    let entries = fs::read_dir("/proc/self/fd").into_iter().flatten().flatten();
    // All of them first: then the one through which they are listed is closed, and closing it again does nothing.
    let numbers: Vec<i32> = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    for number in numbers.into_iter().filter(|number| *number > 2) {
        let _ = nix::unistd::close(number);
    }
}

/// What makes timers precise, each where it is allowed; without it answers are later, which the statistics show.
fn be_punctual() {
    // Sleeping may otherwise end 50 µs late by the kernel's choice.
    let _ = rustix::thread::set_current_timer_slack(NonZeroU64::new(1));
    // Memory is not to be freed by writing to the very volume that waits for this process.
    let _ = rustix::process::configure_io_flusher_behavior(true);
    let me = std::process::id().to_string();
    let done = Command::new("chrt").args(["--fifo", "--pid", PRIORITY, &me]).output();
    if !done.is_ok_and(|done| done.status.success()) {
        eprintln!("running without real-time priority: chrt was refused");
    }
}
