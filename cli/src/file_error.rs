//! Errors of single files, with the way out of each.

use ebs_advice::arguments::ARGUMENTS;
use ebs_aws::offer::DocumentError;
use ebs_comparison::export::RunDocumentError;
use ebs_imports::drivers::fio::{self, FioError};
use ebs_imports::format::arguments::{INTERVAL_S, PERIOD_S, STARTED_AT, WAL_DEVICE};
use ebs_imports::format::{Format, RECORD, Reader, describe_unknown};
use ebs_imports::formats::formats;
use ebs_imports::monitoring::{ErrorClass, ImportError};
use ebs_samples::evidence::codec::CodecError;

use crate::flags::import_flag;

/// Error of a file.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It is of no known format; its beginning.
    #[error("\"{file}\" is of no known format: it looks like {}", describe_unknown(beginning))]
    Unknown { file: String, beginning: Vec<u8> },
    /// It has nothing for advice.
    #[error("\"{file}\" is {}, which {}", format.kind, unsuitable(format))]
    Unsuitable { file: String, format: &'static Format },
    /// A file of monitoring is not valid.
    #[error("\"{file}\": {}", with_flags(&error.to_string()))]
    Monitoring { file: String, error: ImportError, shape: &'static str },
    /// A report of fio is not valid.
    #[error("\"{file}\": {error}")]
    Fio { file: String, error: FioError },
    /// A document of runs is not valid.
    #[error("\"{file}\": {error}")]
    Runs { file: String, error: RunDocumentError },
    /// Samples of a run cannot be read.
    #[error("\"{file}\", run \"{label}\": {error}")]
    Damaged { file: String, label: String, error: CodecError },
    /// A document of prices is not valid.
    #[error("\"{file}\": {error}")]
    Prices { file: String, error: DocumentError },
}

impl FileError {
    /// Exit status of ebsctl: that of an argument which is wrong or missing, or that of a file.
    pub fn exit_status(&self) -> u8 {
        match self {
            FileError::Monitoring { error, .. } => match error.class() {
                ErrorClass::Argument | ErrorClass::UnknownName => 2,
                ErrorClass::Input | ErrorClass::Limit | ErrorClass::Time => 1,
            },
            _ => 1,
        }
    }

    /// Text of the line of detail.
    pub fn detail(&self) -> Option<String> {
        match self {
            FileError::Monitoring { error, .. } => error.detail(),
            FileError::Unknown { .. } => Some(describe_known()),
            _ => None,
        }
    }

    /// Advice to the user.
    pub fn hint(&self) -> String {
        match self {
            FileError::Unknown { .. } => RECORD.to_owned(),
            FileError::Unsuitable { format, .. } => format.hint(),
            FileError::Monitoring { error: ImportError::Untimed, .. } => UNTIMED.to_owned(),
            FileError::Monitoring { error: ImportError::Argument(_), .. } => {
                "ebsctl advise --help has all flags.".to_owned()
            }
            FileError::Monitoring { error, shape, .. } => {
                error.hint().map_or_else(|| (*shape).to_owned(), |hint| with_options(&hint))
            }
            FileError::Fio { .. } => fio::FORMAT.shape.to_owned(),
            FileError::Runs { error, .. } => error.hint().to_owned(),
            FileError::Damaged { .. } => "Export the run again.".to_owned(),
            FileError::Prices { error, .. } => error.hint().to_owned(),
        }
    }
}

/// Arguments of imports that messages name.
const FILE_ARGUMENTS: [ebs_base::argument::Argument; 4] = [INTERVAL_S, PERIOD_S, STARTED_AT, WAL_DEVICE];

/// Hint on a report without times: the start is taken from the file.
const UNTIMED: &str =
    "Give its interval, the number that was typed behind iostat -x: --interval-s 1. With -t iostat prints the times.";

/// Reason for which a file of a known format is refused.
fn unsuitable(format: &Format) -> &'static str {
    match format.reader {
        Reader::Unread(remedy) if !remedy.is_empty() => "is not read",
        _ => "has no demand of a server",
    }
}

/// Formats that are read, by their names.
fn describe_known() -> String {
    let kinds = |is: fn(&Format) -> bool| {
        let kinds: Vec<&str> = formats().filter(|format| is(format)).map(|format| format.kind).collect();
        kinds.join(", ")
    };
    let (demand, beside) = (kinds(Format::has_demand), kinds(|format| !format.use_beside_demand().is_empty()));
    format!("Files that are read have one of: {demand}; beside them: {beside}.")
}

/// A message with flags of ebsctl in place of the names of arguments: `--interval-s must be …`.
pub fn with_flags(message: &str) -> String {
    let of_advice = ARGUMENTS.iter().map(|known| known.argument.name);
    let names: Vec<&str> = of_advice.chain(FILE_ARGUMENTS.iter().map(|argument| argument.name)).collect();
    let is_name = |word: &&str| word.contains('_') && names.contains(word);
    let words = message.split(' ').map(|word| match Some(word).filter(is_name) {
        Some(name) => format!("--{}", import_flag(name)),
        None => word.to_owned(),
    });
    words.collect::<Vec<_>>().join(" ")
}

/// A hint with options of ebsctl in place of the SQL functions' arguments: `--wal-device …` for `wal_device => …`.
pub fn with_options(hint: &str) -> String {
    let mut parts = hint.split(ARROW).peekable();
    let mut output = String::new();
    while let Some(part) = parts.next() {
        let word = part.rsplit([' ', '(']).next().unwrap_or_default();
        let before = &part[..part.len() - word.len()];
        let is_name = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
        output.push_str(&match parts.peek() {
            Some(_) if is_name => format!("{before}--{} ", import_flag(word)),
            Some(_) => format!("{part}{ARROW}"),
            None => part.to_owned(),
        });
    }
    output
}

/// Separator of an argument of SQL and its value.
const ARROW: &str = " => ";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_name_options() {
        let error = ImportError::MixedInstances { first: "a".to_owned(), second: "b".to_owned() };
        let error = FileError::Monitoring { file: "events.json".to_owned(), error, shape: "" };
        let hint = "Name one with --db-instance …, for example 'b', and import each as a run of its own.";
        assert_eq!(error.hint(), hint);
        let hint = "Name one with device => …, and that of WAL with wal_device => …: a.";
        assert_eq!(with_options(hint), "Name one with --device …, and that of WAL with --wal-device …: a.");
        assert_eq!(with_options("größe => 5 => x"), "größe => 5 => x");
    }
}
