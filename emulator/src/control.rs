//! The control socket between commands and the daemon: requests, responses and the client's side.
//!
//! Names in JSON do not change, so that a daemon of an earlier build can be stopped.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::report::Report;
use crate::spec::VolumeSpec;

/// Time after which a silent daemon is taken to hang.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Maximum length of a line, in bytes; a report has some 2 kB.
pub const MAX_LINE_BYTES: u64 = 64 << 10;

/// A request to the daemon.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Request {
    /// Lifts all limits.
    #[serde(rename = "open")]
    Unlimit,
    /// Sets the overhead that is taken off each time of service.
    #[serde(rename = "compensate")]
    SetOverhead {
        /// Microseconds.
        overhead_us: f64,
    },
    /// Changes the volume.
    Set {
        /// The options to change.
        change: VolumeSpec,
    },
    /// Reports the statistics since the last reset.
    Stats {
        /// Resets them afterwards.
        reset: bool,
    },
}

/// The daemon's response.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Response {
    /// Success without a result.
    Done,
    /// Description of the volume after the change.
    #[serde(rename = "is")]
    Description(String),
    /// Statistics.
    Report(Box<Report>),
    /// Failure; nothing was changed.
    #[serde(rename = "refused")]
    Error(Error),
}

/// Sends a request to the daemon behind this socket and returns its response.
pub fn send(socket: &Path, request: &Request) -> Result<Response, Error> {
    match exchange(socket, request) {
        Ok(Response::Error(error)) => Err(error),
        Ok(response) => Ok(response),
        Err(error) => Err(Error::failed(format!("the volume does not answer: {error}"))
            .hint("Where its daemon was killed, \"ebs-emulator stop NAME\" cleans up.")),
    }
}

/// Changes the volume behind this socket and returns its description.
pub fn set(socket: &Path, change: VolumeSpec) -> Result<String, Error> {
    match send(socket, &Request::Set { change })? {
        Response::Description(description) => Ok(description),
        _ => Err(unexpected_response()),
    }
}

/// Returns the statistics of the volume behind this socket since their last reset.
pub fn statistics(socket: &Path, reset: bool) -> Result<Report, Error> {
    match send(socket, &Request::Stats { reset })? {
        Response::Report(report) => Ok(*report),
        _ => Err(unexpected_response()),
    }
}

fn unexpected_response() -> Error {
    Error::failed("the daemon gave an answer of another kind")
}

fn exchange(socket: &Path, request: &Request) -> std::io::Result<Response> {
    let connection = UnixStream::connect(socket)?;
    connection.set_read_timeout(Some(TIMEOUT))?;
    let mut line = serde_json::to_vec(request)?;
    line.push(b'\n');
    (&connection).write_all(&line)?;
    let mut response = String::new();
    BufReader::new((&connection).take(MAX_LINE_BYTES)).read_line(&mut response)?;
    Ok(serde_json::from_str(&response)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::LimitSpec;

    #[test]
    fn names_in_json_are_those_of_earlier_builds() {
        let json = |request| serde_json::to_string(&request).unwrap();
        assert_eq!(json(Request::Unlimit), r#""open""#);
        assert_eq!(json(Request::SetOverhead { overhead_us: 12.5 }), r#"{"compensate":{"overhead_us":12.5}}"#);
        let change = VolumeSpec::default();
        assert!(json(Request::Set { change }).starts_with(r#"{"set":{"change":{"volume_type":null,"#));
        assert_eq!(serde_json::to_string(&LimitSpec::PerSecond(300)).unwrap(), r#"{"of":300}"#);
        assert_eq!(serde_json::to_string(&Response::Description("gp3".to_owned())).unwrap(), r#"{"is":"gp3"}"#);
        let error = serde_json::to_string(&Response::Error(Error::usage("no"))).unwrap();
        assert_eq!(error, r#"{"refused":{"status":2,"message":"no","detail":null,"hint":null}}"#);
    }
}
