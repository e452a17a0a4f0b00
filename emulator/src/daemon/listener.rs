//! Commands from other processes: one JSON line in, one out, one connection each.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::time::Duration;

use super::inbox::Outbox;
use crate::asked::Asked;
use crate::block_layer::Completed;
use crate::error::Error;
use crate::place::Place;
use crate::protocol::{Answer, Command, MAX_LINE};
use crate::report::Report;
use crate::resolve::{Resolved, resolve};
use crate::volume::Settings;

/// Who says nothing for so long is not waited for.
const PATIENCE: Duration = Duration::from_secs(5);

/// What listens, and what it knows of the volume.
pub struct Listener {
    place: Place,
    outbox: Outbox,
    asked: Asked,
    /// What the block layer had counted at the last reset.
    at_reset: Completed,
}

impl Listener {
    pub fn new(place: Place, outbox: Outbox, asked: Asked) -> Listener {
        Listener { place, outbox, asked, at_reset: Completed::default() }
    }

    /// Answers commands for as long as the process lives.
    pub fn run(mut self, listener: &UnixListener) {
        for connection in listener.incoming() {
            if let Err(error) = connection.and_then(|connection| self.serve(&connection)) {
                eprintln!("a command was not answered: {error}");
            }
        }
    }

    fn serve(&mut self, connection: &UnixStream) -> io::Result<()> {
        connection.set_read_timeout(Some(PATIENCE))?;
        connection.set_write_timeout(Some(PATIENCE))?;
        let mut line = String::new();
        BufReader::new(connection.take(MAX_LINE)).read_line(&mut line)?;
        let done = match serde_json::from_str(&line) {
            Ok(command) => self.obey(command),
            Err(error) => Err(Error::usage(format!("not a command: {error}"))),
        };
        let mut answer = serde_json::to_vec(&done.unwrap_or_else(Answer::Refused))?;
        answer.push(b'\n');
        (&*connection).write_all(&answer)
    }

    fn obey(&mut self, command: Command) -> Result<Answer, Error> {
        let gone = || Error::failed("the volume is being taken down");
        match command {
            Command::Open => {
                self.outbox
                    .ask(|volume, now| volume.shaper.change(Settings::unlimited(), now, true))
                    .ok_or_else(gone)?;
                Ok(Answer::Done)
            }
            Command::Compensate { overhead_us } => {
                self.outbox.ask(move |volume, _| volume.shaper.compensate(overhead_us / 1e6)).ok_or_else(gone)?;
                Ok(Answer::Done)
            }
            Command::Set { change } => {
                let changed = self.asked.changed(&change);
                let resolved = resolve(&changed)?;
                let keep = change.credits.is_none() && change.volume_type.is_none();
                let settings = resolved.settings;
                self.outbox.ask(move |volume, now| volume.shaper.change(settings, now, keep)).ok_or_else(gone)?;
                self.asked = Asked { credits: None, ..changed };
                Ok(Answer::Is(resolved.to_string()))
            }
            Command::Stats { reset } => {
                let seen_us = self.seen_us(reset);
                let resolved: Resolved = resolve(&self.asked)?;
                let report = self
                    .outbox
                    .ask(move |volume, now| Report::of(volume, &resolved, seen_us, now, reset))
                    .ok_or_else(gone)?;
                Ok(Answer::Report(Box::new(report)))
            }
        }
    }

    /// Mean time of requests since the last reset as the block layer saw it, µs.
    fn seen_us(&mut self, reset: bool) -> Option<f64> {
        let completed = Completed::of(&self.place.state().ok()?.device?)?;
        let mean_us = completed.mean_us_since(self.at_reset);
        if reset {
            self.at_reset = completed;
        }
        mean_us
    }
}
