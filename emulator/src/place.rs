//! Where a running volume keeps what belongs to it: a directory below /run/ebs-emulator (or $EBS_EMULATOR_DIR).

use std::env;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use rustix::process::Pid;
use serde::{Deserialize, Serialize};

use crate::asked::Asked;
use crate::error::Error;

const DIRECTORY: &str = "/run/ebs-emulator";

/// The directory of a volume.
#[derive(Clone)]
pub struct Place {
    /// The volume's name.
    pub name: String,
    directory: PathBuf,
}

/// What must be known to take a volume down, whatever became of its daemon.
#[derive(Debug, Serialize, Deserialize)]
pub struct State {
    /// What it was asked to be at the start.
    pub asked: Asked,
    /// The sparse file that holds its bytes.
    pub backing: PathBuf,
    /// Where its file system is mounted.
    pub mount: PathBuf,
    /// Whether that directory was made for it.
    pub made_mount: bool,
    /// Its block device, once there is one.
    pub device: Option<PathBuf>,
}

impl Place {
    /// Refuses a name that could be anything but the name of a directory.
    pub fn of(name: &str) -> Result<Place, Error> {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if name.is_empty() || name.len() > 64 || !name.chars().all(plain) {
            return Err(Error::usage(format!("\"{name}\" is not a name of a volume"))
                .hint("Names are up to 64 letters, digits, dashes and underscores."));
        }
        Ok(Place { name: name.to_owned(), directory: root().join(name) })
    }

    /// The places of all volumes, running or not, by name.
    pub fn all() -> Result<Vec<Place>, Error> {
        let entries = match fs::read_dir(root()) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(Error::failed(format!("could not read \"{}\": {error}", root().display()))),
        };
        let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
        let mut places: Vec<Place> = names.filter_map(|name| Place::of(&name).ok()).collect();
        places.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(places)
    }

    /// Takes the name; refuses one that is taken.
    pub fn make(&self) -> Result<(), Error> {
        let failed = |error| Error::failed(format!("could not make \"{}\": {error}", self.directory.display()));
        fs::create_dir_all(root()).map_err(failed)?;
        match fs::create_dir(&self.directory) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                let hint = format!("Take it down with: ebs-emulator stop {}", self.name);
                Err(Error::usage(format!("there is a volume \"{}\" already", self.name)).hint(hint))
            }
            made => made.map_err(failed),
        }
    }

    pub fn exists(&self) -> bool {
        self.directory.is_dir()
    }

    /// Gives the name back.
    pub fn remove(&self) {
        let _ = fs::remove_dir_all(&self.directory);
        // The last one takes the root along; where there are others it stays.
        let _ = fs::remove_dir(root());
    }

    pub fn state(&self) -> Result<State, Error> {
        let path = self.directory.join("volume.json");
        let failed = |error: String| Error::failed(format!("could not read \"{}\": {error}", path.display()));
        let text = fs::read_to_string(&path).map_err(|error| {
            if error.kind() == ErrorKind::NotFound { self.unknown() } else { failed(error.to_string()) }
        })?;
        serde_json::from_str(&text).map_err(|error| failed(error.to_string()))
    }

    pub fn keep(&self, state: &State) -> Result<(), Error> {
        let path = self.directory.join("volume.json");
        let text = serde_json::to_string(state).map_err(|error| Error::failed(error.to_string()))?;
        fs::write(&path, text)
            .map_err(|error| Error::failed(format!("could not write \"{}\": {error}", path.display())))
    }

    /// That there is no such volume.
    pub fn unknown(&self) -> Error {
        Error::usage(format!("there is no volume \"{}\"", self.name)).hint("The volumes there are: ebs-emulator list")
    }

    /// The file that FUSE is mounted over, and that holds the volume while it is.
    pub fn volume(&self) -> PathBuf {
        self.directory.join("volume")
    }

    pub fn socket(&self) -> PathBuf {
        self.directory.join("socket")
    }

    pub fn pid(&self) -> PathBuf {
        self.directory.join("pid")
    }

    pub fn log(&self) -> PathBuf {
        self.directory.join("log")
    }

    /// The daemon's process, if it lives.
    pub fn daemon(&self) -> Option<Pid> {
        let pid = fs::read_to_string(self.pid()).ok()?.trim().parse().ok()?;
        // The number may have been given to another process.
        let command = fs::read(format!("/proc/{pid}/cmdline")).ok()?;
        let mut words = command.split(|byte| *byte == 0);
        let ours = words.next()?.ends_with(b"ebs-emulator")
            && words.next()? == b"serve"
            && words.next()? == self.name.as_bytes();
        ours.then(|| Pid::from_raw(pid))?
    }
}

/// Where the directories of all volumes are; without symbolic links where it exists, as the kernel names files.
pub fn root() -> PathBuf {
    let root = env::var_os("EBS_EMULATOR_DIR").map_or_else(|| Path::new(DIRECTORY).to_owned(), PathBuf::from);
    root.canonicalize().unwrap_or(root)
}
