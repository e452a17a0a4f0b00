//! Colours of a terminal.

/// Emphasis of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// A heading.
    Bold,
    /// Something good: a saving.
    Green,
    /// Something to look at.
    Yellow,
    /// Something bad.
    Red,
    /// Something of less interest.
    Faint,
}

impl Style {
    /// Returns the text between the sequences of ECMA-48 that begin and end the style.
    pub(super) fn paint(self, text: &str) -> String {
        let code = match self {
            Style::Bold => "1",
            Style::Faint => "2",
            Style::Red => "31",
            Style::Green => "32",
            Style::Yellow => "33",
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }
}
