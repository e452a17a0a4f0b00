//! What the server sees while the command runs: transactions a second, and what its volumes are asked for.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use ebs_base::format::{count, ms};
use serde_json::Value;

use super::drive::Message;
use crate::session::{Connection, NoAnswer, Session};

/// How often it looks. A look reads /proc/diskstats and one view of counters, some 2 ms of a backend.
const EVERY: Duration = Duration::from_secs(2);

/// ebs_sample() stores nothing, needs no preloading, and looks from its last call in this session to now.
const QUERY: &str = "SELECT pg_catalog.json_build_object(
    'transactions', (SELECT sum(xact_commit + xact_rollback) FROM pg_catalog.pg_stat_database),
    'at', extract(epoch FROM pg_catalog.clock_timestamp())::float8,
    'volumes', (SELECT pg_catalog.json_agg(s) FROM ebs_sample() s))::text AS value";

/// What was seen since the look before. `None` is not known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Live {
    /// Transactions a second of all databases.
    pub tps: Option<f64>,
    /// The volume that is asked for most.
    pub volume: Option<Volume>,
}

/// A volume.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Volume {
    name: String,
    iops: f64,
    read_ms: Option<f64>,
    write_ms: Option<f64>,
}

impl Volume {
    /// `vda 3,211 IOPS, read 0.42 ms, write 0.61 ms`.
    pub fn words(&self) -> String {
        let mut words = format!("{} {} IOPS", self.name, count(self.iops));
        for (what, value) in [("read", self.read_ms), ("write", self.write_ms)] {
            if let Some(value) = value {
                words += &format!(", {what} {} ms", ms(value));
            }
        }
        words
    }
}

/// Looks until the receiver's other end goes. A second session: a mark must not wait for a look. Without it the run goes on, as
/// it does where the role may not look.
pub fn start(connection: &Connection, sender: Sender<Message>, until: Receiver<()>) {
    let connection = connection.clone();
    thread::spawn(move || {
        let Ok(mut session) = Session::open(&connection) else { return };
        let mut before = None;
        loop {
            let answer = match session.ask(QUERY) {
                Ok(answer) => answer,
                // A role that may begin runs need not be one that may look.
                Err(NoAnswer::Refused(_)) => return,
                Err(NoAnswer::Lost(said)) => {
                    let _ = sender.send(Message::Unseen(said));
                    return;
                }
            };
            let Some(seen) = answer.value.and_then(|text| serde_json::from_str::<Value>(&text).ok()) else { return };
            let live = Live { tps: rate(&seen, before.as_ref()), volume: busiest(&seen) };
            before = Some(seen);
            if sender.send(Message::Live(live)).is_err() || until.recv_timeout(EVERY) != Err(RecvTimeoutError::Timeout)
            {
                return;
            }
        }
    });
}

fn rate(now: &Value, before: Option<&Value>) -> Option<f64> {
    let difference = |key: &str| Some(now[key].as_f64()? - before?[key].as_f64()?);
    let (transactions, seconds) = (difference("transactions")?, difference("at")?);
    // Counters that were reset, and a clock that was set back, tell nothing.
    (transactions >= 0.0 && seconds > 0.0).then(|| transactions / seconds)
}

fn busiest(seen: &Value) -> Option<Volume> {
    let volumes = seen["volumes"].as_array()?.iter().filter_map(|volume| {
        Some(Volume {
            name: volume["volume"].as_str()?.to_owned(),
            iops: volume["requests"].as_f64()?,
            read_ms: volume["read_ms"].as_f64(),
            write_ms: volume["write_ms"].as_f64(),
        })
    });
    volumes.max_by(|a, b| a.iops.total_cmp(&b.iops))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_rate_needs_two_looks_and_counters_that_grow() {
        let at = |transactions: u64, at: f64| json!({ "transactions": transactions, "at": at });
        assert_eq!(rate(&at(500, 12.0), Some(&at(100, 10.0))), Some(200.0));
        assert_eq!(rate(&at(500, 12.0), None), None);
        assert_eq!(rate(&at(5, 12.0), Some(&at(100, 10.0))), None);
        assert_eq!(rate(&at(500, 10.0), Some(&at(100, 10.0))), None);
    }

    #[test]
    fn the_busiest_volume_is_shown_with_what_is_known_of_it() {
        let seen = json!({ "volumes": [
            { "volume": "vda", "requests": 3.0, "read_ms": 1.0, "write_ms": 1.0 },
            { "volume": "vdb", "requests": 3211.4, "read_ms": 0.42, "write_ms": null },
            { "volume": "vdc", "requests": null },
        ] });
        assert_eq!(busiest(&seen).unwrap().words(), "vdb 3,211 IOPS, read 0.42 ms");
        assert_eq!(busiest(&json!({ "volumes": null })), None);
    }
}
