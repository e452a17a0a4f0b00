//! Requests of `ebs_whatif`: the volumes and a [`Request`].

use crate::request::settings::{MAX_VOLUMES, Request};
use ebs_aws::catalogue::{Class, Purpose, VolumeConfig, VolumeType, classes_of};
use ebs_base::error::{InputError, within};

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
    pub volumes: i32,
    /// Client sessions; `None`: as many as there were.
    pub clients: Option<f64>,
    /// Latency of a read as the user measured it, ms.
    pub read_ms: Option<f64>,
    /// Latency of a write as the user measured it, ms.
    pub write_ms: Option<f64>,
}

/// Checked arguments of `ebs_whatif`.
#[derive(Clone, Debug)]
pub struct WhatIfRequest {
    /// The volumes' type.
    pub volume_type: VolumeType,
    /// IOPS of each.
    pub iops: Option<u64>,
    /// MiB/s of each.
    pub throughput_mibps: Option<u64>,
    /// GiB of each.
    pub size_gib: Option<u64>,
    /// Number of volumes.
    pub volumes: u64,
    /// Platform, prices and instance.
    pub request: Request,
    /// Client sessions.
    pub clients: Option<f64>,
    /// Latency of a read as the user measured it, seconds.
    pub read_s: Option<f64>,
    /// Latency of a write as the user measured it, seconds.
    pub write_s: Option<f64>,
}

impl Default for WhatIfArguments {
    /// The defaults of the SQL function.
    fn default() -> WhatIfArguments {
        WhatIfArguments {
            volume_type: VolumeType::Gp3.name().to_owned(),
            iops: None,
            throughput_mibps: None,
            size_gib: None,
            volumes: 1,
            clients: None,
            read_ms: None,
            write_ms: None,
        }
    }
}

impl WhatIfArguments {
    /// Checks every argument.
    pub fn check(&self, request: Request) -> Result<WhatIfRequest, InputError> {
        let whole = |argument, value: Option<i64>| {
            let checked = |value| within(argument, value as f64, (1.0, 1e7), "GiB, IOPS and MiB/s are whole numbers.");
            value.map(checked).transpose().map(|value| value.map(|value| value as u64))
        };
        let latency = |argument, value: Option<f64>| {
            let meaning =
                "The mean time of a request on that volume as you measured it, in milliseconds, for example 0.5.";
            value.map(|value| within(argument, value, (0.001, 10_000.0), meaning).map(|ms| ms / 1e3)).transpose()
        };
        let clients = |value| within("clients", value, (0.01, 1e6), "Client sessions on average, for example 16.");
        let max_volumes = if request.platform.is_rds() { 1 } else { MAX_VOLUMES };
        let meaning = "Equal volumes, striped (RAID 0); RDS makes its stripes itself.";
        Ok(WhatIfRequest {
            volume_type: self.volume_type.parse()?,
            iops: whole("iops", self.iops)?,
            throughput_mibps: whole("throughput_mibps", self.throughput_mibps)?,
            size_gib: whole("size_gib", self.size_gib)?,
            volumes: within("volumes", f64::from(self.volumes), (1.0, max_volumes as f64), meaning)? as u64,
            clients: self.clients.map(clients).transpose()?,
            read_s: latency("read_ms", self.read_ms)?,
            write_s: latency("write_ms", self.write_ms)?,
            request,
        })
    }
}

impl WhatIfRequest {
    /// Completes one volume. An omitted size is the smallest from `min_gib` on that is sold with the requested limits.
    pub fn config(&self, min_gib: Option<u64>) -> Result<VolumeConfig, InputError> {
        let new = |size_gib| {
            VolumeConfig::new(self.request.platform, self.volume_type, size_gib, self.iops, self.throughput_mibps)
        };
        let size_gib = self.size_gib.unwrap_or_else(|| {
            let min_gib = min_gib.unwrap_or(1);
            let (iops, mibps) = (self.iops.unwrap_or(0), self.throughput_mibps.unwrap_or(0));
            let smallest = |class: &Class| class.least(min_gib, iops, mibps);
            let sold = classes_of(self.request.platform, self.volume_type, Purpose::Any).filter_map(smallest);
            let legal = sold.map(|config| config.size_gib).filter(|size_gib| new(*size_gib).is_ok());
            // No size is legal: the largest, which limits nothing, has the other argument refused and not a size that was not given.
            let largest =
                || classes_of(self.request.platform, self.volume_type, Purpose::Any).map(|class| class.max_gib);
            legal.min().or_else(|| largest().max()).unwrap_or(min_gib)
        });
        new(size_gib).map_err(InputError::from)
    }
}
