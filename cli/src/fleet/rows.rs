//! Rows that were written before: parts of a fleet are put together again.

use std::io::BufReader;

use ebs_base::format::plain;
use ebs_fleet_report::{Action, Row, merge, read_rows};

use crate::error::Error;
use crate::input_file;
use crate::message::print_message;

/// Exit status where volumes were left without an answer because their samples were not fetched.
const NOT_FETCHED: u8 = 4;

/// Exit status of an answer: 0, or that of volumes whose samples were not fetched.
pub fn exit_status(rows: &[Row]) -> u8 {
    let is_missing = |row: &Row| row.action == Action::NoAnswer && row.reason.code == "not_fetched";
    if rows.iter().any(is_missing) { NOT_FETCHED } else { 0 }
}

/// Reads the rows of all files; of several of one volume the better one stays.
pub fn read_files(files: &[String]) -> Result<Vec<Row>, Error> {
    let mut rows = Vec::new();
    for file in files {
        let unreadable = |error| Error::ReadFile { file: plain(file), error };
        let (raw, _) = input_file::open_or_stdin(file).map_err(unreadable)?;
        let text = BufReader::new(input_file::decompress(raw).map_err(unreadable)?);
        for row in read_rows(text) {
            rows.push(row.map_err(|error| Error::RowsFile { file: plain(file), error })?);
        }
    }
    let merged = merge(rows);
    if merged.replaced > 0 {
        print_message!("warning: {} rows are of volumes that have another row, and are left out", merged.replaced);
    }
    Ok(merged.rows)
}
