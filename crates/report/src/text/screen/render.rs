//! The blocks of the screen in their order, within its lines.

use super::layout::{LINES, labelled, labelled_list};
use super::{heading, options, recommendation, workload};
use crate::Report;
use crate::clip::clip;
use crate::reasons::{evidence, next_steps, remedies};
use ebs_advice::{Advice, insufficient};

/// A block with the number of lines that stay where the screen is full.
struct Block {
    lines: Vec<String>,
    least: usize,
}

/// Renders the screen: at most 30 lines of at most 100 columns.
pub fn render(report: &Report) -> Vec<String> {
    let mut lines = heading::render(report);
    lines.push(String::new());
    match (&report.advice, insufficient(report.window, &report.coverage)) {
        (Some(advice), None) => lines.extend(fit(blocks(report, advice), LINES - lines.len())),
        (_, missing) => {
            let reason = missing.as_ref().map(evidence::describe_reason).unwrap_or_default();
            lines.extend(labelled("INSUFFICIENT DATA", &format!(": {reason}"), 6));
            let parts = &report.window.layout.unresolved;
            lines.extend(
                parts
                    .iter()
                    .take(4)
                    .flat_map(|part| labelled("", &format!("{}: {}", clip(&part.role.name(), 30), part.reason), 2)),
            );
            lines.extend(labelled("TO TYPE", &next_steps::describe_sampling(report), 4));
        }
    }
    lines
}

/// The blocks below the heading.
fn blocks(report: &Report, advice: &Advice) -> Vec<Block> {
    let whole = |lines: Vec<String>| Block { least: lines.len(), lines };
    let least = |lines: Vec<String>, least: usize| Block { lines, least };
    let remedies = report.confidence().map(|confidence| remedies::describe(&confidence, report.instance()));
    let remedies = remedies.filter(|remedies| !remedies.is_empty());
    vec![
        whole(recommendation::render(report, advice)),
        whole(recommendation::render_details(report, advice)),
        whole(options::render(report, advice)),
        least(workload::render(report, advice), 3),
        least(workload::render_load(advice), 1),
        least(workload::render_bottleneck(report), 1),
        least(remedies.map(|parts| labelled_list("TO BE SURER", &parts, " · ", 2)).unwrap_or_default(), 1),
        whole(labelled("NEXT", &next_steps::describe(report), 2)),
    ]
}

/// Takes last lines from the blocks that can spare them, the last block first, until all have room.
fn fit(mut blocks: Vec<Block>, room: usize) -> Vec<String> {
    let mut excess = blocks.iter().map(|block| block.lines.len()).sum::<usize>().saturating_sub(room);
    for block in blocks.iter_mut().rev() {
        let spared = block.lines.len().saturating_sub(block.least).min(excess);
        block.lines.truncate(block.lines.len() - spared);
        excess -= spared;
    }
    let mut lines: Vec<String> = blocks.into_iter().flat_map(|block| block.lines).collect();
    lines.truncate(room);
    lines
}

#[cfg(test)]
#[path = "screen_tests.rs"]
mod tests;
