//! ebsctl report: the report of a run, as text, or as a page in a file.

mod arguments;
mod script;

use std::io;

pub use self::arguments::Arguments;
use crate::error::Error;
use crate::output::print;
use crate::output_file;
use crate::psql::run_script;

/// Prints or writes the report once it is complete.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let connection = &arguments.connection;
    connection.refuse_password()?;
    let report = run_script(connection, &script::report_script(arguments), None)?;
    if report.is_empty() {
        return Err(Error::EmptyOutput { program: connection.psql.clone() });
    }
    match arguments.html.as_deref() {
        // A reader that closes the pipe early, such as head, is no error.
        None | Some("-") => match print(report) {
            Err(Error::WriteOutput(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            printed => printed,
        },
        Some(file) => output_file::replace(file, &report),
    }
}
