//! Signs in the beginning of a file.

use std::borrow::Cow;

/// Bytes of a file that tell.
const MAX_BYTES: usize = 8 << 10;

/// Beginning of a file.
pub struct Beginning<'a> {
    bytes: &'a [u8],
    text: Cow<'a, str>,
}

impl Beginning<'_> {
    /// Returns the part of these bytes that tells.
    pub fn new(bytes: &[u8]) -> Beginning<'_> {
        let bytes = &bytes[..bytes.len().min(MAX_BYTES)];
        Beginning { bytes, text: String::from_utf8_lossy(bytes) }
    }

    fn text(&self) -> &str {
        self.text.trim_start_matches('\u{feff}').trim_start()
    }

    /// True if a document, maybe behind a time or a message, has this key; its quotation marks may be escaped.
    fn has_key(&self, key: &str) -> bool {
        let text = self.text();
        let is_key =
            |(at, _): (usize, &str)| text[..at].ends_with('"') && text[at + key.len()..].starts_with(['"', '\\']);
        text.contains('{') && text.match_indices(key).any(is_key)
    }
}

/// Sign of a format.
#[derive(Clone, Copy, Debug)]
pub enum Sign {
    /// Bytes of a file at this offset.
    BytesAt(usize, &'static [u8]),
    /// Keys, of which a document has all.
    Keys(&'static [&'static str]),
    /// A line, as a terminal shows it.
    Line(fn(&str) -> bool),
    /// The beginning as text, without spaces before it.
    Text(fn(&str) -> bool),
}

impl Sign {
    /// True if the beginning of a file has it.
    pub fn is_in(&self, beginning: &Beginning) -> bool {
        match self {
            Sign::BytesAt(offset, bytes) => beginning.bytes.get(*offset..).is_some_and(|rest| rest.starts_with(bytes)),
            Sign::Keys(keys) => keys.iter().all(|key| beginning.has_key(key)),
            Sign::Line(is_sign) => beginning.text().lines().map(visible_text).any(is_sign),
            Sign::Text(is_sign) => is_sign(beginning.text()),
        }
    }
}

/// Visible part of a line on a terminal: the text after its last carriage return. HammerDB begins each line of a virtual user
/// with one.
pub(crate) fn visible_text(line: &str) -> &str {
    let line = line.trim_end();
    line.rsplit('\r').next().unwrap_or(line)
}
