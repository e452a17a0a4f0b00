//! The blocks of the screen in their order, within its lines.

use super::layout::{LINES, labelled, labelled_list};
use super::{calls, heading, options, recommendation, workload};
use crate::Report;
use crate::clip::clip;
use crate::reasons::idle::IdleAnswer;
use crate::reasons::{evidence, next_steps, remedies};
use ebs_advice::{Advice, insufficient};

/// A block of the screen.
struct Block {
    lines: Vec<String>,
    /// Lines that stay where the screen is full.
    least: usize,
    /// True where all of them may go.
    optional: bool,
}

impl Block {
    fn whole(lines: Vec<String>) -> Block {
        Block { least: lines.len(), lines, optional: false }
    }

    fn optional(lines: Vec<String>, least: usize) -> Block {
        Block { lines, least, optional: true }
    }
}

/// Details of the screen.
#[derive(Clone, Copy)]
struct Level {
    /// Lines of a text for each role.
    lines: usize,
    /// Options of each of several roles.
    rows: usize,
    /// Those of them that are neither cheaper nor faster.
    alternatives: usize,
    /// Lines of calls.
    calls: usize,
}

/// The levels of detail, the most first.
const LEVELS: [Level; 7] = [
    Level { lines: 3, rows: 3, alternatives: 2, calls: 2 },
    Level { lines: 2, rows: 3, alternatives: 2, calls: 2 },
    Level { lines: 2, rows: 3, alternatives: 2, calls: 1 },
    Level { lines: 1, rows: 3, alternatives: 2, calls: 1 },
    Level { lines: 1, rows: 3, alternatives: 1, calls: 1 },
    Level { lines: 1, rows: 3, alternatives: 0, calls: 1 },
    Level { lines: 1, rows: 2, alternatives: 0, calls: 1 },
];

/// Renders the screen: at most 30 lines of at most 100 columns.
pub fn render(report: &Report) -> Vec<String> {
    let mut lines = heading::render(report);
    lines.push(String::new());
    match (&report.advice, insufficient(report.window, &report.coverage)) {
        (Some(advice), None) => {
            let room = LINES - lines.len();
            lines.extend(fit(most_detailed(report, advice, room), room));
        }
        (_, missing) => {
            let reason = missing.as_ref().map(evidence::describe_reason).unwrap_or_default();
            let idle = IdleAnswer::from_report(report);
            match &idle {
                Some(idle) => lines.extend(recommendation::render_idle(idle)),
                None => lines.extend(labelled("INSUFFICIENT DATA", &format!(": {reason}"), 6)),
            }
            let parts = &report.window.layout.unresolved;
            lines.extend(
                parts
                    .iter()
                    .take(4)
                    .flat_map(|part| labelled("", &format!("{}: {}", clip(&part.role.name(), 30), part.reason), 2)),
            );
            lines.extend(labelled("NEXT", &next_steps::describe_without_advice(report, idle.as_ref()), 4));
        }
    }
    lines
}

/// The most detailed blocks whose least lines have room, or else the briefest.
fn most_detailed(report: &Report, advice: &Advice, room: usize) -> Vec<Block> {
    let least = |blocks: &Vec<Block>| blocks.iter().map(|block| block.least).sum::<usize>();
    let mut levels = LEVELS.into_iter().map(|level| blocks(report, advice, level));
    let fitting = levels.find(|blocks| least(blocks) <= room);
    fitting.unwrap_or_else(|| blocks(report, advice, LEVELS[LEVELS.len() - 1]))
}

/// The blocks below the heading.
fn blocks(report: &Report, advice: &Advice, level: Level) -> Vec<Block> {
    let Level { lines: max_lines, rows, alternatives, calls: max_calls } = level;
    let remedies = Some(remedies::describe(report)).filter(|remedies| !remedies.is_empty());
    let remedies =
        remedies.map(|parts| labelled_list("TO BE SURER", &parts, " · ", max_lines.min(2))).unwrap_or_default();
    vec![
        Block::whole(recommendation::render(report, advice, rows > 2)),
        Block::whole(recommendation::render_details(report, advice, max_lines)),
        Block::whole(recommendation::render_separate_wal(advice)),
        Block::whole(options::render(report, advice, (rows, alternatives))),
        Block::optional(workload::render(report, advice), 3),
        Block::optional(workload::render_load(report, advice), 1),
        Block::whole(workload::render_bottleneck(report, max_lines.min(2))),
        Block::whole(remedies),
        Block::whole(calls::render(report, max_calls)),
    ]
}

/// Takes last lines from the blocks that can spare them, the last block first, and then whole blocks, until all have room.
fn fit(mut blocks: Vec<Block>, room: usize) -> Vec<String> {
    let mut excess = blocks.iter().map(|block| block.lines.len()).sum::<usize>().saturating_sub(room);
    for block in blocks.iter_mut().rev() {
        let spared = block.lines.len().saturating_sub(block.least).min(excess);
        block.lines.truncate(block.lines.len() - spared);
        excess -= spared;
    }
    for block in blocks.iter_mut().rev().filter(|block| block.optional) {
        if excess > 0 {
            excess = excess.saturating_sub(block.lines.len());
            block.lines.clear();
        }
    }
    blocks.into_iter().flat_map(|block| block.lines).collect()
}

#[cfg(test)]
#[path = "bounds_tests.rs"]
mod bounds_tests;
#[cfg(test)]
#[path = "screen_tests.rs"]
mod tests;
