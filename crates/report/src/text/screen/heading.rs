//! The heading: subject, duration, server, devices, instance, region and date of prices.

use super::layout::COLUMNS;
use crate::Report;
use crate::clip::{clip, display_width};
use crate::reasons::heading;

/// Most lines, where names are long.
const MAX_LINES: usize = 5;

/// Renders the heading in one line, or in several where names are long.
pub(super) fn render(report: &Report) -> Vec<String> {
    let mut lines = vec!["ebs_advisor".to_owned()];
    for part in heading::describe_parts(report) {
        let last = lines.len() - 1;
        if display_width(&lines[last]) + display_width(&part) + 3 <= COLUMNS || lines.len() == MAX_LINES {
            lines[last] = format!("{} · {part}", lines[last]);
        } else {
            lines.push(format!("  {part}"));
        }
    }
    lines.iter().map(|line| clip(line, COLUMNS)).collect()
}
