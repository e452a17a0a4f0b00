//! The changes of a fleet as commands or manifests, in waves, with the way back beside each. Nothing is ever executed.

mod change;
mod cli;
mod commands;
mod describe;
mod options;
mod plan;
mod rationale;
mod stage;
mod terraform;
mod vac;
mod waves;

pub use options::{ChangeFormat, ChangeOptions};

use ebs_fleet_row::Row;

/// Renders the changes of rows whose action is to modify; the other actions are comments.
pub fn changes(rows: &[Row], format: ChangeFormat, options: &ChangeOptions) -> String {
    let plan = plan::Plan::new(rows, format, options);
    let lines = match format {
        ChangeFormat::Cli => cli::render(&plan),
        ChangeFormat::Terraform => terraform::render(&plan),
        ChangeFormat::Vac => vac::render(&plan),
    };
    lines.into_iter().map(|line| line + "\n").collect()
}

#[cfg(test)]
#[path = "changes_tests.rs"]
mod tests;
