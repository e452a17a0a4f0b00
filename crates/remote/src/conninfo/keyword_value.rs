//! Connection strings of keywords and values: `host=db.example.com application_name='a b'`.

use super::error::ConninfoError;
use super::text::is_space;

/// Receiver of keywords and values: keyword, value, position of the keyword.
pub(super) type Sink<'a> = dyn FnMut(&str, String, usize) -> Result<(), ConninfoError> + 'a;

/// Parses a connection string as libpq's conninfo_parse does.
pub(super) fn parse(text: &str, sink: &mut Sink<'_>) -> Result<(), ConninfoError> {
    let mut rest = text.trim_start_matches(is_space);
    while !rest.is_empty() {
        let position = text.len() - rest.len() + 1;
        let end = rest.find(|letter| letter == '=' || is_space(letter)).unwrap_or(rest.len());
        let (keyword, behind) = rest.split_at(end);
        let behind = behind.trim_start_matches(is_space).strip_prefix('=');
        let behind = behind.ok_or(ConninfoError::MissingEquals(position))?.trim_start_matches(is_space);
        let (value, behind) = match behind.strip_prefix('\'') {
            Some(quoted) => read_quoted(quoted)?,
            None => read_plain(behind),
        };
        sink(keyword, value, position)?;
        rest = behind.trim_start_matches(is_space);
    }
    Ok(())
}

/// Reads a value up to white space. A backslash takes the next letter as it is; the last one of the string is dropped.
fn read_plain(text: &str) -> (String, &str) {
    let mut value = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => value.extend(letters.next()),
            letter if is_space(letter) => break,
            letter => value.push(letter),
        }
    }
    (value, letters.as_str())
}

/// Reads a value up to its closing quote.
fn read_quoted(text: &str) -> Result<(String, &str), ConninfoError> {
    let mut value = String::new();
    let mut letters = text.chars();
    loop {
        match letters.next().ok_or(ConninfoError::UnterminatedQuote)? {
            '\\' => value.extend(letters.next()),
            '\'' => return Ok((value, letters.as_str())),
            letter => value.push(letter),
        }
    }
}
