//! Use of each table in a plan: columns that it compares, and the order of rows that it requires.

use std::collections::{BTreeMap, BTreeSet};

use super::condition::{Clause, Column, SortKey};
use super::plan::{Kind, Node, Plan, Relation};

/// A column that is compared with a constant.
#[derive(Clone, Debug, PartialEq)]
pub struct Fixed {
    /// The column.
    pub column: String,
    /// The test, as PostgreSQL writes it.
    pub predicate: String,
    /// True if a single value passes it.
    pub equality: bool,
}

/// Use of a table in a plan.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Use {
    /// The table.
    pub relation: Relation,
    /// Columns that are equal to a value from elsewhere.
    pub equal: Vec<String>,
    /// Columns that are one of several values.
    pub one_of: Vec<String>,
    /// Columns that are equal to those of another table.
    pub joins: Vec<String>,
    /// Columns that are below or above something.
    pub ranges: Vec<String>,
    /// Columns that are compared with constants.
    pub fixed: Vec<Fixed>,
    /// The required order, as far as it consists of this table's columns.
    pub order: Vec<SortKey>,
    /// Columns whose least or greatest value is computed.
    pub extremes: Vec<SortKey>,
    /// Every column that the statement needs of it; `None` where it needs the row itself.
    pub needed: Option<BTreeSet<String>>,
    /// Kinds of tests that no b-tree serves.
    pub unsupported_tests: Vec<String>,
}

/// Tables that a plan reads, with its use of each.
pub fn uses(plan: &Plan) -> Vec<Use> {
    let mut tables = Tables::new(plan);
    for node in &plan.nodes {
        node.clauses.iter().for_each(|clause| tables.add(clause));
        tables.add_order(node);
    }
    let needed = Needed::new(plan);
    let mut uses = tables.uses;
    for table in &mut uses {
        table.needed = needed.of_relation(table.relation.number);
        for list in
            [&mut table.equal, &mut table.one_of, &mut table.joins, &mut table.ranges, &mut table.unsupported_tests]
        {
            list.sort();
            list.dedup();
        }
        table.fixed.dedup();
    }
    uses
}

/// The tables, and the position of each by its number.
struct Tables {
    uses: Vec<Use>,
    places: BTreeMap<u32, usize>,
}

impl Tables {
    fn new(plan: &Plan) -> Tables {
        let (mut uses, mut places) = (Vec::new(), BTreeMap::new());
        for relation in plan.scans().filter_map(|scan| scan.relation.clone()) {
            places.entry(relation.number).or_insert(uses.len());
            uses.push(Use { relation, ..Use::default() });
        }
        Tables { uses, places }
    }

    fn table(&mut self, relation: u32) -> Option<&mut Use> {
        self.places.get(&relation).and_then(|place| self.uses.get_mut(*place))
    }

    fn push(&mut self, column: &Column, list: impl FnOnce(&mut Use) -> &mut Vec<String>) {
        if let Some(table) = self.table(column.relation) {
            list(table).push(column.name.clone());
        }
    }

    fn add(&mut self, clause: &Clause) {
        match clause {
            Clause::Join(one, two) => [one, two].into_iter().for_each(|column| self.push(column, |of| &mut of.joins)),
            Clause::Equal(column) => self.push(column, |of| &mut of.equal),
            Clause::OneOf(column) => self.push(column, |of| &mut of.one_of),
            Clause::Range(column) => self.push(column, |of| &mut of.ranges),
            Clause::Other { relation, kind } => {
                if let Some(table) = relation.and_then(|relation| self.table(relation)) {
                    table.unsupported_tests.push(kind.clone());
                }
            }
            Clause::Fixed { column, predicate, equality } => {
                if let Some(table) = self.table(column.relation) {
                    let fixed =
                        Fixed { column: column.name.clone(), predicate: predicate.clone(), equality: *equality };
                    table.fixed.push(fixed);
                }
            }
        }
    }

    fn add_order(&mut self, node: &Node) {
        if let Some(Some(first)) = node.sort_key.first()
            && let Some(table) = self.table(first.column.relation)
            && table.order.is_empty()
        {
            let same = |key: &SortKey| key.column.relation == first.column.relation;
            table.order = node.sort_key.iter().map_while(|key| key.clone().filter(same)).collect();
        }
        for key in &node.extremes {
            if let Some(table) = self.table(key.column.relation) {
                table.extremes.push(key.clone());
            }
        }
    }
}

/// Columns of each relation that a plan names, except in the output of its scan, which may be the whole row merely because that
/// is fastest; where the scan is the top node, its output is the statement's result and counts.
#[derive(Default)]
struct Needed {
    named: BTreeMap<u32, BTreeSet<String>>,
    whole_rows: BTreeSet<u32>,
}

impl Needed {
    fn new(plan: &Plan) -> Needed {
        let top = plan.nodes.first().and_then(|node| node.relation.as_ref()).map(|relation| relation.number);
        let mut needed = Needed::default();
        for node in &plan.nodes {
            let scanned = node.relation.as_ref().filter(|_| node.kind == Kind::Scan).map(|relation| relation.number);
            let kept = |relation: u32| scanned != Some(relation) || top == scanned;
            needed.add(&node.output.named, &node.output.whole_rows, kept);
            needed.add(&node.tested.named, &node.tested.whole_rows, |_| true);
        }
        needed
    }

    fn add(&mut self, named: &BTreeSet<Column>, whole_rows: &BTreeSet<u32>, kept: impl Fn(u32) -> bool) {
        for column in named.iter().filter(|column| kept(column.relation)) {
            self.named.entry(column.relation).or_default().insert(column.name.clone());
        }
        self.whole_rows.extend(whole_rows.iter().filter(|relation| kept(**relation)));
    }

    fn of_relation(&self, relation: u32) -> Option<BTreeSet<String>> {
        (!self.whole_rows.contains(&relation)).then(|| self.named.get(&relation).cloned().unwrap_or_default())
    }
}

impl Use {
    /// Columns with which a useful index can begin.
    pub fn leading(&self) -> impl Iterator<Item = &str> {
        let named = [&self.equal, &self.one_of, &self.joins, &self.ranges].into_iter().flatten().map(String::as_str);
        let fixed = self.fixed.iter().map(|fixed| fixed.column.as_str());
        let order = self.order.iter().chain(&self.extremes).map(|key| key.column.name.as_str());
        named.chain(fixed).chain(order)
    }
}
