//! What users call: arguments in, rows out. One contract function or one family of them a file.

mod advise;
mod import;
mod io_mix;
mod io_sources;
mod options;
mod price;
mod runs;
mod samples;
mod status;
mod subject;
mod waits;
