//! Parameters of requests, as HTML forms encode them.

use std::fmt::Write;

use ebs_prometheus::Selector;

use super::super::interface::TimeRange;

/// Encodes parameters.
pub fn encode(parameters: &[(&str, String)]) -> String {
    let mut text = String::new();
    for (name, value) in parameters {
        if !text.is_empty() {
            text.push('&');
        }
        push_encoded(&mut text, name);
        text.push('=');
        push_encoded(&mut text, value);
    }
    text
}

fn push_encoded(text: &mut String, value: &str) {
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            text.push(char::from(byte));
        } else {
            let _ = write!(text, "%{byte:02X}");
        }
    }
}

/// A time in seconds since 1970; there are no samples before.
pub fn seconds(at_ms: i64) -> String {
    let at_ms = at_ms.max(0);
    format!("{}.{:03}", at_ms / 1000, at_ms % 1000)
}

/// Parameters of a request for series: `match[]` of each selector, `start` and `end`, and no part of them alone.
pub fn series(selectors: &[Selector], range: TimeRange) -> Vec<(&'static str, String)> {
    let matches = selectors.iter().map(|selector| ("match[]", selector.to_string()));
    let times = [("start", seconds(range.from_ms)), ("end", seconds(range.to_ms))];
    matches.chain(times).chain(no_partial_answer()).collect()
}

/// Asks Thanos and VictoriaMetrics' cluster for all samples or an error. Others ignore it.
pub fn no_partial_answer() -> [(&'static str, String); 2] {
    [("partial_response", "false".to_owned()), ("deny_partial_response", "1".to_owned())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_encoded() {
        let parameters = [("match[]", "{a=~\"b c+\u{e9}\"}".to_owned()), ("start", seconds(1_700_000_000_007))];
        assert_eq!(encode(&parameters), "match%5B%5D=%7Ba%3D~%22b%20c%2B%C3%A9%22%7D&start=1700000000.007");
        assert_eq!(seconds(-5), "0.000");
    }
}
