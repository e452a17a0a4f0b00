//! Faults of a row: the value that cannot be stored, named by its key and its volume.

use ebs_base::format::plain;
use ebs_base::input::is_short;
use ebs_base::names::quoted;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::row::{Row, Volumes};

/// Longest text, characters: a tag's value has 256.
const MAX_TEXT: usize = 1_024;

/// Keys whose texts are of any length, and may have any character: nothing but the stored row shows them.
const FREE: [&str; 2] = ["tags", "mountpoint"];

/// Reads a row that is to be stored; `name` is its name while its volume is not known. The error is a sentence about its first fault.
pub(crate) fn check(name: String, value: &Value) -> Result<Row, String> {
    // A JSON array is a struct to serde.
    let Value::Object(object) = value else { return Err(format!("{name} is not an object")) };
    let is_missing = |key| object.get(key).is_none_or(|value| value.is_null() || value == "");
    if is_missing("volume") {
        return Err(format!("{name} has no \"volume\""));
    }
    let volume = object.get("volume").filter(|volume| check_text(&name, "volume", volume).is_ok());
    let name = volume.and_then(Value::as_str).map_or(name, |volume| format!("volume \"{volume}\""));
    if is_missing("action") {
        return Err(format!("{name} has no \"action\""));
    }
    let row = read_part(&name, value, &Value::clone)?;
    let read = serde_json::to_value(&row).map_err(|error| error.to_string())?;
    check_parts(&name, &read, object)?;
    for (key, volumes) in [("recommended", &row.recommended), ("present", &row.present)] {
        volumes.as_ref().map_or(Ok(()), |volumes| check_volumes(&format!("\"{key}\" of {name}"), volumes))?;
    }
    Ok(row)
}

/// Reads a part of a row: `row` is the row with this part alone. Each key has a default, so that parts show which of them cannot be read.
fn read_part(at: &str, part: &Value, row: &dyn Fn(&Value) -> Value) -> Result<Row, String> {
    let error = match Row::deserialize(row(part)) {
        Ok(row) => return Ok(row),
        Err(error) => error,
    };
    for (key, value) in part.as_object().into_iter().flatten() {
        let name = plain(&quoted(key));
        read_part(&format!("\"{name}\" of {at}"), value, &|value| row(&json!({ key: value })))
            .map_err(|fault| if value.is_null() { format!("{at} has no \"{name}\"") } else { fault })?;
    }
    Err(format!("{at} {}", problem(&error)))
}

/// Words an error of serde: `invalid type: string "ten", expected f64` as `is not a number`.
fn problem(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(", expected ").map(|(_, expected)| expected) {
        Some("f64") => "is not a number".to_owned(),
        Some("string or map") => "is not a string".to_owned(),
        Some(expected) => match expected.strip_prefix("one of ") {
            Some(names) => format!("is none of {}", names.replace('`', "")),
            None => format!("is not {expected}"),
        },
        None => format!("cannot be read: {text}"),
    }
}

/// Refuses texts that no column can show, and arrays that were read as structs. `read` is what was read of what is `given`.
fn check_parts(at: &str, read: &Value, given: &Map<String, Value>) -> Result<(), String> {
    let parts = read.as_object().into_iter().flatten().filter(|(key, _)| !FREE.contains(&key.as_str()));
    for (key, part) in parts {
        match (part, given.get(key)) {
            (Value::Object(_), Some(Value::Object(given))) => check_parts(&format!("\"{key}\" of {at}"), part, given)?,
            (Value::Object(_), Some(_)) => return Err(format!("\"{key}\" of {at} is not an object")),
            _ => check_text(at, key, part)?,
        }
    }
    Ok(())
}

fn check_text(at: &str, key: &str, value: &Value) -> Result<(), String> {
    match value {
        Value::String(text) if !is_short(text, MAX_TEXT) => {
            Err(format!("\"{key}\" of {at} has more than {MAX_TEXT} characters"))
        }
        Value::String(text) if text.chars().any(char::is_control) => {
            Err(format!("\"{key}\" of {at} has a control character"))
        }
        _ => Ok(()),
    }
}

fn check_volumes(at: &str, volumes: &Volumes) -> Result<(), String> {
    if volumes.volume_type.is_empty() {
        return Err(format!("{at} has no \"volume_type\""));
    }
    match volumes.usd_month {
        Some(price) if price < 0.0 => Err(format!("\"usd_month\" of {at} is negative")),
        _ => Ok(()),
    }
}
