//! What is said of each statement that was looked at: the index that serves it, or why there is none.

use super::choose::{Asked, Chosen, MEANINGFUL, Price};
use super::finding::{Finding, Kind};
use super::scene::{Planned, Scene, Sized};
use super::statement::reads_s;
use ebs_base::format::{pct, rate};

/// Everything that there is to say of a choice.
pub struct Advice<'a> {
    /// What was known.
    pub scene: &'a Scene,
    /// What was tried.
    pub candidates: &'a [Sized],
    /// For which statements.
    pub asked: &'a [Asked],
    /// What came of it.
    pub chosen: &'a Chosen,
}

impl Advice<'_> {
    /// Indexes to make, those that would cost more than they spare, and statements that nothing was found for.
    pub fn findings(&self) -> Vec<Finding> {
        let mut advised: Vec<Finding> = self.chosen.indexes.iter().map(|&index| self.advised(index)).collect();
        advised.sort_by(|a, b| b.net_s().unwrap_or(0.0).total_cmp(&a.net_s().unwrap_or(0.0)));
        let mut found = advised;
        for (statement, planned) in self.scene.readers.iter().enumerate() {
            if self.chosen.prices[statement].used.is_empty() {
                let finding = self.in_vain(statement, planned);
                // The same index may serve several statements in vain.
                let known = finding.command.is_some() && found.iter().any(|known| known.command == finding.command);
                if !known {
                    found.push(finding);
                }
            }
        }
        found
    }

    /// Reads a second that a chosen index spares a statement: what several spare together is divided among them.
    fn share(&self, statement: usize, index: usize) -> f64 {
        let price = &self.chosen.prices[statement];
        match price.used.contains(&index) {
            true => self.asked[statement].saved_s(price) / price.used.len() as f64,
            false => 0.0,
        }
    }

    fn advised(&self, index: usize) -> Finding {
        let of = &self.candidates[index];
        let shares: Vec<f64> = (0..self.asked.len()).map(|statement| self.share(statement, index)).collect();
        let main = (0..shares.len()).max_by(|&a, &b| shares[a].total_cmp(&shares[b])).unwrap_or_default();
        let (planned, asked, after) = (&self.scene.readers[main], &self.asked[main], &self.chosen.prices[main]);
        let served = shares.iter().filter(|share| **share > 0.0).count();
        let saved_s: f64 = shares.iter().sum();
        let mut reason = format!("estimated {} instead of {} pages a call", rate(after.pages), rate(asked.base.pages));
        if let Some(part) = planned.parts.get(1).filter(|part| part.plan.scans().next().is_some()) {
            let own = planned.parts.first().is_some_and(|own| own.pages * 2.0 < part.pages * part.times);
            reason.push_str(if own { ", most of them looking for rows that refer to those deleted" } else { "" });
        }
        if served > 1 {
            reason.push_str(&format!("; serves {served} statements, this one most"));
        }
        if planned.parts.first().is_some_and(|part| part.limited) {
            reason.push_str("; LIMIT taken to be the rows that a call gave");
        }
        reason.push_str(&self.cost_words(of));
        Finding {
            advised: true,
            after: Some(after.clone()),
            saved_s: Some(saved_s),
            ..self.of_candidate(of, planned, &asked.base, reason)
        }
    }

    fn of_candidate(&self, of: &Sized, planned: &Planned, base: &Price, reason: String) -> Finding {
        Finding {
            table: self.scene.table(&of.candidate.schema, &of.candidate.table).map(|table| table.qualified.clone()),
            command: Some(of.candidate.command()),
            query_id: Some(planned.demand.query_id),
            statement: Some(planned.text.clone()),
            before: Some(base.clone()),
            reads_s: Some(reads_s(&planned.demand)),
            cost: Some(of.cost),
            size_bytes: Some(of.size_bytes),
            ..Finding::new(Kind::Index, reason)
        }
    }

    fn cost_words(&self, of: &Sized) -> String {
        match of.cost.entries_s > 0.0 {
            true => format!(
                "; {} entries/s would cost {} reads and {} writes/s",
                rate(of.cost.entries_s),
                rate(of.cost.reads_s),
                rate(of.cost.writes_s)
            ),
            false => "; nothing was seen to write to the table".to_owned(),
        }
    }

    /// Of a statement that no chosen index serves: the best there was, or why there was none.
    fn in_vain(&self, statement: usize, planned: &Planned) -> Finding {
        let asked = &self.asked[statement];
        let spared = |price: &Price| asked.base.pages - price.pages;
        let best = self.chosen.alone[statement].iter().max_by(|(_, a), (_, b)| spared(a).total_cmp(&spared(b)));
        if let Some((index, price)) = best.filter(|(_, price)| spared(price) >= MEANINGFUL * asked.base.pages) {
            let of = &self.candidates[*index];
            let all = |(other, of): (usize, &Asked)| {
                let alone = self.chosen.alone[other].iter().find(|(known, _)| known == index);
                alone.map_or(0.0, |(_, price)| of.saved_s(price))
            };
            let saved_s: f64 = self.asked.iter().enumerate().map(all).sum();
            let reason = match saved_s > of.cost.requests_s() {
                true => format!("it would spare less than 1 % of all reads{}", self.cost_words(of)),
                false => format!(
                    "its writes would cost more than it spares: {} reads/s spared{}",
                    rate(saved_s),
                    self.cost_words(of)
                ),
            };
            let found = self.of_candidate(of, planned, &asked.base, reason);
            return Finding { after: Some(price.clone()), saved_s: Some(saved_s), ..found };
        }
        Finding {
            query_id: Some(planned.demand.query_id),
            statement: Some(planned.text.clone()),
            before: Some(asked.base.clone()),
            reads_s: Some(asked.reads_s),
            ..Finding::new(Kind::Statement, self.why_none(statement, planned))
        }
    }

    fn why_none(&self, statement: usize, planned: &Planned) -> String {
        let asked = &self.asked[statement];
        let pages = rate(asked.base.pages);
        let mut reason = match (asked.candidates.len(), self.chosen.alone[statement].len()) {
            _ if !planned.touches_tables() => {
                return "its plan reads no table: what a function does inside is told apart with \
                        pg_stat_statements.track = all"
                    .to_owned();
            }
            (0, _) if asked.base.pages <= FEW_PAGES => format!("it has what it needs: {pages} pages a call"),
            (0, _) => format!("no condition or order that a b-tree would serve; {pages} pages a call"),
            _ if self.chosen.cut_short => {
                return format!("not tried to the end: plans ran out (max_plans); {pages} pages a call");
            }
            (1, 0) => format!("the index that was tried would not be used; {pages} pages a call"),
            (tried, 0) => format!("none of {tried} indexes tried would be used; {pages} pages a call"),
            (tried, _) => {
                let least = pct(100.0 * MEANINGFUL);
                let which = if tried == 1 {
                    "the index that was tried does not spare".to_owned()
                } else {
                    format!("none of {tried} indexes tried spares")
                };
                format!("{which} {least} of its {pages} pages a call")
            }
        };
        let mut skipped: Vec<String> = planned.uses().into_iter().flat_map(|of| of.not_understood).collect();
        skipped.dedup();
        if let Some(first) = skipped.first() {
            let more = if skipped.len() > 1 { format!(" and {} more", skipped.len() - 1) } else { String::new() };
            reason.push_str(&format!("; not looked into: {first}{more}"));
        }
        reason
    }
}

/// A call that reads no more than this is served well: a leaf and a row or two. A choice.
const FEW_PAGES: f64 = 4.0;
