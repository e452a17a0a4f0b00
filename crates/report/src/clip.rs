//! Texts of bounded width.

use ebs_base::format::plain;

/// Shortens a text to `width` columns, the last of them an ellipsis; letters that mislead are replaced.
pub fn clip(text: &str, width: usize) -> String {
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

/// Columns of a text in a terminal: two for each letter of East Asian scripts and for emoji, one for any other
/// (<https://www.unicode.org/reports/tr11/>).
pub fn display_width(text: &str) -> usize {
    text.chars().map(|letter| if is_wide(letter) { 2 } else { 1 }).sum()
}

fn is_wide(letter: char) -> bool {
    matches!(u32::from(letter),
        0x1100..=0x115F | 0x2E80..=0xA4CF | 0xAC00..=0xD7A3 | 0xF900..=0xFAFF | 0xFE30..=0xFE6F | 0xFF00..=0xFF60
        | 0xFFE0..=0xFFE6 | 0x1F300..=0x1FAFF | 0x20000..=0x3FFFD)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_clipped_to_its_columns() {
        assert_eq!([clip("abc", 3), clip("abcd", 3), clip("", 3)], ["abc", "ab…", ""]);
        // Five columns: the third letter would be the sixth.
        assert_eq!([clip("日本語", 6), clip("日本語", 5)], ["日本語", "日本…"]);
        assert_eq!([display_width("0.9/– ms …"), display_width("日本")], [10, 4]);
        assert_eq!(clip("a\nb", 9), "a?b");
    }
}
