//! The change to the recommended volumes.

use std::borrow::Cow;

use serde::Serialize;

use crate::reasons::migration;
use ebs_advice as advice;
use ebs_base::object;

object! {
    /// Change to the recommended volumes.
    pub(super) struct Procedure<'a>(procedure: &'a advice::Procedure) {
        /// The change; without lines where nothing changes.
        change: Script<'a> = Script::from(&procedure.change),
        /// The way back.
        rollback: Script<'a> = Script::from(&procedure.rollback),
        /// Rules of AWS that apply to the change.
        rules: Vec<Rule> = procedure
            .rules
            .iter()
            .map(|rule| Rule { text: migration::describe_rule(rule), source: rule.source() })
            .collect(),
        /// True where the change waits for a pending one (`evidence.pending_changes`), and has no lines until then.
        waits: bool = procedure.waits,
    }
}

object! {
    /// A script for a POSIX shell with the AWS CLI, on the database's server.
    pub(super) struct Script<'a>(script: &'a advice::Script)
    where {
        let variable = |unknown: &advice::Unknown| Variable {
            name: unknown.variable(),
            meaning: migration::describe_unknown(*unknown),
        };
    } {
        /// Variables that have to be set before, in the order of their use.
        variables: Vec<Variable> = script.unknown.iter().map(variable).collect(),
        /// Lines, in order.
        lines: &'a [String] = &script.lines,
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
