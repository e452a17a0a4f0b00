//! Commands of the AWS CLI. What a server or a file says is data: it is quoted here, whatever command it stands in.

use super::unknown::Unknown;
use std::fmt;

/// Value of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// Data, which is quoted where a shell would read it as anything else.
    Data(String),
    /// Variable for a value that is not known; while an optional one is empty, the option is left out.
    Variable(Unknown),
    /// Language of the shell, as it is: data of others must not be part of it.
    Shell(String),
}

impl From<String> for Argument {
    fn from(data: String) -> Argument {
        Argument::Data(data)
    }
}

impl From<&str> for Argument {
    fn from(data: &str) -> Argument {
        Argument::Data(data.to_owned())
    }
}

impl From<u64> for Argument {
    fn from(number: u64) -> Argument {
        Argument::Data(number.to_string())
    }
}

impl fmt::Display for Argument {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Argument::Data(data) => formatter.write_str(&quote(data)),
            Argument::Variable(unknown) => write!(formatter, "\"${}\"", unknown.variable()),
            Argument::Shell(language) => formatter.write_str(language),
        }
    }
}

/// A command of the AWS CLI. Displayed, it is one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AwsCommand {
    /// The operation, then each option with its value: a line may be broken between them.
    words: Vec<String>,
}

impl AwsCommand {
    /// Returns a command without options, of an operation such as `ec2 describe-volumes`.
    pub fn new(operation: &str) -> AwsCommand {
        AwsCommand { words: vec![format!("aws {operation}")] }
    }

    /// Adds an option with its values; nothing without a value.
    pub fn option<V: Into<Argument>>(mut self, name: &str, values: impl IntoIterator<Item = V>) -> AwsCommand {
        for (place, value) in values.into_iter().map(Into::into).enumerate() {
            self.words.push(match &value {
                Argument::Variable(unknown) if unknown.is_optional() => {
                    format!("${{{}:+{name} {value}}}", unknown.variable())
                }
                _ if place == 0 => format!("{name} {value}"),
                _ => value.to_string(),
            });
        }
        self
    }

    /// Adds those of these options that have a value.
    pub fn options<const N: usize>(self, names: [&str; N], values: [Option<Argument>; N]) -> AwsCommand {
        names.into_iter().zip(values).fold(self, |command, (name, value)| command.option(name, value))
    }

    /// Adds a query of the answer, which is printed as text.
    pub fn query(self, query: &str) -> AwsCommand {
        self.option("--query", [query]).option("--output", ["text"])
    }

    /// Adds options without a value.
    pub fn flags<'a>(mut self, names: impl IntoIterator<Item = &'a str>) -> AwsCommand {
        self.words.extend(names.into_iter().map(str::to_owned));
        self
    }

    /// Adds the region, before all options.
    pub fn in_region(mut self, region: Option<&str>) -> AwsCommand {
        if let Some(region) = region {
            self.words.insert(1, format!("--region {}", quote(region)));
        }
        self
    }

    /// Keeps the last option on the line of the word before it.
    pub fn unbroken(mut self) -> AwsCommand {
        let last = self.words.split_off(self.words.len().saturating_sub(2));
        self.words.push(last.join(" "));
        self
    }

    /// Returns the words: a line may be broken between them.
    pub fn words(&self) -> &[String] {
        &self.words
    }
}

impl fmt::Display for AwsCommand {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.words.join(" "))
    }
}

/// A word that a shell takes as it is: names of devices and ids of volumes may come from elsewhere.
pub fn quote(word: &str) -> String {
    let plain = |character: char| character.is_ascii_alphanumeric() || "_-./".contains(character);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_from_elsewhere_runs_nothing() {
        assert_eq!(quote("nvme1n1"), "nvme1n1");
        assert_eq!(quote("x; rm -rf $HOME"), "'x; rm -rf $HOME'");
        assert_eq!(quote("it's"), r"'it'\''s'");
        assert_eq!(quote(""), "''");
    }

    #[test]
    fn values_are_data_variables_or_language() {
        let command = AwsCommand::new("ec2 x")
            .option("--none", None::<u64>)
            .option("--ids", ["a", "$(b)"])
            .option("--size", [Argument::Variable(Unknown::SizeGib)])
            .option("--iops", [Argument::Variable(Unknown::CurrentIops)])
            .option("--device", [Argument::Shell("\"/dev/$1\"".into())]);
        let words = ["--ids a", "'$(b)'", "--size \"$SIZE_GIB\"", "${CURRENT_IOPS:+--iops \"$CURRENT_IOPS\"}"];
        assert_eq!(command.words()[1..5], words);
        let line = command.in_region(Some("eu west")).flags(["--last"]).unbroken();
        assert_eq!((line.words()[1].as_str(), line.words().len()), ("--region 'eu west'", 7));
        assert!(line.to_string().ends_with(" --device \"/dev/$1\" --last"), "{line}");
    }
}
