//! Rows that were written before: parts of a fleet are put together again.

use std::io::BufReader;

use ebs_base::format::plain;
use ebs_fleet_report::{Row, merge, read_rows};

use crate::error::Error;
use crate::input_file;

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
        eprintln!("warning: {} rows are of volumes that have another row, and are left out", merged.replaced);
    }
    Ok(merged.rows)
}
