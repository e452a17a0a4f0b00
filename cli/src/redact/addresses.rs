//! Passwords in addresses: `postgresql://user:…@host/db`, and `user:…@host` without a scheme.

use super::names::HIDDEN;

/// Hides the passwords of addresses with a scheme.
pub fn redact_addresses(text: &str) -> String {
    let mut output = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("://") {
        let (before, behind) = rest.split_at(at + 3);
        output.push_str(before);
        rest = match password(behind) {
            Some((start, end)) => {
                output.push_str(&behind[..start]);
                output.push_str(HIDDEN);
                &behind[end..]
            }
            None => behind,
        };
    }
    output + rest
}

/// Beginning and end of the password in an address behind its scheme. libpq takes everything before a slash for user and password, which
/// may have an @ of its own; other programs take a slash for a part of the password, too.
fn password(address: &str) -> Option<(usize, usize)> {
    let word = address.find(char::is_whitespace).unwrap_or(address.len());
    let authority = address[..word].find('/').unwrap_or(word);
    let colon = address[..authority].find(':')?;
    let end = match address[..authority].rfind('@') {
        Some(end) => end,
        None if address[colon + 1..authority].bytes().all(|byte| byte.is_ascii_digit()) => return None,
        None if address[..authority].starts_with('[') => return None,
        None => address[..word].rfind('@')?,
    };
    (colon < end).then_some((colon + 1, end))
}

/// Hides the password of a word such as `user:…@host`; `None` without one.
pub fn redact_user(word: &str) -> Option<String> {
    if word.contains("://") {
        return None;
    }
    let (colon, end) = (word.find(':')?, word.rfind('@')?);
    (colon > 0 && colon + 1 < end).then(|| format!("{}{HIDDEN}{}", &word[..=colon], &word[end..]))
}
