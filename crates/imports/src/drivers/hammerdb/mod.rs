//! HammerDB: the output of a run, and that of the command `jobs`.

mod jobs;
mod output;

use crate::format::{COMMAND, Format, Kind, PAGE, Reader, Sign};
#[cfg(any(test, feature = "made"))]
use crate::made::{Inputs, Sample};

pub use jobs::jobs;
pub(in crate::drivers) use output::Hammerdb;

/// A database of HammerDB, which ebsctl reads.
const DATABASE: Format = Format {
    name: "hammerdb-database",
    kind: "a database of HammerDB",
    command: COMMAND,
    page: PAGE,
    shape: "Accepted is hammer.DB as HammerDB wrote it.",
    // Magic of SQLite (<https://www.sqlite.org/fileformat.html>).
    signs: &[Sign::BytesAt(0, b"SQLite format 3\0")],
    reader: Reader::Driver(Kind::HammerdbDatabase),
    sql: None,
    #[cfg(any(test, feature = "made"))]
    inputs: Inputs { samples: &[Sample::text("SQLite format 3\0")], made: &[] },
};

/// Formats of HammerDB.
pub(in crate::drivers) const FORMATS: [&Format; 3] = [&output::FORMAT, &jobs::FORMAT, &DATABASE];
