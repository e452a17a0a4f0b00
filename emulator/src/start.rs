//! Starts a volume: file, daemon, block device, file system.

use std::env;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use clap::Args;
use ebs_base::units::{GIB, KIB};

use crate::control::{self, Request};
use crate::error::Error;
use crate::host::program::run;
use crate::host::{file_system, loop_device, overhead};
use crate::probe::missing;
use crate::resolve::{ResolvedVolume, resolve, type_names};
use crate::runtime_directory::{RuntimeDirectory, VolumeState};
use crate::spec::VolumeSpec;
use crate::stop::take_down;

const DEFAULT_STORE: &str = "/var/lib/ebs-emulator";
/// Time after which a daemon that does not listen is given up.
const START_TIMEOUT: Duration = Duration::from_secs(10);
/// Largest request that the kernel sends to an EBS volume's NVMe device. It is larger if the volume's maximum I/O size is.
const MAX_REQUEST_KIB: u64 = 256;

/// Arguments of `start`.
#[derive(Args, Debug)]
pub struct Arguments {
    /// Name of the volume
    pub name: String,
    #[command(flatten)]
    pub spec: VolumeSpec,
    /// Directory of the file that holds the volume's bytes; on a tmpfs such as /dev/shm they cost no disk time
    #[arg(long, value_name = "DIR", default_value = DEFAULT_STORE)]
    pub store: PathBuf,
    /// Mount point of the file system.
    #[arg(long, value_name = "DIR", help = "Where to mount its file system; made if missing")]
    pub mount: PathBuf,
    /// Owner of the file system's root directory.
    #[arg(long, value_name = "USER", help = "To whom the file system's root is to belong")]
    pub owner: Option<String>,
}

/// Starts a volume and returns its device, mount point and description. Leaves nothing behind on failure.
pub fn start(arguments: &Arguments) -> Result<String, Error> {
    let directory = RuntimeDirectory::new(&arguments.name)?;
    if arguments.spec.volume_type.is_none() {
        return Err(Error::usage("no TYPE is named").hint(format!("Types are {}.", type_names())));
    }
    let resolved = resolve(&arguments.spec)?;
    if let Some(first) = missing().first() {
        return Err(Error::failed("this machine cannot emulate a volume")
            .detail(first.as_str())
            .hint("ebs-emulator probe"));
    }
    if let Some(owner) = &arguments.owner {
        run("id", &["-u", owner]).map_err(|_| Error::usage(format!("there is no user \"{owner}\"")))?;
    }
    directory.create()?;
    bring_up(&directory, arguments, &resolved).inspect_err(|_| drop(take_down(&directory, true)))
}

fn bring_up(directory: &RuntimeDirectory, arguments: &Arguments, resolved: &ResolvedVolume) -> Result<String, Error> {
    let mut state = create_directories(directory, arguments)?;
    directory.write_state(&state)?;
    let backing = File::create_new(&state.backing).map_err(not_made(&state.backing))?;
    backing.set_len(resolved.size_gib * GIB).map_err(not_made(&state.backing))?;
    file_system::create(&state.backing)?;
    let volume_file = directory.volume_file();
    File::create_new(&volume_file).map_err(not_made(&volume_file))?;
    await_daemon(directory, spawn_daemon(directory)?)?;
    let device = loop_device::attach(&volume_file)?;
    state.device = Some(device.clone());
    directory.write_state(&state)?;
    loop_device::tune(&device, MAX_REQUEST_KIB.max(resolved.settings.accounting.io_bytes / KIB));
    let overhead_us = overhead::measure_us(&device)
        .map_err(|error| Error::failed(format!("could not read \"{}\": {error}", device.display())))?;
    control::send(&directory.socket(), &Request::SetOverhead { overhead_us })?;
    file_system::mount(&device, &state.mount)?;
    if let Some(owner) = &arguments.owner {
        run("chown", &[&format!("{owner}:"), &state.mount.to_string_lossy()])?;
    }
    let description = control::set(&directory.socket(), arguments.spec.clone())?;
    control::statistics(&directory.socket(), true)?;
    Ok(format!("{} {} {description}", device.display(), state.mount.display()))
}

/// Creates the store and the mount point; refuses a mount point or a backing file that is in use.
fn create_directories(directory: &RuntimeDirectory, arguments: &Arguments) -> Result<VolumeState, Error> {
    let mount = canonical(&arguments.mount)?;
    if file_system::mounted_source(&mount).is_some() {
        return Err(Error::usage(format!("something is mounted at \"{}\" already", mount.display())));
    }
    let store = absolute(&arguments.store)?;
    fs::create_dir_all(&store).map_err(not_made(&store))?;
    let backing = store.join(format!("{}.img", directory.volume_name));
    if backing.exists() {
        return Err(Error::usage(format!("there is a file \"{}\" already", backing.display()))
            .hint("It holds the bytes of a volume of that name: remove it, or name another store or volume."));
    }
    let made_mount = !mount.exists();
    fs::create_dir_all(&mount).map_err(not_made(&mount))?;
    let mount = canonical(&mount)?;
    Ok(VolumeState { spec: arguments.spec.clone(), backing, mount, made_mount, device: None })
}

fn not_made(path: &Path) -> impl Fn(io::Error) -> Error {
    move |error| Error::failed(format!("could not make \"{}\": {error}", path.display()))
}

/// The path without symbolic links, as mountinfo names it, if it exists.
fn canonical(path: &Path) -> Result<PathBuf, Error> {
    path.canonicalize().or_else(|_| absolute(path))
}

fn absolute(path: &Path) -> Result<PathBuf, Error> {
    std::path::absolute(path).map_err(|error| Error::usage(format!("\"{}\" is no path: {error}", path.display())))
}

/// Starts this program as the daemon, which inherits only its log.
fn spawn_daemon(directory: &RuntimeDirectory) -> Result<Child, Error> {
    let failed = |error: io::Error| Error::failed(format!("could not start the daemon: {error}"));
    let log = File::create(directory.log_file()).map_err(failed)?;
    let mut daemon = Command::new(env::current_exe().map_err(failed)?);
    daemon.args(["serve", &directory.volume_name]).current_dir("/").stdin(Stdio::null());
    daemon.stdout(log.try_clone().map_err(failed)?).stderr(log).spawn().map_err(failed)
}

fn await_daemon(directory: &RuntimeDirectory, mut daemon: Child) -> Result<(), Error> {
    let began = Instant::now();
    while control::send(&directory.socket(), &Request::Unlimit).is_err() {
        let ended = matches!(daemon.try_wait(), Ok(Some(_)) | Err(_));
        if ended || began.elapsed() > START_TIMEOUT {
            let log = fs::read_to_string(directory.log_file()).unwrap_or_default();
            return Err(Error::failed("the daemon did not start").detail(log.trim()));
        }
        sleep(Duration::from_millis(5));
    }
    Ok(())
}
