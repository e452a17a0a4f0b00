//! `made BYTES`: SQL that creates a table of documents for tests of every import: those that the formats generate, of about BYTES bytes, and
//! hostile ones made of the recorded reports. `call` is the call of the function of the format with `body` as its document, NULL where
//! the registry declares none; it names a run made N of its own, or for waits the run long.

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use ebs_advisor_fuzz::hostile;
use ebs_base::argument::{Argument, DefaultValue, SqlType};
use ebs_imports::format::arguments::{DEVICE, LABEL};
use ebs_imports::format::{Format, Reader, SqlFunction};
use ebs_imports::formats::formats;

const TABLE: &str = "CREATE TABLE made (number int PRIMARY KEY, format text NOT NULL, what text NOT NULL,
    hostile boolean NOT NULL, function text, call text, body text NOT NULL);
GRANT SELECT ON made TO PUBLIC;
COPY made (number, format, what, hostile, function, call, body) FROM stdin;";

fn main() -> ExitCode {
    let Some(bytes) = std::env::args().nth(1).and_then(|bytes| bytes.parse().ok()) else {
        eprintln!("usage: made BYTES");
        return ExitCode::FAILURE;
    };
    match write_table(bytes) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("made: {error}");
            ExitCode::FAILURE
        }
    }
}

fn write_table(bytes: usize) -> io::Result<()> {
    let mut output = BufWriter::new(io::stdout().lock());
    let mut number = 0;
    writeln!(output, "{TABLE}")?;
    let is_imported = |format: &&Format| !matches!(format.reader, Reader::Driver(_) | Reader::Unread(_));
    for format in formats().filter(is_imported) {
        for made in format.inputs.made {
            number += 1;
            write_row(&mut output, format, (number, made.what, false), &(made.make)(bytes))?;
        }
        if format.sql.is_some() {
            for (what, body) in hostile::documents(format) {
                number += 1;
                write_row(&mut output, format, (number, &what, true), &body)?;
            }
        }
    }
    writeln!(output, "\\.")?;
    output.flush()
}

fn write_row(
    output: &mut impl Write,
    format: &Format,
    (number, what, is_hostile): (usize, &str, bool),
    body: &str,
) -> io::Result<()> {
    let name = format.sql.map_or("\\N", |function| function.name);
    let call = format.sql.map_or_else(|| "\\N".to_owned(), |function| escaped(&call(format, &function, number, body)));
    writeln!(output, "{number}\t{}\t{what}\t{is_hostile}\t{name}\t{}\t{}", format.name, call, escaped(body))
}

/// Call with the arguments that have no default, and the first device of several.
fn call(format: &Format, function: &SqlFunction, number: usize, body: &str) -> String {
    let label = if matches!(format.reader, Reader::Waits) { "'long'".to_owned() } else { format!("'made {number}'") };
    let value = |argument: &Argument| match argument {
        document if document == function.document && document.sql_type == SqlType::Jsonb => "body::jsonb",
        document if document == function.document => "body",
        name if *name == LABEL => &label,
        _ => "'sdf'",
    };
    let required = function.arguments.iter().filter(|argument| argument.default == DefaultValue::Required);
    let mut values: Vec<String> = required.map(|argument| value(argument).to_owned()).collect();
    if function.arguments.contains(&&DEVICE) {
        values.extend(hostile::device(format, body).map(|device| format!("device => $name${device}$name$")));
    }
    format!("{}({})", function.name, values.join(", "))
}

/// Text as COPY reads it, without the character that no text of PostgreSQL's has.
fn escaped(text: &str) -> String {
    text.replace('\0', "").replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "\\r").replace('\t', "\\t")
}
