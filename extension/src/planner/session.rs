//! A question to the planner: so many plans, with the costs that pages are read from, as the role that wrote the statement.

use std::collections::HashMap;

use ebs_tuning::indexes::pages::{COSTS, STEP, pages};
use ebs_tuning::indexes::{NoPrice, Part, Plan, Planned, Planner, Price, Sized};
use ebs_workload::queries::StatementDemand;
use pgrx::pg_sys::Oid;

use super::ask;
use super::hypothetical::{Hypothetical, Made};
use crate::ffi::{self, Explained};
use crate::interrupts::check_interrupts;

/// How it is asked.
pub struct Settings {
    /// Where names without a schema are looked up.
    pub search_path: String,
    /// What a page costs now, in the order of [`COSTS`].
    pub costs: [f64; 2],
    /// Most plans; a large one counts as several.
    pub most_plans: usize,
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
    /// That of a part of a statement; the limit is the statement's own.
    fn of_part<'a>(part: &'a Part, demand: &StatementDemand) -> Query<'a> {
        let limit = part.limited.then(|| demand.per_call(demand.rows as f64)).flatten();
        Query { text: &part.text, role: demand.user_id, limit }
    }
}

/// A session with the planner.
pub struct Session<'a> {
    settings: &'a Settings,
    hypothetical: Option<&'a Hypothetical>,
    statements: &'a [Planned],
    candidates: &'a [Sized],
    plans: usize,
    known: HashMap<(usize, Vec<usize>), Price>,
}

/// Nodes and terms of a plan that count as one more plan each: what is bounded is the planner's work.
const NODES_A_PLAN: usize = 100;
const TERMS_A_PLAN: usize = 1_000;

/// Another session waits for a lock on the table: that is not worth waiting for.
const LOCK_TIMEOUT: &str = "500ms";

impl<'a> Session<'a> {
    /// One that has only begun.
    pub fn new(settings: &'a Settings) -> Session<'a> {
        Session { settings, hypothetical: None, statements: &[], candidates: &[], plans: 0, known: HashMap::new() }
    }

    /// Goes on with these candidates for these statements.
    pub fn with(
        self,
        hypothetical: &'a Hypothetical,
        statements: &'a [Planned],
        candidates: &'a [Sized],
    ) -> Session<'a> {
        Session { hypothetical: Some(hypothetical), statements, candidates, ..self }
    }

    /// Plans a text, as the role that wrote it, with the indexes that are there now; `times` is how often an execution
    /// runs through it.
    pub fn part(&mut self, query: &Query, times: f64) -> Result<Part, NoPrice> {
        let Explained { plan, limited, .. } = self.plan(query, false)?;
        let raised = self.plan(query, true)?.plan;
        let fetched = pages(&plan, &raised)
            .ok_or_else(|| NoPrice::Failed("its plan is on the verge of another: pages are not known".to_owned()))?;
        Ok(Part { text: query.text.to_owned(), times, cost: plan.total_cost(), pages: fetched, plan, limited })
    }

    fn plan(&mut self, query: &Query, raised: bool) -> Result<Explained, NoPrice> {
        check_interrupts();
        if self.plans >= self.settings.most_plans {
            return Err(NoPrice::OutOfPlans);
        }
        self.plans += 1;
        let asker = ffi::current_role();
        let explained = ffi::attempt(|| {
            for (name, cost) in COSTS.iter().zip(self.settings.costs) {
                set(name, &(if raised { cost + STEP } else { cost }).to_string())?;
            }
            set("lock_timeout", LOCK_TIMEOUT)?;
            set("search_path", &self.settings.search_path)?;
            ffi::as_role(Oid::from_u32(query.role), || ffi::explain(query.text, query.limit, asker, check_interrupts))
        });
        let explained = explained.and_then(|explained| explained).map_err(NoPrice::Failed)?;
        self.plans += explained.plan.nodes.len() / NODES_A_PLAN + explained.terms / TERMS_A_PLAN;
        Ok(explained)
    }

    fn price_with(&mut self, statement: usize, made: &[(usize, Made)]) -> Result<Price, NoPrice> {
        let statements = self.statements;
        let planned = &statements[statement];
        let mut sum = Price::default();
        for part in &planned.parts {
            let query = Query::of_part(part, &planned.demand);
            let plan: Plan = self.plan(&query, false)?.plan;
            let read: Vec<u32> = plan.indexes().collect();
            let used: Vec<usize> =
                made.iter().filter(|(_, made)| read.contains(&made.oid.to_u32())).map(|(index, _)| *index).collect();
            let fetched = match used.is_empty() {
                true => part.pages,
                false => pages(&plan, &self.plan(&query, true)?.plan)
                    .ok_or_else(|| NoPrice::Failed("its plan is on the verge of another".to_owned()))?,
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

impl Planner for Session<'_> {
    fn price(&mut self, statement: usize, indexes: &[usize]) -> Result<Price, NoPrice> {
        let Some(hypothetical) = self.hypothetical else {
            return Err(NoPrice::Failed("hypopg is missing".to_owned()));
        };
        let mut key = indexes.to_vec();
        key.sort_unstable();
        if let Some(price) = self.known.get(&(statement, key.clone())) {
            return Ok(price.clone());
        }
        let mut made = Vec::new();
        for &index in &key {
            let of = hypothetical.make(&self.candidates[index].candidate).map_err(NoPrice::Failed)?;
            made.push((index, of));
        }
        let price = self.price_with(statement, &made);
        made.into_iter().for_each(|(_, made)| hypothetical.drop(made));
        if let Ok(price) = &price {
            self.known.insert((statement, key), price.clone());
        }
        price
    }
}

/// Sets a parameter until the subtransaction ends.
pub(super) fn set(name: &str, value: &str) -> Result<(), String> {
    ask::<String>("SELECT pg_catalog.set_config($1, $2, true)", &[name.into(), value.into()])
        .map(|_| ())
        .map_err(|error| error.to_string())
}
