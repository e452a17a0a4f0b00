//! An object of a document, whose known keys are read by their types; others are ignored.

use std::collections::BTreeMap;

use ebs_base::input::is_short;
use ebs_base::units::LATEST_US;
use serde_json::{Map, Value};

use super::ConfigurationError;

/// Longest text, characters: a tag's value has 256.
const MAX_TEXT: usize = 1_024;
/// Most tags: an AWS resource has 50.
const MAX_TAGS: usize = 200;
/// Longest text and most keys of values that are only shown.
const MAX_SHOWN: usize = 64;
const MAX_OTHERS: usize = 16;
/// Largest size, IOPS or throughput.
const MAX_COUNT: u64 = 1_000_000_000;

/// An object, and its name in messages.
pub(crate) struct Element<'a> {
    /// `volume "vol-0a"`, `element 3 of "Volumes"`.
    pub at: String,
    object: &'a Map<String, Value>,
}

impl<'a> Element<'a> {
    /// Refuses a value that is not an object.
    pub fn new(at: String, value: &'a Value) -> Result<Element<'a>, ConfigurationError> {
        match value {
            Value::Object(object) => Ok(Element { at, object }),
            _ => Err(ConfigurationError::Element { at, problem: "is not an object".to_owned() }),
        }
    }

    /// The same object under another name.
    pub fn named(&self, at: String) -> Element<'a> {
        Element { at, object: self.object }
    }

    /// The text of the key that identifies the object.
    pub fn identifier(&self, key: &str) -> Result<String, ConfigurationError> {
        let missing = || ConfigurationError::Element { at: self.at.clone(), problem: format!("has no \"{key}\"") };
        self.text(key)?.filter(|text| !text.is_empty()).ok_or_else(missing)
    }

    /// A text.
    pub fn text(&self, key: &str) -> Result<Option<String>, ConfigurationError> {
        match self.get(key) {
            None => Ok(None),
            Some(Value::String(text)) if !is_short(text, MAX_TEXT) => {
                Err(self.error(key, &format!("has more than {MAX_TEXT} characters")))
            }
            Some(Value::String(text)) if text.chars().any(char::is_control) => {
                Err(self.error(key, "has a control character"))
            }
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(self.error(key, "is not a string")),
        }
    }

    /// A text whose control characters are question marks.
    fn printable(&self, key: &str) -> Result<Option<String>, ConfigurationError> {
        match self.get(key) {
            Some(Value::String(text)) if is_short(text, MAX_TEXT) => {
                Ok(Some(text.chars().map(|c| if c.is_control() { '?' } else { c }).collect()))
            }
            _ => self.text(key),
        }
    }

    /// A whole number.
    pub fn count(&self, key: &str) -> Result<Option<u64>, ConfigurationError> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let count = value.as_u64().filter(|count| *count <= MAX_COUNT);
        count.map(Some).ok_or_else(|| self.error(key, &format!("is not a whole number from 0 to {MAX_COUNT}")))
    }

    /// A truth value.
    pub fn flag(&self, key: &str) -> Result<Option<bool>, ConfigurationError> {
        let Some(value) = self.get(key) else { return Ok(None) };
        value.as_bool().map(Some).ok_or_else(|| self.error(key, "is neither true nor false"))
    }

    /// A time, microseconds since 1970.
    pub fn time(&self, key: &str) -> Result<Option<i64>, ConfigurationError> {
        let Some(text) = self.text(key)? else { return Ok(None) };
        let time = text.parse::<jiff::Timestamp>().ok().map(jiff::Timestamp::as_microsecond);
        let time = time.filter(|us| (0..LATEST_US).contains(us));
        time.map(Some).ok_or_else(|| self.error(key, "is not a time such as 2026-11-20T10:00:00Z"))
    }

    /// An object.
    pub fn object(&self, key: &str) -> Result<Option<Element<'a>>, ConfigurationError> {
        match self.object.get(key).filter(|value| !value.is_null()) {
            None => Ok(None),
            Some(value @ Value::Object(_)) => Element::new(format!("\"{key}\" of {}", self.at), value).map(Some),
            Some(_) => Err(self.error(key, "is not an object")),
        }
    }

    /// Elements of an array; none where the key is missing.
    pub fn array(&self, key: &str) -> Result<&'a [Value], ConfigurationError> {
        match self.object.get(key).filter(|value| !value.is_null()) {
            None => Ok(&[]),
            Some(Value::Array(values)) => Ok(values),
            Some(_) => Err(self.error(key, "is not an array")),
        }
    }

    /// Tags by their keys.
    pub fn tags(&self, key: &str) -> Result<BTreeMap<String, String>, ConfigurationError> {
        let values = self.array(key)?;
        if values.len() > MAX_TAGS {
            return Err(self.error(key, &format!("has more than {MAX_TAGS} tags")));
        }
        let mut tags = BTreeMap::new();
        for (number, value) in (1..).zip(values) {
            let tag = Element::new(format!("tag {number} of {}", self.at), value)?;
            // EC2 allows any character in tags, and a person's tag is no reason to refuse an account.
            let key = tag.printable("Key")?.filter(|key| !key.is_empty());
            let key = key.map_or_else(|| tag.identifier("Key"), Ok)?;
            tags.insert(key, tag.printable("Value")?.unwrap_or_default());
        }
        Ok(tags)
    }

    /// Keys other than these, in order, each with its value where that is a short text, a number or a truth value, and no password:
    /// `EngineVersion 16.6`. Control characters are question marks.
    pub fn other_values(&self, known: &[&str]) -> Vec<String> {
        let is_set = |value: &Value| match value {
            Value::Null => false,
            Value::Array(values) => !values.is_empty(),
            Value::Object(object) => !object.is_empty(),
            _ => true,
        };
        let shown = |(key, value): (&String, &Value)| {
            let text = match value {
                Value::String(text) if !key.contains("Password") && is_short(text, MAX_SHOWN) => format!(" {text}"),
                Value::Number(number) => format!(" {number}"),
                Value::Bool(flag) => format!(" {flag}"),
                _ => String::new(),
            };
            let key: String = key.chars().take(MAX_SHOWN).collect();
            format!("{key}{text}").chars().map(|c| if c.is_control() { '?' } else { c }).collect()
        };
        let others = self.object.iter().filter(|(key, value)| !known.contains(&key.as_str()) && is_set(value));
        others.take(MAX_OTHERS).map(shown).collect()
    }

    /// Error of a key.
    pub fn error(&self, key: &str, problem: &str) -> ConfigurationError {
        ConfigurationError::Value { at: self.at.clone(), key: key.to_owned(), problem: problem.to_owned() }
    }

    fn get(&self, key: &str) -> Option<&'a Value> {
        self.object.get(key).filter(|value| !value.is_null())
    }
}
