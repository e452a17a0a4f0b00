//! Server of the control socket: one request and one response a connection, each a line of JSON.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::time::Duration;

use super::task_queue::TaskSender;
use crate::control::{MAX_LINE_BYTES, Request, Response};
use crate::error::Error;
use crate::host::block_layer::CompletedRequests;
use crate::report::Report;
use crate::resolve::resolve;
use crate::runtime_directory::RuntimeDirectory;
use crate::spec::VolumeSpec;
use crate::volume::{EmulatedVolume, Settings};

/// Time after which a silent client is given up.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Server of the control socket.
pub struct ControlServer {
    directory: RuntimeDirectory,
    tasks: TaskSender,
    spec: VolumeSpec,
    /// The block layer's counts at the last reset.
    at_reset: CompletedRequests,
}

impl ControlServer {
    pub fn new(directory: RuntimeDirectory, tasks: TaskSender, spec: VolumeSpec) -> ControlServer {
        ControlServer { directory, tasks, spec, at_reset: CompletedRequests::default() }
    }

    /// Serves until the process ends.
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
        BufReader::new(connection.take(MAX_LINE_BYTES)).read_line(&mut line)?;
        let result = match serde_json::from_str(&line) {
            Ok(request) => self.handle(request),
            Err(error) => Err(Error::usage(format!("not a command: {error}"))),
        };
        let mut response = serde_json::to_vec(&result.unwrap_or_else(Response::Error))?;
        response.push(b'\n');
        (&*connection).write_all(&response)
    }

    fn handle(&mut self, request: Request) -> Result<Response, Error> {
        match request {
            Request::Unlimit => {
                self.run_task(|volume, now_ns| volume.shaper.change_settings(Settings::unlimited(), now_ns, true))?;
                Ok(Response::Done)
            }
            Request::SetOverhead { overhead_us } => {
                self.run_task(move |volume, _| volume.shaper.set_overhead(overhead_us / 1e6))?;
                Ok(Response::Done)
            }
            Request::Set { change } => self.set(&change).map(Response::Description),
            Request::Stats { reset } => {
                let block_layer_us = self.block_layer_us(reset);
                let resolved = resolve(&self.spec)?;
                let report = self.run_task(move |volume, now_ns| {
                    let report = Report::new(volume, &resolved, block_layer_us, now_ns);
                    if reset {
                        volume.statistics.reset(&volume.shaper, now_ns);
                    }
                    report
                })?;
                Ok(Response::Report(Box::new(report)))
            }
        }
    }

    /// Changes the volume and returns its description. Credits are kept unless they are given or the type changes.
    fn set(&mut self, change: &VolumeSpec) -> Result<String, Error> {
        let changed = self.spec.with_change(change);
        let resolved = resolve(&changed)?;
        let keep_credits = change.credits.is_none() && change.volume_type.is_none();
        let settings = resolved.settings;
        self.run_task(move |volume, now_ns| volume.shaper.change_settings(settings, now_ns, keep_credits))?;
        self.spec = VolumeSpec { credits: None, ..changed };
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
        let completed = CompletedRequests::reads_and_writes(&self.directory.read_state().ok()?.device?)?;
        let mean_us = completed.mean_us_since(self.at_reset);
        if reset {
            self.at_reset = completed;
        }
        mean_us
    }
}
