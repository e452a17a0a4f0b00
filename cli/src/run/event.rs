//! Events of a run: those of the command, of its user and of the server.

use super::server_load::ServerLoad;

/// An event while the command runs.
pub enum Event {
    /// The command printed a line.
    Line(Stream, Vec<u8>),
    /// One of the command's two streams is closed.
    Closed,
    /// A signal to ebsctl.
    Signal(i32),
    /// New figures of the server.
    ServerLoad(ServerLoad),
    /// The server does not answer any more; psql's message.
    ConnectionLost(String),
}

/// Output stream of the command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    Stdout,
    Stderr,
}
