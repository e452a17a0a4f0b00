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
use crate::format::{Format, Reader};
use crate::import::civil::{self, Stamp};
use crate::monitoring::ImportError;
use crate::monitoring::table::brief;
use crate::{configuration, drivers, foreign, monitoring};

/// Keys of events in a page: of get-log-events and filter-log-events, of subscriptions and Firehose, of get-query-results, of
/// start-live-tail.
const PAGES: [&str; 4] = ["events", "logEvents", "results", "sessionResults"];

/// Keys of an event around its message.
const WRAPPINGS: [&str; 5] = ["message", "logStreamName", "@message", "field", "value"];

/// The other format of which a document with this key is.
fn find_by_key(key: &str) -> Option<&'static Format> {
    let formats =
        [drivers::FORMATS, monitoring::FORMATS, &[&configuration::FORMAT], foreign::FORMATS].into_iter().flatten();
    formats.copied().find(|format| format.has_key(key) && !matches!(format.reader, Reader::OsEvents))
}

/// Longest time before a message, and longest name of a log stream
/// (<https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_CreateLogStream.html>), bytes.
const MAX_STAMP: usize = 40;
const MAX_STREAM: usize = 512;

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
    let mut sink = Sink { visit, number: *number, left: &left, refused: None, stamp_us: None, stream: None };
    let read = read_values(&mut input, &mut sink);
    *number = sink.number;
    read
}

fn read_values(input: &mut Input, sink: &mut Sink) -> Result<(), ReadError> {
    while let Some(first) = input.peek().map_err(|error| source_error(error, sink.number + 1))? {
        let number = sink.number + 1;
        (sink.stamp_us, sink.stream) = (None, None);
        if first.is_ascii_digit() {
            read_front(input, sink)?;
        } else if let Some(form) = other_encoding(first) {
            return Err(ImportError::OtherForm(form).into());
        } else if !matches!(first, b'{' | b'[' | b'"') {
            let word = input.word(MAX_STAMP).map_err(|error| source_error(error, number))?.unwrap_or_default();
            return Err(match (other_form(&word), number) {
                (Some(form), _) => ImportError::OtherForm(form).into(),
                (None, 1) => ImportError::Foreign("event of Enhanced Monitoring").into(),
                (None, _) => malformed(number, "it is no JSON object").into(),
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

/// Reads what stands before a message in an export, and in the lines of `aws logs tail`: a time, and maybe the log stream.
fn read_front(input: &mut Input, sink: &mut Sink) -> Result<(), ReadError> {
    let number = sink.number + 1;
    let unreadable = |error| source_error(error, number);
    let stamp = input.word(MAX_STAMP).map_err(unreadable)?;
    let stamp = stamp.as_deref().and_then(stamp_of_event).ok_or_else(|| malformed(number, "no time before it"))?;
    // A time without its zone, of --format short, is that of the message.
    sink.stamp_us = if let Stamp::Absolute(us) = stamp { Some(us) } else { None };
    if input.peek().map_err(unreadable)?.is_some_and(|byte| !matches!(byte, b'{' | b'[')) {
        sink.stream = input.word(MAX_STREAM).map_err(unreadable)?;
        if input.peek().map_err(unreadable)? != Some(b'{') {
            return Err(malformed(number, "no message behind its time").into());
        }
    }
    Ok(())
}

/// Time before a message: of an export, or milliseconds since 1970, as CloudWatch Logs has them.
fn stamp_of_event(text: &str) -> Option<Stamp> {
    let ms = || text.parse::<u64>().ok().and_then(|ms| event_time(&Value::from(ms)));
    civil::stamp(text).or_else(|| ms().map(Stamp::Absolute))
}

/// Encodings and colours in which events are printed and which are not read, by their first byte.
fn other_encoding(first: u8) -> Option<&'static str> {
    match first {
        0x1b => Some("what the AWS CLI prints with --color on"),
        0xfe | 0xff => Some("UTF-16, as PowerShell writes it"),
        _ => None,
    }
}

/// Forms in which events are printed and which are not read, by their first word.
fn other_form(word: &str) -> Option<&'static str> {
    let first = word.trim_start_matches('"');
    if first.starts_with("@timestamp") || word.contains("@message") {
        Some("a CSV export of Logs Insights")
    } else if first.starts_with("timestamp,message") || first == "timestamp" {
        Some("a CSV export of the CloudWatch console")
    } else if first == "EVENTS" || first.starts_with("b/") || first.starts_with("f/") {
        Some("what the AWS CLI prints with --output text")
    } else if first == "events:" || first == "-" {
        Some("what the AWS CLI prints with --output yaml")
    } else {
        first.starts_with("---").then_some("what the AWS CLI prints with --output table")
    }
}

fn malformed(number: usize, problem: &str) -> ImportError {
    ImportError::Malformed { at: format!("event {number} of {SOURCE}"), problem: problem.to_owned() }
}

/// Refuses results of a query that has not ended, or not well: get-query-results says so in their status
/// (<https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_GetQueryResults.html>).
fn complete(status: &Value) -> Result<(), ImportError> {
    match status.as_str() {
        None | Some("Complete") => Ok(()),
        Some(status) => Err(ImportError::Malformed {
            at: "results of Logs Insights".to_owned(),
            problem: format!("they are not complete ({})", brief(status)),
        }),
    }
}

fn time(text: &str) -> Option<i64> {
    match civil::stamp(text)? {
        Stamp::Absolute(us) => Some(us),
        Stamp::Civil(..) | Stamp::Offset(..) => None,
    }
}

/// Taker of events.
struct Sink<'a> {
    visit: Visit<'a>,
    number: usize,
    left: &'a Cell<usize>,
    refused: Option<ImportError>,
    /// Time before the value, of an export; the log stream before it.
    stamp_us: Option<i64>,
    stream: Option<String>,
}

impl Sink<'_> {
    /// Takes an object that is no page: an event with its message, a message itself, or a column of a row of Logs Insights, of
    /// which that of the message has all.
    fn take(&mut self, object: Map<String, Value>) -> Result<(), ImportError> {
        let number = self.number + 1;
        let unreadable = |error: serde_json::Error| malformed(number, &problem(&error));
        let message = match object.get("field").and_then(Value::as_str) {
            Some("@message") => object.get("value"),
            Some(_) => return Ok(()),
            None => object.get("message").or(object.get("@message")),
        };
        let event = match message {
            Some(Value::String(text)) if !text.trim_start().starts_with('{') => {
                return Err(malformed(number, &format!("its message is no JSON object: \"{}\"", brief(text))));
            }
            Some(Value::String(text)) => Event {
                number,
                at_us: object.get("timestamp").and_then(event_time),
                stream: object.get("logStreamName").and_then(Value::as_str).map(str::to_owned),
                message: serde_json::from_str(text).map_err(unreadable)?,
            },
            Some(message @ Value::Object(_)) => {
                Event { number, message: Message::deserialize(message).map_err(unreadable)?, ..Event::default() }
            }
            Some(_) => return Err(malformed(number, "its message is no text")),
            None => Event {
                number,
                message: Message::deserialize(Value::Object(object)).map_err(unreadable)?,
                ..Event::default()
            },
        };
        let stream = event.stream.or_else(|| self.stream.clone());
        let event = Event { at_us: self.stamp_us.or(event.at_us), stream, ..event };
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

    /// A message as a text, as `--query 'events[].message'` gives it.
    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<(), E> {
        let taken = match other_form(text) {
            Some(form) => Err(ImportError::OtherForm(form)),
            None => self.0.take(Map::from_iter([("message".to_owned(), Value::from(text))])),
        };
        self.0.stamp_us = None;
        taken.map_err(|error| {
            self.0.refused = Some(error);
            E::custom("refused")
        })
    }

    /// The time of the message behind it, as `--query 'events[].[timestamp,message]'` gives it.
    fn visit_u64<E: serde::de::Error>(self, ms: u64) -> Result<(), E> {
        self.0.stamp_us = event_time(&Value::from(ms));
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut events: A) -> Result<(), A::Error> {
        while events.next_element_seed(Values(&mut *self.0))?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut object = Map::new();
        let (mut is_page, mut is_control, mut is_encoded) = (false, false, false);
        let (mut status, mut other) = (Value::Null, None);
        while let Some(key) = map.next_key::<String>()? {
            if PAGES.contains(&key.as_str()) && !is_control {
                is_page = true;
                map.next_value_seed(Values(&mut *self.0))?;
            } else if key == "messageType" {
                // A subscription tests its destination with messages of its own.
                is_control = map.next_value::<Value>()? == "CONTROL_MESSAGE";
            } else if key == "awslogs" {
                is_encoded = true;
                map.next_value::<IgnoredAny>()?;
            } else if key == "status" {
                status = map.next_value()?;
            } else if KEYS.contains(&key.as_str()) || WRAPPINGS.contains(&key.as_str()) {
                object.insert(key, map.next_value()?);
            } else {
                other = other.or_else(|| find_by_key(&key));
                map.next_value::<IgnoredAny>()?;
            }
        }
        let taken = if is_page || is_control {
            complete(&status)
        } else if is_encoded {
            Err(ImportError::OtherForm("an event of a Lambda subscription, compressed in base64"))
        } else if let Some(other) = other.filter(|_| object.is_empty()) {
            Err(ImportError::Resembles { kind: other.kind, hint: other.hint() })
        } else {
            self.0.take(object)
        };
        taken.map_err(|error| {
            self.0.refused = Some(error);
            A::Error::custom("refused")
        })
    }
}
