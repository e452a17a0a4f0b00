//! Arguments of ebsctl advise.

use clap::Args;
use ebs_advice::AdviceArgument;

use crate::advice_flags::{AdviceFlags, FlagSelection};
use crate::server_files::FileFlags;

/// Arguments of ebsctl advise.
#[derive(Args)]
#[command(
    allow_negative_numbers = true,
    after_help = "Each file is recognised by its content, plain or compressed by gzip. Nothing is stored, and no server is asked. Arguments that the answer \
    names as in SQL are flags: min_size_gib => 500 is --min-size-gib 500."
)]
pub struct Arguments {
    /// Files of one server: iostat, sar, CloudWatch, Enhanced Monitoring, AWR, runs of ebs_advisor; beside them aws … describe-volumes,
    /// describe-instances, describe-db-instances, Performance Insights, fio, prices of ebsctl prices --dry-run; - is standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<String>,
    /// Name of the server in the answer; an EBS volume ID or a DBInstanceIdentifier joins what AWS describes; of runs the one to answer
    #[arg(short, long, value_name = "LABEL")]
    pub label: Option<String>,
    #[command(flatten)]
    pub output: OutputArguments,
    #[command(flatten)]
    pub file_flags: FileFlags,
    #[command(flatten)]
    pub sizing: AdviceFlags<OfAdvise>,
}

/// Form of the answer; a screen unless one is chosen.
#[derive(Args)]
#[group(multiple = false)]
pub struct OutputArguments {
    /// Print the whole report
    #[arg(long)]
    pub all: bool,
    /// Print the change to the recommended volumes, to paste into a shell
    #[arg(long)]
    pub commands: bool,
    /// Print one JSON document, that of ebs_advise_json (docs/schema/report.json)
    #[arg(long)]
    pub json: bool,
    /// Write one page with plots to this file, which is replaced; - is standard output
    #[arg(long, value_name = "FILE")]
    pub html: Option<String>,
}

/// All arguments of ebs_advise.
pub struct OfAdvise;

impl FlagSelection for OfAdvise {
    fn takes(_: &AdviceArgument) -> bool {
        true
    }
}
