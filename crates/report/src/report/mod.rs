//! The report of `ebs_advise`: text for people, at most [`WIDTH`] columns wide, one section a file.

pub(crate) mod at_limit;
mod bursts;
mod clock;
pub(crate) mod cost;
mod decision;
mod demand;
mod document;
pub(crate) mod doubts;
pub(crate) mod findings;
pub(crate) mod heading;
pub(crate) mod held;
mod outdone;
mod procedure;
pub(crate) mod volumes;
pub(crate) mod who;

pub use clock::Clock;
pub use document::{SCHEMA_VERSION, document};

use ebs_advice::advice::{Advice, Request, RoleAdvice, insufficient};
use ebs_samples::evidence::{Coverage, Window};
use ebs_tuning::findings::Finding;
use ebs_workload::declared::Declarations;
use ebs_workload::sources::Sources;
use ebs_workload::steady::Steadiness;
use ebs_workload::waits::Wait;

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
    /// Whether it was in one state; `None` where that is not asked.
    pub steadiness: Option<Steadiness>,
    /// What was found; `None` for too little evidence.
    pub advice: Option<Advice>,
    /// Who asked.
    pub sources: Sources,
    /// What sessions waited for.
    pub waits: Vec<Wait>,
    /// What was declared of volumes and instance, as it held at the end of the window.
    pub declared: &'a Declarations,
    /// How SQL names the run, `'tpcc-100'`; empty of a look-back.
    pub argument: String,
    /// What to put right before anything is bought, the largest saving first.
    pub findings: Vec<Finding>,
    /// What to type for the rows behind the report.
    pub details: String,
}

impl Report<'_> {
    /// Advice for each volume.
    pub(crate) fn roles(&self) -> impl Iterator<Item = &RoleAdvice> {
        self.advice.iter().flat_map(|advice| &advice.roles)
    }

    /// The instance type: as it was declared, or else as the machine told it.
    fn instance(&self) -> Option<&str> {
        self.declared.instance.as_deref().or(self.window.place.instance.as_deref())
    }
}

/// The report, line by line.
pub fn lines(report: &Report) -> Vec<String> {
    let mut lines = heading::lines(report);
    if let Some(missing) = insufficient(report.window, &report.coverage) {
        lines.extend(wrapped(&format!("Insufficient data: {missing}."), ""));
        lines.extend(doubts::remedies(report));
        return lines;
    }
    for role in report.roles() {
        lines.push(String::new());
        lines.extend(demand::lines(report, role));
    }
    lines.extend(who::lines(report));
    if let Some(advice) = &report.advice {
        for role in &advice.roles {
            lines.push(String::new());
            lines.extend(volumes::lines(report, advice, role));
        }
        lines.extend(volumes::together(advice));
        for role in &advice.roles {
            lines.push(String::new());
            lines.extend(decision::lines(advice, role));
        }
        let found = findings::lines(report);
        lines.extend((!found.is_empty()).then(String::new));
        // One volume's commands stand below, under the same heading.
        let mut headed = !found.is_empty() && advice.roles.len() == 1;
        lines.extend(found);
        for role in &advice.roles {
            let mut procedure = procedure::lines(advice, role);
            if std::mem::take(&mut headed) {
                let heading = procedure.len().min(1);
                procedure.splice(..heading, (heading > 0).then(|| "  The change itself:".to_owned()));
            } else {
                lines.extend((!procedure.is_empty()).then(String::new));
            }
            lines.extend(procedure);
        }
    }
    lines.extend(doubts::lines(report));
    lines
}

/// `text` broken at [`WIDTH`], continued below `indent`.
fn wrapped(text: &str, indent: &str) -> Vec<String> {
    let options = textwrap::Options::new(WIDTH).subsequent_indent(indent).break_words(true);
    // A date is not broken at its hyphens.
    let options = options.word_splitter(textwrap::WordSplitter::NoHyphenation);
    textwrap::wrap(text, options).into_iter().map(|line| line.into_owned()).collect()
}

#[cfg(test)]
#[path = "report_tests.rs"]
mod tests;
