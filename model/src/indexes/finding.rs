//! What is said in the end: indexes to make, what was looked at in vain, indexes to drop.

use super::candidate::quoted;
use super::choose::{Asked, Chosen, MEANINGFUL, Price};
use super::existing::{Likeness, Superfluous, superfluous};
use super::scene::{Planned, Scene, Sized};
use super::statement::reads_s;
use super::table::Table;
use super::writes::{Cost, Rates, existing_index};
use crate::format::{count, pct, rate};

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
        if let Some(part) = planned.parts.get(1).filter(|part| part.plan.all().iter().any(|node| node.is_scan())) {
            let own = planned.parts.first().is_some_and(|own| own.pages * 2.0 < part.pages * part.times);
            reason.push_str(if own { ", most of them looking for rows that refer to those deleted" } else { "" });
        }
        if served > 1 {
            reason.push_str(&format!("; serves {served} statements, this one most"));
        }
        if planned.limit_measured {
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
            table: Some(format!("{}.{}", quoted(&of.candidate.schema), quoted(&of.candidate.table))),
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
            (tried, 0) => format!("none of {tried} indexes tried would be used; {pages} pages a call"),
            (tried, _) => {
                format!("none of {tried} indexes tried spares {} of its {pages} pages a call", pct(100.0 * MEANINGFUL))
            }
        };
        let mut skipped: Vec<String> = planned.uses().into_iter().flat_map(|of| of.not_understood).collect();
        skipped.dedup();
        if let Some(first) = skipped.first() {
            let more = if skipped.len() > 1 { format!(" and {} more", skipped.len() - 1) } else { String::new() };
            reason.push_str(&format!("; not looked into: {first}{more}"));
        }
        if self.chosen.cut_short {
            reason.push_str("; plans ran out (max_plans)");
        }
        reason
    }
}

/// A call that reads no more than this is served well: a leaf and a row or two. A choice.
const FEW_PAGES: f64 = 4.0;

/// Over fewer seconds it is too early to say that an index is not used: reports run weekly. A choice.
const LONG_ENOUGH_S: f64 = 7.0 * 86_400.0;

/// Indexes that are there and serve nothing, with what they cost; statistics have counted for `counted_s`, if that is
/// known.
pub fn to_drop(scene: &Scene, all: &[Table], counted_s: Option<f64>) -> Vec<Finding> {
    let by_statement = scene.rates();
    superfluous(all).iter().map(|found| drop_finding(found, scene, counted_s, &by_statement)).collect()
}

fn drop_finding(
    found: &Superfluous,
    scene: &Scene,
    counted_s: Option<f64>,
    by_statement: &std::collections::BTreeMap<(String, String), Rates>,
) -> Finding {
    let (table, index) = (found.table, found.index);
    let known = counted_s.filter(|seconds| *seconds > 0.0);
    let counted = known
        .map(|seconds| Rates { inserted_s: table.inserted / seconds, updated: vec![(table.updated / seconds, None)] });
    let rates = counted.or_else(|| by_statement.get(&(table.schema.clone(), table.name.clone())).cloned());
    let spared = rates.map(|rates| existing_index(index, table, &rates, &scene.memory));
    let (kind, advised, reason) = match found.instead {
        Some((other, Likeness::Same)) => (Kind::Duplicate, true, format!("{} has the same keys", quoted(&other.name))),
        Some((other, Likeness::Longer)) => {
            (Kind::Duplicate, true, format!("{} begins with the same keys", quoted(&other.name)))
        }
        None => {
            let days = |seconds: f64| count(seconds / 86_400.0);
            match known {
                Some(seconds) if seconds >= LONG_ENOUGH_S => {
                    (Kind::Unused, true, format!("not used once in {} days; look at standbys too", days(seconds)))
                }
                Some(seconds) => (
                    Kind::Unused,
                    false,
                    format!("not used once, but its use is counted for {} hours only", count(seconds / 3_600.0)),
                ),
                None => (
                    Kind::Unused,
                    false,
                    "not used once, but since when that is counted is not known: statistics were never reset"
                        .to_owned(),
                ),
            }
        }
    };
    let words = match spared {
        Some(cost) => format!("; {} entries/s cost {} writes/s", rate(cost.entries_s), rate(cost.writes_s)),
        None => String::new(),
    };
    let negative = |cost: Cost| Cost {
        entries_s: -cost.entries_s,
        reads_s: -cost.reads_s,
        writes_s: -cost.writes_s,
        wal_bytes_s: -cost.wal_bytes_s,
    };
    Finding {
        advised,
        table: Some(table.qualified()),
        command: Some(format!("DROP INDEX CONCURRENTLY {}.{}", quoted(&table.schema), quoted(&index.name))),
        cost: spared.map(negative),
        size_bytes: index.size_bytes,
        ..Finding::new(kind, reason + &words)
    }
}
