//! JSON answers of the query API: a status, the data, an error, warnings (<https://prometheus.io/docs/prometheus/latest/querying/api/>).

use std::fmt;
use std::io::{self, BufReader, Read};

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::error::{Limits, ReadError, ServerError};

/// Maximum length of a message of the server, letters.
const MAX_MESSAGE: usize = 300;
/// Bytes of a read.
const BUFFER: usize = 64 << 10;
/// Warning of Thanos for a time of which it has no samples at all.
const NO_STORES: &str = "No StoreAPIs matched";

/// Everything beside the data.
#[derive(Default)]
struct Envelope {
    status: Option<String>,
    error: ServerError,
    /// Warning of a part that is missing.
    warning: Option<String>,
    is_partial: bool,
}

/// The first warning of a part that is missing; the others are not kept.
#[derive(Default)]
struct Warning(Option<String>);

impl<'de> Deserialize<'de> for Warning {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Warning, D::Error> {
        struct WarningsVisitor;
        impl<'de> Visitor<'de> for WarningsVisitor {
            type Value = Warning;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a list of warnings")
            }

            fn visit_seq<S: SeqAccess<'de>>(self, mut sequence: S) -> Result<Warning, S::Error> {
                let mut first = None;
                while let Some(warning) = sequence.next_element::<String>()? {
                    if first.is_none() && !warning.contains(NO_STORES) {
                        first = Some(clean(&warning));
                    }
                }
                Ok(Warning(first))
            }
        }
        deserializer.deserialize_seq(WarningsVisitor)
    }
}

/// Reads an answer of bounded length; the seed reads its data.
pub(crate) fn read<S>(input: &mut dyn Read, data: S, limits: &Limits) -> Result<(), ReadError>
where
    S: for<'de> DeserializeSeed<'de, Value = ()>,
{
    let bound = limits.json_bytes();
    let input = Ending { input: input.take(bound as u64), is_at_end: false };
    let mut input = BufReader::with_capacity(BUFFER, input);
    let envelope = parse(&mut input, data).map_err(|error| match ReadError::from(error) {
        _ if input.get_ref().input.limit() == 0 => ReadError::TooLarge { bound, what: "bytes in an answer" },
        // In the middle of a number serde_json does not tell the end from other letters.
        ReadError::Invalid(problem) if input.buffer().is_empty() && input.get_ref().is_at_end => {
            ReadError::CutOff(problem)
        }
        error => error,
    })?;
    match envelope.status.as_deref() {
        Some("success") => {}
        Some("error") => return Err(ReadError::Server(envelope.error)),
        _ => return Err(ReadError::invalid("it has no status")),
    }
    match envelope.warning {
        Some(warning) => Err(ReadError::Partial(warning)),
        None if envelope.is_partial => Err(ReadError::Partial("isPartial".to_owned())),
        None => Ok(()),
    }
}

fn parse<S>(input: impl Read, data: S) -> serde_json::Result<Envelope>
where
    S: for<'de> DeserializeSeed<'de, Value = ()>,
{
    let mut deserializer = serde_json::Deserializer::from_reader(input);
    let envelope = EnvelopeSeed(Some(data)).deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(envelope)
}

/// Input that remembers its end.
struct Ending<R> {
    input: R,
    is_at_end: bool,
}

impl<R: Read> Read for Ending<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        self.is_at_end |= read == 0 && !buffer.is_empty();
        Ok(read)
    }
}

struct EnvelopeSeed<S>(Option<S>);

impl<'de, S: DeserializeSeed<'de, Value = ()>> DeserializeSeed<'de> for EnvelopeSeed<S> {
    type Value = Envelope;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Envelope, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, S: DeserializeSeed<'de, Value = ()>> Visitor<'de> for EnvelopeSeed<S> {
    type Value = Envelope;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an answer of the query API")
    }

    fn visit_map<M: MapAccess<'de>>(mut self, mut map: M) -> Result<Envelope, M::Error> {
        let mut envelope = Envelope::default();
        while let Some(key) = map.next_key::<String>()? {
            match (key.as_str(), self.0.take()) {
                ("data", Some(data)) => map.next_value_seed(data)?,
                (_, data) => {
                    self.0 = data;
                    read_field(&key, &mut map, &mut envelope)?;
                }
            }
        }
        Ok(envelope)
    }
}

fn read_field<'de, M: MapAccess<'de>>(key: &str, map: &mut M, envelope: &mut Envelope) -> Result<(), M::Error> {
    match key {
        "status" => envelope.status = map.next_value()?,
        "error" => envelope.error.message = clean(&map.next_value::<String>()?),
        "errorType" => envelope.error.kind = clean(&map.next_value::<String>()?),
        "warnings" => envelope.warning = map.next_value::<Option<Warning>>()?.unwrap_or_default().0,
        "isPartial" => envelope.is_partial = map.next_value()?,
        _ => drop(map.next_value::<IgnoredAny>()?),
    }
    Ok(())
}

/// Error in the body of an answer whose status is not 200: that of the API, or the first line of another text.
pub fn read_error(body: &[u8]) -> ServerError {
    #[derive(Deserialize)]
    struct Answer {
        error: String,
        #[serde(default, rename = "errorType")]
        kind: String,
    }
    if let Ok(answer) = serde_json::from_slice::<Answer>(body) {
        return ServerError { kind: clean(&answer.kind), message: clean(&answer.error) };
    }
    let text = String::from_utf8_lossy(body);
    let line = text.lines().find(|line| !line.trim().is_empty() && !line.trim_start().starts_with('<'));
    ServerError { kind: String::new(), message: clean(line.unwrap_or_default()) }
}

/// A text of the server in one line of bounded length, without control characters.
fn clean(text: &str) -> String {
    let visible = |c: char| if c.is_control() { ' ' } else { c };
    text.chars().map(visible).take(MAX_MESSAGE).collect::<String>().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_read_from_the_api_and_from_other_texts() {
        let error = |body: &str| read_error(body.as_bytes()).to_string();
        let limit = "query processing would load too many samples into memory in query execution";
        assert_eq!(
            error(&format!(r#"{{"status":"error","errorType":"execution","error":"{limit}"}}"#)),
            format!("execution: {limit}")
        );
        assert_eq!(error(r#"{"status":"error","errorType":"422","error":"a\nb"}"#), "a b");
        assert_eq!(error("404 page not found\n"), "404 page not found");
        assert_eq!(error("<html>\n<head><title>503</title></head>\n"), "");
        assert_eq!(error(&"x".repeat(1000)).len(), MAX_MESSAGE);
    }
}
