//! The command, and what it prints.

use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::Sender;
use std::thread;

use rustix::process::{Pid, Signal, kill_process};

use super::drive::Message;
use super::signals;
use crate::error::Error;

/// Which of its two a line came on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    Out,
    Err,
}

/// A line longer than this goes on in pieces: a program that never ends a line must not fill the memory.
const LONGEST_LINE: u64 = 1 << 20;

/// Starts it. It shares our terminal and our group: Ctrl-C reaches it, and it may ask for a password.
pub fn start(command: &[String], clients: Option<u64>, sender: &Sender<Message>) -> Result<Child, Error> {
    let (program, arguments) = command.split_first().ok_or_else(|| Error::Argument {
        message: "no command was given".to_owned(),
        hint: "For example: ebsctl run --label gp3 -- pgbench -c 16 -T 600 bench",
    })?;
    let mut starting = Command::new(program);
    starting.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    if let Some(clients) = clients {
        starting.env("EBSCTL_CLIENTS", clients.to_string());
    }
    let mut child = starting.spawn().map_err(|error| Error::NoCommand { program: program.clone(), error })?;
    if let Some(output) = child.stdout.take() {
        read(Stream::Out, output, sender.clone());
    }
    if let Some(output) = child.stderr.take() {
        read(Stream::Err, output, sender.clone());
    }
    Ok(child)
}

fn read(stream: Stream, output: impl Read + Send + 'static, sender: Sender<Message>) {
    thread::spawn(move || {
        let mut output = BufReader::new(output);
        loop {
            let mut line = Vec::new();
            let read = output.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line);
            if !read.is_ok_and(|length| length > 0) || sender.send(Message::Line(stream, line)).is_err() {
                break;
            }
        }
        let _ = sender.send(Message::Closed);
    });
}

/// Sends it a signal. One that has ended gets none: it has not been waited for, so its number is not another's yet.
pub fn signal(child: &Child, number: i32) {
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    if let (Some(pid), Some(signal)) = (pid, Signal::from_named_raw(number)) {
        let _ = kill_process(pid, signal);
    }
}

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// By itself, with this status.
    Status(u8),
    /// By a signal.
    Signal(i32),
}

impl Exit {
    pub fn of(status: ExitStatus) -> Exit {
        match (status.code(), status.signal()) {
            (Some(code), _) => Exit::Status(u8::try_from(code).unwrap_or(u8::MAX)),
            (None, signal) => Exit::Signal(signal.unwrap_or_default()),
        }
    }

    /// As shells have it: 128 and the number of a signal.
    pub fn status(self) -> u8 {
        match self {
            Exit::Status(status) => status,
            Exit::Signal(signal) => by_signal(signal),
        }
    }

    /// `exit status 1`, `SIGINT`.
    pub fn words(self) -> String {
        match self {
            Exit::Status(status) => format!("exit status {status}"),
            Exit::Signal(signal) => signals::name(signal),
        }
    }
}

/// The exit status of what a signal ended.
pub fn by_signal(signal: i32) -> u8 {
    u8::try_from(128 + signal).unwrap_or(u8::MAX)
}
