//! Arguments of ebsctl report.

use clap::Args;
use clap::builder::PossibleValuesParser;
use ebs_advice::AdviceArgument;
use ebs_report::text::Show;

use crate::advice_flags::{AdviceFlags, FlagSelection};
use crate::postgres::Connection;

/// Arguments of ebsctl report.
#[derive(Args)]
#[command(allow_negative_numbers = true)]
pub struct Arguments {
    /// The run [default: the last 14 days]
    #[arg(value_name = "LABEL")]
    pub label: Option<String>,
    /// Write one page with plots to this file, which is replaced; - is standard output
    #[arg(long, value_name = "FILE")]
    pub html: Option<String>,
    /// Run or runs ('gp3-*') to compare it with on the page
    #[arg(long, value_name = "LABEL", requires = "html", requires = "label")]
    pub baseline: Option<String>,
    /// Part to print: the first screen, the whole report, or the change to the recommended volumes
    #[arg(long, value_name = "PART", conflicts_with = "html", value_parser = PossibleValuesParser::new(Show::ALL.map(Show::name)),
        default_value = Show::Screen.name())]
    pub show: String,
    #[command(flatten)]
    pub connection: Connection,
    /// Length of the look-back, without a run: '1 day' [default: 14 days]
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
