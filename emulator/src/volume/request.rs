//! The two kinds of requests, whose limits are shared and whose times of service differ.

/// Direction of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestKind {
    /// Reads bytes.
    Read,
    /// Writes them.
    Write,
}
