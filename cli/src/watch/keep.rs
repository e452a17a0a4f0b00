//! The run that was seen, into the advisor's database or a file.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use ebs_comparison::export::{Run, write};
use ebs_report::sql_literal;

use super::document::{self, file_name, import_command, is_same_file, replace};
use crate::error::Error;
use crate::message::print_message;
use crate::postgres::function::{RUN_IMPORT, RUNS};
use crate::postgres::{Connection, Extension};
use crate::{ownership, shell};

/// Checks, before anything is watched, that the database can take the run.
pub fn check_database(connection: &Connection, label: &str) -> Result<(), Error> {
    let mut database = Extension::open(connection)?;
    if !database.may_call(&RUN_IMPORT)? {
        return Err(Error::InvalidArgument {
            message: "this role may not import runs into the advisor's database".to_owned(),
            hint: "GRANT EXECUTE ON FUNCTION ebs_run_import TO …; or write a file: --output run.json",
        });
    }
    let query = "SELECT 'label' AS value FROM {call} r WHERE r.label = $3 LIMIT 1";
    let values = vec![Some("*".to_owned()), None, Some(label.to_owned())];
    match database.query(&RUNS, query, values)?.value.as_deref() {
        Some(_) => Err(Error::InvalidArgument {
            message: format!("run \"{label}\" already exists"),
            hint: "Choose another label, or drop the old run: SELECT ebs_run_drop('…');",
        }),
        None => Ok(()),
    }
}

/// Checks, before anything is watched, that the file can be written, and that it is new.
pub fn check_file(file: &str) -> Result<(), Error> {
    let created = ownership::resolve(Path::new(file)).and_then(|path| {
        File::create_new(&path)?;
        fs::remove_file(path)
    });
    created.map_err(|error| Error::WriteFile { path: file.to_owned(), error })
}

/// Keeps the run; where the database does not take it, in a file.
pub fn keep(run: Run, output: Option<&str>, connection: &Connection) -> Result<(), Error> {
    let label = run.label.clone();
    let document = write(&[run], env!("CARGO_PKG_VERSION"), &|| ())
        .map_err(|error| Error::InvalidArgument { message: error.to_string(), hint: "Watch for a shorter time." })?;
    let document = document.to_string();
    if let Some(file) = output {
        let written = write_file(file, &label, &document);
        let kept = if written.is_ok() { file.to_owned() } else { rescue(&label, &document)? };
        print_message!("next: {}", import_command(connection, &kept));
        return written;
    }
    let values = vec![Some(document.clone()), None];
    let import = "SELECT {call}::pg_catalog.text AS value";
    let imported = Extension::open(connection).and_then(|mut database| database.query(&RUN_IMPORT, import, values));
    match imported {
        Ok(_) => {
            let advise = format!("SELECT ebs_advise({});", sql_literal(&label));
            print_message!("next: {} -c {}", connection.shell_command(), shell::quote(&advise));
            Ok(())
        }
        Err(error) => {
            let file = rescue(&label, &document)?;
            print_message!("warning: the database did not take the run; it is in \"{file}\"");
            print_message!("next: {}", import_command(connection, &file));
            Err(error)
        }
    }
}

/// Writes the document to a file that was new when the watch began: one that another process has made since is not replaced.
fn write_file(file: &str, label: &str, document: &str) -> Result<(), Error> {
    let own = file_name(label);
    let is_own = is_same_file(file, &own);
    let written = match is_own {
        true => replace(Path::new(&own), |output| output.write_all(document.as_bytes())),
        false => write_new(file, document),
    };
    written.map_err(|error| Error::WriteFile { path: file.to_owned(), error })
}

fn write_new(file: &str, document: &str) -> io::Result<()> {
    let file = ownership::resolve(Path::new(file))?;
    let mut output = File::create_new(&file)?;
    let written = output.write_all(document.as_bytes()).and_then(|()| output.sync_all());
    if written.is_err() {
        // A part of a document is none.
        let _ = fs::remove_file(file);
    }
    written
}

fn rescue(label: &str, document: &str) -> Result<String, Error> {
    document::rescue(label, document.as_bytes()).map_err(|error| Error::WriteFile { path: file_name(label), error })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_exists_is_refused_with_its_remedy() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("run.json").to_string_lossy().into_owned();
        check_file(&path).unwrap();
        write_file(&path, "a run", "{}").unwrap();
        for error in [check_file(&path).unwrap_err(), write_file(&path, "another", "[]").unwrap_err()] {
            assert_eq!(error.hint().as_deref(), Some("Name a new file, or remove that one."));
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), "{}", "the run of another watch stays");
    }
}
