//! The change to the recommended volumes.

use std::borrow::Cow;

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
        rules: Vec<Rule> = procedure.rules.iter().map(Rule::from).collect(),
        /// True where the change waits for a pending one (`evidence.pending_changes`), and has no lines until then.
        waits: bool = procedure.waits,
    }
}

object! {
    /// A script for a POSIX shell with the AWS CLI, on the database's server.
    pub(super) struct Script<'a>(script: &'a advice::Script) {
        /// Variables that have to be set before, in the order of their use.
        variables: Vec<Variable> = script.unknown.iter().map(Variable::from).collect(),
        /// Lines, in order.
        lines: &'a [String] = &script.lines,
    }
}

object! {
    /// A value that the evidence does not have.
    struct Variable(unknown: &advice::Unknown) {
        /// Name of the shell's variable.
        name: String = unknown.variable(),
        /// Meaning, and how to find it.
        meaning: &'static str = migration::describe_unknown(*unknown),
    }
}

object! {
    /// A rule and its source.
    struct Rule(rule: &advice::MigrationRule) {
        /// One sentence.
        text: Cow<'static, str> = migration::describe_rule(rule),
        /// Address of the page that states it.
        source: &'static str = rule.source(),
    }
}
