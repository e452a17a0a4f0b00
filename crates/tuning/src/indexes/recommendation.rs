//! Recommendation for each statement: the index that serves it, or the reason for which there is none.

use super::choose::{MIN_SAVED_SHARE, NoPrice, Price, Selection, Target};
use super::finding::{Finding, Kind};
use super::input::{Input, Planned, Sized};
use super::reason::{NoIndex, Reason, Search};
use super::statement::reads_s;

/// A selection of indexes with its input.
pub struct Recommendation<'a> {
    /// Statements, tables and writes.
    pub input: &'a Input,
    /// Indexes that were tried.
    pub candidates: &'a [Sized],
    /// Statements to be served, in the order of the input's readers.
    pub targets: &'a [Target],
    /// The selection.
    pub selection: &'a Selection,
}

impl Recommendation<'_> {
    /// Collects indexes to create, those that would cost more than they save, and statements for which none was found.
    pub fn collect_findings(&self) -> Vec<Finding> {
        let mut findings: Vec<Finding> = self.selection.indexes.iter().map(|&index| self.advised(index)).collect();
        findings.sort_by(|a, b| b.net_s().unwrap_or(0.0).total_cmp(&a.net_s().unwrap_or(0.0)));
        for (statement, planned) in self.input.readers.iter().enumerate() {
            if self.selection.prices[statement].used.is_empty() {
                let finding = self.unserved(statement, planned);
                // The same rejected index may serve several statements.
                let known = finding.command.is_some() && findings.iter().any(|known| known.command == finding.command);
                if !known {
                    findings.push(finding);
                }
            }
        }
        findings
    }

    /// Reads a second that a selected index saves a statement: the saving of several is divided among them.
    fn share(&self, statement: usize, index: usize) -> f64 {
        let price = &self.selection.prices[statement];
        if price.used.contains(&index) { self.targets[statement].saved_s(price) / price.used.len() as f64 } else { 0.0 }
    }

    fn advised(&self, index: usize) -> Finding {
        let sized = &self.candidates[index];
        let shares: Vec<f64> = (0..self.targets.len()).map(|statement| self.share(statement, index)).collect();
        let main = (0..shares.len()).max_by(|&a, &b| shares[a].total_cmp(&shares[b])).unwrap_or_default();
        let planned = &self.input.readers[main];
        let statement_part = planned.parts.first();
        let looked_up = planned.parts.get(1).filter(|part| part.plan.scans().next().is_some());
        let reason = Reason::Saves {
            statements: shares.iter().filter(|share| **share > 0.0).count(),
            foreign_keys: looked_up
                .is_some_and(|part| statement_part.is_some_and(|own| own.pages * 2.0 < part.pages * part.times)),
            limit_from_rows: statement_part.is_some_and(|part| part.limited),
        };
        Finding {
            advised: true,
            after: Some(self.selection.prices[main].clone()),
            saved_s: Some(shares.iter().sum()),
            ..self.with_candidate(sized, planned, &self.targets[main].base, reason)
        }
    }

    fn with_candidate(&self, sized: &Sized, planned: &Planned, base: &Price, reason: Reason) -> Finding {
        Finding {
            table: self
                .input
                .table(&sized.candidate.schema, &sized.candidate.table)
                .map(|table| table.qualified.clone()),
            command: Some(sized.candidate.command()),
            query_id: Some(planned.demand.query_id),
            statement: Some(planned.text.clone()),
            before: Some(base.clone()),
            reads_s: Some(reads_s(&planned.demand)),
            cost: Some(sized.cost),
            size_bytes: Some(sized.size_bytes),
            ..Finding::new(Kind::Index, reason)
        }
    }

    /// Finding about a statement that no selected index serves: the best candidate, or the reason for which there is none.
    fn unserved(&self, statement: usize, planned: &Planned) -> Finding {
        let target = &self.targets[statement];
        let saved = |price: &Price| target.base.pages - price.pages;
        let best = self.selection.alone[statement].iter().max_by(|(_, a), (_, b)| saved(a).total_cmp(&saved(b)));
        if let Some((index, price)) = best.filter(|(_, price)| saved(price) >= MIN_SAVED_SHARE * target.base.pages) {
            let sized = &self.candidates[*index];
            let saved_alone_s = |(statement, target): (usize, &Target)| {
                let alone = self.selection.alone[statement].iter().find(|(known, _)| known == index);
                alone.map_or(0.0, |(_, price)| target.saved_s(price))
            };
            let saved_s: f64 = self.targets.iter().enumerate().map(saved_alone_s).sum();
            let worthwhile = saved_s > sized.cost.requests_s();
            let reason = if worthwhile { Reason::NegligibleGain } else { Reason::WritesExceedSaving };
            let finding = self.with_candidate(sized, planned, &target.base, reason);
            return Finding { after: Some(price.clone()), saved_s: Some(saved_s), ..finding };
        }
        Finding {
            query_id: Some(planned.demand.query_id),
            statement: Some(planned.text.clone()),
            before: Some(target.base.clone()),
            reads_s: Some(target.reads_s),
            ..Finding::new(Kind::Statement, self.without_index(statement, planned))
        }
    }

    fn without_index(&self, statement: usize, planned: &Planned) -> Reason {
        let target = &self.targets[statement];
        let search = match (target.candidates.len(), self.selection.alone[statement].len()) {
            _ if !planned.touches_tables() => return Reason::NoTable,
            (0, _) if target.base.pages <= MAX_EFFICIENT_PAGES => Search::AlreadyEfficient,
            (0, _) => Search::NoCandidate,
            _ if let Some(ran_out) = &self.selection.ran_out[statement] => {
                return if *ran_out == NoPrice::OutOfTime { Reason::OutOfTime } else { Reason::OutOfPlans };
            }
            (tried, 0) => Search::NotUsed { tried },
            (tried, _) => Search::LittleSaved { tried },
        };
        let mut unsupported: Vec<String> = planned.uses().into_iter().flat_map(|used| used.unsupported_tests).collect();
        unsupported.dedup();
        Reason::NoIndex(NoIndex { search, unsupported })
    }
}

/// Most pages of a call that is already efficient: a leaf and a row or two. A choice.
const MAX_EFFICIENT_PAGES: f64 = 4.0;
