//! Events of one instance, reduced one by one and kept in time order.

use std::collections::BTreeSet;
use std::io::Read;

use super::blocks::{OsMetrics, metrics};
use super::devices::{engine_of_unknown_storage, is_aurora};
use super::document::{Event, read_events};
use super::identity::{Identity, Selection};
use super::input::ReadError;
use super::reading::{OsReading, event_time};
use super::repeated::drop_repeated;
use super::{MAX_EVENTS, SOURCE};
use crate::monitoring::ImportError;
use ebs_base::units::SECOND_US;

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

    /// Mean distance of the events, seconds; infinite of fewer than two.
    pub fn interval_s(&self) -> f64 {
        let times = || self.readings.iter().map(|reading| reading.at_us);
        let Some((first_us, last_us)) = times().min().zip(times().max()) else { return f64::INFINITY };
        let distances = self.readings.len().saturating_sub(1);
        if distances == 0 { f64::INFINITY } else { (last_us - first_us) as f64 / SECOND_US as f64 / distances as f64 }
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
        if let Some(engine) = engine_of_unknown_storage(&event.message) {
            return Err(ImportError::OtherEngine { instance: identity.name(), engine: engine.to_owned() });
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
