//! What somebody asked a volume to be, as options and in the state file.

use std::str::FromStr;

use clap::Args;
use serde::{Deserialize, Serialize};

/// A volume as it was asked for; what was left out is the type's own, or unlimited for `plain`.
#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Asked {
    /// gp2, gp3, io1, io2, st1, sc1, or plain: caps and latency as given, and unlimited where not given
    #[arg(value_name = "TYPE")]
    pub volume_type: Option<String>,
    /// Size, from which gp2, st1 and sc1 get their limits; the file is sparse [default: 100, HDD 500]
    #[arg(long, value_name = "GIB")]
    pub size: Option<u64>,
    /// I/Os a second, reads and writes together
    #[arg(long, value_name = "N|unlimited")]
    pub iops: Option<Quantity>,
    /// MiB a second, reads and writes together
    #[arg(long, value_name = "MIBPS|unlimited")]
    pub throughput: Option<Quantity>,
    /// EC2 instance whose limits on EBS hold too, or none
    #[arg(long, value_name = "TYPE")]
    pub instance: Option<String>,
    /// Mean time of a read [default: published for the type; plain 0.5]
    #[arg(long, value_name = "MS", allow_negative_numbers = true)]
    pub read_ms: Option<f64>,
    /// Mean time of a write [default: published for the type; plain 0.5]
    #[arg(long, value_name = "MS", allow_negative_numbers = true)]
    pub write_ms: Option<f64>,
    /// How far times scatter: standard deviation of their logarithm [default: 0.2]
    #[arg(long, allow_negative_numbers = true)]
    pub sigma: Option<f64>,
    /// How much time of a limit may be saved up and used at once [default: 10]
    #[arg(long, value_name = "MS", allow_negative_numbers = true)]
    pub burst_ms: Option<f64>,
    /// Burst credits, of what the buckets hold [default: 100]
    #[arg(long, value_name = "PCT", allow_negative_numbers = true)]
    pub credits: Option<f64>,
}

/// A limit as it was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Quantity {
    /// None.
    Unlimited,
    /// So many a second.
    Of(u64),
}

impl FromStr for Quantity {
    type Err = String;

    fn from_str(text: &str) -> Result<Quantity, String> {
        match text {
            "unlimited" => Ok(Quantity::Unlimited),
            number => match number.parse() {
                Ok(number) if number > 0 => Ok(Quantity::Of(number)),
                _ => Err("neither a whole number above 0 nor \"unlimited\"".to_owned()),
            },
        }
    }
}

impl Asked {
    /// This volume after a change. Another type brings its own limits and times; what is not the type's stays.
    pub fn changed(&self, change: &Asked) -> Asked {
        let kept = match change.volume_type {
            Some(_) => Asked { iops: None, throughput: None, read_ms: None, write_ms: None, ..self.clone() },
            None => self.clone(),
        };
        Asked {
            volume_type: change.volume_type.clone().or(kept.volume_type),
            size: change.size.or(kept.size),
            iops: change.iops.or(kept.iops),
            throughput: change.throughput.or(kept.throughput),
            instance: change.instance.clone().or(kept.instance),
            read_ms: change.read_ms.or(kept.read_ms),
            write_ms: change.write_ms.or(kept.write_ms),
            sigma: change.sigma.or(kept.sigma),
            burst_ms: change.burst_ms.or(kept.burst_ms),
            credits: change.credits,
        }
    }
}
