//! What the commands and the daemon say to each other, and how.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::asked::Asked;
use crate::error::Error;
use crate::report::Report;

/// A daemon that says nothing for so long hangs.
const PATIENCE: Duration = Duration::from_secs(10);

/// Longest line, bytes: a report has some 2 kB.
pub const MAX_LINE: u64 = 64 << 10;

/// Said to the daemon.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Command {
    /// Hold nobody up.
    Open,
    /// Take so much off each time of service.
    Compensate {
        /// Microseconds.
        overhead_us: f64,
    },
    /// Be another volume.
    Set {
        /// What is to be otherwise.
        change: Asked,
    },
    /// Say what was counted, and perhaps count anew.
    Stats {
        /// Whether counting begins anew.
        reset: bool,
    },
}

/// Said by the daemon.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// It is done.
    Done,
    /// This is what the volume is now.
    Is(String),
    /// What was counted.
    Report(Box<Report>),
    /// Nothing was changed, and why.
    Refused(Error),
}

/// Says something to the daemon that listens there.
pub fn ask(socket: &Path, command: &Command) -> Result<Answer, Error> {
    let talk = || -> std::io::Result<Answer> {
        let connection = UnixStream::connect(socket)?;
        connection.set_read_timeout(Some(PATIENCE))?;
        let mut line = serde_json::to_vec(command)?;
        line.push(b'\n');
        (&connection).write_all(&line)?;
        let mut answer = String::new();
        BufReader::new((&connection).take(MAX_LINE)).read_line(&mut answer)?;
        Ok(serde_json::from_str(&answer)?)
    };
    match talk() {
        Ok(Answer::Refused(error)) => Err(error),
        Ok(answer) => Ok(answer),
        Err(error) => Err(Error::failed(format!("the volume does not answer: {error}"))
            .hint("Where its daemon was killed, \"ebs-emulator stop NAME\" cleans up.")),
    }
}
