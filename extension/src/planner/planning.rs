//! Plans of this server's planner, as the role that executed the statement, with hypothetical indexes.

use std::collections::BTreeSet;

use ebs_tuning::indexes::pages::{COST_STEP, PAGE_COSTS};
use ebs_tuning::indexes::{Candidate, Database, Explained, NODES_A_PLAN, NoPrice, Query, Table};
use pgrx::pg_sys::Oid;

use super::hypothetical::{Hypothetical, HypotheticalIndex};
use super::session::set_parameter;
use super::tables::read_tables;
use crate::errors::Error;
use crate::ffi;
use crate::interrupts::check_interrupts;

/// Settings under which statements are planned.
pub struct PlanningSettings {
    /// Schemas in which names without one are looked up.
    pub search_path: String,
    /// Costs of a page now, in the order of [`PAGE_COSTS`].
    pub costs: [f64; 2],
}

/// The planner of this database.
pub struct LocalPlanner<'a> {
    settings: &'a PlanningSettings,
    hypothetical: &'a Hypothetical,
    indexes: Vec<HypotheticalIndex>,
}

/// Terms of a plan that count as one more plan.
const TERMS_A_PLAN: usize = 1_000;

/// Longest wait for a lock: a plan is not worth more.
const LOCK_TIMEOUT: &str = "500ms";

impl<'a> LocalPlanner<'a> {
    /// A planner without hypothetical indexes.
    pub fn new(settings: &'a PlanningSettings, hypothetical: &'a Hypothetical) -> LocalPlanner<'a> {
        LocalPlanner { settings, hypothetical, indexes: Vec::new() }
    }
}

impl Database for LocalPlanner<'_> {
    type Error = Error;

    fn plan(&mut self, query: &Query, raised: bool) -> Result<Explained, NoPrice> {
        check_interrupts();
        let caller = ffi::current_role();
        let explained = ffi::attempt(|| {
            for (name, cost) in PAGE_COSTS.iter().zip(self.settings.costs) {
                set_parameter(name, &(if raised { cost + COST_STEP } else { cost }).to_string())?;
            }
            set_parameter("lock_timeout", LOCK_TIMEOUT)?;
            set_parameter("search_path", &self.settings.search_path)?;
            ffi::as_role(Oid::from_u32(query.role), || ffi::explain(query.text, query.limit, caller, check_interrupts))
        });
        let ffi::Explained { plan, limited, terms } =
            explained.and_then(|explained| explained).map_err(NoPrice::Failed)?;
        let further_plans = plan.nodes.len() / NODES_A_PLAN + terms / TERMS_A_PLAN;
        Ok(Explained { plan, limited, further_plans })
    }

    fn replace_indexes(&mut self, indexes: &[&Candidate]) -> Result<Vec<u32>, String> {
        self.indexes.drain(..).for_each(|index| self.hypothetical.drop(index));
        for candidate in indexes {
            self.indexes.push(self.hypothetical.make(candidate)?);
        }
        Ok(self.indexes.iter().map(|index| index.oid.to_u32()).collect())
    }

    fn index_size(&mut self, candidate: &Candidate) -> Result<i64, String> {
        let index = self.hypothetical.make(candidate)?;
        let size = self.hypothetical.size(&index);
        self.hypothetical.drop(index);
        size
    }

    fn read_tables(&mut self, names: Option<&BTreeSet<(String, String)>>) -> Result<Vec<Table>, Error> {
        read_tables(names)
    }

    fn check_command(&self, command: &str, table_oid: u32) -> Result<(), String> {
        ffi::check_index(command, table_oid)
    }
}
