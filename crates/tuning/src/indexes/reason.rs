//! Reasons of findings about indexes, with their figures. `ebs_report` words them; prices and costs stand in the finding.

use serde::{Deserialize, Serialize};

use super::choose::NoPrice;
use ebs_workload::statements::Missing;

/// Reason of a finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The index saves pages.
    Saves {
        /// Statements that it serves.
        statements: usize,
        /// True if most pages are those that foreign keys look up.
        foreign_keys: bool,
        /// True if the LIMIT was taken from the rows that a call returned.
        limit_from_rows: bool,
    },
    /// The index would save less than 1 % of all reads.
    NegligibleGain,
    /// Writes of the index would cost more than it saves.
    WritesExceedSaving,
    /// No index serves the statement.
    NoIndex(NoIndex),
    /// The plan reads no table.
    NoTable,
    /// Plans ran out before all candidates were tried.
    OutOfPlans,
    /// The time for planning was over before all candidates were tried.
    OutOfTime,
    /// The statement was not planned.
    NotPlanned(NoPrice),
    /// The index has the same keys as another one.
    SameKeys {
        /// Name of the other one, as the server quotes it.
        index: String,
    },
    /// Another index begins with the same keys.
    LongerKeys {
        /// Name of the other one, as the server quotes it.
        index: String,
    },
    /// Nothing has used the index; it is advised to drop it only where its use was counted for long enough.
    Unused {
        /// Seconds over which its use was counted; `None` where that is not known.
        counted_s: Option<f64>,
    },
    /// The command is not shown, because it is not exactly one index on its table: the parser's message.
    CommandRefused(String),
    /// Statements that read are not known.
    StatementsUnknown(Missing),
    /// Statements of other roles may not be read.
    StatementsHidden {
        /// Number of them.
        statements: u64,
    },
    /// The planner of a watched server cannot try indexes: the reason.
    PlannerUnusable(String),
    /// The extension hypopg, which tries indexes, is not in this database.
    HypopgMissing {
        /// True if the server has its package.
        available: bool,
    },
}

/// Reason for which no index serves a statement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NoIndex {
    /// Result of the search.
    pub search: Search,
    /// Kinds of its tests that no b-tree serves.
    pub unsupported: Vec<String>,
}

/// Result of the search for an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Search {
    /// A call reads few pages already.
    AlreadyEfficient,
    /// It has no condition or order that a b-tree would serve.
    NoCandidate,
    /// The planner would use none of those tried.
    NotUsed {
        /// Number of indexes tried.
        tried: usize,
    },
    /// None of those tried saves enough.
    LittleSaved {
        /// Number of indexes tried.
        tried: usize,
    },
}
