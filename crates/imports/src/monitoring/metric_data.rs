//! Answers of `aws cloudwatch get-metric-data` and get-metric-statistics, whatever metrics they have.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::slice;

use serde::Deserialize;
use serde_json::Value;

use super::checks::Values;
use super::table::brief;
use super::{ImportError, MAX_COUNT, metric_statistics};
use crate::import::civil::{self, Stamp};
use ebs_base::input::{WorkMeter, is_short};
use ebs_base::units::SECOND_US;

/// The key of what the answer holds.
const RESULTS: &str = "MetricDataResults";

/// Longest label or id of a metric, characters: an id has 255 at most, a label names a volume and its metric.
const MAX_LABEL: usize = 1_024;

/// A metric's points.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct MetricDataResult {
    #[serde(default)]
    pub id: String,
    #[serde(default)]
    pub label: String,
    #[serde(default)]
    timestamps: Vec<Value>,
    #[serde(default)]
    values: Vec<f64>,
    status_code: Option<String>,
}

/// Returns the results of an answer, or of an array of answers, of which the last has to be whole. An answer of get-metric-statistics is one.
pub(super) fn results<'a>(answer: &'a Value, meter: &WorkMeter) -> Result<Vec<Cow<'a, Value>>, ImportError> {
    let answers = answer.as_array().map_or(slice::from_ref(answer), Vec::as_slice);
    let token = answers.last().and_then(|last| last.get("NextToken"));
    if token.is_some_and(|token| !token.is_null()) {
        return Err(malformed("NextToken", "this is a part of the answer only"));
    }
    let mut results = Vec::new();
    for answer in answers {
        if let Some(result) = metric_statistics::result(answer, meter) {
            results.push(Cow::Owned(result?));
            continue;
        }
        let all = answer.get(RESULTS).ok_or(ImportError::Foreign("\"MetricDataResults\" of get-metric-data"))?;
        let all = all.as_array().ok_or_else(|| malformed(RESULTS, "it is no array"))?;
        results.extend(all.iter().map(Cow::Borrowed));
    }
    match results.is_empty() {
        true if answers.is_empty() => Err(ImportError::Foreign("\"MetricDataResults\" of get-metric-data")),
        _ => Ok(results),
    }
}

impl MetricDataResult {
    /// Reads a result.
    pub fn read(result: &Value) -> Result<MetricDataResult, ImportError> {
        // serde's message quotes a text of any length that stands in place of a number.
        let shortened = |error: serde_json::Error| error.to_string().chars().take(200).collect::<String>();
        let result = MetricDataResult::deserialize(result).map_err(|error| malformed(RESULTS, &shortened(error)))?;
        if ![&result.label, &result.id].into_iter().all(|text| is_short(text, MAX_LABEL)) {
            return Err(too_much(MAX_LABEL, "characters in a label or an id"));
        }
        Ok(result)
    }

    /// Adds its points, in whatever order they stand; values of the metric are below its end.
    pub fn add_to(
        &self,
        points: &mut Values,
        (metric, end): (&str, f64),
        meter: &WorkMeter,
    ) -> Result<(), ImportError> {
        let refuse = |problem: String| malformed(metric, &problem);
        if self.timestamps.len() != self.values.len() {
            let (times, values) = (self.timestamps.len(), self.values.len());
            return Err(refuse(format!("{times} timestamps and {values} values")));
        }
        for (timestamp, value) in self.timestamps.iter().zip(&self.values) {
            meter.step();
            let second =
                second(timestamp).ok_or_else(|| refuse(format!("no time: {}", brief(&timestamp.to_string()))))?;
            if !(0.0..end).contains(value) {
                let end = if end < MAX_COUNT { "100" } else { "1e15" };
                return Err(refuse(format!("no number from 0 to {end}: {value}")));
            }
            if points.insert(second, *value).is_some_and(|before| before != *value) {
                return Err(refuse(format!("two values at {}", brief(&timestamp.to_string()))));
            }
        }
        Ok(())
    }
}

/// Metrics whose values are not complete, with the status that says so.
pub(super) struct Incomplete<M>(BTreeMap<M, String>);

impl<M> Default for Incomplete<M> {
    fn default() -> Self {
        Incomplete(BTreeMap::new())
    }
}

impl<M: Ord> Incomplete<M> {
    /// Notes the status of a result. An answer of several pages has a metric several times: what the last of them says holds.
    pub fn note(&mut self, metric: M, result: &MetricDataResult) {
        match result.status_code.as_deref() {
            None | Some("Complete") => self.0.remove(&metric),
            Some(status) => self.0.insert(metric, brief(status)),
        };
    }

    /// Refuses the first of them, by its name.
    pub fn check(&self, name: impl Fn(&M) -> String) -> Result<(), ImportError> {
        match self.0.first_key_value() {
            Some((metric, status)) => Err(malformed(&name(metric), &format!("its values are not complete ({status})"))),
            None => Ok(()),
        }
    }
}

/// `2026-11-20T10:00:00Z`, or seconds since 1970.
fn second(timestamp: &Value) -> Option<i64> {
    const YEAR_10000: f64 = 253_402_300_800.0;
    match timestamp {
        Value::String(text) => match civil::stamp(text)? {
            Stamp::Absolute(us) => Some(us / SECOND_US as i64),
            Stamp::Civil(..) | Stamp::Offset(..) => None,
        },
        other => other.as_f64().filter(|second| (0.0..YEAR_10000).contains(second)).map(|second| second as i64),
    }
}

/// Seconds between two points at these seconds, unless `asked` for: the greatest common divisor of all distances, since what is missing
/// makes them longer. `publisher` is whose period it has to be.
pub(super) fn period(
    seconds: impl Iterator<Item = i64>,
    asked: Option<i64>,
    publisher: &str,
) -> Result<i64, ImportError> {
    let mut times: Vec<i64> = seconds.collect();
    times.sort_unstable();
    times.dedup();
    let common = times.windows(2).fold(0, |common, pair| gcd(pair[1] - pair[0], common));
    let possible = |period: i64| period > 0 && period % 60 == 0;
    if times.is_empty() {
        return Err(malformed("Values", "there are none: nothing has the name, region or time of the query"));
    }
    match asked {
        Some(asked) if !possible(asked) || common % asked != 0 => {
            Err(ImportError::Argument(format!("period_s => {asked} does not fit the timestamps")))
        }
        Some(asked) => Ok(asked),
        None if possible(common) => Ok(common),
        None if common == 0 => Err(ImportError::Argument("one timestamp does not tell its period".to_owned())),
        None => Err(malformed("Timestamps", &format!("they are {common} s apart, which is no period of {publisher}"))),
    }
}

/// Greatest common divisor.
pub(super) fn gcd(mut a: i64, mut b: i64) -> i64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Error of an answer with more of this than is read.
pub(super) fn too_much(most: usize, what: &'static str) -> ImportError {
    ImportError::TooMuch { at: RESULTS.to_owned(), most, what }
}

fn malformed(at: &str, problem: &str) -> ImportError {
    ImportError::Malformed { at: at.to_owned(), problem: problem.to_owned() }
}
