//! The answer, in the form that was chosen.

use std::io::{self, IsTerminal};

use ebs_fleet_report::{
    ChangeOptions, PageOptions, Row, TableOptions, changes, render_page, render_table, write_csv, write_json,
};
use jiff::Timestamp;

use super::arguments::{Format, OutputArguments};
use super::into;
use crate::error::Error;
use crate::message::print_message;
use crate::output::{print, print_styled};
use crate::output_file::replace;
use crate::postgres::function::IMPORT_FLEET;
use crate::postgres::{Connection, Extension};

/// Width of the table where no terminal shows it, columns.
const DEFAULT_WIDTH: usize = 120;

/// Writes the answer to standard output or a file, and keeps the rows in the database that --into names. They are kept first: an answer
/// that was printed says that all is done.
pub fn write(mut rows: Vec<Row>, output: &OutputArguments) -> Result<(), Error> {
    let now = Timestamp::now();
    output.sort.sort(&mut rows);
    if let Some(conninfo) = &output.into {
        let lines = rows.iter().map(serde_json::to_string).collect::<Result<Vec<String>, _>>();
        let lines = lines.map_err(|error| Error::WriteOutput(error.into()))?;
        let stored = into::store(&Connection::to(conninfo), &now.to_string(), &lines)?;
        print_message!("kept at {now}: {stored} {}", if stored == 1 { "row" } else { "rows" });
    }
    let content = render(&rows, output, now)?;
    match &output.output {
        Some(file) => replace(file, &content),
        // A reader that closes the pipe early, such as head, is no error.
        None => match print_answer(content, output) {
            Err(Error::WriteOutput(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            printed => printed,
        },
    }
}

/// Prints the table with its colours, and the other forms as data.
fn print_answer(content: Vec<u8>, output: &OutputArguments) -> Result<(), Error> {
    match output.format {
        Format::Table if output.changes.is_none() => print_styled(String::from_utf8_lossy(&content)),
        _ => print(content),
    }
}

/// Checks, before anything is fetched, that the rows can be kept.
pub fn check_into(conninfo: &str) -> Result<(), Error> {
    if Extension::open(&Connection::to(conninfo))?.may_call(&IMPORT_FLEET)? {
        return Ok(());
    }
    Err(Error::InvalidArgument {
        message: "this role may not import the answers of a fleet".to_owned(),
        hint: "GRANT EXECUTE ON FUNCTION ebs_import_fleet TO …;",
    })
}

fn render(rows: &[Row], output: &OutputArguments, now: Timestamp) -> Result<Vec<u8>, Error> {
    if let Some(format) = output.changes {
        return Ok(changes(rows, format, &ChangeOptions { per_wave: output.per_wave.get() }).into_bytes());
    }
    let mut content = Vec::new();
    match output.format {
        Format::Table => content = render_table(rows, &table_options(output)).into_bytes(),
        Format::Csv => write_csv(rows, &mut content).map_err(Error::WriteOutput)?,
        Format::Json => write_json(rows, &mut content).map_err(Error::WriteOutput)?,
        Format::Html => {
            let mut options = PageOptions::new(now);
            options
                .totals
                .extend(output.by.iter().filter(|by| !options.totals.contains(by)).cloned().collect::<Vec<_>>());
            content = render_page(rows, &options).into_bytes();
        }
    }
    Ok(content)
}

fn table_options(output: &OutputArguments) -> TableOptions {
    let is_shown = output.output.is_none() && io::stdout().is_terminal();
    let columns = || {
        rustix::termios::tcgetwinsize(io::stdout()).ok().map(|size| usize::from(size.ws_col)).filter(|width| *width > 0)
    };
    let given = || std::env::var("COLUMNS").ok()?.parse().ok();
    TableOptions {
        width: if is_shown { columns() } else { None }.or_else(given).unwrap_or(DEFAULT_WIDTH),
        sort: output.sort,
        limit: output.limit,
        totals: output.by.clone(),
        colours: is_shown && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
    }
}
