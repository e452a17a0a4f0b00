//! Texts with a change in them, for tests.

/// The text with the character at (or before) a byte replaced.
pub fn edited(text: &str, at: usize, with: &str) -> String {
    let start = (0..=at % text.len()).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    let end = (start + 1..=text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
    format!("{}{with}{}", &text[..start], &text[end..])
}
