//! Texts of bounded width.

use ebs_base::format::plain;
use textwrap::core::display_width;

/// Shortens a text to `width` columns, the last of them an ellipsis; letters that mislead are replaced.
pub(crate) fn clip(text: &str, width: usize) -> String {
    let text = plain(text);
    if display_width(&text) <= width {
        return text;
    }
    let mut clipped = String::new();
    for letter in text.chars() {
        if display_width(&clipped) + display_width(letter.encode_utf8(&mut [0; 4])) >= width {
            break;
        }
        clipped.push(letter);
    }
    clipped.push('…');
    clipped
}
