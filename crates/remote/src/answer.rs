//! JSON of an answer, within bounds: a value of few bytes takes many in memory.

use serde::Deserialize;

use crate::error::AnswerError;

/// Most values of an answer: each takes up to 100 bytes in memory, so that all take some 30 MiB. 15 of a table are 16,000 tables.
const MAX_VALUES: usize = 250_000;

/// Most values of a document whose shape is not known before: an object of one member takes 600 bytes. A plan of 100 nodes has 2,500.
const MAX_DOCUMENT_VALUES: usize = 20_000;

/// Parses a document of any shape.
pub(crate) fn parse_document(text: &str) -> Result<serde_json::Value, AnswerError> {
    parse_values(text, MAX_DOCUMENT_VALUES)
}

/// Parses an answer.
pub fn parse_answer<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, AnswerError> {
    parse_values(text, MAX_VALUES)
}

/// Parses an answer of at most so many values.
pub(crate) fn parse_values<'a, T: Deserialize<'a>>(text: &'a str, max_values: usize) -> Result<T, AnswerError> {
    // Each value but the first follows a comma or opens a list. Those within texts count, too: it is a bound.
    if text.bytes().filter(|byte| matches!(byte, b',' | b'[' | b'{')).nth(max_values).is_some() {
        return Err(AnswerError::TooLarge { max: max_values, unit: "values" });
    }
    Ok(serde_json::from_str(text)?)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn answers_are_bounded_before_they_are_parsed() {
        let list = |commas: usize| format!("[{}0]", "0,".repeat(commas));
        let error = parse_answer::<Vec<u8>>(&list(MAX_VALUES)).unwrap_err().to_string();
        assert_eq!(error, "the answer has more than 250000 values");
        assert_eq!(parse_answer::<Vec<u8>>(&list(MAX_VALUES - 1)).unwrap().len(), MAX_VALUES);
        let nested = format!("[{}]", vec![format!("{}1{}", r#"{"":"#.repeat(110), "}".repeat(110)); 200].join(","));
        assert_eq!(parse_document(&nested).unwrap_err().to_string(), "the answer has more than 20000 values");
        assert!(parse_answer::<BTreeMap<u32, String>>("{").is_err());
    }
}
