//! A volume as it is requested: options of the command line, and JSON in the state file and on the control socket.

use std::str::FromStr;

use clap::Args;
use serde::{Deserialize, Serialize};

/// A requested volume. Options that are left out are the type's own, or unlimited for `plain`.
#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct VolumeSpec {
    /// Type, as AWS names it, or plain: caps and latency as given, and unlimited where not given
    #[arg(value_name = "TYPE")]
    pub volume_type: Option<String>,
    /// Size, from which some types get their limits; the file is sparse [default: 100, HDD 500]
    #[arg(long, value_name = "GIB")]
    pub size: Option<u64>,
    /// I/Os a second, reads and writes together
    #[arg(long, value_name = "N|unlimited")]
    pub iops: Option<LimitSpec>,
    /// MiB a second, reads and writes together
    #[arg(long, value_name = "MIBPS|unlimited")]
    pub throughput: Option<LimitSpec>,
    /// EC2 instance whose limits on EBS hold too, or none
    #[arg(long, value_name = "TYPE")]
    pub instance: Option<String>,
    /// Mean time of a read [default: published for the type; plain 0.5]
    #[arg(long, value_name = "MS", allow_negative_numbers = true)]
    pub read_ms: Option<f64>,
    /// Mean time of a write [default: published for the type; plain 0.5]
    #[arg(long, value_name = "MS", allow_negative_numbers = true)]
    pub write_ms: Option<f64>,
    /// Standard deviation of the natural logarithm of times of service.
    #[arg(
        long,
        allow_negative_numbers = true,
        help = "How far times scatter: standard deviation of their logarithm [default: 0.2]"
    )]
    pub sigma: Option<f64>,
    /// Burst tolerance of all limits.
    #[arg(
        long,
        value_name = "MS",
        allow_negative_numbers = true,
        help = "How much time of a limit may be saved up and used at once [default: 10]"
    )]
    pub burst_ms: Option<f64>,
    /// Burst credits, of what the buckets hold [default: 100]
    #[arg(long, value_name = "PCT", allow_negative_numbers = true)]
    pub credits: Option<f64>,
}

/// A requested limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LimitSpec {
    /// No limit.
    Unlimited,
    /// Units per second.
    #[serde(rename = "of")]
    PerSecond(u64),
}

impl FromStr for LimitSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<LimitSpec, String> {
        match text {
            "unlimited" => Ok(LimitSpec::Unlimited),
            number => match number.parse() {
                Ok(number) if number > 0 => Ok(LimitSpec::PerSecond(number)),
                _ => Err("neither a whole number above 0 nor \"unlimited\"".to_owned()),
            },
        }
    }
}

impl VolumeSpec {
    /// Returns this volume after a change. Another type replaces limits and times by its own and keeps the rest; credits are never
    /// taken over.
    pub fn with_change(&self, change: &VolumeSpec) -> VolumeSpec {
        let base = match change.volume_type {
            Some(_) => VolumeSpec { iops: None, throughput: None, read_ms: None, write_ms: None, ..self.clone() },
            None => self.clone(),
        };
        VolumeSpec {
            volume_type: change.volume_type.clone().or(base.volume_type),
            size: change.size.or(base.size),
            iops: change.iops.or(base.iops),
            throughput: change.throughput.or(base.throughput),
            instance: change.instance.clone().or(base.instance),
            read_ms: change.read_ms.or(base.read_ms),
            write_ms: change.write_ms.or(base.write_ms),
            sigma: change.sigma.or(base.sigma),
            burst_ms: change.burst_ms.or(base.burst_ms),
            credits: change.credits,
        }
    }
}
