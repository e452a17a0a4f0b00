//! A question to the planner: so many plans, with the costs that pages are read from, as the role that wrote the statement.

use std::collections::HashMap;

use ebs_advisor_model::indexes::pages::{SCALE, pages, scaled};
use ebs_advisor_model::indexes::{NoPrice, Node, Part, Planned, Planner, Price, Sized};
use pgrx::pg_sys::Oid;

use super::ask;
use super::hypothetical::{Hypothetical, Made};
use crate::ffi;

/// How it is asked.
pub struct Settings {
    /// Where names without a schema are looked up.
    pub search_path: String,
    /// What the planner reckons with now.
    pub costs: [f64; 7],
    /// Most plans.
    pub most_plans: usize,
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
    pub fn part(&mut self, text: &str, times: f64, role: u32) -> Result<Part, NoPrice> {
        let plan = self.plan(text, role, false)?;
        let raised = self.plan(text, role, true)?;
        let fetched = pages(&plan, &raised)
            .ok_or_else(|| NoPrice::Failed("its plan is on the verge of another: pages are not known".to_owned()))?;
        Ok(Part { text: text.to_owned(), times, cost: plan.total_cost / SCALE, pages: fetched, plan })
    }

    fn plan(&mut self, text: &str, role: u32, raised: bool) -> Result<Node, NoPrice> {
        crate::pause::pause();
        if self.plans >= self.settings.most_plans {
            return Err(NoPrice::OutOfPlans);
        }
        self.plans += 1;
        let document = ffi::attempt(|| {
            for (name, value) in scaled(&self.settings.costs, raised) {
                set(name, &value.to_string())?;
            }
            set("lock_timeout", LOCK_TIMEOUT)?;
            set("search_path", &self.settings.search_path)?;
            ffi::as_role(Oid::from_u32(role), || ffi::explain(text))
        });
        let document = document.and_then(|document| document).map_err(NoPrice::Failed)?;
        Node::parse(&document).map_err(NoPrice::Failed)
    }

    fn price_with(&mut self, statement: usize, made: &[(usize, Made)]) -> Result<Price, NoPrice> {
        let statements = self.statements;
        let planned = &statements[statement];
        let mut sum = Price::default();
        for part in &planned.parts {
            let role = planned.demand.user_id;
            let plan = self.plan(&part.text, role, false)?;
            let names: Vec<&str> = plan.indexes().collect();
            let used: Vec<usize> =
                made.iter().filter(|(_, made)| names.contains(&made.name.as_str())).map(|(index, _)| *index).collect();
            let fetched = match used.is_empty() {
                true => part.pages,
                false => pages(&plan, &self.plan(&part.text, role, true)?)
                    .ok_or_else(|| NoPrice::Failed("its plan is on the verge of another".to_owned()))?,
            };
            sum.cost += plan.total_cost / SCALE * part.times;
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
            let of = hypothetical.make(&self.candidates[index].candidate.hypothetical()).map_err(NoPrice::Failed)?;
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
