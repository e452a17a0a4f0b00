//! Names with values inside of an argument: `password=…` of a connection string, `"password": "…"` of JSON, `Authorization: …`.

use super::names::{HIDDEN, is_secret};
use super::quotes::Quotes;

/// Hides the values of `password=`, up to white space or `&` outside of quotes.
pub fn redact_assignments(text: &str) -> String {
    redact_pairs(text, '=', |_, before| {
        let name = last_word(before.trim_end());
        is_secret(name).then_some(End::Word)
    })
}

/// Hides the values of `password:` and `"password":`, those of headers up to the end of the line or the quote around them.
pub fn redact_fields(text: &str) -> String {
    redact_pairs(text, ':', |behind, before| {
        let before = before.trim_end();
        let unquoted = before.trim_end_matches(['\\', '\'', '"']);
        let name = last_word(unquoted);
        // curl's -H, with the header attached.
        let name = name.strip_prefix("-H").unwrap_or(name);
        // An address's host, such as http://token:9090/, and its scheme.
        if behind.starts_with("//") || name.contains('/') || !is_secret(name) {
            return None;
        }
        Some(if unquoted.len() < before.len() { End::Element } else { End::Line })
    })
}

/// End of a value outside of quotes.
#[derive(Clone, Copy)]
enum End {
    Word,
    Element,
    Line,
}

impl End {
    fn is(self, letter: char) -> bool {
        match self {
            End::Word => letter.is_whitespace() || letter == '&',
            End::Element => letter.is_whitespace() || matches!(letter, ',' | '}' | ']'),
            End::Line => letter == '\n',
        }
    }
}

/// Hides the value behind each separator for which `end` gives its end; `end` gets the text behind it and before it.
fn redact_pairs(text: &str, separator: char, end: impl Fn(&str, &str) -> Option<End>) -> String {
    let mut output = String::with_capacity(text.len());
    let (mut done, mut quotes) = (0, Quotes::default());
    for (at, letter) in text.char_indices() {
        let enclosing = quotes.open();
        quotes.add(letter);
        if at < done || letter != separator {
            continue;
        }
        let behind = &text[at + 1..];
        let Some(end) = end(behind, &text[..at]) else { continue };
        let value = behind.trim_start();
        let start = text.len() - value.len();
        output.push_str(&text[done..=at]);
        if !value.is_empty() {
            output.push_str(if behind.len() > value.len() && separator == ':' { " " } else { "" });
            output.push_str(HIDDEN);
        }
        done = start + value_length(value, enclosing, end);
    }
    output + &text[done..]
}

/// Length of a value in bytes, with its quotes. `enclosing` is the quote that it stands in.
fn value_length(value: &str, enclosing: Option<char>, end: End) -> usize {
    // JSON inside of quotes.
    if let Some(quote) = ["\\\"", "\\'"].into_iter().find(|quote| value.starts_with(quote)) {
        return value[2..].find(quote).map_or(value.len(), |at| at + 4);
    }
    let mut quotes = Quotes::default();
    for (at, letter) in value.char_indices() {
        let is_outside = quotes.open().is_none() && !quotes.is_escaped();
        if is_outside && (Some(letter) == enclosing || end.is(letter)) {
            return at;
        }
        quotes.add(letter);
    }
    value.len()
}

fn last_word(text: &str) -> &str {
    let separates =
        |c: char| c.is_whitespace() || matches!(c, '&' | '?' | ';' | ',' | '\'' | '"' | '{' | '(' | '=' | ':');
    text.rsplit(separates).next().unwrap_or_default()
}
