//! Arguments of the SQL functions that import.

use ebs_base::argument::{Argument, DefaultValue, SqlType};

const fn required(name: &'static str, sql_type: SqlType, meaning: &'static str) -> Argument {
    Argument { name, sql_type, default: DefaultValue::Required, meaning }
}

const fn optional(name: &'static str, sql_type: SqlType, meaning: &'static str) -> Argument {
    Argument { name, sql_type, default: DefaultValue::Null, meaning }
}

const fn switch(name: &'static str, default: bool, meaning: &'static str) -> Argument {
    Argument { name, sql_type: SqlType::Boolean, default: DefaultValue::Boolean(default), meaning }
}

/// Label of the run.
pub const LABEL: Argument = required("label", SqlType::Text, "label of the run");
/// Report as text.
pub const REPORT: Argument = required("report", SqlType::Text, "the report");
/// Answer of CloudWatch.
pub const DATA: Argument = required("data", SqlType::Jsonb, "CloudWatch's answer");
/// Events of Enhanced Monitoring.
pub const EVENTS: Argument = required("events", SqlType::Text, "events of log group RDSOSMetrics");
/// Pages of Performance Insights.
pub const METRICS: Argument = required("metrics", SqlType::Text, "pages of aws pi get-resource-metrics");
/// Totals of hours.
pub const REPORTS: Argument = required("reports", SqlType::Jsonb, "array of reports");
/// Samples of a device.
pub const SAMPLES: Argument = required("samples", SqlType::Jsonb, "array of samples");
/// Name of the device of samples.
pub const SAMPLED_DEVICE: Argument = required("device", SqlType::Text, "name of the device");
/// Device of data.
pub const DEVICE: Argument = optional("device", SqlType::Text, "device that holds data, where there are several");
/// Device of WAL.
pub const WAL_DEVICE: Argument =
    optional("wal_device", SqlType::Text, "device that holds WAL, where data and WAL do not share one");
/// Instance of events.
pub const INSTANCE: Argument = optional("instance", SqlType::Text, "instance, where the events are of several");
/// Time zone of a report.
pub const TIME_ZONE: Argument = optional("time_zone", SqlType::Text, "time zone of times without one");
/// Start of a report without times.
pub const STARTED_AT: Argument =
    optional("started_at", SqlType::Timestamptz, "start of the first interval, for a report without times");
/// Interval of a report without times.
pub const INTERVAL_S: Argument =
    optional("interval_s", SqlType::Double, "seconds of an interval, for a report without times");
/// First report since boot.
pub const SINCE_BOOT: Argument = switch("since_boot", true, "the first report is since boot, and left out");
/// Length of a period.
pub const PERIOD_S: Argument =
    optional("period_s", SqlType::Integer, "seconds of a period, where timestamps do not tell it");
/// Figures per second.
pub const PER_SECOND: Argument = switch("per_second", false, "the figures are per second, not totals");
/// Redo on a device of its own.
pub const REDO_APART: Argument = switch("redo_apart", false, "redo is on a device of its own");
