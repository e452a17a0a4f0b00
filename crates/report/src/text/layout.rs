//! Line breaking.

/// Maximum width of the report, columns.
pub(super) const WIDTH: usize = 110;

/// Breaks `text` at [`WIDTH`]; lines after the first begin with `indent`.
pub(super) fn wrap(text: &str, indent: &str) -> Vec<String> {
    wrap_at(text, WIDTH, indent)
}

/// Breaks `text` at `width` columns; lines after the first begin with `indent`.
pub(crate) fn wrap_at(text: &str, width: usize, indent: &str) -> Vec<String> {
    let options = textwrap::Options::new(width).subsequent_indent(indent).break_words(true);
    // A date is not broken at its hyphens.
    let options = options.word_splitter(textwrap::WordSplitter::NoHyphenation);
    textwrap::wrap(text, options).into_iter().map(|line| line.into_owned()).collect()
}
