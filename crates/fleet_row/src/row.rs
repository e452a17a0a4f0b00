//! One volume of a fleet as a document: a line of JSON (`docs/schema/fleet.json`), which every other output is made of, and which puts
//! the parts of a sharded run together again.

use std::collections::BTreeMap;
use std::fmt;

use ebs_base::names::quoted;
use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

/// Largest count of volumes, GiB, IOPS or MiB/s.
const MAX_COUNT: u64 = 1_000_000_000;

/// One volume: an EBS volume, or the storage of an RDS instance.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default, expecting = "an object")]
pub struct Row {
    /// EBS volume ID, or identifier of the RDS instance.
    pub volume: String,
    /// Platform: `ec2`, `rds`, `rds-multi-az`, `rds-cluster`.
    pub platform: String,
    /// Tag `Name` of the volume.
    pub name: Option<String>,
    /// Kubernetes claim, as `namespace/name`.
    pub claim: Option<String>,
    /// Value of the tag that names the owner.
    pub owner: Option<String>,
    /// AWS account.
    pub account: Option<String>,
    /// Region.
    pub region: Option<String>,
    /// Availability zone.
    pub zone: Option<String>,
    /// EC2 instance ID, or instance label of the exporter where no ID is known; of an RDS instance its identifier.
    pub instance: Option<String>,
    /// Instance type or class.
    pub instance_type: Option<String>,
    /// Mount point of its file system.
    pub mountpoint: Option<String>,
    /// State of the volume by EC2: `in-use`, `available`.
    pub state: Option<String>,
    /// Tags.
    pub tags: BTreeMap<String, String>,
    /// Evidence that the answer rests on.
    pub evidence: Evidence,
    /// Demand; null without evidence.
    pub demand: Option<Demand>,
    /// Present configuration; null where it is not known.
    pub present: Option<Volumes>,
    /// Recommended configuration; null where there is none.
    pub recommended: Option<Volumes>,
    /// Smallest type or class of the instance's family that sustains the demand on all its volumes, with headroom; null where the instance
    /// does not bind, or the family has none.
    pub larger_instance: Option<String>,
    /// Action.
    pub action: Action,
    /// Saving of the action, US dollars a month; negative where it costs more, null where a price is not known.
    pub usd_month_saved: Option<f64>,
    /// Risk of the recommended configuration, as AWS Compute Optimizer names it: `very low`, `low`, `medium`, `high`, `very high`.
    pub risk: Option<String>,
    /// Confidence in the recommendation: `low`, `medium`, `high`.
    pub confidence: Option<String>,
    /// Limit of the present configuration that binds, as in ebs_options: `volume IOPS`, `instance throughput`, `none`, …
    pub binding_limit: Option<String>,
    /// Share of the time at or above a limit of the present configuration, per cent.
    pub limit_pct: Option<f64>,
    /// Used space; null where no exporter shows it.
    pub space: Option<Space>,
    /// Reason for the action.
    pub reason: Coded,
    /// The reason in few words, as the table has it: the limit or the cause, and by how much; null in rows of an earlier version.
    pub reason_brief: Option<String>,
    /// Findings beside it: `idle`, `unattached`, `previous_generation`, `instance_binds`, `fills_up`, …
    pub findings: Vec<Coded>,
    /// Facts that are not known, each with the consequence.
    pub unknown: Vec<Coded>,
}

impl Row {
    /// Sets the owner by the tag with this key, in whatever case it is written.
    pub fn set_owner(&mut self, key: &str) {
        let tag = self.tags.iter().find(|(known, _)| known.eq_ignore_ascii_case(key));
        self.owner = tag.map(|(_, owner)| owner.clone());
    }
}

/// Action on a volume.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// It stays as it is.
    Keep,
    /// It is modified to the recommended configuration.
    Modify,
    /// Its instance binds: a larger instance comes first.
    LargerInstance,
    /// It is not attached: after a snapshot it can be deleted.
    Delete,
    /// No answer: evidence or configuration is missing, or was not fetched.
    #[default]
    NoAnswer,
}

impl fmt::Display for Action {
    /// Its name in JSON.
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        self.serialize(formatter)
    }
}

/// A code for programs, and its sentence.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default, expecting = "an object")]
pub struct Coded {
    /// Code, `snake_case`, stable.
    pub code: String,
    /// Sentence.
    pub text: String,
}

/// Evidence of a row.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default, expecting = "an object")]
pub struct Evidence {
    /// Exporter: `node_exporter`, `ebs-csi-driver`, `rds_exporter (qonto)`, `rds_exporter (percona)`, `rds_exporter (percona, Enhanced Monitoring)`, `yace`; empty without samples.
    pub source: String,
    /// Beginning of the time that was asked for, RFC 3339 in UTC.
    pub from: Option<String>,
    /// Its end.
    pub to: Option<String>,
    /// Share of that time that samples cover, per cent.
    pub coverage_pct: f64,
    /// Interval of the samples, seconds; null without any.
    pub interval_s: Option<f64>,
    /// Grade: `seconds` (one-second histograms or samples), `checked` (a scrape interval whose bursts the exceeded counters bound),
    /// `scrapes` (averages of a scrape interval of at most a minute), `averages` (of more than a minute), `none`.
    pub grade: String,
    /// Resets of its counters.
    #[serde(deserialize_with = "count")]
    pub resets: u64,
    /// Gaps without samples.
    #[serde(deserialize_with = "count")]
    pub gaps: u64,
    /// Share of the time in which the device was busy, per cent; null where the exporter does not show it, and of one-second demand.
    pub busy_pct: Option<f64>,
    /// Requests a second while the device was busy, which an average hides: the 99th percentile over seconds, had the requests of each
    /// interval come evenly in its busy time. An estimate: a burst beside a trickle may be higher.
    pub busy_iops: Option<f64>,
    /// The same of MiB a second.
    pub busy_mibps: Option<f64>,
}

/// Demand on a volume.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default, expecting = "an object")]
pub struct Demand {
    /// Median of requests per second, as EBS counts them.
    pub iops_p50: f64,
    /// 99th percentile.
    pub iops_p99: f64,
    /// Lower end of its 95 % confidence interval.
    pub iops_p99_low: Option<f64>,
    /// Upper end.
    pub iops_p99_high: Option<f64>,
    /// Maximum.
    pub iops_max: f64,
    /// Median of MiB per second.
    pub mibps_p50: f64,
    /// 99th percentile.
    pub mibps_p99: f64,
    /// Lower end of its 95 % confidence interval.
    pub mibps_p99_low: Option<f64>,
    /// Upper end.
    pub mibps_p99_high: Option<f64>,
    /// Maximum.
    pub mibps_max: f64,
    /// Share of reads in the requests, per cent; null without requests.
    pub read_pct: Option<f64>,
    /// Mean request, KiB.
    pub request_kib: Option<f64>,
    /// Mean latency of reads, ms; null where the exporter has none.
    pub read_ms: Option<f64>,
    /// Mean latency of writes, ms.
    pub write_ms: Option<f64>,
    /// Requests in flight, mean.
    pub queue_depth: Option<f64>,
    /// Mean IOPS of each of up to 48 equal parts of the time, for a small plot; null where a part has no samples.
    pub iops_over_time: Vec<Option<f64>>,
}

/// Volumes and their price.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default, expecting = "an object")]
pub struct Volumes {
    /// Volume type, by AWS's name for it.
    pub volume_type: String,
    /// Number of equal volumes.
    #[serde(deserialize_with = "count")]
    pub volumes: u64,
    /// Size of each, GiB.
    #[serde(deserialize_with = "count")]
    pub size_gib: u64,
    /// IOPS of each.
    #[serde(deserialize_with = "count")]
    pub iops: u64,
    /// MiB/s of each.
    #[serde(deserialize_with = "count")]
    pub throughput_mibps: u64,
    /// Price of all of them, US dollars a month, after discounts; null where it is not known.
    pub usd_month: Option<f64>,
}

/// Used space.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default, expecting = "an object")]
pub struct Space {
    /// Used, GiB.
    pub used_gib: f64,
    /// Size of the file system, GiB.
    pub size_gib: f64,
    /// Growth, GiB a day; null where it is not known.
    pub growth_gib_day: Option<f64>,
    /// Days until it is full at that growth; null where it does not grow.
    pub full_in_days: Option<f64>,
}

/// Reads a count; a larger one is damaged.
fn count<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let value = Value::deserialize(deserializer)?;
    let error = || {
        let expected = format!("a whole number from 0 to {MAX_COUNT}");
        D::Error::invalid_value(Unexpected::Other(&quoted(&value.to_string())), &expected.as_str())
    };
    value.as_u64().filter(|count| *count <= MAX_COUNT).ok_or_else(error)
}

#[cfg(test)]
#[path = "row_tests.rs"]
mod tests;
