//! Members of the objects of an array that users write themselves. PostgreSQL reads their times where a SQL function gets them; in a file
//! they are those of a calendar.

use ebs_base::json_array::{ArrayError, for_each_element};
use ebs_base::names::{quoted, similar};
use serde_json::{Map, Value};

use super::{Calendar, ImportError};

/// Least similarity of a suggested name: names of members share words.
const SIMILAR: f64 = 0.8;

/// Members that the objects of an array may have.
#[derive(Clone, Copy, Debug)]
pub struct Layout<const TIMES: usize, const COUNTS: usize> {
    /// One object as errors name it: `sample`.
    pub object: &'static str,
    /// Names of the times.
    pub times: [&'static str; TIMES],
    /// Names of the counts.
    pub counts: [&'static str; COUNTS],
}

/// Members of one object, in the order of its [`Layout`]; `None` where an object has none, or null.
#[derive(Clone, Debug, PartialEq)]
pub struct Members<const TIMES: usize, const COUNTS: usize> {
    /// Times as written.
    pub times: [Option<String>; TIMES],
    /// Counts.
    pub counts: [Option<f64>; COUNTS],
}

impl<const TIMES: usize, const COUNTS: usize> Layout<TIMES, COUNTS> {
    /// Reads object `number`, counted from 1. Refuses a member that the layout does not name, so that a typing error cannot pass for
    /// a missing value, and a count that is neither a number nor a text of one.
    pub fn read(&self, number: usize, object: &Map<String, Value>) -> Result<Members<TIMES, COUNTS>, ImportError> {
        let known = || self.times.iter().chain(&self.counts).copied();
        if let Some(name) = object.keys().find(|name| known().all(|known| known != name.as_str())) {
            return Err(ImportError::UnknownMember {
                at: self.at(number),
                name: quoted(name),
                similar: similar(name, known(), SIMILAR).first().copied(),
                known: known().collect(),
            });
        }
        let mut counts = [None; COUNTS];
        for (count, name) in counts.iter_mut().zip(self.counts) {
            *count = self.count(number, name, object.get(name))?;
        }
        let times = self.times.map(|name| object.get(name).filter(|value| !value.is_null()).map(text));
        Ok(Members { times, counts })
    }

    /// Reads all objects of an array in a text; `keep` gets the times of each, microseconds since 1970, and its counts. `objects` names them in the error of a text
    /// that is no array. `pause` is called between pieces of the work.
    pub fn read_text(
        &self,
        text: &str,
        (objects, calendar): (&'static str, &Calendar),
        pause: &dyn Fn(),
        mut keep: impl FnMut([Option<i64>; TIMES], [Option<f64>; COUNTS]),
    ) -> Result<(), ImportError> {
        let mut number = 0;
        let foreign = || ImportError::Foreign(objects);
        let read = for_each_element(text, pause, |element| {
            number += 1;
            let members = self.read(number, element.as_object().ok_or_else(foreign)?)?;
            let mut times = [None; TIMES];
            for ((time, text), name) in times.iter_mut().zip(members.times).zip(self.times) {
                let Some(text) = text else { continue };
                *time = Some(calendar.read(&text).ok_or_else(|| self.invalid_time(number, name, &text))?);
            }
            keep(times, members.counts);
            Ok(())
        });
        read.map_err(|error| match error {
            ArrayError::Element(error) => error,
            ArrayError::NotArray => foreign(),
            ArrayError::Malformed(error) => ImportError::line(error.line(), error.to_string()),
        })
    }

    /// Error of the time that cannot be read, in object `number`.
    pub fn invalid_time(&self, number: usize, name: &'static str, value: &str) -> ImportError {
        ImportError::NotATime { at: self.at(number), name, value: quoted(value) }
    }

    fn count(&self, number: usize, name: &'static str, value: Option<&Value>) -> Result<Option<f64>, ImportError> {
        let count = match value {
            None | Some(Value::Null) => return Ok(None),
            Some(Value::String(text)) => text.trim().parse().ok(),
            Some(value) => value.as_f64(),
        };
        let value = value.map(text).unwrap_or_default();
        count.map(Some).ok_or_else(|| ImportError::NotANumber { at: self.at(number), name, value: quoted(&value) })
    }

    fn at(&self, number: usize) -> String {
        format!("{} {number}", self.object)
    }
}

/// The text of a string, or another value as JSON.
fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const LAYOUT: Layout<1, 2> = Layout { object: "sample", times: ["ts"], counts: ["reads", "read_ms"] };

    fn read(object: &Value) -> Result<Members<1, 2>, ImportError> {
        LAYOUT.read(17, object.as_object().unwrap())
    }

    #[test]
    fn numbers_and_texts_of_numbers_are_counts() {
        let members = read(&json!({"ts": "2026-01-01", "reads": " 1e3", "read_ms": 0.5})).unwrap();
        assert_eq!(members, Members { times: [Some("2026-01-01".to_owned())], counts: [Some(1_000.0), Some(0.5)] });
        assert_eq!(read(&json!({"ts": null, "reads": null})).unwrap(), Members { times: [None], counts: [None, None] });
        assert_eq!(read(&json!({"ts": 5})).unwrap().times, [Some("5".to_owned())]);
    }

    #[test]
    fn a_value_that_is_no_number_is_named_with_its_object_and_member() {
        for (value, quoted) in [(json!("a"), "a"), (json!(true), "true"), (json!([1]), "[1]"), (json!(""), "")] {
            let error = read(&json!({"ts": "2026-01-01", "reads": value})).unwrap_err();
            assert_eq!(error.to_string(), "sample 17: \"reads\" is not a number");
            assert_eq!(error.detail(), Some(format!("The value is \"{quoted}\".")));
        }
    }

    #[test]
    fn an_unknown_member_is_refused_with_the_nearest_name() {
        let error = read(&json!({"ts": "2026-01-01", "read_mss": 1})).unwrap_err();
        assert_eq!(error.to_string(), "sample 17: unknown member \"read_mss\"");
        assert_eq!(error.hint().unwrap(), "Perhaps \"read_ms\" is meant. Known members are ts, reads, read_ms.");
        let error = read(&json!({"qqq": 1})).unwrap_err();
        assert_eq!(error.hint().unwrap(), "Known members are ts, reads, read_ms.");
    }
}
