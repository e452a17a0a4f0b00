//! Commands that lead on from an answer.

use ebs_report::ShellCommands;

use super::Arguments;

/// Characters that no shell takes for anything else, beside letters and digits.
const PLAIN: &str = "-_./:=@%+,";

/// The command that was typed, without the form of its answer, and the one that brings its files into a database.
pub fn commands(arguments: &Arguments, label: &str) -> ShellCommands {
    let files: Vec<String> = arguments.files.iter().map(|file| word(file)).collect();
    let files = files.join(" ");
    let typed: Vec<String> = arguments
        .sizing
        .typed()
        .chain(arguments.file_flags.typed())
        .map(|(flag, value)| format!(" --{flag} {}", word(value)))
        .collect();
    let named = arguments.label.iter().map(|label| format!(" --label {}", word(label))).collect::<String>();
    ShellCommands {
        advise: format!("ebsctl advise {files}{named}{}", typed.concat()),
        import: format!("ebsctl import {files} --label {}", word(label)),
    }
}

/// A word of a shell's command line, quoted where it has to be.
fn word(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || PLAIN.contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_would_read_them_otherwise() {
        assert_eq!(
            ["a-1.txt", "a b", "it's", "", "$x", "!!"].map(word),
            ["a-1.txt", "'a b'", r"'it'\''s'", "''", "'$x'", "'!!'"]
        );
    }
}
