//! Commands of findings that came from another server with a run.

use ebs_tuning::indexes::{Finding, Kind};

use crate::ffi::{self, IndexCommand};
use crate::interrupts::check_interrupts;

/// Withdraws a command that is not exactly what a finding of its kind advises: users will run it.
pub fn check_imported_commands(findings: &mut [Finding]) {
    for finding in findings {
        check_interrupts();
        let Some(command) = &finding.command else { continue };
        let checked = ffi::parse_index_command(command).and_then(|command| {
            let is_expected = expected(finding.kind) == Some(command);
            if is_expected {
                Ok(())
            } else {
                Err(format!("a finding of kind {} has no such command", finding.kind.name()))
            }
        });
        if let Err(message) = checked {
            finding.withdraw_command(message);
        }
    }
}

fn expected(kind: Kind) -> Option<IndexCommand> {
    match kind {
        Kind::Index => Some(IndexCommand::Create),
        Kind::Duplicate | Kind::Unused => Some(IndexCommand::Drop),
        Kind::Missing => Some(IndexCommand::CreateHypopg),
        Kind::Statement => None,
    }
}
