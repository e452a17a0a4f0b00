//! SQL functions: arguments in, rows out. One contract function or one family of them a file.

mod advice;
mod documents;
mod evidence;
mod imports;
mod report;
mod run_selection;
mod runs;
mod sql_row;
mod utc_offset;
mod values;
mod volume_arguments;
