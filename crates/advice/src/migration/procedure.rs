//! The change to other volumes: a script for a shell, and AWS's rules for it.

use crate::migration::aws_command::{Argument, AwsCommand};
use crate::migration::rule::MigrationRule;
use crate::migration::unknown::Unknown;
use ebs_aws::catalogue::{Platform, VolumeConfig};

/// The change from the current volumes to others. Nothing is executed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Procedure {
    /// The change; without lines where nothing changes, or the target is not sold as a volume.
    pub change: Script,
    /// The way back to the current volumes.
    pub rollback: Script,
    /// AWS's rules for it, and its effects.
    pub rules: Vec<MigrationRule>,
    /// True where the current volumes are modified in place, which a pending change of them forbids.
    pub modifies: bool,
    /// True where the change waits for a pending one, and has no lines until then.
    pub waits: bool,
}

impl Procedure {
    /// The same without the lines that AWS would refuse while a change of these volumes is pending.
    pub fn after_pending(self, is_pending: bool) -> Procedure {
        if !(self.modifies && is_pending) {
            return self;
        }
        Procedure { change: Script::default(), rollback: Script::default(), waits: true, ..self }
    }
}

/// Lines of a POSIX shell, for the database's server with the AWS CLI.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// Values that the evidence does not have: variables that are set before, in the order of their use.
    pub unknown: Vec<Unknown>,
    /// The lines, in order; a backslash ends one that the next continues.
    pub lines: Vec<String>,
}

/// The volumes to change to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MigrationTarget<'a> {
    /// Each volume.
    pub config: VolumeConfig,
    /// Number of volumes.
    pub volumes: u64,
    /// False where the size is only the least that the IOPS allow.
    pub size_known: bool,
    /// Instance type, for RDS without the db. of its class; `None` where it is not known.
    pub instance: Option<&'a str>,
    /// Identifier of the RDS instance, or of the cluster on its platform, that is modified; `None` where it is not known.
    pub database: Option<&'a str>,
    /// Deployment of the RDS instance now; `None` where no configuration tells it.
    pub deployment: Option<Platform>,
    /// Limit of storage autoscaling, GiB; `None` without it.
    pub max_allocated_gib: Option<u64>,
    /// True where the current storage of RDS has a dedicated log volume.
    pub has_log_volume: bool,
    /// True where a current volume can be attached to several instances (Multi-Attach).
    pub is_multi_attach: bool,
    /// Name of the role that they are for, as `data+wal`.
    pub role: &'a str,
}

/// Most columns of a line: the width of the first screen.
const WIDTH: usize = 98;

impl Script {
    /// Adds a line.
    pub(super) fn line(&mut self, line: impl Into<String>) {
        self.lines.push(line.into());
    }

    /// Adds a command.
    pub(super) fn aws(&mut self, command: &AwsCommand) {
        self.aws_within("", command, "");
    }

    /// Adds a command with language of the shell before and after it.
    pub(super) fn aws_within(&mut self, before: &str, command: &AwsCommand, after: &str) {
        let last = command.words().len().saturating_sub(1);
        self.words(command.words().iter().enumerate().map(|(place, word)| {
            format!("{}{word}{}", if place == 0 { before } else { "" }, if place == last { after } else { "" })
        }));
    }

    /// Adds a command whose answer to a query becomes the value of a variable.
    pub(super) fn capture(&mut self, variable: &str, command: AwsCommand, query: &str) {
        self.aws_within(&format!("{variable}=$("), &command.query(query).unbroken(), ")");
    }

    /// Adds words, and breaks the line between them.
    fn words(&mut self, words: impl IntoIterator<Item = String>) {
        let mut line = String::new();
        for word in words {
            if !line.is_empty() && line.len() + word.len() + " ".len() + " \\".len() > WIDTH {
                self.lines.push(format!("{line} \\"));
                line = format!("    {word}");
            } else {
                line = if line.is_empty() { word } else { format!("{line} {word}") };
            }
        }
        self.lines.push(line);
    }

    /// Adds the beginning of a loop over words.
    pub(super) fn for_each(&mut self, name: &str, words: impl IntoIterator<Item = impl ToString>) {
        let mut words: Vec<String> = words.into_iter().map(|word| word.to_string()).collect();
        if let Some(last) = words.last_mut() {
            last.push_str("; do");
        }
        self.words(std::iter::once(format!("for {name} in")).chain(words));
    }

    /// Adds a condition, without which the script ends with a message to standard error.
    pub(super) fn require(&mut self, condition: &str, message: &str) {
        self.line(format!("{condition} || {{ echo \"{message}\" >&2; exit 1; }}"));
    }

    /// A variable for a value that is not known, which the script then has to be given.
    pub(super) fn ask(&mut self, unknown: Unknown) -> Argument {
        if !self.unknown.contains(&unknown) {
            self.unknown.push(unknown);
        }
        Argument::Variable(unknown)
    }

    /// The size as an argument: a variable for the target's size where that is not known.
    pub(super) fn size(&mut self, target: &MigrationTarget, size_gib: u64) -> Argument {
        let unknown = !target.size_known && size_gib == target.config.size_gib;
        if unknown { self.ask(Unknown::SizeGib) } else { size_gib.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_broken_between_its_words() {
        let mut script = Script::default();
        // "a " and 92 letters and " \" have 96 columns, with 94 letters 98, with 95 one too many.
        for letters in [92, 94, 95] {
            script.words(["a".to_owned(), "b".repeat(letters)]);
        }
        assert_eq!(script.lines.len(), 4);
        assert_eq!((script.lines[2].as_str(), script.lines[3].len()), ("a \\", 99));
    }
}
