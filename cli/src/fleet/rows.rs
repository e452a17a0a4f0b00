//! Rows that were written before: parts of a fleet are put together again.

use std::io::BufReader;

use ebs_base::format::plain;
use ebs_fleet_report::{Action, Row, merge, read_rows};

use crate::error::Error;
use crate::input_file;
use crate::message::print_message;

/// Exit status where volumes were left without an answer because their samples were not fetched, or their evaluation failed.
const INCOMPLETE: u8 = 4;

/// Codes of the reasons of these volumes.
const CODES: [&str; 2] = ["not_fetched", "not_evaluated"];

/// Exit status of an answer: 0, or that of volumes whose samples were not fetched or not evaluated.
pub fn exit_status(rows: &[Row]) -> u8 {
    let is_missing = |row: &Row| row.action == Action::NoAnswer && CODES.contains(&row.reason.code.as_str());
    if rows.iter().any(is_missing) { INCOMPLETE } else { 0 }
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

#[cfg(test)]
mod tests {
    use ebs_fleet::{Batch, FleetVolume, Settings};
    use ebs_imports::configuration::Configuration;

    use super::*;

    #[test]
    fn rows_that_are_not_evaluated_are_incomplete() {
        let mut volume = FleetVolume::default();
        volume.is_selected = true;
        let mut batch = Batch::default();
        batch.volumes = vec![volume];
        let mut rows = Row::not_evaluated(&batch, &Configuration::default(), &Settings::default());
        assert_eq!((rows.len(), exit_status(&rows)), (1, INCOMPLETE));
        rows[0].reason.code = "no_samples".to_owned();
        assert_eq!(exit_status(&rows), 0);
    }
}
