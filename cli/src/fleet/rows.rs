//! Rows that were written before: parts of a fleet are put together again.

use std::io::BufReader;

use ebs_base::format::plain;
use ebs_fleet_report::{Action, Row, merge, read_rows};

use crate::error::Error;
use crate::input_file;
use crate::message::print_message;

/// Maximum size of all files together, bytes, uncompressed: rows of 100,000 volumes have some 400 MB.
const MAX_BYTES: u64 = 1 << 30;
const BEYOND: &str = "the files have more than 1 GiB of rows; put a part of the fleet together at a time";

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
    let mut left = MAX_BYTES;
    for file in files {
        let mut source = input_file::open_bounded(file, left, BEYOND)?;
        let before = rows.len();
        for row in read_rows(BufReader::new(&mut source)) {
            rows.push(row.map_err(|error| Error::RowsFile { file: plain(file), error })?);
        }
        if rows.len() == before {
            return Err(Error::NoRows { file: plain(file) });
        }
        left = source.left();
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
    use ebs_fleet_report::rows_not_evaluated;
    use ebs_imports::configuration::Configuration;

    use super::*;

    #[test]
    fn rows_that_are_not_evaluated_are_incomplete() {
        let mut volume = FleetVolume::default();
        volume.is_selected = true;
        let mut batch = Batch::default();
        batch.volumes = vec![volume];
        let mut rows = rows_not_evaluated(&batch, &Configuration::default(), &Settings::default());
        assert_eq!((rows.len(), exit_status(&rows)), (1, INCOMPLETE));
        rows[0].reason.code = "no_samples".to_owned();
        assert_eq!(exit_status(&rows), 0);
    }
}
