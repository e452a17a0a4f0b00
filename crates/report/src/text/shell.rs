//! Scripts and comments of a POSIX shell.

use super::layout::wrap_at;
use crate::reasons::migration;
use ebs_advice::Script;

/// Most columns of a line.
pub(super) const WIDTH: usize = 100;

/// Most variables that one line checks: the longest have 24 columns there.
const CHECKS: usize = 3;

/// Renders a script that ends at its first error, and changes nothing while a variable is empty. The shell of the reader goes on.
pub(crate) fn script(script: &Script) -> Vec<String> {
    let mut lines = vec!["(".to_owned(), "set -eu".to_owned()];
    lines.extend(script.unknown.iter().map(|unknown| {
        format!("{:<20} # {}", format!("{}=", unknown.variable()), migration::describe_unknown(*unknown))
    }));
    let required = script.unknown.iter().filter(|unknown| !unknown.is_optional());
    let checks: Vec<String> = required.map(|unknown| format!("\"${{{}:?}}\"", unknown.variable())).collect();
    lines.extend(checks.chunks(CHECKS).map(|checks| format!(": {}", checks.join(" "))));
    lines.extend(script.lines.iter().cloned());
    lines.push(")".to_owned());
    lines
}

/// Breaks a text into comments.
pub(super) fn comment(text: &str) -> Vec<String> {
    wrap_at(text, WIDTH - "# ".len(), "").into_iter().map(|line| format!("# {line}")).collect()
}
