//! The shapes of events: each is visited as soon as it is read, so that pages of any length take little memory.

use std::cell::Cell;
use std::fmt;
use std::io::Read;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::input::{Input, ReadError, json_error, problem, source_error};
use super::message::{KEYS, Message};
use super::{MAX_EVENT_BYTES, SOURCE};
use crate::monitoring::ImportError;
use crate::monitoring::civil::{self, Stamp};

/// An event.
#[derive(Debug, Default)]
pub(super) struct Event {
    /// Number in the import, counted from 1.
    pub number: usize,
    /// Time of the event, microseconds since 1970; `None` of a bare message.
    pub at_us: Option<i64>,
    /// Log stream, where it is named.
    pub stream: Option<String>,
    pub message: Message,
}

/// Function that takes each event.
pub(super) type Visit<'a> = &'a mut dyn FnMut(Event) -> Result<(), ImportError>;

/// Reads all events; `number` is that of the last one before.
pub(super) fn read_events(
    source: &mut dyn Read,
    number: &mut usize,
    visit: Visit,
    pause: &dyn Fn(),
) -> Result<(), ReadError> {
    let left = Cell::new(MAX_EVENT_BYTES);
    let mut input = Input::new(source, &left, pause);
    let mut sink = Sink { visit, number: *number, left: &left, refused: None, stamp_us: None };
    let read = read_values(&mut input, &mut sink);
    *number = sink.number;
    read
}

fn read_values(input: &mut Input, sink: &mut Sink) -> Result<(), ReadError> {
    while let Some(first) = input.peek().map_err(|error| source_error(error, sink.number + 1))? {
        let number = sink.number + 1;
        sink.stamp_us = None;
        if first.is_ascii_digit() {
            let stamp = input.stamp().map_err(|error| source_error(error, number))?;
            let at_us = stamp.as_deref().and_then(time).ok_or_else(|| malformed(number, "no time before it"))?;
            sink.stamp_us = Some(at_us);
        } else if !matches!(first, b'{' | b'[') {
            return Err(match number {
                1 => ImportError::Foreign("event of Enhanced Monitoring").into(),
                _ => malformed(number, "it is no JSON object").into(),
            });
        }
        let mut json = serde_json::Deserializer::from_reader(&mut *input);
        let read = Values(sink).deserialize(&mut json);
        if let Some(error) = sink.refused.take() {
            return Err(error.into());
        }
        read.map_err(|error| json_error(error, sink.number + 1))?;
    }
    Ok(())
}

fn malformed(number: usize, problem: &str) -> ImportError {
    ImportError::Malformed { at: format!("event {number} of {SOURCE}"), problem: problem.to_owned() }
}

fn time(text: &str) -> Option<i64> {
    match civil::stamp(text)? {
        Stamp::Absolute(us) => Some(us),
        Stamp::Civil(..) => None,
    }
}

/// Taker of events.
struct Sink<'a> {
    visit: Visit<'a>,
    number: usize,
    left: &'a Cell<usize>,
    refused: Option<ImportError>,
    /// Time before the value, of an export.
    stamp_us: Option<i64>,
}

impl Sink<'_> {
    /// Takes an object that is no page: an event with its message, or a message itself.
    fn take(&mut self, object: Map<String, Value>) -> Result<(), ImportError> {
        let number = self.number + 1;
        let unreadable = |error: serde_json::Error| malformed(number, &problem(&error));
        let event = match object.get("message") {
            Some(Value::String(text)) => Event {
                number,
                at_us: object.get("timestamp").and_then(event_time),
                stream: object.get("logStreamName").and_then(Value::as_str).map(str::to_owned),
                message: serde_json::from_str(text).map_err(unreadable)?,
            },
            Some(_) => return Err(malformed(number, "its message is no text")),
            None => Event {
                number,
                message: Message::deserialize(Value::Object(object)).map_err(unreadable)?,
                ..Event::default()
            },
        };
        let event = Event { at_us: self.stamp_us.or(event.at_us), ..event };
        (self.visit)(event)?;
        self.number = number;
        self.left.set(MAX_EVENT_BYTES);
        Ok(())
    }
}

/// Time of an event in milliseconds since 1970, or as a text.
fn event_time(value: &Value) -> Option<i64> {
    /// The year 10000, milliseconds since 1970.
    const END_MS: f64 = 253_402_300_800_000.0;
    match value {
        Value::String(text) => time(text),
        other => other.as_f64().filter(|ms| (0.0..END_MS).contains(ms)).map(|ms| (ms * 1_000.0) as i64),
    }
}

/// Reads a value: a page, an array of events, an event or a message.
struct Values<'s, 'a>(&'s mut Sink<'a>);

impl<'de> DeserializeSeed<'de> for Values<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Values<'_, '_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("events of Enhanced Monitoring")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut events: A) -> Result<(), A::Error> {
        while events.next_element_seed(Values(&mut *self.0))?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut object = Map::new();
        let mut is_page = false;
        while let Some(key) = map.next_key::<String>()? {
            if key == "events" {
                is_page = true;
                map.next_value_seed(Values(&mut *self.0))?;
            } else if KEYS.contains(&key.as_str()) || ["message", "logStreamName"].contains(&key.as_str()) {
                object.insert(key, map.next_value()?);
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        if is_page {
            return Ok(());
        }
        self.0.take(object).map_err(|error| {
            self.0.refused = Some(error);
            A::Error::custom("refused")
        })
    }
}
