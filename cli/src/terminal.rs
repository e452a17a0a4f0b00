//! Text on its way to a terminal. What a server, a file or a user has named is data: none of it moves the cursor, rings or reverses text.

use std::borrow::Cow;

use ebs_base::format::plain_page;

/// Beginning of a sequence that sets a style.
const STYLE: &str = "\u{1b}[";

/// A text of lines and tabs, with a question mark for each letter that misleads.
pub fn plain_text(text: &str) -> String {
    text.split('\t').map(plain_page).collect::<Vec<_>>().join("\t")
}

/// The same for a text whose names were made plain before it was styled: sequences that set colours and weights stay, and no others.
pub fn plain_styled(text: &str) -> String {
    let mut parts = text.split(STYLE);
    let mut output = plain_text(parts.next().unwrap_or_default());
    for part in parts {
        let end = part.find(|c: char| !c.is_ascii_digit() && c != ';').unwrap_or(part.len());
        if part[end..].starts_with('m') {
            output.push_str(STYLE);
        } else {
            output.push_str("?[");
        }
        output.push_str(&plain_text(part));
    }
    output
}

/// Data as they are, for a file or a program; for a terminal as a plain text.
pub fn data(bytes: &[u8], is_terminal: bool) -> Cow<'_, [u8]> {
    if is_terminal { plain_text(&String::from_utf8_lossy(bytes)).into_bytes().into() } else { bytes.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: &str = "a\u{1b}]0;x\u{7}\u{1b}[2J\r\u{9b}5n\u{202e}\tb\n";

    #[test]
    fn no_sequence_reaches_a_terminal() {
        assert_eq!(plain_text(HOSTILE), "a?]0;x??[2J??5n?\tb\n");
        assert_eq!(data(HOSTILE.as_bytes(), true), b"a?]0;x??[2J??5n?\tb\n".as_slice());
        assert_eq!(plain_styled(HOSTILE), plain_text(HOSTILE));
        assert_eq!(
            plain_styled("\u{1b}[1;32mbold\u{1b}[0m\n\u{1b}[3\u{1b}[m"),
            "\u{1b}[1;32mbold\u{1b}[0m\n?[3\u{1b}[m"
        );
    }

    #[test]
    fn data_for_a_program_stay_byte_for_byte() {
        for bytes in [HOSTILE.as_bytes(), b"\xff\0\x1b"] {
            assert_eq!(data(bytes, false), bytes);
        }
        assert_eq!(data(b"\xff\0\x1b", true), "\u{fffd}??".as_bytes());
    }
}
