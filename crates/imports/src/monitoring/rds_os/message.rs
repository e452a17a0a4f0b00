//! The parts of a message that are needed.

use serde::Deserialize;

/// Message of one interval. Processes, memory and the network are skipped.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Message {
    pub engine: Option<String>,
    #[serde(rename = "instanceID")]
    pub instance: Option<String>,
    #[serde(rename = "instanceResourceID")]
    pub resource: Option<String>,
    pub timestamp: Option<String>,
    #[serde(rename = "numVCPUs")]
    pub vcpus: Option<f64>,
    pub cpu_utilization: Option<Utilization>,
    #[serde(rename = "diskIO")]
    pub disk_io: Option<Vec<Device>>,
    #[serde(rename = "physicalDeviceIO")]
    pub physical_device_io: Option<Vec<Device>>,
    pub file_sys: Option<Vec<FileSystem>>,
}

/// Keys of a message that are read.
pub(super) const KEYS: [&str; 9] = [
    "engine",
    "instanceID",
    "instanceResourceID",
    "timestamp",
    "numVCPUs",
    "cpuUtilization",
    "diskIO",
    "physicalDeviceIO",
    "fileSys",
];

/// Utilization of the CPUs, per cent of all.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Utilization {
    pub total: Option<f64>,
    pub idle: Option<f64>,
    pub wait: Option<f64>,
}

impl Utilization {
    /// Per cent in which CPUs worked, or the hypervisor withheld them; `None` where it is not known. The total includes the time in
    /// which a CPU was idle and requests were in flight (`wait`).
    pub fn busy_pct(&self) -> Option<f64> {
        let total = self.total.or_else(|| Some(100.0 - self.idle?))?;
        let busy = total - self.wait.unwrap_or(0.0);
        (0.0..=101.0).contains(&total).then_some(busy.clamp(0.0, 100.0))
    }
}

/// Device, per second.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Device {
    pub device: Option<String>,
    #[serde(rename = "mountPoint")]
    pub mount_point: Option<String>,
    #[serde(rename = "readIOsPS")]
    pub reads: Option<f64>,
    #[serde(rename = "writeIOsPS")]
    pub writes: Option<f64>,
    #[serde(rename = "readKbPS")]
    pub read_kib: Option<f64>,
    #[serde(rename = "writeKbPS")]
    pub write_kib: Option<f64>,
    #[serde(rename = "rrqmPS")]
    pub read_merges: Option<f64>,
    #[serde(rename = "wrqmPS")]
    pub write_merges: Option<f64>,
    #[serde(rename = "await")]
    pub await_ms: Option<f64>,
    #[serde(rename = "avgQueueLen")]
    pub queue: Option<f64>,
    /// KiB read in the interval, by which its length is known.
    #[serde(rename = "readKb")]
    pub read_kib_total: Option<f64>,
    #[serde(rename = "writeKb")]
    pub write_kib_total: Option<f64>,
    /// Aurora's alone.
    #[serde(rename = "diskQueueDepth")]
    pub disk_queue_depth: Option<f64>,
}

/// Filesystem, KiB.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct FileSystem {
    pub mount_point: Option<String>,
    pub total: Option<f64>,
    pub used: Option<f64>,
}
