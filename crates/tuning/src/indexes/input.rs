//! Input of the selection: statements with their plans, tables, and the rows written to them.

use std::collections::{BTreeMap, BTreeSet};

use super::candidate::Candidate;
use super::choose::{Offer, Price, Target};
use super::derive::derive;
use super::plan::{Kind, Node, Operation, Plan};
use super::statement::{reads_s, rows_s};
use super::table::Table;
use super::usage::{Use, uses};
use super::writes::{Cost, Memory, Rates, new_index};
use ebs_workload::statements::StatementDemand;

/// A plan that is part of an execution.
#[derive(Clone, Debug, Default)]
pub struct Part {
    /// Text that was planned.
    pub text: String,
    /// Executions per execution of the statement: 1 for itself, the deleted rows for the query of a foreign key.
    pub times: f64,
    /// Its plan.
    pub plan: Plan,
    /// Pages that it fetches, by the planner's estimate.
    pub pages: f64,
    /// The planner's cost.
    pub cost: f64,
    /// True if its LIMIT was taken from the rows that a call returned.
    pub limited: bool,
}

/// A statement with its plans.
#[derive(Clone, Debug, Default)]
pub struct Planned {
    /// Its measured demand.
    pub demand: StatementDemand,
    /// Its text in pg_stat_statements.
    pub text: String,
    /// Its own plan, and then those of the foreign keys that it triggers.
    pub parts: Vec<Part>,
}

impl Planned {
    /// Price of all parts together.
    pub fn base(&self) -> Price {
        let cost = self.parts.iter().map(|part| part.cost * part.times).sum();
        let pages = self.parts.iter().map(|part| part.pages * part.times).sum();
        Price { cost, pages, used: Vec::new() }
    }

    /// Its conditions and orders on each table.
    pub fn uses(&self) -> Vec<Use> {
        self.parts.iter().flat_map(|part| uses(&part.plan)).collect()
    }

    /// The node that changes a table, and its operation.
    pub fn changes(&self) -> Option<(&Node, Operation)> {
        self.parts.first()?.plan.nodes.iter().find_map(|node| match node.kind {
            Kind::Modify(operation) => Some((node, operation)),
            _ => None,
        })
    }

    /// Schema and name of the table that it changes.
    pub fn changed_table(&self) -> Option<(&str, &str)> {
        self.changes()?.0.relation.as_ref().map(|relation| (relation.schema.as_str(), relation.name.as_str()))
    }

    /// The table whose rows it deletes.
    pub fn deletes_from(&self) -> Option<(&str, &str)> {
        self.changes().filter(|(_, operation)| *operation == Operation::Delete)?;
        self.changed_table()
    }

    /// True if it reads or changes any table that is not the server's own.
    pub fn touches_tables(&self) -> bool {
        !self.uses().is_empty() || self.changes().is_some()
    }

    /// True if it reads tables, and none but those of PostgreSQL and of this extension.
    pub fn reads_system_tables_only(&self) -> bool {
        let uses = self.uses();
        let is_system = |schema: &str| schema.starts_with("pg_") || schema == "information_schema" || schema == "ebs";
        !uses.is_empty() && uses.iter().all(|table| is_system(&table.relation.schema))
    }
}

/// Input of the selection.
#[derive(Clone, Debug)]
pub struct Input {
    /// Statements that read, most reads first.
    pub readers: Vec<Planned>,
    /// Statements that write, whether they read or not.
    pub writers: Vec<Planned>,
    /// The tables in them.
    pub tables: Vec<Table>,
    /// Memory of the server.
    pub memory: Memory,
}

impl Input {
    /// No statements and no tables.
    pub fn empty(memory: Memory) -> Input {
        Input { readers: Vec::new(), writers: Vec::new(), tables: Vec::new(), memory }
    }

    /// The table of this name.
    pub fn table(&self, schema: &str, name: &str) -> Option<&Table> {
        self.tables.iter().find(|table| table.schema == schema && table.name == name)
    }

    /// Schemas and names of the tables that statements read or change, in order, each once.
    pub fn table_names(&self) -> BTreeSet<(String, String)> {
        let all = || self.readers.iter().chain(&self.writers);
        let read = all().flat_map(Planned::uses).map(|table| (table.relation.schema, table.relation.name));
        let changed =
            all().filter_map(Planned::changed_table).map(|(schema, table)| (schema.to_owned(), table.to_owned()));
        read.chain(changed).collect()
    }

    /// Rows written to each table a second, by the statements that are known.
    pub fn rates(&self) -> BTreeMap<(String, String), Rates> {
        let mut rates: BTreeMap<(String, String), Rates> = BTreeMap::new();
        for writer in &self.writers {
            let (Some((node, operation)), Some((schema, table))) = (writer.changes(), writer.changed_table()) else {
                continue;
            };
            let rate = rates.entry((schema.to_owned(), table.to_owned())).or_default();
            let rows = rows_s(&writer.demand);
            match operation {
                Operation::Insert => rate.inserted_s += rows,
                Operation::Update => rate.updated.push((rows, node.columns_set.clone())),
                Operation::Merge => rate.updated.push((rows, None)),
                Operation::Delete => {}
            }
        }
        rates
    }

    /// Derives the indexes that might serve one of the statements, at most `max_count`.
    pub fn candidates(&self, max_count: usize) -> Vec<Candidate> {
        let mut known = BTreeSet::new();
        let uses = self.readers.iter().flat_map(Planned::uses);
        let all = uses.flat_map(|used| {
            self.table(&used.relation.schema, &used.relation.name).map(|table| derive(table, &used)).unwrap_or_default()
        });
        all.filter(|candidate| known.insert(candidate.clone())).take(max_count).collect()
    }

    /// Computes the cost of a candidate of this size.
    pub fn sized(&self, candidate: Candidate, size_bytes: i64) -> Sized {
        let rates = self.rates().remove(&(candidate.schema.clone(), candidate.table.clone())).unwrap_or_default();
        let cost = self
            .table(&candidate.schema, &candidate.table)
            .map(|table| new_index(&candidate, table, size_bytes as f64, &rates, &self.memory));
        Sized { candidate, size_bytes, cost: cost.unwrap_or_default() }
    }

    /// Lists the statements to be served, each with the candidates that might serve it.
    pub fn targets(&self, candidates: &[Sized]) -> Vec<Target> {
        let might = |of: &[Use], candidate: &Candidate| {
            let of_table = |of: &&Use| of.relation.schema == candidate.schema && of.relation.name == candidate.table;
            let first = candidate.keys.first().map(|key| key.column.as_str());
            of.iter().filter(of_table).any(|of| {
                let tested = |column: &String| of.fixed.iter().any(|fixed| fixed.column == *column);
                of.leading().any(|column| Some(column) == first) && candidate.predicate_columns.iter().all(tested)
            })
        };
        let target = |planned: &Planned| {
            let uses = planned.uses();
            Target {
                reads_s: reads_s(&planned.demand),
                base: planned.base(),
                candidates: (0..candidates.len()).filter(|&index| might(&uses, &candidates[index].candidate)).collect(),
            }
        };
        self.readers.iter().map(target).collect()
    }
}

/// A candidate with its size and cost.
#[derive(Clone, Debug)]
pub struct Sized {
    /// The index.
    pub candidate: Candidate,
    /// Its bytes, by hypopg's estimate.
    pub size_bytes: i64,
    /// Its cost.
    pub cost: Cost,
}

/// Converts candidates to offers for the selection.
pub fn offers(candidates: &[Sized]) -> Vec<Offer> {
    let find_plain = |candidate: &Candidate| {
        let is_plain = |Sized { candidate: other, .. }: &Sized| {
            (&other.schema, &other.table, &other.keys) == (&candidate.schema, &candidate.table, &candidate.keys)
                && other.predicate.is_none()
                && other.include.is_empty()
        };
        candidates.iter().position(is_plain)
    };
    let offer = |sized: &Sized| Offer {
        cost_s: sized.cost.requests_s(),
        size_bytes: sized.size_bytes as f64,
        plain: (!sized.candidate.include.is_empty()).then(|| find_plain(&sized.candidate)).flatten(),
    };
    candidates.iter().map(offer).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::indexes::condition::{Clause, Column};
    use crate::indexes::plan::Relation;

    fn node(kind: Kind, number: u32, (schema, name): (&str, &str)) -> Node {
        let relation = Some(Relation { number, schema: schema.to_owned(), name: name.to_owned() });
        let clauses = vec![Clause::Equal(Column { relation: number, name: "id".to_owned() })];
        Node { kind, relation, clauses, ..Node::default() }
    }

    fn planned(nodes: Vec<Node>) -> Planned {
        let part = Part { plan: Plan { nodes }, times: 1.0, ..Part::default() };
        Planned { demand: StatementDemand::default(), text: String::new(), parts: vec![part] }
    }

    fn reads(tables: &[(&str, &str)]) -> Planned {
        planned((1..).zip(tables).map(|(number, table)| node(Kind::Scan, number, *table)).collect())
    }

    #[test]
    fn a_statement_on_the_catalogue_reads_system_tables_only() {
        let catalogue = [("pg_catalog", "pg_class"), ("information_schema", "tables"), ("ebs", "run")];
        assert!(reads(&catalogue).reads_system_tables_only());
        assert!(!reads(&[("pg_catalog", "pg_class"), ("public", "orders")]).reads_system_tables_only());
        assert!(!reads(&[]).reads_system_tables_only());
    }

    #[test]
    fn tables_that_are_read_or_changed_are_named_once() {
        let delete = node(Kind::Modify(Operation::Delete), 1, ("sales", "orders"));
        let input = Input {
            readers: vec![reads(&[("public", "items"), ("sales", "orders")])],
            writers: vec![planned(vec![delete]), reads(&[("public", "items")])],
            tables: Vec::new(),
            memory: Memory { buffers: 0.0, checkpoint_s: 300.0, full_page_writes: true },
        };
        let names = [("public", "items"), ("sales", "orders")].map(|(a, b)| (a.to_owned(), b.to_owned()));
        assert_eq!(input.table_names(), BTreeSet::from(names));
    }
}
