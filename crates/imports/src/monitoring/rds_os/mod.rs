//! RDS Enhanced Monitoring: the log events of group RDSOSMetrics, one an interval of 1 to 60 s.
//!
//! Read are pages of `aws logs get-log-events` and `filter-log-events`, lines of `aws logs tail` (a time, maybe the log stream, a message),
//! events and messages one a line, exports to S3 (a time and a message), batches of subscriptions and Firehose, and answers and JSON
//! exports of Logs Insights, in any number one after the other. [`Collector::read`] takes them as bytes, event by event, and keeps of each
//! the few figures that it needs; [`Collector::finish`] sorts them and makes blocks of them. A message and its units:
//! <https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/USER_Monitoring-Available-OS-Metrics.html>.
//!
//! | demand | of the message | unit |
//! |---|---|---|
//! | requests, merges | readIOsPS, writeIOsPS, rrqmPS, wrqmPS | 1/s |
//! | bytes | readKbPS, writeKbPS | KiB/s |
//! | times | await, of reads and writes together | ms a request |
//! | queue | avgQueueLen | requests in flight, mean |
//! | CPU | cpuUtilization × numVCPUs | % |
//! | space | fileSys of `/rdsdbdata` | KiB |
//!
//! `physicalDeviceIO` are the EBS volumes below RDS's stripe, counted after the kernel merged requests, as EBS counts them: these are
//! summed. `diskIO` (`rdsdev`, since 2025 `rdsdbdata`) is the stripe above them, used where the volumes are missing.

mod blocks;
mod collector;
mod devices;
mod document;
mod identity;
mod input;
mod intervals;
mod load;
mod message;
mod reading;
mod repeated;

pub use blocks::OsMetrics;
pub use collector::Collector;
pub use identity::Selection;
pub use input::ReadError;

/// Service that the events come from, as users know it.
pub const SOURCE: &str = super::rds_source::ENHANCED_MONITORING;

/// Most events of one import: 31 days of seconds, one more than CloudWatch Logs keeps of this group.
pub const MAX_EVENTS: usize = 31 * 86_400;

/// Most bytes from one event to the next: an event has 1 MiB at most
/// (<https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/cloudwatch_limits_cwl.html>), twice as much with its quotation marks escaped.
pub const MAX_EVENT_BYTES: usize = 2 << 20;

#[cfg(test)]
mod tests;
