//! Rows of `ebsctl fleet`, as `ebs_import_fleet` stores them: JSON objects in succession (JSON lines), or arrays of them.
//!
//! A row is stored as it is; the keys that SQL reads are checked, others may be added by later versions.

use std::collections::BTreeSet;

use ebs_base::input::Pieces;
use serde_json::{Deserializer, Value};

use crate::configuration::{ConfigurationError, Element};

/// Most rows of one import: a fleet of an account has a few thousand.
pub const MAX_ANSWERS: usize = 100_000;
/// Longest row, bytes; one takes some 2 KiB.
pub const MAX_ANSWER_BYTES: usize = 64 << 10;

/// Values of the key `action`.
pub const ACTIONS: [&str; 5] = ["keep", "modify", "larger_instance", "delete", "no_answer"];

/// Texts beside those that [`FleetAnswer`] has.
const TEXTS: [&str; 8] = ["platform", "name", "claim", "zone", "instance_type", "risk", "confidence", "binding_limit"];
/// Counts of a configuration.
const COUNTS: [&str; 4] = ["volumes", "size_gib", "iops", "throughput_mibps"];

/// Answer for a volume.
#[derive(Clone, Debug, PartialEq)]
pub struct FleetAnswer {
    /// EBS volume ID, or identifier of the RDS instance.
    pub volume: String,
    /// AWS account; `None` where it is not known, like what follows.
    pub account: Option<String>,
    /// Region.
    pub region: Option<String>,
    /// Instance.
    pub instance: Option<String>,
    /// Owner.
    pub owner: Option<String>,
    /// One of [`ACTIONS`].
    pub action: String,
    /// Present price, US dollars a month.
    pub usd_month: Option<f64>,
    /// Saving of the action, US dollars a month; negative where it costs more.
    pub usd_month_saved: Option<f64>,
    /// The whole row.
    pub row: Value,
}

/// Reason for which rows are refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FleetAnswerError {
    /// The text is not JSON, or is cut off.
    #[error("the answers are not JSON: {0}")]
    Malformed(String),
    /// A row has an unexpected value.
    #[error(transparent)]
    Value(#[from] ConfigurationError),
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

impl FleetAnswerError {
    /// The remedy.
    pub fn hint(&self) -> &'static str {
        match self {
            FleetAnswerError::TooMany => "Import them in parts, with the same advised_at.",
            FleetAnswerError::Duplicate(_) => "Import the answers of different times one after another.",
            _ => "Accepted is what ebsctl fleet --format json prints (docs/fleet.md).",
        }
    }
}

/// Reads the rows. `pause` is called between pieces of the text, and may unwind.
pub fn read(text: &str, pause: &dyn Fn()) -> Result<Vec<FleetAnswer>, FleetAnswerError> {
    let mut reader = Reader::default();
    for value in Deserializer::from_reader(Pieces::new(text, pause)).into_iter::<Value>() {
        match value.map_err(|error| FleetAnswerError::Malformed(error.to_string()))? {
            Value::Array(values) => values.into_iter().try_for_each(|value| reader.add(value))?,
            value => reader.add(value)?,
        }
    }
    if reader.answers.is_empty() { Err(FleetAnswerError::Empty) } else { Ok(reader.answers) }
}

/// Rows that were read.
#[derive(Default)]
struct Reader {
    answers: Vec<FleetAnswer>,
    keys: BTreeSet<(String, Option<String>, Option<String>)>,
}

impl Reader {
    fn add(&mut self, row: Value) -> Result<(), FleetAnswerError> {
        let number = self.answers.len() + 1;
        if number > MAX_ANSWERS {
            return Err(FleetAnswerError::TooMany);
        }
        let text = row.to_string();
        if text.len() > MAX_ANSWER_BYTES {
            return Err(FleetAnswerError::TooLong(format!("answer {number}")));
        }
        // PostgreSQL's texts have no such character, wherever it is in the row.
        if text.contains("\\u0000") {
            let problem = "has a character U+0000".to_owned();
            return Err(ConfigurationError::Element { at: format!("answer {number}"), problem }.into());
        }
        let answer = check(number, row)?;
        let key = (answer.volume.clone(), answer.account.clone(), answer.region.clone());
        if !self.keys.insert(key) {
            return Err(FleetAnswerError::Duplicate(answer.volume));
        }
        self.answers.push(answer);
        Ok(())
    }
}

/// Checks a row, the one of this number from 1.
fn check(number: usize, row: Value) -> Result<FleetAnswer, ConfigurationError> {
    let element = Element::new(format!("answer {number}"), &row)?;
    let volume = element.identifier("volume")?;
    let element = element.named(format!("volume \"{volume}\""));
    let action = element.identifier("action")?;
    if !ACTIONS.contains(&action.as_str()) {
        return Err(element.error("action", &format!("is none of {}", ACTIONS.join(", "))));
    }
    TEXTS.iter().try_for_each(|key| element.text(key).map(drop))?;
    element.number("limit_pct")?;
    check_coded(&element, "reason")?;
    if let Some(evidence) = element.object("evidence")? {
        ["source", "grade"].iter().try_for_each(|key| evidence.text(key).map(drop))?;
        ["coverage_pct", "interval_s"].iter().try_for_each(|key| evidence.number(key).map(drop))?;
    }
    check_volumes(&element, "recommended")?;
    Ok(FleetAnswer {
        account: element.text("account")?,
        region: element.text("region")?,
        instance: element.text("instance")?,
        owner: element.text("owner")?,
        usd_month: check_volumes(&element, "present")?,
        usd_month_saved: element.number("usd_month_saved")?,
        volume,
        action,
        row,
    })
}

/// Checks a configuration, and returns its price.
fn check_volumes(element: &Element, key: &str) -> Result<Option<f64>, ConfigurationError> {
    let Some(volumes) = element.object(key)? else { return Ok(None) };
    volumes.identifier("volume_type")?;
    COUNTS.iter().try_for_each(|key| volumes.count(key).map(drop))?;
    match volumes.number("usd_month")? {
        Some(price) if price < 0.0 => Err(volumes.error("usd_month", "is negative")),
        price => Ok(price),
    }
}

fn check_coded(element: &Element, key: &str) -> Result<(), ConfigurationError> {
    let Some(coded) = element.object(key)? else { return Ok(()) };
    coded.text("code")?;
    coded.text("text").map(drop)
}

#[cfg(test)]
#[path = "fleet_answers_tests.rs"]
mod tests;
