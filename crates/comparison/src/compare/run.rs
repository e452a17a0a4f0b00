//! A run to compare: its evidence after the ramp-up, and its environment.

use std::collections::BTreeMap;

use serde_json::Value;

use ebs_aws::catalogue::VolumeConfig;
use ebs_base::format::count;
use ebs_samples::evidence::{Coverage, Volume, Window};
use ebs_workload::declarations::{Declarations, Declared};
use ebs_workload::demand::Demand;
use ebs_workload::run_timeline::RunTimeline;
use ebs_workload::steady_state::Steadiness;

/// Report of the load driver.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DriverReport {
    /// Transactions per second.
    pub tps: Option<f64>,
    /// Mean latency of a transaction, milliseconds.
    pub latency_ms: Option<f64>,
    /// New orders per minute.
    pub nopm: Option<f64>,
    /// Transactions per minute, as HammerDB counts them.
    pub tpm: Option<f64>,
    /// Client sessions of the driver.
    pub clients: Option<f64>,
    /// Command of the driver.
    pub command: Option<String>,
    /// End of the driver: `finished`, `failed`, `interrupted`.
    pub ended: Option<String>,
}

/// Environment of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Environment {
    /// Version of the server.
    pub server_version: Option<String>,
    /// Identifier of the cluster.
    pub system_identifier: Option<String>,
    /// Settings that affect the I/O of a workload; `None` where they were not kept.
    pub settings: Option<BTreeMap<String, String>>,
    /// Instance type.
    pub instance: Option<String>,
}

impl Environment {
    /// Reads the document that is kept with a run; values that it lacks are not known.
    pub fn from_document(document: Option<&Value>, instance: Option<String>) -> Environment {
        let text = |name: &str| document?.get(name)?.as_str().map(str::to_owned);
        let setting = |(name, value): (&String, &Value)| Some((name.clone(), value.as_str()?.to_owned()));
        let settings = document.and_then(|document| document.get("settings")?.as_object());
        Environment {
            server_version: text("server_version"),
            system_identifier: text("system_identifier"),
            settings: settings.map(|settings| settings.iter().filter_map(setting).collect()),
            instance,
        }
    }
}

/// A run.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Its label.
    pub label: String,
    /// Beginning of the compared part, microseconds since 1970.
    pub from_us: i64,
    /// Its end.
    pub to_us: i64,
    /// Its environment.
    pub environment: Environment,
    /// The user's note.
    pub note: Option<Value>,
    /// Report of the load driver.
    pub reported: DriverReport,
    /// Its steadiness.
    pub steadiness: Steadiness,
    /// Its sampled part.
    pub coverage: Coverage,
    /// Volumes of the parts of the cluster, `data+wal on nvme1n1`, with their declarations; `None` where no device was sampled.
    pub volumes: Option<String>,
    /// Bytes in use on all of them at its end.
    pub used_bytes: Option<u64>,
    /// Demand on all volumes together.
    pub demand: Demand,
    /// Counts from flush to flush.
    pub timeline: RunTimeline,
}

/// Facts of a run beside its samples.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunFacts {
    /// Its label.
    pub label: String,
    /// Its environment.
    pub environment: Environment,
    /// The user's note.
    pub note: Option<Value>,
    /// Report of the load driver.
    pub reported: DriverReport,
    /// Declarations of its volumes.
    pub declared: Declarations,
}

/// Describes a declared volume: `gp3, 500 GiB, 3,000 IOPS, 125 MiB/s`, behind the number of volumes where there are several.
fn describe(declared: &Declared) -> String {
    let VolumeConfig { volume_type, size_gib, iops, throughput_mibps, .. } = declared.config;
    let [size_gib, iops, mibps, volumes] =
        [size_gib, iops, throughput_mibps, declared.volumes].map(|number| count(number as f64));
    let several = if declared.volumes > 1 { format!("{volumes} × ") } else { String::new() };
    format!("{several}{}, {size_gib} GiB, {iops} IOPS, {mibps} MiB/s", volume_type.name())
}

impl Run {
    /// A run with this evidence, which begins at the end of the ramp-up in `steadiness`.
    pub fn new(facts: RunFacts, window: &Window, timeline: RunTimeline, steadiness: Steadiness) -> Run {
        let volumes = || window.current.iter().filter_map(|&index| window.layout.volumes.get(index));
        let name = |volume: &Volume| {
            let declared: Vec<String> = facts.declared.find(volume).into_iter().map(describe).collect();
            let behind = if declared.is_empty() { String::new() } else { format!(" ({})", declared.join("; ")) };
            format!("{} on {}{behind}", volume.role(), volume.device)
        };
        let names: Vec<String> = volumes().map(name).collect();
        let any = !window.current.is_empty();
        Run {
            label: facts.label,
            from_us: window.from_us,
            to_us: window.to_us,
            environment: facts.environment,
            note: facts.note,
            reported: facts.reported,
            steadiness: Steadiness { checkpoint_cycles: timeline.checkpoint_cycles(), ..steadiness },
            coverage: Coverage::from_window(window),
            volumes: any.then(|| names.join(", ")),
            used_bytes: volumes().map(|volume| volume.used_bytes).sum::<Option<u64>>().filter(|_| any),
            demand: if any { Demand::from_all_volumes(window) } else { Demand::default() },
            timeline,
        }
    }
}
