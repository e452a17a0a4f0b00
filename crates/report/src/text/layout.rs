//! Layout of the text.

use std::collections::BTreeMap;

use ebs_base::format::share;

/// Columns of the report, at most.
pub(super) const WIDTH: usize = 110;

/// Breaks `text` at [`WIDTH`]; its further lines begin with `indent`.
pub(super) fn wrap(text: &str, indent: &str) -> Vec<String> {
    wrap_at(text, WIDTH, indent)
}

/// Breaks `text` at so many columns.
pub(crate) fn wrap_at(text: &str, width: usize, indent: &str) -> Vec<String> {
    let options = textwrap::Options::new(width).subsequent_indent(indent).break_words(true);
    // A date is not broken at its hyphens.
    let options = options.word_splitter(textwrap::WordSplitter::NoHyphenation);
    textwrap::wrap(text, options).into_iter().map(|line| line.into_owned()).collect()
}

/// Lists `client backends 61 % · WAL 22 %`: largest first, those below one per cent left out.
pub(super) fn list_shares(shares: BTreeMap<String, f64>) -> String {
    let mut sorted: Vec<(String, f64)> = shares.into_iter().filter(|(_, part)| *part >= 0.01).collect();
    sorted.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    sorted.iter().map(|(name, part)| format!("{name} {}", share(*part))).collect::<Vec<_>>().join(" · ")
}
