//! The change to the recommended volumes.

use std::borrow::Cow;

use serde::Serialize;

use crate::reasons::migration;
use ebs_advice as advice;

/// Change to the recommended volumes.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Procedure<'a> {
    /// The change; without lines where nothing changes.
    change: Script<'a>,
    /// The way back.
    rollback: Script<'a>,
    /// Rules of AWS that apply to the change.
    rules: Vec<Rule>,
    /// True where the change waits for a pending one (`evidence.pending_changes`), and has no lines until then.
    waits: bool,
}

impl<'a> From<&'a advice::Procedure> for Procedure<'a> {
    fn from(procedure: &'a advice::Procedure) -> Procedure<'a> {
        Procedure {
            change: Script::from(&procedure.change),
            rollback: Script::from(&procedure.rollback),
            rules: procedure
                .rules
                .iter()
                .map(|rule| Rule { text: migration::describe_rule(rule), source: rule.source() })
                .collect(),
            waits: procedure.waits,
        }
    }
}

/// A script for a POSIX shell with the AWS CLI, on the database's server.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Script<'a> {
    /// Variables that have to be set before, in the order of their use.
    variables: Vec<Variable>,
    /// Lines, in order.
    lines: &'a [String],
}

impl<'a> From<&'a advice::Script> for Script<'a> {
    fn from(script: &'a advice::Script) -> Script<'a> {
        let variable = |unknown: &advice::Unknown| Variable {
            name: unknown.variable(),
            meaning: migration::describe_unknown(*unknown),
        };
        Script { variables: script.unknown.iter().map(variable).collect(), lines: &script.lines }
    }
}

/// A value that the evidence does not have.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Variable {
    /// Name of the shell's variable.
    name: String,
    /// Meaning, and how to find it.
    meaning: &'static str,
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
