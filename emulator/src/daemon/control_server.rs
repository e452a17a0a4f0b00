//! Serves requests of other processes: one JSON line in, one out, one connection each.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::time::Duration;

use super::task_queue::TaskSender;
use crate::asked::Asked;
use crate::block_layer::Completed;
use crate::error::Error;
use crate::place::Place;
use crate::protocol::{Answer, Command, MAX_LINE};
use crate::report::Report;
use crate::resolve::resolve;
use crate::volume::{EmulatedVolume, Settings};

/// Time after which a silent client is given up.
const TIMEOUT: Duration = Duration::from_secs(5);

/// The volume as its clients know it.
pub struct ControlServer {
    place: Place,
    tasks: TaskSender,
    asked: Asked,
    /// The block layer's counts at the last reset.
    at_reset: Completed,
}

impl ControlServer {
    pub fn new(place: Place, tasks: TaskSender, asked: Asked) -> ControlServer {
        ControlServer { place, tasks, asked, at_reset: Completed::default() }
    }

    /// Serves for as long as the process lives.
    pub fn run(mut self, listener: &UnixListener) {
        for connection in listener.incoming() {
            if let Err(error) = connection.and_then(|connection| self.serve(&connection)) {
                eprintln!("a command was not answered: {error}");
            }
        }
    }

    fn serve(&mut self, connection: &UnixStream) -> io::Result<()> {
        connection.set_read_timeout(Some(TIMEOUT))?;
        connection.set_write_timeout(Some(TIMEOUT))?;
        let mut line = String::new();
        BufReader::new(connection.take(MAX_LINE)).read_line(&mut line)?;
        let result = match serde_json::from_str(&line) {
            Ok(request) => self.handle(request),
            Err(error) => Err(Error::usage(format!("not a command: {error}"))),
        };
        let mut response = serde_json::to_vec(&result.unwrap_or_else(Answer::Refused))?;
        response.push(b'\n');
        (&*connection).write_all(&response)
    }

    fn handle(&mut self, request: Command) -> Result<Answer, Error> {
        match request {
            Command::Open => {
                self.run_task(|volume, now_ns| volume.shaper.change(Settings::unlimited(), now_ns, true))?;
                Ok(Answer::Done)
            }
            Command::Compensate { overhead_us } => {
                self.run_task(move |volume, _| volume.shaper.compensate(overhead_us / 1e6))?;
                Ok(Answer::Done)
            }
            Command::Set { change } => self.set(&change).map(Answer::Is),
            Command::Stats { reset } => {
                let block_layer_us = self.block_layer_us(reset);
                let resolved = resolve(&self.asked)?;
                let report = self.run_task(move |volume, now_ns| {
                    let report = Report::new(volume, &resolved, block_layer_us, now_ns);
                    if reset {
                        volume.statistics.reset(&volume.shaper, now_ns);
                    }
                    report
                })?;
                Ok(Answer::Report(Box::new(report)))
            }
        }
    }

    /// Changes the volume and returns its description. Credits are kept unless they are given or the type changes.
    fn set(&mut self, change: &Asked) -> Result<String, Error> {
        let changed = self.asked.changed(change);
        let resolved = resolve(&changed)?;
        let keep_credits = change.credits.is_none() && change.volume_type.is_none();
        let settings = resolved.settings;
        self.run_task(move |volume, now_ns| volume.shaper.change(settings, now_ns, keep_credits))?;
        self.asked = Asked { credits: None, ..changed };
        Ok(resolved.to_string())
    }

    fn run_task<T: Send + 'static>(
        &self,
        task: impl FnOnce(&mut EmulatedVolume, u64) -> T + Send + 'static,
    ) -> Result<T, Error> {
        self.tasks.run(task).ok_or_else(|| Error::failed("the volume is being taken down"))
    }

    /// Mean time of the requests since the last reset as the block layer measured it, in µs.
    fn block_layer_us(&mut self, reset: bool) -> Option<f64> {
        let completed = Completed::of(&self.place.state().ok()?.device?)?;
        let mean_us = completed.mean_us_since(self.at_reset);
        if reset {
            self.at_reset = completed;
        }
        mean_us
    }
}
