//! Events of one instance, reduced one by one and kept in time order.

use std::collections::BTreeSet;
use std::io::Read;

use super::blocks::{OsMetrics, metrics};
use super::devices::is_aurora;
use super::document::{Event, read_events};
use super::input::ReadError;
use super::reading::{OsReading, event_time};
use super::{MAX_EVENTS, SOURCE};
use crate::monitoring::ImportError;
use ebs_base::names::quoted;

/// Choice of what to import.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Device that holds data: one of physicalDeviceIO or diskIO; `None`: the sum of the volumes.
    pub device: Option<String>,
    /// Device that holds WAL.
    pub wal_device: Option<String>,
    /// Instance, by its identifier or resource id; events of others are left out.
    pub instance: Option<String>,
}

/// Most instances that an error names.
const MAX_NAMED: usize = 5;

/// Events read so far.
#[derive(Debug, Default)]
pub struct Collector {
    selection: Selection,
    readings: Vec<OsReading>,
    /// Events read, those of other instances among them.
    events: usize,
    identity: Option<Identity>,
    /// Identifiers of instances that were not selected.
    others: BTreeSet<String>,
    has_stripes: bool,
}

/// The instance that all events come from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Identity {
    pub instance: Option<String>,
    pub resource: Option<String>,
    pub stream: Option<String>,
}

impl Identity {
    fn from_event(event: &Event) -> Identity {
        let Event { stream, message, .. } = event;
        Identity { instance: message.instance.clone(), resource: message.resource.clone(), stream: stream.clone() }
    }

    fn is(&self, name: &str) -> bool {
        [&self.instance, &self.resource, &self.stream].into_iter().flatten().any(|own| own == name)
    }

    /// True of events of the same instance. An instance that was renamed keeps its resource id.
    fn matches(&self, other: &Identity) -> bool {
        let streams = self.stream.is_none() || other.stream.is_none() || self.stream == other.stream;
        match (&self.resource, &other.resource) {
            (Some(one), Some(two)) => one == two && streams,
            _ => self.instance == other.instance && streams,
        }
    }

    fn name(&self) -> String {
        let name = [&self.instance, &self.resource, &self.stream].into_iter().flatten().next();
        name.map_or_else(|| "without a name".to_owned(), |name| quoted(name))
    }
}

impl Collector {
    /// Returns a collector without events.
    pub fn new(selection: Selection) -> Collector {
        Collector { selection, ..Collector::default() }
    }

    /// Reads events, to be called once or for each file, in any order. `pause` is called between pieces of the work.
    pub fn read(&mut self, mut source: impl Read, pause: &dyn Fn()) -> Result<(), ReadError> {
        let mut number = self.events;
        let read = read_events(&mut source, &mut number, &mut |event| self.add(&event), pause);
        self.events = number;
        read
    }

    fn add(&mut self, event: &Event) -> Result<(), ImportError> {
        let identity = Identity::from_event(event);
        let malformed = |problem: &str| ImportError::Malformed {
            at: format!("event {} of {SOURCE}", event.number),
            problem: problem.to_owned(),
        };
        if identity.instance.is_none() && identity.resource.is_none() {
            return Err(malformed("no instanceID"));
        }
        if self.selection.instance.as_ref().is_some_and(|name| !identity.is(name)) {
            if self.others.len() < MAX_NAMED {
                self.others.insert(identity.name());
            }
            return Ok(());
        }
        if is_aurora(&event.message) {
            return Err(ImportError::Aurora(identity.name()));
        }
        let known = self.identity.get_or_insert_with(|| identity.clone());
        if !known.matches(&identity) {
            return Err(ImportError::MixedInstances {
                first: known.name_beside(&identity),
                second: identity.name_beside(known),
            });
        }
        let at_us = event_time(event).ok_or_else(|| malformed("no timestamp between the years 1970 and 9999"))?;
        if self.readings.len() >= MAX_EVENTS {
            let at = SOURCE.to_owned();
            return Err(ImportError::TooMuch { at, most: MAX_EVENTS, what: "events, which are 31 days of seconds" });
        }
        let devices = (self.selection.device.as_deref(), self.selection.wal_device.as_deref());
        let (reading, is_stripe) = OsReading::from_event(event, at_us, devices)?;
        self.has_stripes |= is_stripe;
        self.readings.push(reading);
        Ok(())
    }

    /// Makes blocks of all events. `pause` is called between pieces of the work.
    pub fn finish(mut self, pause: &dyn Fn()) -> Result<OsMetrics, ImportError> {
        if let Some(name) = self.selection.instance.take().filter(|_| self.readings.is_empty() && self.events > 0) {
            return Err(ImportError::UnknownInstance { name, instances: self.others.into_iter().collect() });
        }
        if self.events == 0 {
            return Err(ImportError::Foreign("event of Enhanced Monitoring"));
        }
        pause();
        self.readings.sort_by_key(|reading| reading.at_us);
        pause();
        let repeated = drop_repeated(&mut self.readings)?;
        metrics(self.readings, self.identity.unwrap_or_default(), self.has_stripes, repeated, &self.selection, pause)
    }
}

impl Identity {
    /// The name that tells it from another.
    fn name_beside(&self, other: &Identity) -> String {
        let pairs =
            [(&self.instance, &other.instance), (&self.resource, &other.resource), (&self.stream, &other.stream)];
        let different = pairs.into_iter().find(|(own, other)| own != other).and_then(|(own, _)| own.as_deref());
        different.map_or_else(|| self.name(), quoted)
    }
}

/// Share of events that may repeat a time with other figures; a clock's jitter does so, another instance does it everywhere.
const MAX_CONTRADICTING_SHARE: f64 = 0.01;

/// Events left out because another has the same time and other figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Contradicting {
    pub count: usize,
    /// The first such time, microseconds since 1970.
    pub first_us: i64,
}

/// Drops events that repeat the one before, as overlapping pages have them; returns those that contradict it, which are dropped too
/// where they are few, and refused otherwise.
fn drop_repeated(readings: &mut Vec<OsReading>) -> Result<Option<Contradicting>, ImportError> {
    let mut contradicting: Option<Contradicting> = None;
    readings.dedup_by(|next, before| {
        if next.at_us == before.at_us && next != before {
            let first_us = contradicting.map_or(next.at_us, |known| known.first_us);
            contradicting = Some(Contradicting { count: contradicting.map_or(0, |known| known.count) + 1, first_us });
        }
        next.at_us == before.at_us
    });
    match contradicting {
        Some(Contradicting { count, first_us })
            if count as f64 > (MAX_CONTRADICTING_SHARE * readings.len() as f64).max(1.0) =>
        {
            Err(ImportError::Contradicting { count, first_us })
        }
        few => Ok(few),
    }
}
