//! ebsctl report: the report of a run, as text, or as a page in a file.

mod arguments;
mod call;

use std::io;

use ebs_report::html::has_policy;

pub use self::arguments::Arguments;
pub use self::call::values_of_run;
use crate::error::Error;
use crate::output::{print, print_text};
use crate::output_file;
use crate::postgres::Extension;

/// Prints or writes the report once it is complete.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let (function, query, values) = call::report_call(arguments);
    let answer = Extension::open(&arguments.connection)?.query(&function, query, values)?;
    let mut report = answer.value.unwrap_or_default();
    report.push('\n');
    if arguments.html.is_some() && !has_policy(&report) {
        return Err(Error::NoPage);
    }
    let printed = match arguments.html.as_deref() {
        None => print_text(report),
        Some("-") => print(report),
        Some(file) => return output_file::replace(file, report.as_bytes()),
    };
    match printed {
        // A reader that closes the pipe early, such as head, is no error.
        Err(Error::WriteOutput(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        printed => printed,
    }
}
