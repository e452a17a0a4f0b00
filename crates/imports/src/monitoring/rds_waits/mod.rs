//! Performance Insights: average active sessions by wait event, as `aws pi get-resource-metrics` gives `db.load.avg` grouped by
//! `db.wait_event` (<https://docs.aws.amazon.com/performance-insights/latest/APIReference/API_GetResourceMetrics.html>).
//!
//! [`read`] takes one page or several, one after the other; [`WaitLoad::add_to`] puts them beside the samples of a block. Performance
//! Insights samples all sessions that are not idle once a second, so that a point is the mean over its period of so many samples.

mod apply;
mod document;
mod load;

pub use apply::Covered;
pub use document::read;
pub use load::WaitLoad;

use crate::format::arguments::{LABEL, METRICS, PERIOD_S};
use crate::format::{Format, Reader, Sign, SqlFunction};
#[cfg(any(test, feature = "made"))]
use crate::made::{self, Inputs, Made, recorded};

/// Format of its files.
pub const FORMAT: Format = Format {
    name: "rds-waits",
    kind: "an answer of aws pi get-resource-metrics",
    command: "ebsctl import",
    page: "docs/importing.md",
    shape: "Accepted is what aws pi get-resource-metrics gives of db.load.avg grouped by db.wait_event, in one page or several.",
    signs: &[Sign::Keys(&["AlignedStartTime"]), Sign::Keys(&["MetricList"])],
    reader: Reader::Waits,
    sql: Some(SqlFunction {
        name: "ebs_import_rds_waits",
        arguments: &[&LABEL, &METRICS, &PERIOD_S],
        document: &METRICS,
        comment: "Adds average active sessions by wait event from Performance Insights to an imported run and returns the number of its periods (docs/importing.md).",
        example: "SELECT ebs_import_rds_waits('rds1', pg_read_file('/tmp/waits.json'))",
    }),
    #[cfg(any(test, feature = "made"))]
    inputs: Inputs {
        samples: &[recorded!("rds-waits.json")],
        made: &[
            Made { what: "one event", make: |bytes| made::rds_waits(1, bytes / 37) },
            Made { what: "many events", make: |bytes| made::rds_waits(500, bytes / 18_500) },
        ],
    },
};

/// Service that the waits come from, as users know it; its limitations begin with this.
pub const SOURCE: &str = "Performance Insights";

/// Most points of one import: a day of seconds of 40 wait events.
pub const MAX_POINTS: usize = 4_000_000;

/// Most wait events of one import: PostgreSQL has some 300.
pub const MAX_WAIT_EVENTS: usize = 1_000;

#[cfg(test)]
mod tests;
