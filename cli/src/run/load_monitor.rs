//! The thread that samples the server's load.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use ebs_remote::parse_answer;

use super::event::Event;
use super::server_load::{SAMPLE_QUERY, ServerLoad, ServerSample};
use crate::error::QueryError;
use crate::postgres::function::SAMPLE;
use crate::postgres::{Connection, Extension};

/// Time between two samples. Each reads /proc/diskstats and one view of counters, some 2 ms of a backend.
const INTERVAL: Duration = Duration::from_secs(2);

/// Samples the load until the other end of `stop` is dropped.
///
/// It has its own session, so that no mark waits for a sample. Without one, or if the role lacks the privilege, the run continues
/// without these figures.
pub fn spawn(connection: &Connection, events: Sender<Event>, stop: Receiver<()>) {
    let connection = connection.clone();
    thread::spawn(move || {
        let Ok(mut database) = Extension::open_for_run(&connection) else { return };
        let mut previous = None;
        loop {
            let answer = match database.query_followed(&SAMPLE, SAMPLE_QUERY, Vec::new()) {
                Ok(answer) => answer,
                Err(QueryError::Server(_) | QueryError::Stopped) => return,
                Err(QueryError::ConnectionLost(message)) => {
                    let _ = events.send(Event::ConnectionLost(message));
                    return;
                }
            };
            let sample = answer.value.and_then(|text| parse_answer::<ServerSample>(&text).ok());
            let Some(sample) = sample else { return };
            let load = ServerLoad::from_samples(previous.as_ref(), &sample);
            previous = Some(sample);
            if events.send(Event::ServerLoad(load)).is_err()
                || stop.recv_timeout(INTERVAL) != Err(RecvTimeoutError::Timeout)
            {
                return;
            }
        }
    });
}
