//! Text, JSON, HTML and terminal output: every sentence that users read about an answer is worded here. Knows all other crates
//! but those of imports and of Linux.
//!
//! - [`text`]: the report of `ebs_advise`, line by line;
//! - [`json`]: the same as a document for programs, `ebs_advise_json`;
//! - [`html`]: the page of `ebs_report_html`, with plots;
//! - [`terminal`]: bars of characters, `ebs_chart`;
//! - [`reasons`]: the sentences of all of them, for the values that the other crates conclude.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod calls;
mod clip;
pub mod html;
pub mod json;
pub mod reasons;
mod report;
pub mod terminal;
pub mod text;
mod utc_offset;

pub use calls::{Arguments, ShellCommands, sql_literal};
pub use clip::{clip, display_width};
pub use report::Report;
pub use utc_offset::UtcOffset;
