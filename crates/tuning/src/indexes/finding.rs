//! What is said in the end: indexes to make, what was looked at in vain, indexes to drop.

use super::choose::Price;
use super::writes::Cost;

/// What a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An index that is not there.
    Index,
    /// A statement that no index was found for.
    Statement,
    /// An index that another one stands in for.
    Duplicate,
    /// An index that nothing has used.
    Unused,
    /// What has to be there before anything can be told.
    Missing,
}

impl Kind {
    /// The name shown to users.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Index => "index",
            Kind::Statement => "statement",
            Kind::Duplicate => "duplicate",
            Kind::Unused => "unused",
            Kind::Missing => "missing",
        }
    }
}

/// One of the things to be said.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// What it is about.
    pub kind: Kind,
    /// Whether it is advised to do it.
    pub advised: bool,
    /// The table.
    pub table: Option<String>,
    /// The command.
    pub command: Option<String>,
    /// The statement that gains most, by pg_stat_statements' number; of [`Kind::Statement`] the statement itself.
    pub query_id: Option<i64>,
    /// Its text.
    pub statement: Option<String>,
    /// What the planner says of it now.
    pub before: Option<Price>,
    /// What the planner says of it with the index, and all others that are advised, in place.
    pub after: Option<Price>,
    /// Its measured reads a second.
    pub reads_s: Option<f64>,
    /// Reads a second that are estimated to be spared, over all statements.
    pub saved_s: Option<f64>,
    /// What the index costs a second; less than nothing where dropping it spares so much.
    pub cost: Option<Cost>,
    /// Bytes of the index.
    pub size_bytes: Option<i64>,
    /// Why.
    pub reason: String,
}

impl Finding {
    /// Of this kind, with nothing known.
    pub fn new(kind: Kind, reason: impl Into<String>) -> Finding {
        Finding {
            kind,
            advised: false,
            table: None,
            command: None,
            query_id: None,
            statement: None,
            before: None,
            after: None,
            reads_s: None,
            saved_s: None,
            cost: None,
            size_bytes: None,
            reason: reason.into(),
        }
    }

    /// Reads a second that are spared, requests that the index costs taken off; `None` where either is not known.
    pub fn net_s(&self) -> Option<f64> {
        let cost_s = self.cost.map(|cost| cost.requests_s());
        match (self.saved_s, cost_s) {
            (Some(saved_s), Some(cost_s)) => Some(saved_s - cost_s),
            (None, Some(cost_s)) if cost_s < 0.0 => Some(-cost_s),
            _ => None,
        }
    }
}
