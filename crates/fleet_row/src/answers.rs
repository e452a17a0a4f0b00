//! Rows as `ebs_import_fleet` stores them: JSON objects in succession (JSON lines), or arrays of them.
//!
//! A row is stored as it came: what [`Row`] knows of it is checked, other keys may be added by later versions.

use std::collections::BTreeSet;

use ebs_base::input::Pieces;
use serde_json::{Deserializer, Value};

use crate::fault;
use crate::row::Row;

/// Most rows of one import: a fleet of an account has a few thousand.
pub const MAX_ANSWERS: usize = 100_000;
/// Longest row, bytes; one takes some 2 KiB.
pub const MAX_ANSWER_BYTES: usize = 64 << 10;

/// Reason for which rows are refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnswerError {
    /// The text is not JSON, or is cut off.
    #[error("the answers are not JSON: {0}")]
    Malformed(String),
    /// A row has an unexpected value: the message names the volume and the key.
    #[error("{0}")]
    Value(String),
    /// There is no row.
    #[error("there is no answer")]
    Empty,
    /// Two rows are of one volume.
    #[error("volume \"{0}\" has two answers")]
    Duplicate(String),
    /// A row is longer than one may be.
    #[error("{0} has more than {MAX_ANSWER_BYTES} bytes")]
    TooLong(String),
    /// There are more rows than one import may have.
    #[error("there are more than {MAX_ANSWERS} answers")]
    TooMany,
}

impl AnswerError {
    /// The remedy.
    pub fn hint(&self) -> &'static str {
        match self {
            AnswerError::TooMany => "Import them in parts, with the same advised_at.",
            AnswerError::Duplicate(_) => "Import the answers of different times one after another.",
            _ => "Accepted is what ebsctl fleet --format json prints (docs/fleet.md).",
        }
    }
}

/// Reads rows, and returns each as it came. `pause` is called between pieces of the text and before each row, and may unwind.
pub fn read(text: &str, pause: &dyn Fn()) -> Result<Vec<Value>, AnswerError> {
    let mut reader = Reader::default();
    for value in Deserializer::from_reader(Pieces::new(text, pause)).into_iter::<Value>() {
        match value.map_err(|error| AnswerError::Malformed(error.to_string()))? {
            Value::Array(values) => values.into_iter().try_for_each(|value| reader.add(value, pause))?,
            value => reader.add(value, pause)?,
        }
    }
    if reader.answers.is_empty() { Err(AnswerError::Empty) } else { Ok(reader.answers) }
}

/// Rows that were read.
#[derive(Default)]
struct Reader {
    answers: Vec<Value>,
    keys: BTreeSet<(String, Option<String>, Option<String>)>,
}

impl Reader {
    fn add(&mut self, value: Value, pause: &dyn Fn()) -> Result<(), AnswerError> {
        pause();
        let number = self.answers.len() + 1;
        if number > MAX_ANSWERS {
            return Err(AnswerError::TooMany);
        }
        let name = format!("answer {number}");
        let text = value.to_string();
        if text.len() > MAX_ANSWER_BYTES {
            return Err(AnswerError::TooLong(name));
        }
        // PostgreSQL's texts have no such character, wherever it is in the row.
        if text.contains("\\u0000") {
            return Err(AnswerError::Value(format!("{name} has a character U+0000")));
        }
        let Row { volume, account, region, .. } = fault::check(name, &value).map_err(AnswerError::Value)?;
        if !self.keys.insert((volume.clone(), account, region)) {
            return Err(AnswerError::Duplicate(volume));
        }
        self.answers.push(value);
        Ok(())
    }
}

#[cfg(test)]
#[path = "answers_tests.rs"]
mod tests;
