//! Kinds of requests, which share limits and differ in service time.

/// Direction of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestKind {
    /// Reads bytes.
    Read,
    /// Writes them.
    Write,
}
