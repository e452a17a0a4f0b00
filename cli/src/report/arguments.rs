//! Arguments of ebsctl report.

use clap::Args;

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
    /// EC2 instance type or RDS instance class; declared or detected unless given
    #[arg(long, value_name = "TYPE")]
    pub instance: Option<String>,
    /// AWS region of the prices
    #[arg(long, value_name = "REGION")]
    pub region: Option<String>,
    /// ec2, outposts, rds, rds-multi-az or rds-cluster
    #[arg(long, value_name = "PLATFORM")]
    pub platform: Option<String>,
    /// screen (the default), all (the whole report) or commands (the change to the recommended volumes)
    #[arg(long, value_name = "WHAT", conflicts_with = "html")]
    pub show: Option<String>,
    #[command(flatten)]
    pub connection: Connection,
    #[command(flatten)]
    pub sizing: Sizing,
}

/// Requirements of a volume: the arguments of ebs_advise by these names. Ranges and defaults are the server's.
#[derive(Args, Default)]
#[command(next_help_heading = "Sizing")]
pub struct Sizing {
    /// Length of the look-back, without a run: '1 day'
    #[arg(long, value_name = "INTERVAL", conflicts_with = "label")]
    pub lookback: Option<String>,
    /// Percentile of the one-second demand to size for; 99 unless given
    #[arg(long, value_name = "PERCENT")]
    pub percentile: Option<f64>,
    /// Headroom above the demand, as a ratio; 0.2 of an open loop and none of a closed one unless given
    #[arg(long, value_name = "PART")]
    pub headroom: Option<f64>,
    /// Accepted share of the time and of the requests that are throttled, per cent; 1 unless given
    #[arg(long, value_name = "PERCENT")]
    pub max_throttled_pct: Option<f64>,
    /// Share of the throughput without a limit that a closed loop keeps, per cent; 98 unless given
    #[arg(long, value_name = "PERCENT")]
    pub keep_throughput_pct: Option<f64>,
    /// Least predicted throughput, as a ratio to the current one
    #[arg(long, value_name = "RATIO")]
    pub min_throughput_ratio: Option<f64>,
    /// Highest mean latency of a request, milliseconds
    #[arg(long, value_name = "MS")]
    pub latency_target_ms: Option<f64>,
    /// Least yearly durability, per cent: 99.8 or 99.999
    #[arg(long, value_name = "PERCENT")]
    pub durability_pct: Option<f64>,
    /// Highest price, US dollars a month
    #[arg(long, value_name = "USD")]
    pub budget_usd: Option<f64>,
    /// Most volumes in a stripe
    #[arg(long, value_name = "VOLUMES")]
    pub max_volumes: Option<u32>,
    /// Least size of each role's volumes, GiB
    #[arg(long, value_name = "GIB")]
    pub min_size_gib: Option<u64>,
    /// I/O that volumes are sized for: all, or postgresql; all unless given
    #[arg(long, value_name = "SOURCE")]
    pub io_source: Option<String>,
}
