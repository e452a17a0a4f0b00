//! Findings about indexes: those to create, statements for which no useful index was found, those to drop.

use serde::{Deserialize, Serialize};

use super::choose::Price;
use super::reason::Reason;
use super::writes::Cost;

ebs_base::named! {
    /// Kind of a finding.
    #[derive(Serialize, Deserialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    #[serde(rename_all = "snake_case")]
    pub enum Kind {
        /// An index that is not there.
        Index = "index",
        /// A statement for which no useful index was found.
        Statement = "statement",
        /// An index that another one stands in for.
        Duplicate = "duplicate",
        /// An index that nothing has used.
        Unused = "unused",
        /// A prerequisite that is missing.
        Missing = "missing",
    }
}

/// A finding about an index or a statement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "IndexFinding"))]
pub struct Finding {
    /// Its kind.
    pub kind: Kind,
    /// True if it is advised to run the command.
    pub advised: bool,
    /// The table.
    pub table: Option<String>,
    /// The command.
    pub command: Option<String>,
    /// The statement that gains most, by pg_stat_statements' number; of kind `statement` the statement itself.
    pub query_id: Option<i64>,
    /// Its text.
    pub statement: Option<String>,
    /// Planner's price of it now.
    pub before: Option<Price>,
    /// Planner's price with the index, and all others that are advised, in place.
    pub after: Option<Price>,
    /// Its measured reads a second.
    pub reads_s: Option<f64>,
    /// Estimated saving of reads a second, over all statements.
    pub saved_s: Option<f64>,
    /// Cost of the index a second; negative where dropping it saves so much.
    pub cost: Option<Cost>,
    /// Bytes of the index.
    pub size_bytes: Option<i64>,
    /// Its reason.
    pub reason: Reason,
}

impl Finding {
    /// A finding of this kind, of which nothing else is known.
    pub fn new(kind: Kind, reason: Reason) -> Finding {
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
            reason,
        }
    }

    /// The finding that the texts of so many statements may not be read; `None` for none.
    pub fn hidden(statements: u64) -> Option<Finding> {
        (statements > 0).then(|| Finding::new(Kind::Missing, Reason::StatementsHidden { statements }))
    }

    /// The finding that hypopg is missing, with the command that creates it; `available` if the server has its package.
    pub fn hypopg_missing(available: bool) -> Finding {
        let command = Some("CREATE EXTENSION hypopg".to_owned());
        Finding { command, ..Finding::new(Kind::Missing, Reason::HypopgMissing { available }) }
    }

    /// Takes the command out of it, for this reason: users will run it.
    pub fn withdraw_command(&mut self, message: String) {
        (self.command, self.advised) = (None, false);
        self.reason = Reason::CommandRefused(message);
    }

    /// Saving of reads a second minus the requests that the index costs; `None` where either is not known.
    pub fn net_s(&self) -> Option<f64> {
        let cost_s = self.cost.map(|cost| cost.requests_s());
        match (self.saved_s, cost_s) {
            (Some(saved_s), Some(cost_s)) => Some(saved_s - cost_s),
            (None, Some(cost_s)) if cost_s < 0.0 => Some(-cost_s),
            _ => None,
        }
    }
}
