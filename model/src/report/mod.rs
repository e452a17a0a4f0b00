//! The report of `ebs_advise`: text for people, at most [`WIDTH`] columns wide, one section a file.

mod demand;
mod doubts;
mod heading;
mod volumes;
mod who;

use crate::advice::{Request, RoleAdvice, insufficient};
use crate::evidence::{Coverage, Window};
use crate::sources::Sources;
use crate::waits::Wait;

/// Columns.
pub const WIDTH: usize = 110;

/// Everything the report is written from.
pub struct Report<'a> {
    /// `run tpcc-100`, `the last 14 days`.
    pub subject: String,
    /// `PostgreSQL 18.6`, of the server that was sampled.
    pub server: String,
    /// The window in words, `2026-11-21 10:41:00 to 10:42:00 UTC`.
    pub when: String,
    /// What was asked for.
    pub request: &'a Request,
    /// The evidence.
    pub window: &'a Window,
    /// How much of it there is.
    pub coverage: Coverage,
    /// What was found for each volume.
    pub roles: Vec<RoleAdvice>,
    /// Who asked.
    pub sources: Sources,
    /// What sessions waited for.
    pub waits: Vec<Wait>,
    /// What to type for the rows behind the report.
    pub details: String,
}

/// The report, line by line.
pub fn lines(report: &Report) -> Vec<String> {
    let mut lines = heading::lines(report);
    if let Some(missing) = insufficient(report.window, &report.coverage) {
        lines.extend(wrapped(&format!("Insufficient data: {missing}."), ""));
        lines.extend(doubts::remedies(report));
        return lines;
    }
    for role in &report.roles {
        lines.push(String::new());
        lines.extend(demand::lines(role));
    }
    lines.extend(who::lines(report));
    for role in &report.roles {
        lines.push(String::new());
        lines.extend(volumes::lines(report, role));
    }
    lines.extend(volumes::together(report));
    lines.extend(doubts::lines(report));
    lines
}

/// `text` broken at [`WIDTH`], continued below `indent`.
fn wrapped(text: &str, indent: &str) -> Vec<String> {
    let options = textwrap::Options::new(WIDTH).subsequent_indent(indent).break_words(true);
    textwrap::wrap(text, options).into_iter().map(|line| line.into_owned()).collect()
}

#[cfg(test)]
#[path = "report_tests.rs"]
mod tests;
