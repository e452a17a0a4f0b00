//! The command as a child process: its output, signals to it, its exit.

use std::env;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::Sender;
use std::thread;

use rustix::process::{Pid, Signal, kill_process};

use super::event::{Event, Stream};
use super::{locale, signals};
use crate::error::Error;

/// Maximum length of a line, bytes. A longer one is split: a program that never ends a line must not fill the memory.
const MAX_LINE: u64 = 1 << 20;

/// Starts the command, in a locale whose output can be parsed if it is to be. It shares our terminal and our group: Ctrl-C reaches it,
/// and it may ask for a password.
pub fn spawn(
    command: &[String],
    clients: Option<u64>,
    is_parsed: bool,
    events: &Sender<Event>,
) -> Result<Child, Error> {
    let (program, arguments) = command.split_first().ok_or_else(|| Error::InvalidArgument {
        message: "no command was given".to_owned(),
        hint: "For example: ebsctl run --label gp3 -- pgbench -c 16 -T 600 bench",
    })?;
    let mut command = Command::new(program);
    command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.envs(clients.map(|clients| ("EBSCTL_CLIENTS", clients.to_string())));
    for (name, value) in is_parsed.then(|| locale::variables(env::var_os("LC_ALL"))).into_iter().flatten() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    let mut child = command.spawn().map_err(|error| Error::StartCommand { program: program.clone(), error })?;
    if let Some(output) = child.stdout.take() {
        spawn_reader(Stream::Stdout, output, events.clone());
    }
    if let Some(output) = child.stderr.take() {
        spawn_reader(Stream::Stderr, output, events.clone());
    }
    Ok(child)
}

fn spawn_reader(stream: Stream, output: impl Read + Send + 'static, events: Sender<Event>) {
    thread::spawn(move || {
        let mut output = BufReader::new(output);
        loop {
            let mut line = Vec::new();
            let length = output.by_ref().take(MAX_LINE).read_until(b'\n', &mut line);
            if !length.is_ok_and(|length| length > 0) || events.send(Event::Line(stream, line)).is_err() {
                break;
            }
        }
        let _ = events.send(Event::Closed);
    });
}

/// Sends a signal to a command that has not been waited for.
pub fn send_signal(child: &Child, number: i32) {
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    if let (Some(pid), Some(signal)) = (pid, Signal::from_named_raw(number)) {
        let _ = kill_process(pid, signal);
    }
}

/// Exit of the command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Exited with this status.
    Status(u8),
    /// Ended by this signal.
    Signal(i32),
}

impl From<ExitStatus> for Exit {
    fn from(status: ExitStatus) -> Exit {
        match (status.code(), status.signal()) {
            (Some(code), _) => Exit::Status(u8::try_from(code).unwrap_or(u8::MAX)),
            (None, signal) => Exit::Signal(signal.unwrap_or_default()),
        }
    }
}

impl Exit {
    /// The exit status, as shells have it: 128 and the number of a signal.
    pub fn status(self) -> u8 {
        match self {
            Exit::Status(status) => status,
            Exit::Signal(signal) => u8::try_from(128 + signal).unwrap_or(u8::MAX),
        }
    }

    /// `exit status 1`, `SIGINT`.
    pub fn describe(self) -> String {
        match self {
            Exit::Status(status) => format!("exit status {status}"),
            Exit::Signal(signal) => signals::name(signal),
        }
    }
}
