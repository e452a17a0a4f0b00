//! Commands that lead on from an answer.

use ebs_base::format::plain;
use ebs_report::ShellCommands;

use super::Arguments;
use crate::shell::word;

/// The command that was typed, without the form of its answer, and the one that brings its files into a database. What cannot be typed
/// again, such as standard input, is a dot.
pub fn commands(arguments: &Arguments, label: &str) -> ShellCommands {
    let can_be_typed = arguments.files.iter().all(|file| file != "-" && plain(file) == *file);
    let files: Vec<String> = arguments.files.iter().map(|file| path(file)).collect();
    let files = if can_be_typed { files.join(" ") } else { "…".to_owned() };
    let option = |(flag, value): (String, &str)| format!(" {}", flagged(&flag, value));
    let of_files = arguments.file_flags.typed().map(option).collect::<String>();
    let sizing = arguments.sizing.typed().map(option).collect::<String>();
    let named = arguments.label.iter().map(|label| format!(" {}", flagged("label", label))).collect::<String>();
    ShellCommands {
        advise: format!("ebsctl advise {files}{named}{of_files}{sizing}"),
        import: format!("ebsctl import {files} {}{of_files}", flagged("label", label)),
    }
}

/// A flag with its value; a value that looks like a flag is joined to it.
fn flagged(flag: &str, value: &str) -> String {
    let separator = if value.starts_with('-') { "=" } else { " " };
    format!("--{flag}{separator}{}", word(value))
}

/// A file as a word; one that looks like a flag is named by its directory.
fn path(file: &str) -> String {
    word(&if file.starts_with('-') { format!("./{file}") } else { file.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_like_a_flag_is_none() {
        assert_eq!(
            [flagged("label", "-x"), flagged("label", "a b"), path("-x")],
            ["--label=-x", "--label 'a b'", "./-x"]
        );
    }
}
