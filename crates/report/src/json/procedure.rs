//! The change to the recommended volumes.

use std::borrow::Cow;

use serde::Serialize;

use crate::reasons::migration;
use ebs_advice as advice;

/// Change to the recommended volumes.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Procedure<'a> {
    /// Commands of the AWS CLI, in order.
    commands: Vec<Command<'a>>,
    /// Steps on the server afterwards, a sentence each.
    then: &'a [String],
    /// Rules of AWS that apply to the change.
    rules: Vec<Rule>,
}

impl<'a> From<&'a advice::Procedure> for Procedure<'a> {
    fn from(procedure: &'a advice::Procedure) -> Procedure<'a> {
        let command = |command: &'a advice::Command| Command { line: &command.line, times: command.times };
        Procedure {
            commands: procedure.commands.iter().map(command).collect(),
            then: &procedure.server_commands,
            rules: procedure
                .rules
                .iter()
                .map(|rule| Rule { text: migration::describe_rule(rule), source: rule.source() })
                .collect(),
        }
    }
}

/// A command.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Command<'a> {
    /// The command line.
    line: &'a str,
    /// Number of times to run it, once for each volume that it creates.
    times: u64,
}

/// A rule and its source.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Rule {
    /// One sentence.
    text: Cow<'static, str>,
    /// Address of the page that states it.
    source: &'static str,
}
