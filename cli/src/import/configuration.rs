//! ebsctl import configuration: what the AWS CLI printed about volumes, instances and databases.

use clap::Args;
use ebs_imports::configuration::{Configuration, read};

use crate::error::Error;
use crate::input_file;
use crate::message::print_message;
use crate::output::print_text;
use crate::postgres::function::IMPORT_CONFIGURATION;
use crate::postgres::{Connection, Extension};

/// Maximum size of all files together, bytes, as in ebs_import_configuration.
const MAX_BYTES: u64 = 128 << 20;
const BEYOND: &str = "the files have more than 128 MiB: import them one after another";

/// Arguments of ebsctl import configuration.
#[derive(Args)]
pub struct Arguments {
    /// Output of aws ec2 describe-volumes, describe-instances, describe-volumes-modifications, aws rds describe-db-instances
    /// (--output json), plain or compressed by gzip; - is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<String>,
    /// Print what was found, and import nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    connection: Connection,
}

/// Reads all files, and only then imports: an error in one of them changes nothing.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let mut documents = String::new();
    for file in &arguments.files {
        let text = input_file::read_text(file, MAX_BYTES.saturating_sub(documents.len() as u64), BEYOND)?;
        let found = read(&text, &|| ()).map_err(|error| Error::ConfigurationFile { file: file.clone(), error })?;
        print_text(format!("{file}: {}\n", describe(&found)))?;
        for kind in &found.unfinished {
            print_message!("warning: \"{file}\" has a NextToken: later pages of {} are missing", kind.name());
        }
        documents.push_str(&text);
        documents.push('\n');
    }
    if arguments.dry_run {
        return Ok(());
    }
    let import = "SELECT pg_catalog.sum(i.changed)::pg_catalog.text AS value FROM {call} i";
    let answer = Extension::open(&arguments.connection)?.query(&IMPORT_CONFIGURATION, import, vec![Some(documents)])?;
    // They are imported even if standard output is closed.
    let _ = print_text(format!("{} of them new or changed\n", answer.value.unwrap_or_default()));
    Ok(())
}

/// `12 volumes, 3 instances`; `nothing` of empty documents.
fn describe(found: &Configuration) -> String {
    let counts = [
        (found.volumes.len(), "volume"),
        (found.instances.len(), "instance"),
        (found.databases.len(), "RDS instance"),
        (found.modifications.len(), "modification"),
    ];
    let several = |count: usize| if count == 1 { "" } else { "s" };
    let present = counts.iter().filter(|(count, _)| *count > 0);
    let words: Vec<String> = present.map(|(count, name)| format!("{count} {name}{}", several(*count))).collect();
    if words.is_empty() { "nothing".to_owned() } else { words.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_words() {
        let text =
            r#"{"Volumes": [{"VolumeId": "a"}, {"VolumeId": "b"}]} {"DBInstances": [{"DBInstanceIdentifier": "c"}]}"#;
        assert_eq!(describe(&read(text, &|| ()).unwrap()), "2 volumes, 1 RDS instance");
        assert_eq!(describe(&Configuration::default()), "nothing");
    }

    #[test]
    fn a_file_beyond_the_limit_is_refused() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "0123456789").unwrap();
        let path = file.path().to_str().unwrap();
        assert_eq!(input_file::read_text(path, 10, BEYOND).unwrap(), "0123456789");
        let message = input_file::read_text(path, 9, BEYOND).unwrap_err().to_string();
        assert!(message.ends_with("import them one after another"), "{message}");
    }
}
