//! Hostile documents of a format, made of its recorded ones: names that are markup, escapes and letters that turn others; numbers beyond
//! all bounds; nesting and repetition without an end.

use ebs_imports::format::{Format, Reader, Sample};
use ebs_imports::formats::read_demand;
use ebs_imports::monitoring::{Calendar, ImportOptions};
use serde_json::Value;

/// Names in place of a device's or an instance's: one that can be kept, and two that no device may have.
const NAMES: [&str; 3] = ["<script>alert(1)</script>\u{202e}", "\u{1b}[2J", "\u{0}"];
/// Number in place of every other, as JSON and tables of text write it.
const NUMBER: &str = "1e308";
/// Times that a beginning is repeated.
const REPEATED: usize = 4_000;
/// Characters of a beginning.
const BEGINNING: usize = 60;

/// Returns hostile documents: each with what it is.
pub fn documents(format: &Format) -> Vec<(String, String)> {
    let texts = format.inputs.samples.iter().filter_map(|Sample { bytes, .. }| std::str::from_utf8(bytes).ok());
    let kinds = |text: &str| {
        let beginning: String = text.chars().take(BEGINNING).collect();
        [
            ("names", renamed(format, text, NAMES[0])),
            ("escapes", renamed(format, text, NAMES[1])),
            ("zeros", renamed(format, text, NAMES[2])),
            ("numbers", numbered(text)),
            ("repeated", beginning.repeat(REPEATED)),
            ("nested", beginning.trim_end_matches(|c: char| !"[{".contains(c)).repeat(REPEATED)),
        ]
    };
    let number = |(at, text): (usize, &str)| kinds(text).map(|(what, text)| (format!("{what} {at}"), text));
    texts.enumerate().flat_map(number).filter(|(_, text)| !text.is_empty()).collect()
}

/// Gives devices, or in JSON everything that is no time, a hostile name; of a table of text it still is a valid report.
fn renamed(format: &Format, text: &str, name: &str) -> String {
    if let Ok(document) = serde_json::from_str(text) {
        return serde_json::to_string(&renamed_values(document, name)).unwrap_or_default();
    }
    let Reader::Demand(_) = format.reader else { return text.replace("rds", name) };
    device(format, text).map_or_else(|| text.to_owned(), |device| text.replace(&device, name))
}

/// The first device of a document that gives demand.
pub fn device(format: &Format, text: &str) -> Option<String> {
    let options = ImportOptions::new(Calendar::new("UTC", false).expect("a known zone"));
    let data = read_demand(format, text, &options, &|| ()).ok()?;
    data.series.into_iter().next().map(|series| series.device)
}

fn renamed_values(value: Value, name: &str) -> Value {
    match value {
        Value::String(text) if text.starts_with(|c: char| c.is_ascii_digit()) => Value::String(text),
        // A document within a document, as events have one.
        Value::String(text) => match serde_json::from_str::<Value>(&text) {
            Ok(inner @ Value::Object(_)) => Value::String(renamed_values(inner, name).to_string()),
            _ => Value::String(format!("{name}{text}")),
        },
        Value::Array(values) => values.into_iter().map(|value| renamed_values(value, name)).collect(),
        Value::Object(members) => members.into_iter().map(|(key, value)| (key, renamed_values(value, name))).collect(),
        other => other,
    }
}

/// Puts a number beyond all bounds in place of those with a point.
fn numbered(text: &str) -> String {
    let is_number = |word: &str| word.contains('.') && word.parse::<f64>().is_ok();
    let ends = |c: char| c.is_whitespace() || ",;]}:".contains(c);
    text.split_inclusive(ends)
        .map(|piece| {
            let word = piece.trim_end_matches(ends);
            if is_number(word) { piece.replacen(word, NUMBER, 1) } else { piece.to_owned() }
        })
        .collect()
}
