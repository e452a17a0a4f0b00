//! Tables of a plan by their aliases, and the columns that its nodes hand on.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;

use ebs_tuning::indexes::condition::Column;
use ebs_tuning::indexes::plan::Columns;

use super::column::{label, sole_name, strip_relabels};
use super::document::Entry;
use super::references::{Reference, references};
use super::rows::{hands_all_on, match_columns};
use super::tokens::{Token, Tokens};

/// A column of a table: the table's number, and its name; `None` is the whole row or a system column.
pub(super) type BaseColumn = (u32, Option<String>);

/// Most columns that are followed to tables, through all expressions of a plan.
pub const MAX_FOLLOWED: usize = 2_000_000;

/// Columns that every table has, and no index.
const SYSTEM_COLUMNS: [&str; 6] = ["ctid", "tableoid", "xmin", "xmax", "cmin", "cmax"];

/// An expression in the output of a node.
#[derive(Clone, Debug, Default)]
pub(super) struct Output {
    /// The column, if it is one.
    pub column: Option<BaseColumn>,
    /// Columns of tables that it is made of.
    pub bases: Rc<BTreeSet<BaseColumn>>,
    /// Its name, if it is not given another one: of the column, or of the function.
    label: Option<String>,
}

/// Object that an alias names.
enum Named {
    /// A table, by its number.
    Table(u32),
    /// The rows of a subquery: its columns by their names.
    Rows(HashMap<String, Output>),
}

/// Tables, subqueries and outputs of a plan, recorded from the bottom up while the plan is read.
pub(super) struct Scope {
    /// Each alias, with the top of the subquery in which it is visible.
    aliases: HashMap<String, (usize, Named)>,
    /// Aliases of tables that nodes read, not only change.
    read: HashSet<String>,
    /// The alias of the only table, if columns are written without it.
    sole: Option<String>,
    outputs: Vec<Vec<Output>>,
    /// Columns of the tables around a subquery that is planned apart, by its top: they are passed to it as values.
    outer: HashMap<usize, BTreeSet<(String, String)>>,
    /// Tops of such subqueries by their numbers.
    subplans: HashMap<String, usize>,
    /// Tops of common table expressions by their names; `None` where two have one name.
    ctes: BTreeMap<String, Option<usize>>,
    /// Positions of the columns in the output of a subquery, by their names and its top.
    row_names: HashMap<usize, HashMap<String, usize>>,
    /// Unions of tables in each subquery.
    unions: HashMap<usize, Unions>,
    work: usize,
}

/// Unions of the tables of one subquery, which are its partitions or its members: their columns by their names.
#[derive(Default)]
struct Unions {
    /// Columns of those whose tables have the alias of one and a number, as partitions do, by that alias.
    by_alias: HashMap<String, Rc<HashMap<String, Output>>>,
    count: usize,
    first: Rc<HashMap<String, Output>>,
}

/// Columns in an expression.
#[derive(Default)]
pub(super) struct Bases {
    /// Columns of tables.
    pub columns: BTreeSet<BaseColumn>,
    /// True if there are others that are not written.
    pub hides_more: bool,
}

impl Scope {
    /// The scope of a plan, without any outputs.
    pub(super) fn new(entries: &[Entry<'_>]) -> Scope {
        let mut scope = Scope {
            aliases: HashMap::new(),
            read: HashSet::new(),
            sole: None,
            outputs: vec![Vec::new(); entries.len()],
            outer: HashMap::new(),
            subplans: HashMap::new(),
            ctes: BTreeMap::new(),
            row_names: HashMap::new(),
            unions: HashMap::new(),
            work: 0,
        };
        for (position, entry) in entries.iter().enumerate() {
            if let Some(alias) = entry.fields.alias.as_ref().filter(|_| entry.fields.changes().is_none()) {
                scope.read.insert(alias.to_string());
            }
            if let Some(alias) = &entry.fields.alias
                && !scope.aliases.contains_key(&**alias)
            {
                let is_table = entry.fields.relation_name.is_some();
                let number = u32::try_from(scope.aliases.len() + 1).unwrap_or(u32::MAX);
                let named = if is_table { Named::Table(number) } else { Named::Rows(HashMap::new()) };
                scope.aliases.insert(alias.to_string(), (entry.root, named));
            }
            match entry.fields.subplan_name.as_deref().and_then(|name| name.split_once(' ')) {
                Some(("CTE", name)) => {
                    let tops = scope.ctes.entry(name.to_owned()).or_insert(Some(position));
                    *tops = tops.filter(|top| *top == position);
                }
                Some((_, number)) => {
                    let number = number.split(' ').next().unwrap_or_default();
                    scope.subplans.insert(number.to_owned(), position);
                }
                None => {}
            }
        }
        scope.sole = scope.find_sole(entries);
        scope
    }

    /// The alias of the only table, where outputs do not name it. EXPLAIN decides that for all of a plan's outputs alike.
    fn find_sole(&self, entries: &[Entry<'_>]) -> Option<String> {
        let alias = self.aliases.keys().next().filter(|_| self.aliases.len() == 1)?;
        let is_qualified = |text: &String| {
            Tokens::read(text).is_some_and(|tokens| {
                let named = references(&tokens, tokens.all());
                named.iter().any(|name| matches!(name, Reference::Column { alias: used, .. } if used == alias))
            })
        };
        let qualified = entries.iter().flat_map(|entry| entry.fields.output.iter().flatten()).any(is_qualified);
        (!qualified).then(|| alias.clone())
    }

    /// The number of a table.
    pub(super) fn table(&self, alias: &str) -> Option<u32> {
        match self.aliases.get(alias)?.1 {
            Named::Table(number) => Some(number),
            Named::Rows(_) => None,
        }
    }

    /// Outputs of a node that was recorded.
    pub(super) fn outputs(&self, position: usize) -> &[Output] {
        &self.outputs[position]
    }

    /// Records the output of a node; that of the nodes below it is known.
    pub(super) fn record(&mut self, entries: &[Entry<'_>], position: usize, texts: &[Option<Tokens>]) {
        let entry = &entries[position];
        if let Some(top) = self.rows_of(entries, position) {
            let rows = self.name_rows(entries, position, top, texts);
            if let Some((_, named)) = entry.fields.alias.as_ref().and_then(|alias| self.aliases.get_mut(&**alias)) {
                *named = Named::Rows(rows);
            }
        }
        let first = entry.children.iter().find(|child| !entries[**child].fields.is_planned_apart());
        let hands_on = ["Append", "Merge Append", "Recursive Union"].contains(&&*entry.fields.node_type);
        self.outputs[position] = match first {
            // EXPLAIN does not write their output: they have that of their first input.
            Some(&first) if hands_on && entry.fields.output.is_none() => {
                self.add_union(entry.root, entries[first].fields.alias.as_deref().unwrap_or_default(), first);
                self.outputs[first].clone()
            }
            _ => texts.iter().map(|text| self.output(text.as_ref(), entry.root)).collect(),
        };
        self.pass_on(entries, position);
    }

    /// The top of the subquery whose rows a node reads.
    fn rows_of(&self, entries: &[Entry<'_>], position: usize) -> Option<usize> {
        let entry = &entries[position];
        match &*entry.fields.node_type {
            "Subquery Scan" => entry.children.iter().copied().find(|child| !entries[*child].fields.is_planned_apart()),
            "CTE Scan" => self.ctes.get(entry.fields.cte_name.as_deref()?).copied().flatten(),
            _ => None,
        }
    }

    /// Columns of a subquery by their names.
    fn name_rows(
        &mut self,
        entries: &[Entry<'_>],
        position: usize,
        top: usize,
        texts: &[Option<Tokens>],
    ) -> HashMap<String, Output> {
        let inner = &self.outputs[top];
        self.work += inner.len();
        let entry = &entries[position];
        let alias = entry.fields.alias.as_deref().unwrap_or_default();
        let names: Vec<Option<&str>> =
            texts.iter().map(|text| text.as_ref().and_then(|text| sole_name(text, alias))).collect();
        let labels: Vec<Option<&str>> = inner.iter().map(|output| output.label.as_deref()).collect();
        let parent = entry.parent.map_or("", |parent| &*entries[parent].fields.node_type);
        let known = self.row_names.entry(top).or_default();
        match_columns(&names, &labels, hands_all_on(parent), known);
        known.iter().filter_map(|(name, at)| Some((name.clone(), inner.get(*at)?.clone()))).collect()
    }

    fn output(&mut self, text: Option<&Tokens>, root: usize) -> Output {
        let Some(tokens) = text else { return Output::default() };
        let bases = Rc::new(self.bases(tokens, tokens.all(), root).columns);
        Output { column: self.column(tokens, tokens.all(), root), bases, label: label(tokens).map(str::to_owned) }
    }

    /// Passes on what the subqueries below a node need of the tables around the subquery in which it is itself.
    fn pass_on(&mut self, entries: &[Entry<'_>], position: usize) {
        let root = entries[position].root;
        for child in entries[position].children.iter().filter(|child| entries[**child].root == **child) {
            let needed = self.outer.get(child).cloned().unwrap_or_default();
            self.work += needed.len();
            let further = needed.into_iter().filter(|(alias, _)| !self.is_visible(alias, root));
            let further: Vec<(String, String)> = further.collect();
            if !further.is_empty() {
                self.outer.entry(root).or_default().extend(further);
            }
        }
    }

    fn is_visible(&self, alias: &str, root: usize) -> bool {
        self.aliases.get(alias).is_some_and(|(visible, _)| *visible == root)
    }

    /// The column behind a name, and the columns of tables that it is made of; nothing of a table outside of the subquery.
    fn resolve(&self, alias: &str, name: &str, root: usize) -> Output {
        match self.aliases.get(alias) {
            Some((visible, _)) if *visible != root => Output::default(),
            Some((_, Named::Rows(rows))) => rows.get(name).cloned().unwrap_or_default(),
            Some((_, Named::Table(number))) => {
                let partition = if self.read.contains(alias) { None } else { self.find_in_union(alias, name, root) };
                let base = (*number, (!SYSTEM_COLUMNS.contains(&name)).then(|| name.to_owned()));
                let table =
                    || Output { column: Some(base.clone()), bases: Rc::new(BTreeSet::from([base])), label: None };
                partition.unwrap_or_else(table)
            }
            None => self.find_in_union(alias, name, root).unwrap_or_default(),
        }
    }

    /// The column of a table with partitions, which no node reads by itself: that of its first partition, as in the extension.
    fn find_in_union(&self, alias: &str, name: &str, root: usize) -> Option<Output> {
        let unions = self.unions.get(&root)?;
        let sole = (unions.count == 1 && !self.aliases.contains_key(alias)).then_some(&unions.first);
        unions.by_alias.get(alias).or(sole)?.get(name).cloned()
    }

    /// Records a union whose first node this is.
    fn add_union(&mut self, root: usize, alias: &str, first: usize) {
        let outputs = &self.outputs[first];
        self.work += outputs.len();
        let named = outputs.iter().filter_map(|output| Some((output.label.clone()?, output.clone())));
        let columns = Rc::new(named.collect::<HashMap<String, Output>>());
        let unions = self.unions.entry(root).or_default();
        if unions.count == 0 {
            unions.first = Rc::clone(&columns);
        }
        unions.count += 1;
        let digits = alias.bytes().rev().take_while(u8::is_ascii_digit).count();
        if let Some(parent) = alias[..alias.len() - digits].strip_suffix('_').filter(|_| digits > 0) {
            unions.by_alias.entry(parent.to_owned()).or_insert(columns);
        }
    }

    /// True if more columns were followed than a plan that PostgreSQL makes has, [`MAX_FOLLOWED`].
    pub(super) fn is_exhausted(&self) -> bool {
        self.work > MAX_FOLLOWED
    }

    /// Columns of tables that an expression of a subquery is made of.
    pub(super) fn bases(&mut self, tokens: &Tokens, range: Range<usize>, root: usize) -> Bases {
        let mut bases = Bases::default();
        let mut outer: Vec<(String, String)> = Vec::new();
        for reference in references(tokens, range) {
            if self.is_exhausted() {
                break;
            }
            let (alias, name) = match reference {
                Reference::Column { alias, name } => (alias, name),
                Reference::Unqualified(name) => match &self.sole {
                    Some(alias) => (alias.as_str(), name),
                    None => continue,
                },
                Reference::Row(alias) => {
                    if let Some(number) = self.table(alias).filter(|_| self.is_visible(alias, root)) {
                        bases.columns.insert((number, None));
                    }
                    continue;
                }
                Reference::Subplan { number, hides_test } => {
                    bases.hides_more |= hides_test;
                    let passed = self.subplans.get(number).and_then(|top| self.outer.get(top));
                    for (alias, name) in passed.into_iter().flatten() {
                        let resolved = self.resolve(alias, name, root);
                        self.work += 1 + resolved.bases.len();
                        bases.columns.extend(resolved.bases.iter().cloned());
                    }
                    continue;
                }
            };
            let resolved = self.resolve(alias, name, root);
            self.work += resolved.bases.len();
            if self.is_visible(alias, root) || !resolved.bases.is_empty() {
                bases.columns.extend(resolved.bases.iter().cloned());
            } else {
                outer.push((alias.to_owned(), name.to_owned()));
            }
        }
        if !outer.is_empty() {
            self.outer.entry(root).or_default().extend(outer);
        }
        bases
    }

    /// The column that an expression is, by itself or relabelled.
    pub(super) fn column(&self, tokens: &Tokens, range: Range<usize>, root: usize) -> Option<BaseColumn> {
        let (alias, name) = match &tokens.list[strip_relabels(tokens, range)] {
            [alias, Token::Period, name] => (alias.name()?, name.name()?),
            [word @ (Token::Word(_) | Token::Quoted(_))] => (self.sole.as_deref()?, word.name()?),
            _ => return None,
        };
        self.resolve(alias, name, root).column
    }
}

/// Columns of a node.
pub(super) fn columns<'a>(bases: impl IntoIterator<Item = &'a BaseColumn>) -> Columns {
    let mut columns = Columns::default();
    for (relation, name) in bases {
        match name {
            Some(name) => drop(columns.named.insert(Column { relation: *relation, name: name.clone() })),
            None => drop(columns.whole_rows.insert(*relation)),
        }
    }
    columns
}

/// The column under its name; `None` of a whole row or a system column.
pub(super) fn named_column((relation, name): BaseColumn) -> Option<Column> {
    name.map(|name| Column { relation, name })
}
