//! Planning of statements: a bounded number of plans, with the costs from which pages are derived, as the role that executed the
//! statement.

use std::collections::HashMap;

use ebs_tuning::indexes::pages::{COST_STEP, PAGE_COSTS, pages};
use ebs_tuning::indexes::{NoPrice, Part, Plan, Planned, Planner, Price, Sized};
use ebs_workload::statements::StatementDemand;
use pgrx::pg_sys::Oid;

use super::hypothetical::{Hypothetical, HypotheticalIndex};
use super::session::set_parameter;
use crate::ffi::{self, Explained};
use crate::interrupts::check_interrupts;

/// Settings under which statements are planned.
pub struct PlanningSettings {
    /// Schemas in which names without one are looked up.
    pub search_path: String,
    /// Costs of a page now, in the order of [`PAGE_COSTS`].
    pub costs: [f64; 2],
    /// Most plans; a large one counts as several.
    pub max_plans: usize,
}

/// A text to be planned.
pub struct Query<'a> {
    /// One statement.
    pub text: &'a str,
    /// The role that it is planned as.
    pub role: u32,
    /// Rows to take a parameter of its LIMIT for.
    pub limit: Option<f64>,
}

impl Query<'_> {
    /// The query of a part of a statement; the limit is the statement's own.
    fn from_part<'a>(part: &'a Part, demand: &StatementDemand) -> Query<'a> {
        let limit = part.limited.then(|| demand.per_call(demand.rows as f64)).flatten();
        Query { text: &part.text, role: demand.user_id, limit }
    }
}

/// Plans of a set of statements with sets of candidates.
pub struct Planning<'a> {
    settings: &'a PlanningSettings,
    hypothetical: Option<&'a Hypothetical>,
    statements: &'a [Planned],
    candidates: &'a [Sized],
    plans: usize,
    prices: HashMap<(usize, Vec<usize>), Price>,
}

/// Nodes and terms of a plan that count as one more plan each: what is bounded is the planner's work.
const NODES_A_PLAN: usize = 100;
const TERMS_A_PLAN: usize = 1_000;

/// Longest wait for a lock: a plan is not worth more.
const LOCK_TIMEOUT: &str = "500ms";

impl<'a> Planning<'a> {
    /// A planning without plans, for statements as they are.
    pub fn new(settings: &'a PlanningSettings) -> Planning<'a> {
        Planning { settings, hypothetical: None, statements: &[], candidates: &[], plans: 0, prices: HashMap::new() }
    }

    /// Continues with these candidates for these statements.
    pub fn with(
        self,
        hypothetical: &'a Hypothetical,
        statements: &'a [Planned],
        candidates: &'a [Sized],
    ) -> Planning<'a> {
        Planning { hypothetical: Some(hypothetical), statements, candidates, ..self }
    }

    /// Plans a text, as the role that wrote it, with the indexes that are there now; `times` is how often an execution
    /// runs through it.
    pub fn plan_part(&mut self, query: &Query, times: f64) -> Result<Part, NoPrice> {
        let Explained { plan, limited, .. } = self.plan(query, false)?;
        let raised = self.plan(query, true)?.plan;
        let fetched = pages(&plan, &raised)
            .ok_or_else(|| NoPrice::Failed("its plan is on the verge of another: pages are unknown".to_owned()))?;
        Ok(Part { text: query.text.to_owned(), times, cost: plan.total_cost(), pages: fetched, plan, limited })
    }

    fn plan(&mut self, query: &Query, raised: bool) -> Result<Explained, NoPrice> {
        check_interrupts();
        if self.plans >= self.settings.max_plans {
            return Err(NoPrice::OutOfPlans);
        }
        self.plans += 1;
        let caller = ffi::current_role();
        let explained = ffi::attempt(|| {
            for (name, cost) in PAGE_COSTS.iter().zip(self.settings.costs) {
                set_parameter(name, &(if raised { cost + COST_STEP } else { cost }).to_string())?;
            }
            set_parameter("lock_timeout", LOCK_TIMEOUT)?;
            set_parameter("search_path", &self.settings.search_path)?;
            ffi::as_role(Oid::from_u32(query.role), || ffi::explain(query.text, query.limit, caller, check_interrupts))
        });
        let explained = explained.and_then(|explained| explained).map_err(NoPrice::Failed)?;
        self.plans += explained.plan.nodes.len() / NODES_A_PLAN + explained.terms / TERMS_A_PLAN;
        Ok(explained)
    }

    fn price_with(&mut self, statement: usize, indexes: &[(usize, HypotheticalIndex)]) -> Result<Price, NoPrice> {
        let statements = self.statements;
        let planned = &statements[statement];
        let mut sum = Price::default();
        for part in &planned.parts {
            let query = Query::from_part(part, &planned.demand);
            let plan: Plan = self.plan(&query, false)?.plan;
            let read: Vec<u32> = plan.indexes().collect();
            let used: Vec<usize> = indexes
                .iter()
                .filter(|(_, index)| read.contains(&index.oid.to_u32()))
                .map(|(number, _)| *number)
                .collect();
            let fetched = if used.is_empty() {
                part.pages
            } else {
                pages(&plan, &self.plan(&query, true)?.plan)
                    .ok_or_else(|| NoPrice::Failed("its plan is on the verge of another".to_owned()))?
            };
            sum.cost += plan.total_cost() * part.times;
            sum.pages += fetched * part.times;
            sum.used.extend(used);
        }
        sum.used.sort_unstable();
        sum.used.dedup();
        Ok(sum)
    }
}

impl Planner for Planning<'_> {
    fn price(&mut self, statement: usize, indexes: &[usize]) -> Result<Price, NoPrice> {
        let Some(hypothetical) = self.hypothetical else {
            return Err(NoPrice::Failed("hypopg is missing".to_owned()));
        };
        let mut key = indexes.to_vec();
        key.sort_unstable();
        if let Some(price) = self.prices.get(&(statement, key.clone())) {
            return Ok(price.clone());
        }
        let mut indexes = Vec::new();
        for &number in &key {
            let index = hypothetical.make(&self.candidates[number].candidate).map_err(NoPrice::Failed)?;
            indexes.push((number, index));
        }
        let price = self.price_with(statement, &indexes);
        indexes.into_iter().for_each(|(_, index)| hypothetical.drop(index));
        if let Ok(price) = &price {
            self.prices.insert((statement, key), price.clone());
        }
        price
    }
}
