//! Arguments of ebsctl report.

use clap::Args;
use ebs_advice::AdviceArgument;

use crate::advice_flags::{AdviceFlags, FlagSelection};
use crate::postgres::Connection;

/// Arguments of ebsctl report.
#[derive(Args)]
#[command(allow_negative_numbers = true)]
pub struct Arguments {
    /// The run; the last 14 days where none is named
    #[arg(value_name = "LABEL")]
    pub label: Option<String>,
    /// Write one page with plots to this file, which is replaced; - is standard output
    #[arg(long, value_name = "FILE")]
    pub html: Option<String>,
    /// Run or runs ('gp3-*') to compare it with on the page
    #[arg(long, value_name = "LABEL", requires = "html", requires = "label")]
    pub baseline: Option<String>,
    /// screen (the default), all (the whole report) or commands (the change to the recommended volumes)
    #[arg(long, value_name = "WHAT", conflicts_with = "html")]
    pub show: Option<String>,
    #[command(flatten)]
    pub connection: Connection,
    /// Length of the look-back, without a run: '1 day'
    #[arg(long, value_name = "INTERVAL", conflicts_with = "label", help_heading = "Sizing")]
    pub lookback: Option<String>,
    #[command(flatten)]
    pub sizing: AdviceFlags<OfReport>,
}

/// All arguments of ebs_advise.
pub struct OfReport;

impl FlagSelection for OfReport {
    fn takes(_: &AdviceArgument) -> bool {
        true
    }
}
