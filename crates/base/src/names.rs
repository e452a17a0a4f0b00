//! Names that users write: how long they may be, how messages quote them, and similar names that are suggested.

/// Longest name that is looked up, bytes: the longest label, 200 characters of four bytes each, and blanks around it. What is
/// longer is unknown without being read: an argument of SQL may have 1 GB.
pub const NAME_BYTES_LIMIT: usize = 1_024;
/// Longest name for which similar ones are suggested, characters: the catalogue's longest has 20, and the time that similarity
/// takes grows with the square of the length.
pub const SUGGESTION_LIMIT: usize = 64;
/// Most characters of a refused name that a message quotes, as long as PostgreSQL's own names.
pub const QUOTED_LIMIT: usize = 63;
/// Most names that are suggested.
const MAX_SUGGESTIONS: usize = 3;

/// The name without surrounding blanks; `None` if it is longer than any name may be.
pub fn bounded(name: &str) -> Option<&str> {
    (name.len() <= NAME_BYTES_LIMIT).then(|| name.trim())
}

/// A name that is given, without surrounding blanks; `None` where it is left out or empty.
pub fn non_empty(name: Option<&str>) -> Option<&str> {
    name.map(str::trim).filter(|name| !name.is_empty())
}

/// A copy of a name; one that is longer than any name may be is shortened as in messages.
pub fn owned(name: &str) -> String {
    bounded(name).map_or_else(|| quoted(name), str::to_owned)
}

/// A name as messages quote it: its first characters, and an ellipsis if there are more.
pub fn quoted(name: &str) -> String {
    truncated(name, QUOTED_LIMIT)
}

/// The first `limit` characters of a text, and an ellipsis if there are more. Takes no longer for a longer text.
pub fn truncated(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Up to three names that resemble a mistyped one, best first, each at least as similar as `least` (Jaro-Winkler similarity, 0
/// to 1). None for a name that is too long to be mistyped.
pub fn similar<'a>(name: &str, known: impl Iterator<Item = &'a str>, least: f64) -> Vec<&'a str> {
    if name.char_indices().nth(SUGGESTION_LIMIT).is_some() {
        return Vec::new();
    }
    let mut scored: Vec<(f64, &str)> = known.map(|known| (strsim::jaro_winkler(name, known), known)).collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    scored.into_iter().take(MAX_SUGGESTIONS).filter(|(score, _)| *score > least).map(|(_, known)| known).collect()
}

#[cfg(test)]
#[path = "names_tests.rs"]
mod tests;
