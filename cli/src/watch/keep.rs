//! The run that was seen, into the advisor's database or a file.

use std::fs::{self, File};

use ebs_comparison::export::{Run, write};

use crate::error::Error;
use crate::psql::{Connection, Session, literal};
use crate::shell;

/// Checks, before anything is watched, that the database can take the run.
pub fn check_database(connection: &Connection, label: &str) -> Result<(), Error> {
    let mut session = Session::open(connection)?;
    let query = format!(
        "SELECT CASE WHEN NOT pg_catalog.has_function_privilege('ebs_run_import(text, text)', 'EXECUTE') THEN 'privilege'
                     WHEN EXISTS (SELECT FROM ebs_runs() r WHERE r.label = {}) THEN 'label' END AS value",
        literal(label)
    );
    match session.query_value(&query)?.value.as_deref() {
        Some("privilege") => Err(Error::InvalidArgument {
            message: "this role may not import runs into the advisor's database".to_owned(),
            hint: "GRANT EXECUTE ON FUNCTION ebs_run_import TO …; or write a file: --output run.json",
        }),
        Some(_) => Err(Error::InvalidArgument {
            message: format!("run \"{label}\" already exists"),
            hint: "Choose another label, or drop the old run: SELECT ebs_run_drop('…');",
        }),
        None => Ok(()),
    }
}

/// Checks, before anything is watched, that the file can be written, and that it is new.
pub fn check_file(file: &str) -> Result<(), Error> {
    let opened = File::options().write(true).create_new(true).open(file);
    let is_new = opened.map_err(|error| Error::WriteFile { path: file.to_owned(), error });
    is_new.and_then(|_| fs::remove_file(file).map_err(|error| Error::WriteFile { path: file.to_owned(), error }))
}

/// Keeps the run; where the database does not take it, in a file.
pub fn keep(run: Run, output: Option<&str>, connection: &Connection) -> Result<(), Error> {
    let label = run.label.clone();
    let document = write(&[run], env!("CARGO_PKG_VERSION"), &|| ())
        .map_err(|error| Error::InvalidArgument { message: error.to_string(), hint: "Watch for a shorter time." })?;
    let document = document.to_string();
    if let Some(file) = output {
        let written = write_file(file, &document);
        let kept = if written.is_ok() { file.to_owned() } else { rescue(&label, &document)? };
        eprintln!("next: {}", import_command(connection, &kept));
        return written;
    }
    let import = format!("SELECT ebs_run_import({})::text AS value", literal(&document));
    let imported = Session::open(connection).and_then(|mut session| Ok(session.query_value(&import)?));
    match imported {
        Ok(_) => {
            let advise = format!("SELECT ebs_advise({});", literal(&label));
            eprintln!("next: {} -c {}", connection.shell_command(), shell::quote(&advise));
            Ok(())
        }
        Err(error) => {
            let file = rescue(&label, &document)?;
            eprintln!("warning: the database did not take the run; it is in \"{file}\"");
            eprintln!("next: {}", import_command(connection, &file));
            Err(error)
        }
    }
}

/// Lines for a shell: psql's variable, because an argument of a program holds no more than 128 KiB.
pub fn import_command(connection: &Connection, file: &str) -> String {
    let psql = connection.shell_command();
    format!(
        "{psql} <<'SQL'\n\\set run `cat {}`\nSELECT ebs_run_import(:'run');  -- or under another label: ebs_run_import(:'run', 'LABEL')\nSQL",
        shell::quote(file)
    )
}

fn write_file(file: &str, document: &str) -> Result<(), Error> {
    fs::write(file, document).map_err(|error| Error::WriteFile { path: file.to_owned(), error })
}

/// Name of the file of a run with this label.
pub fn file_name(label: &str) -> String {
    let safe: String =
        label.chars().map(|c| if c.is_alphanumeric() || matches!(c, '-' | '_') { c } else { '_' }).collect();
    format!("{safe}.ebs-run.json")
}

/// Writes the run to a file of its label in this directory, or in that of temporary files.
fn rescue(label: &str, document: &str) -> Result<String, Error> {
    let name = file_name(label);
    if write_file(&name, document).is_ok() {
        return Ok(name);
    }
    let file = std::env::temp_dir().join(name).to_string_lossy().into_owned();
    write_file(&file, document).map(|()| file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_safe() {
        assert_eq!([file_name("prod-1"), file_name("../a b")], ["prod-1.ebs-run.json", "___a_b.ebs-run.json"]);
    }
}
