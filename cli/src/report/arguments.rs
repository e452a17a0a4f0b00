//! Arguments of ebsctl report.

use clap::Args;

use crate::psql::Connection;

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
    /// The run, or runs ('gp3-*'), that the page compares it with
    #[arg(long, value_name = "LABEL", requires = "html", requires = "label")]
    pub baseline: Option<String>,
    /// EC2 type or RDS class whose limits count; as declared or seen unless given
    #[arg(long, value_name = "TYPE")]
    pub instance: Option<String>,
    /// Whose prices
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
#[derive(Args)]
#[command(next_help_heading = "Sizing")]
pub struct Sizing {
    /// How far back, without a run: '1 day'
    #[arg(long, value_name = "INTERVAL", conflicts_with = "label")]
    pub lookback: Option<String>,
    /// Of the demand's seconds, those that the volume must serve; 99 unless given
    #[arg(long, value_name = "PERCENT")]
    pub percentile: Option<f64>,
    /// What is to spare, as a part of the demand; 0.2 unless given
    #[arg(long, value_name = "PART")]
    pub headroom: Option<f64>,
    /// Seconds that a limit may hold back; 1 unless given
    #[arg(long, value_name = "PERCENT")]
    pub max_throttled_pct: Option<f64>,
    /// Least predicted throughput, as a part of the present one
    #[arg(long, value_name = "RATIO")]
    pub min_throughput_ratio: Option<f64>,
    /// Longest mean time of a request, in milliseconds
    #[arg(long, value_name = "MS")]
    pub latency_target_ms: Option<f64>,
    /// Least durability, 99.8 or 99.999
    #[arg(long, value_name = "PERCENT")]
    pub durability_pct: Option<f64>,
    /// Most dollars a month
    #[arg(long, value_name = "USD")]
    pub budget_usd: Option<f64>,
    /// Most volumes in a stripe
    #[arg(long, value_name = "VOLUMES")]
    pub max_volumes: Option<u32>,
    /// Least size, in GiB
    #[arg(long, value_name = "GIB")]
    pub min_size_gib: Option<u64>,
    /// I/O that volumes are sized for: all, or postgresql; all unless given
    #[arg(long, value_name = "SOURCE")]
    pub io_source: Option<String>,
}
