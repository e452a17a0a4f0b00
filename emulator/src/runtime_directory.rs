//! The directory of a running volume below /run/ebs-emulator (or $EBS_EMULATOR_DIR): state, control socket, log, process id.

use std::env;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use rustix::process::Pid;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::spec::VolumeSpec;

const DEFAULT_ROOT: &str = "/run/ebs-emulator";

/// The directory of a volume, which may not exist.
#[derive(Clone)]
pub struct RuntimeDirectory {
    /// The volume's name.
    pub volume_name: String,
    path: PathBuf,
}

/// State that is needed to take a volume down after its daemon is gone.
#[derive(Debug, Serialize, Deserialize)]
pub struct VolumeState {
    /// The volume as it was started.
    #[serde(rename = "asked")]
    pub spec: VolumeSpec,
    /// The sparse file that holds its bytes.
    pub backing: PathBuf,
    /// Mount point of its file system.
    pub mount: PathBuf,
    /// True if the mount point was created for it.
    pub made_mount: bool,
    /// Its block device, once there is one.
    pub device: Option<PathBuf>,
}

impl RuntimeDirectory {
    /// The directory of the volume of this name. Refuses a name that could be anything but the name of a directory.
    pub fn new(volume_name: &str) -> Result<RuntimeDirectory, Error> {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if volume_name.is_empty() || volume_name.len() > 64 || !volume_name.chars().all(plain) {
            return Err(Error::usage(format!("\"{volume_name}\" is not a name of a volume"))
                .hint("Names are up to 64 letters, digits, dashes and underscores."));
        }
        Ok(RuntimeDirectory { volume_name: volume_name.to_owned(), path: root().join(volume_name) })
    }

    /// Lists the directories of all volumes, running or not, by name.
    pub fn list() -> Result<Vec<RuntimeDirectory>, Error> {
        let entries = match fs::read_dir(root()) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(Error::failed(format!("could not read \"{}\": {error}", root().display()))),
        };
        let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
        let mut directories: Vec<_> = names.filter_map(|name| RuntimeDirectory::new(&name).ok()).collect();
        directories.sort_by(|a, b| a.volume_name.cmp(&b.volume_name));
        Ok(directories)
    }

    /// Creates the directory; refuses a name that is taken.
    pub fn create(&self) -> Result<(), Error> {
        let failed = |error| Error::failed(format!("could not make \"{}\": {error}", self.path.display()));
        fs::create_dir_all(root()).map_err(failed)?;
        match fs::create_dir(&self.path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                let hint = format!("Take it down with: ebs-emulator stop {}", self.volume_name);
                Err(Error::usage(format!("there is a volume \"{}\" already", self.volume_name)).hint(hint))
            }
            result => result.map_err(failed),
        }
    }

    pub fn exists(&self) -> bool {
        self.path.is_dir()
    }

    /// Removes the directory, and the root with the last one.
    pub fn remove(&self) {
        let _ = fs::remove_dir_all(&self.path);
        // Fails while there are others.
        let _ = fs::remove_dir(root());
    }

    pub fn read_state(&self) -> Result<VolumeState, Error> {
        let path = self.state_file();
        let failed = |error: String| Error::failed(format!("could not read \"{}\": {error}", path.display()));
        let text = fs::read_to_string(&path).map_err(|error| {
            if error.kind() == ErrorKind::NotFound { self.not_found() } else { failed(error.to_string()) }
        })?;
        serde_json::from_str(&text).map_err(|error| failed(error.to_string()))
    }

    pub fn write_state(&self, state: &VolumeState) -> Result<(), Error> {
        let path = self.state_file();
        let text = serde_json::to_string(state).map_err(|error| Error::failed(error.to_string()))?;
        fs::write(&path, text)
            .map_err(|error| Error::failed(format!("could not write \"{}\": {error}", path.display())))
    }

    /// The error of a volume that does not exist.
    pub fn not_found(&self) -> Error {
        Error::usage(format!("there is no volume \"{}\"", self.volume_name))
            .hint("The volumes there are: ebs-emulator list")
    }

    /// The file over which FUSE is mounted, and which then is the volume.
    pub fn volume_file(&self) -> PathBuf {
        self.path.join("volume")
    }

    pub fn socket(&self) -> PathBuf {
        self.path.join("socket")
    }

    pub fn pid_file(&self) -> PathBuf {
        self.path.join("pid")
    }

    pub fn log_file(&self) -> PathBuf {
        self.path.join("log")
    }

    fn state_file(&self) -> PathBuf {
        self.path.join("volume.json")
    }

    /// Process id of the daemon; `None` if it does not run.
    pub fn daemon_pid(&self) -> Option<Pid> {
        let pid = fs::read_to_string(self.pid_file()).ok()?.trim().parse().ok()?;
        // The number may have been given to another process.
        let command_line = fs::read(format!("/proc/{pid}/cmdline")).ok()?;
        let mut arguments = command_line.split(|byte| *byte == 0);
        let is_daemon = arguments.next()?.ends_with(b"ebs-emulator")
            && arguments.next()? == b"serve"
            && arguments.next()? == self.volume_name.as_bytes();
        is_daemon.then(|| Pid::from_raw(pid))?
    }
}

/// Parent of all volumes' directories; without symbolic links where it exists, as the kernel names files.
fn root() -> PathBuf {
    let root = env::var_os("EBS_EMULATOR_DIR").map_or_else(|| Path::new(DEFAULT_ROOT).to_owned(), PathBuf::from);
    root.canonicalize().unwrap_or(root)
}
