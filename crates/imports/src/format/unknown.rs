//! Files of no known format, in words.

use ebs_base::format::plain;

/// Most letters of a line, and most names, that are shown.
const MAX_LETTERS: usize = 50;
const MAX_NAMES: usize = 5;
/// Longest name of a column, bytes: prose has longer parts between its commas.
const MAX_NAME: usize = 40;

/// Description of a file of no known format by its beginning: `a PNG image`, `JSON with the keys a, b`, `text that begins with "Time"`.
pub fn describe_unknown(beginning: &[u8]) -> String {
    let text = String::from_utf8_lossy(beginning);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if beginning.is_empty() {
        return "an empty file".to_owned();
    }
    if text.is_empty() {
        return "a file of blanks".to_owned();
    }
    if let Some(kind) = infer::get(beginning).filter(|kind| kind.matcher_type() != infer::MatcherType::Text) {
        return format!("data of type {}", kind.mime_type());
    }
    let is_binary = beginning.contains(&0);
    if is_binary {
        return "binary data".to_owned();
    }
    let first = text.lines().next().unwrap_or_default();
    let lower = first.to_ascii_lowercase();
    if lower.starts_with("<!doctype html") || lower.starts_with("<html") {
        return "a page of HTML".to_owned();
    }
    if lower.starts_with("<?xml") {
        return "XML".to_owned();
    }
    if text.starts_with(['{', '[']) {
        let keys = json_keys(text);
        return if keys.is_empty() { "JSON".to_owned() } else { format!("JSON with the keys {}", keys.join(", ")) };
    }
    for separator in [';', ',', '\t'] {
        let names: Vec<&str> = first.split(separator).map(|name| name.trim().trim_matches('"')).collect();
        if names.len() > 2 && names.iter().all(|name| !name.is_empty() && name.len() <= MAX_NAME) {
            let more = if names.len() > MAX_NAMES { ", …" } else { "" };
            return format!("CSV with the columns {}{more}", shown(&names[..names.len().min(MAX_NAMES)].join(", ")));
        }
    }
    format!("text that begins with \"{}\"", shown(first.trim()))
}

fn shown(text: &str) -> String {
    let short: String = text.chars().take(MAX_LETTERS).collect();
    plain(&if short.len() < text.len() { format!("{short}…") } else { short })
}

/// Keys of a document in the order in which they stand; its end may be missing.
fn json_keys(text: &str) -> Vec<String> {
    let mut keys: Vec<String> = Vec::new();
    let parts: Vec<&str> = text.split('"').collect();
    for pair in parts.windows(2).skip(1).step_by(2) {
        if pair[1].trim_start().starts_with(':') && !keys.iter().any(|key| key == pair[0]) && keys.len() < MAX_NAMES {
            keys.push(shown(pair[0]));
        }
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_described_by_its_beginning() {
        for (beginning, words) in [
            (&b""[..], "an empty file"),
            (b" \n", "a file of blanks"),
            (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "data of type image/png"),
            (b"%PDF-1.7\n", "data of type application/pdf"),
            (b"a\0b", "binary data"),
            (b"<!DOCTYPE html><html>", "a page of HTML"),
            (br#"{"a": {"b": 1, "a": "c"}}"#, "JSON with the keys a, b"),
            (b"[1, 2]", "JSON"),
            (b"time,tps,lat\n1,2,3\n", "CSV with the columns time, tps, lat"),
            (b"time;a;b;c;d;e;f\n", "CSV with the columns time, a, b, c, d, …"),
            (b"procs ---memory\x1b[2J--\n", "text that begins with \"procs ---memory?[2J--\""),
        ] {
            assert_eq!(describe_unknown(beginning), words);
        }
        let long = format!("x{}", "y".repeat(100));
        assert!(describe_unknown(long.as_bytes()).len() < 90);
    }
}
