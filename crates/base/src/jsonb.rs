//! JSON as PostgreSQL prints a jsonb: keys by length and then by bytes, a space behind each colon and comma, numbers without an exponent
//! (<https://www.postgresql.org/docs/current/datatype-json.html>, `JsonbToCString` and `lengthCompareJsonbString` of its `jsonb*.c`).

use std::fmt::Write;

use serde_json::{Number, Value};

/// The text that PostgreSQL prints of a document that it was given as jsonb.
pub fn to_text(document: &Value) -> String {
    let mut text = String::new();
    write_value(&mut text, document);
    text
}

fn write_value(text: &mut String, value: &Value) {
    match value {
        Value::Object(object) => {
            let mut members: Vec<(&String, &Value)> = object.iter().collect();
            members.sort_by(|(one, _), (other, _)| (one.len(), one).cmp(&(other.len(), other)));
            write_list(text, ('{', '}'), members, |text, (key, value)| {
                text.push_str(&Value::from(key.as_str()).to_string());
                text.push_str(": ");
                write_value(text, value);
            });
        }
        Value::Array(elements) => write_list(text, ('[', ']'), elements, write_value),
        Value::Number(number) => write_number(text, number),
        // PostgreSQL escapes the same characters in the same way.
        Value::String(_) | Value::Bool(_) | Value::Null => text.push_str(&value.to_string()),
    }
}

fn write_list<T>(
    text: &mut String,
    (open, close): (char, char),
    elements: impl IntoIterator<Item = T>,
    mut write: impl FnMut(&mut String, T),
) {
    text.push(open);
    for (index, element) in elements.into_iter().enumerate() {
        if index > 0 {
            text.push_str(", ");
        }
        write(text, element);
    }
    text.push(close);
}

/// A numeric keeps the decimals that are written, and has neither an exponent nor a negative zero.
fn write_number(text: &mut String, number: &Number) {
    let written = number.to_string();
    match number.as_f64() {
        Some(0.0) => text.push_str(written.trim_start_matches('-')),
        Some(value) if written.contains('e') => {
            // Writing to a string does not fail.
            let _ = write!(text, "{value}");
        }
        _ => text.push_str(&written),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Each was printed by PostgreSQL 18: `SELECT '…'::jsonb`.
    #[test]
    fn a_document_is_printed_as_jsonb() {
        for (document, printed) in [
            (
                json!({"usd": 1, "b": [1.0, 2.5e-7, 1e21], "a": {"zz": null, "y": true}}),
                r#"{"a": {"y": true, "zz": null}, "b": [1.0, 0.00000025, 1000000000000000000000], "usd": 1}"#,
            ),
            (json!(["a\"b\\c\n\u{1}ü", "", []]), r#"["a\"b\\c\n\u0001ü", "", []]"#),
            (json!([-0.0, 0.0, -1.5, 0, 123456789012.25]), "[0.0, 0.0, -1.5, 0, 123456789012.25]"),
            (json!({}), "{}"),
        ] {
            assert_eq!(to_text(&document), printed);
        }
    }
}
