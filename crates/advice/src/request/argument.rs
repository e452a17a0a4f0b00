//! Argument of a request for advice: its declaration, its check, its place in the settings and in the request.

use ebs_base::argument::{Argument, DefaultValue, Value};
use ebs_base::error::{InputError, within};
use ebs_base::format::count;

use super::settings::{Request, Settings};

/// An argument of `ebs_advise` and of the functions that answer likewise.
#[derive(Debug)]
pub struct AdviceArgument {
    /// Name, type, default and meaning.
    pub argument: Argument,
    /// Name of its value in the help of a command: `PERCENT`.
    pub value_name: &'static str,
    /// Default in the documentation, in Markdown, where the evidence decides on it; `None`: that of the declaration.
    pub default_text: Option<&'static str>,
    /// Accepted values.
    pub check: Check,
    /// Reason for the default, and exceptions, in Markdown; empty where there is nothing to add to the meaning.
    pub remark: &'static str,
    /// `bound_by` of volumes that miss it, in Markdown; empty where it excludes none.
    pub bound_by: &'static str,
    /// Puts a value of its type into the settings.
    pub(super) set: fn(&mut Settings, Value) -> Result<(), InputError>,
    /// Value of a request, with the defaults that depend on the evidence; `None` where it has none.
    pub(super) get: fn(&Request) -> Option<Value<'_>>,
}

/// Accepted values of an argument.
#[derive(Debug)]
pub enum Check {
    /// These names.
    Names(fn() -> Vec<&'static str>),
    /// Names of the catalogue, as the documentation describes them.
    Described(&'static str),
    /// Numbers.
    Range {
        /// Least and most accepted.
        range: (f64, f64),
        /// Unit behind them in the documentation: ` GiB`, `, per cent`.
        unit: &'static str,
        /// Hint of the error.
        hint: &'static str,
        /// The number of the settings; `None` where it was left out.
        number: fn(&Settings) -> Option<f64>,
    },
}

impl AdviceArgument {
    /// Puts a value of its type into the settings; refuses an amount that is none, and an unknown source of I/O. Ranges are checked with
    /// the request.
    pub fn set(&self, settings: &mut Settings, value: Value) -> Result<(), InputError> {
        (self.set)(settings, value)
    }

    /// Value of a request; `None` where it has none.
    pub fn value_of<'a>(&self, request: &'a Request) -> Option<Value<'a>> {
        (self.get)(request)
    }

    /// Refuses a number of the settings that is outside its range.
    pub(super) fn check(&self, settings: &Settings) -> Result<(), InputError> {
        let Check::Range { range, hint, number, .. } = self.check else { return Ok(()) };
        number(settings).map_or(Ok(()), |value| within(self.argument.name, value, range, hint).map(drop))
    }

    pub(super) fn out_of_range(&self, value: f64) -> InputError {
        let ((min, max), meaning) = match self.check {
            Check::Range { range, hint, .. } => (range, hint),
            _ => ((f64::NAN, f64::NAN), ""),
        };
        InputError::OutOfRange { argument: self.argument.name, value, min, max, meaning }
    }

    /// Accepted values for the documentation: `50 to 99.9, per cent`.
    fn accepted(&self) -> String {
        let decimal = |bound: f64| if bound.fract() == 0.0 { count(bound) } else { bound.to_string() };
        match self.check {
            Check::Names(names) => names().iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "),
            Check::Described(text) => text.to_owned(),
            Check::Range { range: (low, high), unit, .. } => format!("{} to {}{unit}", decimal(low), decimal(high)),
        }
    }

    fn default_markdown(&self) -> String {
        match (self.default_text, self.argument.default) {
            (Some(text), _) => text.to_owned(),
            (None, DefaultValue::Text(text)) => format!("`{text}`"),
            (None, default) => default.literal().unwrap_or_default(),
        }
    }

    /// Row of the table of arguments in docs/advice.md.
    pub fn documentation(&self) -> String {
        let Argument { name, meaning, .. } = self.argument;
        let remark = if self.remark.is_empty() { String::new() } else { format!("; {}", self.remark) };
        let columns = [
            format!("`{name}`"),
            self.default_markdown(),
            self.accepted(),
            format!("{meaning}{remark}"),
            self.bound_by.into(),
        ];
        columns
            .iter()
            .fold("|".to_owned(), |row, column| format!("{row} {column}{}|", if column.is_empty() { "" } else { " " }))
    }

    /// Meaning as a sentence: `Maximum mean latency of a request, ms.`
    pub fn sentence(&self) -> String {
        format!("{}.", self.argument.capitalized())
    }

    /// Help of its flag, with the default: `Percentile of … [default: 99]`.
    pub fn help(&self) -> String {
        // A reference to the page leads nowhere from a terminal.
        let default = self.default_text.filter(|text| !text.contains("](#")).map(without_markup);
        self.argument.help(default.as_deref())
    }

    /// Names that it accepts; `None` where it takes others.
    pub fn names(&self) -> Option<Vec<&'static str>> {
        match self.check {
            Check::Names(names) => Some(names()),
            Check::Described(_) | Check::Range { .. } => None,
        }
    }
}

/// A text without code marks, and with the words of links alone.
fn without_markup(text: &str) -> String {
    let mut output = String::new();
    let mut rest = text;
    while let Some((before, link)) = rest.split_once('[') {
        let Some((words, behind)) = link.split_once("](") else { break };
        output.push_str(&format!("{before}{words}"));
        rest = behind.split_once(')').map_or("", |(_, behind)| behind);
    }
    (output + rest).replace('`', "")
}

pub(super) fn with_text(value: Value, set: impl FnOnce(&str)) -> Result<(), InputError> {
    if let Value::Text(text) = value {
        set(text);
    }
    Ok(())
}

pub(super) fn with_number(value: Value, set: impl FnOnce(f64)) -> Result<(), InputError> {
    if let Value::Number(number) = value {
        set(number);
    }
    Ok(())
}

pub(super) fn with_integer(value: Value, set: impl FnOnce(i64)) -> Result<(), InputError> {
    if let Value::Integer(integer) = value {
        set(integer);
    }
    Ok(())
}

pub(super) fn to_integer(count: u64) -> Option<Value<'static>> {
    i64::try_from(count).ok().map(Value::Integer)
}
