//! A run as it is compared: its evidence from where ramp-up ended, and what it ran on.

use std::collections::BTreeMap;

use serde_json::Value;

use ebs_samples::evidence::{Coverage, Window};
use ebs_workload::demand::Demand;
use ebs_workload::run_timeline::RunTimeline;
use ebs_workload::steady_state::Steadiness;

/// What the load driver reported.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reported {
    /// Transactions per second.
    pub tps: Option<f64>,
    /// Mean latency of a transaction, milliseconds.
    pub latency_ms: Option<f64>,
    /// New orders per minute.
    pub nopm: Option<f64>,
    /// Transactions per minute, as HammerDB counts them.
    pub tpm: Option<f64>,
    /// What was driven.
    pub command: Option<String>,
    /// How that ended: `finished`, `failed`, `interrupted`.
    pub ended: Option<String>,
}

/// What a run ran on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Environment {
    /// Version of the server.
    pub server_version: Option<String>,
    /// Which cluster it was.
    pub system_identifier: Option<String>,
    /// Settings that change how much I/O a workload makes; `None` where they were not kept.
    pub settings: Option<BTreeMap<String, String>>,
    /// Instance type.
    pub instance: Option<String>,
}

impl Environment {
    /// From the document that is kept with a run; anything that is not there is not known.
    pub fn of(document: Option<&Value>, instance: Option<String>) -> Environment {
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
    /// Beginning of what is compared, microseconds since 1970.
    pub from_us: i64,
    /// Its end.
    pub to_us: i64,
    /// What it ran on.
    pub environment: Environment,
    /// What the user noted.
    pub note: Option<Value>,
    /// What the driver reported.
    pub reported: Reported,
    /// Whether it was in one state.
    pub steadiness: Steadiness,
    /// How much of it was sampled.
    pub coverage: Coverage,
    /// Where each part of the cluster was, `data+wal on nvme1n1`; `None` where no device was sampled.
    pub volumes: Option<String>,
    /// Bytes in use on all of them at its end.
    pub used_bytes: Option<u64>,
    /// What all volumes together were asked for.
    pub demand: Demand,
    /// What was counted from flush to flush.
    pub timeline: RunTimeline,
}

/// What is known of a run beside its samples.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct About {
    /// Its label.
    pub label: String,
    /// What it ran on.
    pub environment: Environment,
    /// What the user noted.
    pub note: Option<Value>,
    /// What the driver reported.
    pub reported: Reported,
}

impl Run {
    /// Of this evidence, which begins where ramp-up ended, as `steadiness` says.
    pub fn of(about: About, window: &Window, timeline: RunTimeline, steadiness: Steadiness) -> Run {
        let place = || window.current.iter().filter_map(|&index| window.layout.volumes.get(index));
        let each: Vec<String> = place().map(|volume| format!("{} on {}", volume.role(), volume.device)).collect();
        let any = !window.current.is_empty();
        Run {
            label: about.label,
            from_us: window.from_us,
            to_us: window.to_us,
            environment: about.environment,
            note: about.note,
            reported: about.reported,
            steadiness: Steadiness { checkpoint_cycles: timeline.checkpoint_cycles(), ..steadiness },
            coverage: Coverage::from_window(window),
            volumes: any.then(|| each.join(", ")),
            used_bytes: place()
                .map(|volume| volume.used_bytes)
                .collect::<Option<Vec<u64>>>()
                .filter(|_| any)
                .map(|all| all.iter().sum()),
            demand: if any { Demand::from_all_volumes(window) } else { Demand::default() },
            timeline,
        }
    }
}
