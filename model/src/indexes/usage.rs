//! What a plan asks of each table it reads: which columns it holds against what, and in which order it wants the rows.

use std::collections::BTreeSet;

use super::condition::{Clause, Column, SortKey, clauses, extreme, references, sort_key};
use super::plan::Node;

/// A column held against a constant.
#[derive(Clone, Debug, PartialEq)]
pub struct Fixed {
    /// The column.
    pub column: String,
    /// The test.
    pub text: String,
    /// Whether one value passes it.
    pub equality: bool,
}

/// What a plan asks of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Use {
    /// Its schema.
    pub schema: String,
    /// Its name.
    pub table: String,
    /// What the plan calls it.
    pub alias: String,
    /// Columns that are equal to something from elsewhere.
    pub equal: Vec<String>,
    /// Columns that are one of several.
    pub one_of: Vec<String>,
    /// Columns that are equal to those of another table.
    pub joins: Vec<String>,
    /// Columns that are below or above something.
    pub ranges: Vec<String>,
    /// Columns held against constants.
    pub fixed: Vec<Fixed>,
    /// The order that is wanted, as far as it is by this table's columns alone.
    pub order: Vec<SortKey>,
    /// Columns of which the least or greatest is asked for.
    pub extremes: Vec<SortKey>,
    /// Every column that the statement needs of it; `None` where it needs the row itself.
    pub needed: Option<BTreeSet<String>>,
    /// Conditions that no b-tree serves, or that were not understood.
    pub not_understood: Vec<String>,
}

/// What a plan asks of each table in it that it reads.
pub fn uses(plan: &Node) -> Vec<Use> {
    let mut found: Vec<Use> = plan.all().into_iter().filter(|node| node.is_scan()).filter_map(empty).collect();
    let alone = found.len() == 1;
    for node in plan.all() {
        for clause in node.conditions().flat_map(clauses) {
            add(&mut found, clause, node.alias.as_deref(), alone);
        }
        add_order(&mut found, node, alone);
    }
    for table in &mut found {
        table.needed = needed(plan, &table.alias, alone);
        // What is recheck condition and index condition stands there twice.
        for list in
            [&mut table.equal, &mut table.one_of, &mut table.joins, &mut table.ranges, &mut table.not_understood]
        {
            list.sort();
            list.dedup();
        }
        table.fixed.dedup();
    }
    found
}

fn empty(scan: &Node) -> Option<Use> {
    let (schema, table, alias) = (scan.schema.clone()?, scan.relation.clone()?, scan.alias.clone()?);
    Some(Use { schema, table, alias, ..Use::default() })
}

/// The table that a column is of: by its alias, or as there is one only.
fn owner<'a>(found: &'a mut [Use], column: &Column, node: Option<&str>, alone: bool) -> Option<&'a mut Use> {
    let alias = column.alias.as_deref().or(node);
    let position = match alias {
        Some(alias) => found.iter().position(|table| table.alias == alias),
        None => alone.then_some(0),
    };
    found.get_mut(position?)
}

fn add(found: &mut [Use], clause: Clause, node: Option<&str>, alone: bool) {
    let of = |column: &Column| column.clone();
    match clause {
        Clause::Join(one, two) => {
            for column in [one, two] {
                if let Some(table) = owner(found, &column, node, alone) {
                    table.joins.push(column.name);
                }
            }
        }
        Clause::Other(text) => {
            let column = references(&text).and_then(|columns| columns.into_iter().next());
            let column = column.unwrap_or(Column { alias: None, name: String::new() });
            if let Some(table) = owner(found, &column, node, alone) {
                table.not_understood.push(text);
            }
        }
        Clause::Equal(ref column) | Clause::OneOf(ref column) | Clause::Range(ref column) => {
            let Some(table) = owner(found, &of(column), node, alone) else { return };
            let list = match clause {
                Clause::Equal(_) => &mut table.equal,
                Clause::OneOf(_) => &mut table.one_of,
                _ => &mut table.ranges,
            };
            list.push(column.name.clone());
        }
        Clause::Fixed { column, text, equality } => {
            if let Some(table) = owner(found, &column, node, alone) {
                table.fixed.push(Fixed { column: column.name, text, equality });
            }
        }
    }
}

fn add_order(found: &mut [Use], node: &Node, alone: bool) {
    let keys: Vec<Option<SortKey>> = node.sort_key.iter().map(|key| sort_key(key)).collect();
    if let Some(Some(first)) = keys.first()
        && let Some(table) = owner(found, &first.column, None, alone)
        && table.order.is_empty()
    {
        let same = |key: &SortKey| key.column.alias == first.column.alias;
        table.order = keys.iter().map_while(|key| key.clone().filter(same)).collect();
    }
    for key in node.output.iter().filter_map(|output| extreme(output)) {
        if let Some(table) = owner(found, &key.column, None, alone) {
            table.extremes.push(key);
        }
    }
}

/// Columns of a table that are named anywhere in the plan but in what its scan hands on, which may be the whole row for
/// no other reason than that this is quickest; unless that is what the statement asks for.
fn needed(plan: &Node, alias: &str, alone: bool) -> Option<BTreeSet<String>> {
    let mut columns = BTreeSet::new();
    let scan_is_answer = plan.alias.as_deref() == Some(alias);
    for node in plan.all() {
        let own = node.alias.as_deref() == Some(alias);
        let output = node.output.iter().filter(|_| !own || scan_is_answer);
        for text in output.map(String::as_str).chain(node.conditions()).chain(node.sort_key.iter().map(String::as_str))
        {
            for column in references(text)? {
                let here = match &column.alias {
                    Some(named) => named == alias,
                    None => alone || own,
                };
                if here {
                    columns.insert(column.name);
                }
            }
        }
    }
    Some(columns)
}

impl Use {
    /// Every column that an index could begin with to be of use.
    pub fn leading(&self) -> impl Iterator<Item = &str> {
        let named = [&self.equal, &self.one_of, &self.joins, &self.ranges].into_iter().flatten().map(String::as_str);
        let fixed = self.fixed.iter().map(|fixed| fixed.column.as_str());
        let order = self.order.iter().chain(&self.extremes).map(|key| key.column.name.as_str());
        named.chain(fixed).chain(order)
    }
}
