//! The answer for a fleet, worded: a row a volume, totals, and every form in which they are written. Knows [`ebs_fleet`] and
//! [`ebs_report`], whose sentences on candidates and confidence it uses.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod action;
mod answer;
mod changes;
#[cfg(test)]
mod fixtures;
mod lines;
mod merge;
mod money;
mod page;
mod risk;
mod sort;
mod spreadsheet;
mod table;
mod totals;
mod volume_type;
mod words;

pub use answer::{row_from_answer, rows_not_evaluated};
pub use changes::{ChangeFormat, ChangeOptions, changes};
pub use ebs_fleet_row::{Action, Coded, Demand, Evidence, Row, Space, Volumes};
pub use lines::{ReadError, read_row, read_rows, write_json, write_row};
pub use merge::{Merged, merge};
pub use page::{PageOptions, render_page};
pub use sort::Sort;
pub use spreadsheet::write_csv;
pub use table::{TableOptions, render_table};
pub use totals::{By, Sum, Total, Totals};

#[cfg(test)]
mod decision_tests;
#[cfg(test)]
mod hostile_tests;
