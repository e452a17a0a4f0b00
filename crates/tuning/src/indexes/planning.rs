//! Planning of statements: a bounded number of plans, with the costs from which pages are derived.

use std::collections::HashMap;

use super::choose::{NoPrice, Planner, Price};
use super::database::{Database, Explained, Query};
use super::input::{Part, Planned, Sized};
use super::pages::pages;
use ebs_workload::statements::StatementDemand;

impl Query<'_> {
    /// The query of a part of a statement; the limit is the statement's own.
    fn from_part<'a>(part: &'a Part, demand: &StatementDemand) -> Query<'a> {
        let limit = part.limited.then(|| demand.per_call(demand.rows as f64)).flatten();
        Query { text: &part.text, role: demand.user_id, limit }
    }
}

/// Plans of a database, up to a maximum.
pub struct Planning<'a, D> {
    /// The database.
    pub database: &'a mut D,
    max_plans: usize,
    plans: usize,
}

impl<'a, D: Database> Planning<'a, D> {
    /// Begins without plans; at most `max_plans` are made.
    pub fn new(database: &'a mut D, max_plans: usize) -> Planning<'a, D> {
        Planning { database, max_plans, plans: 0 }
    }

    /// Plans a text with the indexes that are there now; `times` is how often an execution runs through it.
    pub fn plan_part(&mut self, query: &Query, times: f64) -> Result<Part, NoPrice> {
        let Explained { plan, limited, .. } = self.plan(query, false)?;
        let raised = self.plan(query, true)?.plan;
        let fetched = pages(&plan, &raised)
            .ok_or_else(|| NoPrice::Failed("its plan is on the verge of another: pages are unknown".to_owned()))?;
        Ok(Part { text: query.text.to_owned(), times, cost: plan.total_cost(), pages: fetched, plan, limited })
    }

    fn plan(&mut self, query: &Query, raised: bool) -> Result<Explained, NoPrice> {
        if self.plans >= self.max_plans {
            return Err(NoPrice::OutOfPlans);
        }
        self.plans += 1;
        let explained = self.database.plan(query, raised)?;
        self.plans += explained.further_plans;
        Ok(explained)
    }

    /// Prices these statements with any of these candidates.
    pub fn pricing<'b>(&'b mut self, statements: &'b [Planned], candidates: &'b [Sized]) -> Pricing<'a, 'b, D> {
        Pricing { planning: self, statements, candidates, prices: HashMap::new() }
    }
}

/// Prices of statements with sets of candidates, each computed once.
pub struct Pricing<'a, 'b, D> {
    planning: &'b mut Planning<'a, D>,
    statements: &'b [Planned],
    candidates: &'b [Sized],
    prices: HashMap<(usize, Vec<usize>), Price>,
}

impl<D: Database> Pricing<'_, '_, D> {
    /// Prices a statement with the hypothetical indexes that are there, given by candidate and number in the catalogue.
    fn price_with(&mut self, statement: usize, indexes: &[(usize, u32)]) -> Result<Price, NoPrice> {
        let planned = &self.statements[statement];
        let mut sum = Price::default();
        for part in &planned.parts {
            let query = Query::from_part(part, &planned.demand);
            let plan = self.planning.plan(&query, false)?.plan;
            let read: Vec<u32> = plan.indexes().collect();
            let is_read = |(_, number): &&(usize, u32)| read.contains(number);
            let used: Vec<usize> = indexes.iter().filter(is_read).map(|(candidate, _)| *candidate).collect();
            let fetched = if used.is_empty() {
                part.pages
            } else {
                pages(&plan, &self.planning.plan(&query, true)?.plan)
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

impl<D: Database> Planner for Pricing<'_, '_, D> {
    fn price(&mut self, statement: usize, indexes: &[usize]) -> Result<Price, NoPrice> {
        let mut candidates = indexes.to_vec();
        candidates.sort_unstable();
        let key = (statement, candidates.clone());
        if let Some(price) = self.prices.get(&key) {
            return Ok(price.clone());
        }
        let of_candidates: Vec<_> = candidates.iter().map(|&number| &self.candidates[number].candidate).collect();
        let numbers = self.planning.database.replace_indexes(&of_candidates).map_err(NoPrice::Failed)?;
        let indexes: Vec<(usize, u32)> = candidates.into_iter().zip(numbers).collect();
        let price = self.price_with(statement, &indexes)?;
        self.prices.insert(key, price.clone());
        Ok(price)
    }
}
