//! The content of a page, before it is laid out.

use crate::reasons::evidence;
use crate::{Report, UtcOffset};
use ebs_advice::{Frontier, insufficient};
use ebs_comparison::card::{Histogram, Line};
use ebs_comparison::compare::Row;
use ebs_workload::run_timeline::RunTimeline;

/// The content of a page: the report, and evidence for its figures.
pub struct Page<'a> {
    /// The report.
    pub report: &'a Report<'a>,
    /// The reason why there is no advice; `None` where there is.
    pub insufficient: Option<String>,
    /// Counts from flush to flush; `None` for a look-back.
    pub timeline: Option<&'a RunTimeline>,
    /// Price against predicted throughput for each role.
    pub frontier: Vec<Frontier>,
    /// Latency histograms over requests.
    pub histograms: Vec<Histogram>,
    /// Lines of the report card.
    pub card: Vec<Line>,
    /// The comparison with a baseline, if one was named.
    pub comparison: Option<Comparison>,
    /// The time of day at its axes.
    pub utc_offset: UtcOffset,
}

/// Comparison of a run with a baseline.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Label or pattern of the baseline.
    pub baseline: String,
    /// Label or pattern of the run.
    pub run: String,
    /// The gate and the figures.
    pub rows: Vec<Row>,
}

impl Page<'_> {
    /// Returns the reason why a report has no advice; `None` where it has.
    pub fn insufficient(report: &Report) -> Option<String> {
        insufficient(report.window, &report.coverage).as_ref().map(evidence::describe_reason)
    }
}
