//! Brings a volume up: file, daemon, block device, file system.

use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command as Program, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use clap::Args;
use ebs_advisor_model::units::{GIB, KIB};

use crate::asked::Asked;
use crate::error::Error;
use crate::place::{Place, State};
use crate::probe::missing;
use crate::program::run;
use crate::protocol::{Answer, Command, ask};
use crate::resolve::{Resolved, resolve};
use crate::stop::take_down;
use crate::{file_system, loop_device, overhead};

const STORE: &str = "/var/lib/ebs-emulator";
/// A daemon that does not listen by then never will.
const PATIENCE: Duration = Duration::from_secs(10);
/// The largest request that the kernel makes of an EBS volume's NVMe device, where an I/O is no larger.
const LARGEST_KIB: u64 = 256;

/// What `start` needs beside the volume.
#[derive(Args, Debug)]
pub struct Arguments {
    /// Name of the volume
    pub name: String,
    #[command(flatten)]
    pub asked: Asked,
    /// Directory of the file that holds the volume's bytes; on a tmpfs such as /dev/shm they cost no disk time
    #[arg(long, value_name = "DIR", default_value = STORE)]
    pub store: PathBuf,
    /// Where to mount its file system; made if missing
    #[arg(long, value_name = "DIR")]
    pub mount: PathBuf,
    /// To whom the file system's root is to belong
    #[arg(long, value_name = "USER")]
    pub owner: Option<String>,
}

/// Starts a volume and says in one line what it is. Leaves nothing behind where it fails.
pub fn start(arguments: &Arguments) -> Result<String, Error> {
    let place = Place::of(&arguments.name)?;
    if arguments.asked.volume_type.is_none() {
        return Err(Error::usage("no TYPE is named").hint("Types are gp2, gp3, io1, io2, st1, sc1, plain."));
    }
    let resolved = resolve(&arguments.asked)?;
    if let Some(first) = missing().first() {
        return Err(Error::failed("this machine cannot emulate a volume")
            .detail(first.as_str())
            .hint("ebs-emulator probe"));
    }
    if let Some(owner) = &arguments.owner {
        run("id", &["-u", owner]).map_err(|_| Error::usage(format!("there is no user \"{owner}\"")))?;
    }
    place.make()?;
    bring_up(&place, arguments, &resolved).inspect_err(|_| drop(take_down(&place, true)))
}

fn bring_up(place: &Place, arguments: &Arguments, resolved: &Resolved) -> Result<String, Error> {
    let mount = resolved_path(&arguments.mount)?;
    if file_system::mounted(&mount).is_some() {
        return Err(Error::usage(format!("something is mounted at \"{}\" already", mount.display())));
    }
    let store = absolute(&arguments.store)?;
    let failed = |what: &Path, error| Error::failed(format!("could not make \"{}\": {error}", what.display()));
    fs::create_dir_all(&store).map_err(|error| failed(&store, error))?;
    let backing = store.join(format!("{}.img", place.name));
    if backing.exists() {
        return Err(Error::usage(format!("there is a file \"{}\" already", backing.display()))
            .hint("It holds the bytes of a volume of that name: remove it, or name another store or volume."));
    }
    let made_mount = !mount.exists();
    fs::create_dir_all(&mount).map_err(|error| failed(&mount, error))?;
    let mount = resolved_path(&mount)?;
    let mut state = State { asked: arguments.asked.clone(), backing, mount, made_mount, device: None };
    place.keep(&state)?;
    let file = File::create_new(&state.backing).map_err(|error| failed(&state.backing, error))?;
    file.set_len(resolved.size_gib * GIB).map_err(|error| failed(&state.backing, error))?;
    file_system::make(&state.backing)?;
    File::create_new(place.volume()).map_err(|error| failed(&place.volume(), error))?;
    await_daemon(place, spawn_daemon(place)?)?;
    let device = loop_device::make(&place.volume())?;
    state.device = Some(device.clone());
    place.keep(&state)?;
    loop_device::tune(&device, LARGEST_KIB.max(resolved.settings.accounting.io_bytes / KIB));
    let overhead_us = overhead::measured_us(&device)
        .map_err(|error| Error::failed(format!("could not read \"{}\": {error}", device.display())))?;
    ask(&place.socket(), &Command::Compensate { overhead_us })?;
    file_system::attach(&device, &state.mount)?;
    if let Some(owner) = &arguments.owner {
        run("chown", &[&format!("{owner}:"), &state.mount.to_string_lossy()])?;
    }
    let Answer::Is(is) = ask(&place.socket(), &Command::Set { change: arguments.asked.clone() })? else {
        return Err(Error::failed("the daemon gave another answer than was asked for"));
    };
    ask(&place.socket(), &Command::Stats { reset: true })?;
    Ok(format!("{} {} {is}", device.display(), state.mount.display()))
}

/// As mountinfo names it, where it exists: without symbolic links.
fn resolved_path(path: &Path) -> Result<PathBuf, Error> {
    path.canonicalize().or_else(|_| absolute(path))
}

fn absolute(path: &Path) -> Result<PathBuf, Error> {
    std::path::absolute(path).map_err(|error| Error::usage(format!("\"{}\" is no path: {error}", path.display())))
}

/// The same program once more, with nothing of this one's but its log.
fn spawn_daemon(place: &Place) -> Result<Child, Error> {
    let failed = |error: std::io::Error| Error::failed(format!("could not start the daemon: {error}"));
    let log = File::create(place.log()).map_err(failed)?;
    let myself = env::current_exe().map_err(failed)?;
    let mut daemon = Program::new(myself);
    daemon.args(["serve", &place.name]).current_dir("/").stdin(Stdio::null());
    daemon.stdout(log.try_clone().map_err(failed)?).stderr(log).spawn().map_err(failed)
}

fn await_daemon(place: &Place, mut daemon: Child) -> Result<(), Error> {
    let began = Instant::now();
    loop {
        if ask(&place.socket(), &Command::Open).is_ok() {
            return Ok(());
        }
        let ended = matches!(daemon.try_wait(), Ok(Some(_)) | Err(_));
        if ended || began.elapsed() > PATIENCE {
            let log = fs::read_to_string(place.log()).unwrap_or_default();
            return Err(Error::failed("the daemon did not start").detail(log.trim()));
        }
        sleep(Duration::from_millis(5));
    }
}
