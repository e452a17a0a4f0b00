//! Inputs of another format in place of lines of an export: an error of the server, documents of AWS, and text.

use serde_json::{Map, Value};

use super::envelope::read_error;
use super::error::ReadError;

/// Keys of documents of AWS, each with the command that prints it.
const DOCUMENTS: [(&str, &str); 4] = [
    ("Volumes", "describe-volumes"),
    ("VolumesModifications", "describe-volumes-modifications"),
    ("Reservations", "describe-instances"),
    ("DBInstances", "describe-db-instances"),
];

/// The error of a line that is recognized as something else; `None` of others.
pub fn recognize(line: &[u8]) -> Option<ReadError> {
    let text = line.trim_ascii();
    if !text.starts_with(b"{") {
        return Some(ReadError::invalid("expected JSON lines of samples, found other text"));
    }
    if text == b"{" {
        return Some(ReadError::invalid(
            "it is a JSON document over several lines, as describe-volumes prints one, and not JSON lines of samples",
        ));
    }
    let document: Map<String, Value> = serde_json::from_slice(text).ok()?;
    if document.get("status").is_some_and(|status| status == "error") && document.contains_key("error") {
        return Some(ReadError::Server(read_error(text)));
    }
    let (_, command) = DOCUMENTS.iter().find(|(key, _)| document.contains_key(*key))?;
    Some(ReadError::invalid(format!("it looks like the output of {command}, which has no samples")))
}
