//! Evidence on which findings are based.

use std::collections::BTreeMap;

use super::settings::Settings;
use ebs_samples::evidence::Window;
use ebs_workload::reading::Span;
use ebs_workload::statements::{Observed, StatementKey};

/// Evidence about a run or a look-back.
pub struct Basis<'a> {
    /// The samples.
    pub window: &'a Window,
    /// The readings at both ends of the run; `None` of a look-back, and of a run without them.
    pub readings: Option<&'a Span>,
    /// Activity of the statements, attributed to the device ([`ebs_workload::statements::attribute`]).
    pub observed: Option<&'a Observed>,
    /// Texts of the statements that the reader may read.
    pub texts: &'a BTreeMap<StatementKey, String>,
    /// The server's settings when the run began.
    pub settings: Settings,
}
