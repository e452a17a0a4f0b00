//! Requests of `ebs_whatif`: the volumes and a [`Request`].

use crate::request::settings::{MAX_VOLUMES, Request};
use crate::request::volume_request::{DATA_NAMES, VolumeRequest};
use crate::request::wal_placement::{WalArguments, WalPlacement};
use ebs_aws::catalogue::{VolumeConfig, VolumeType};
use ebs_base::error::{InputError, within};

/// Meaning of `clients`, for errors.
pub const CLIENTS_MEANING: &str = "Client sessions at work in the same second, on average, for example 16.";

/// The arguments of `ebs_whatif`, as written; omitted limits are those that the type includes.
#[derive(Clone, Debug)]
pub struct WhatIfArguments {
    /// The volumes' type.
    pub volume_type: String,
    /// IOPS of each.
    pub iops: Option<i64>,
    /// MiB/s of each.
    pub throughput_mibps: Option<i64>,
    /// GiB of each; `None`: by use and growth.
    pub size_gib: Option<i64>,
    /// Number of volumes, striped.
    pub volumes: i64,
    /// Client sessions that are at work in the same second; `None`: as many as there were. Those that think for longer than a second count
    /// for the seconds in which they work.
    pub clients: Option<f64>,
    /// Latency of a read as the user measured it, ms.
    pub read_ms: Option<f64>,
    /// Latency of a write as the user measured it, ms.
    pub write_ms: Option<f64>,
    /// Place of WAL.
    pub wal: WalArguments,
    /// True: the instance's maximum counts as long as its credits last; false: its baseline.
    pub instance_burst: bool,
}

/// Checked arguments of `ebs_whatif`.
#[derive(Clone, Debug)]
pub struct WhatIfRequest {
    /// Each of the volumes.
    pub volume: VolumeRequest,
    /// Number of volumes.
    pub volumes: u64,
    /// Place of WAL.
    pub wal: WalPlacement,
    /// Platform, prices and instance.
    pub request: Request,
    /// Client sessions that are at work in the same second.
    pub clients: Option<f64>,
    /// Latency of a read as the user measured it, seconds.
    pub read_s: Option<f64>,
    /// Latency of a write as the user measured it, seconds.
    pub write_s: Option<f64>,
    /// True: the instance's maximum counts as long as its credits last; false: its baseline.
    pub instance_burst: bool,
}

impl Default for WhatIfArguments {
    /// The defaults of the SQL function.
    fn default() -> WhatIfArguments {
        WhatIfArguments {
            volume_type: VolumeType::general_purpose().name().to_owned(),
            iops: None,
            throughput_mibps: None,
            size_gib: None,
            volumes: 1,
            clients: None,
            read_ms: None,
            write_ms: None,
            wal: WalArguments::default(),
            instance_burst: false,
        }
    }
}

impl WhatIfArguments {
    /// Checks every argument.
    pub fn check(&self, request: Request) -> Result<WhatIfRequest, InputError> {
        let latency = |argument, value: Option<f64>| {
            let meaning =
                "The mean time of a request on that volume as you measured it, in milliseconds, for example 0.5.";
            value.map(|value| within(argument, value, (0.001, 10_000.0), meaning).map(|ms| ms / 1e3)).transpose()
        };
        let clients = |value| within("clients", value, (0.01, 1e6), CLIENTS_MEANING);
        let max_volumes = if request.platform.is_rds() { 1 } else { MAX_VOLUMES };
        let meaning = "Equal volumes, striped (RAID 0); RDS makes its stripes itself.";
        let figures = [self.iops, self.throughput_mibps, self.size_gib];
        Ok(WhatIfRequest {
            volume: VolumeRequest::check(self.volume_type.parse()?, figures, DATA_NAMES)?,
            wal: self.wal.check(request.platform)?,
            volumes: within("volumes", self.volumes as f64, (1.0, max_volumes as f64), meaning)? as u64,
            clients: self.clients.map(clients).transpose()?,
            read_s: latency("read_ms", self.read_ms)?,
            write_s: latency("write_ms", self.write_ms)?,
            instance_burst: self.instance_burst,
            request,
        })
    }
}

impl WhatIfRequest {
    /// Completes one volume of the data, of at least `min_gib`.
    pub fn config(&self, min_gib: Option<u64>) -> Result<VolumeConfig, InputError> {
        self.volume.config(self.request.platform, min_gib, DATA_NAMES)
    }
}
