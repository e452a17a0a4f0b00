//! What users call: arguments in, rows out. One contract function or one family of them a file.

mod advice;
mod documents;
mod evidence;
mod imports;
mod report;
mod runs;
mod subject;
