//! Tables of a plan by their aliases, and the columns that its nodes hand on.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;
use std::rc::Rc;

use ebs_tuning::indexes::condition::Column;
use ebs_tuning::indexes::plan::Columns;

use super::document::Entry;
use super::references::{Reference, references};
use super::tokens::{Token, Tokens};

/// A column of a table: the table's number, and its name; `None` is the whole row or a system column.
pub(super) type BaseColumn = (u32, Option<String>);

/// Columns that every table has, and no index.
const SYSTEM_COLUMNS: [&str; 6] = ["ctid", "tableoid", "xmin", "xmax", "cmin", "cmax"];

/// Types to which a column is relabelled when it is compared: the value stays what it is, and an index on the column serves.
const RELABELLED: [&[&str]; 5] = [&["text"], &["character", "varying"], &["bpchar"], &["oid"], &["inet"]];

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
    /// The alias of the only table, if columns are written without it.
    sole: Option<String>,
    outputs: Vec<Vec<Output>>,
    /// Columns of the tables around a subquery that is planned apart, by its top: they are passed to it as values.
    outer: HashMap<usize, BTreeSet<(String, String)>>,
    /// Tops of such subqueries by their numbers.
    subplans: HashMap<String, usize>,
    /// Tops of common table expressions by their names; `None` where two have one name.
    ctes: BTreeMap<String, Option<usize>>,
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
            sole: None,
            outputs: vec![Vec::new(); entries.len()],
            outer: HashMap::new(),
            subplans: HashMap::new(),
            ctes: BTreeMap::new(),
        };
        for (position, entry) in entries.iter().enumerate() {
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
            let rows = self.name_rows(entry, top, texts);
            if let Some((_, named)) = entry.fields.alias.as_ref().and_then(|alias| self.aliases.get_mut(&**alias)) {
                *named = Named::Rows(rows);
            }
        }
        let first = entry.children.iter().find(|child| !entries[**child].fields.is_planned_apart());
        let hands_on = ["Append", "Merge Append", "Recursive Union"].contains(&&*entry.fields.node_type);
        self.outputs[position] = match first {
            // EXPLAIN does not write their output: they have that of their first input.
            Some(&first) if hands_on && entry.fields.output.is_none() => self.outputs[first].clone(),
            _ => texts.iter().map(|text| self.output(text.as_ref(), entry.root)).collect(),
        };
        self.pass_on(entries, position);
    }

    /// The top of the subquery whose rows a node reads.
    fn rows_of(&self, entries: &[Entry<'_>], position: usize) -> Option<usize> {
        let entry = &entries[position];
        match &*entry.fields.node_type {
            "Subquery Scan" => {
                entry.children.iter().copied().find(|child| !entries[*child].fields.is_planned_apart())
            }
            "CTE Scan" => self.ctes.get(entry.fields.cte_name.as_deref()?).copied().flatten(),
            _ => None,
        }
    }

    /// Columns of a subquery by their names: those that keep a name of their own, and others by their position, where all are read.
    fn name_rows(&self, entry: &Entry<'_>, top: usize, texts: &[Option<Tokens>]) -> HashMap<String, Output> {
        let inner = &self.outputs[top];
        let mut rows: HashMap<String, Output> = HashMap::new();
        let alias = entry.fields.alias.as_deref().unwrap_or_default();
        let is_whole = inner.len() == texts.len();
        for (at, text) in texts.iter().enumerate() {
            let Some(name) = text.as_ref().and_then(|text| sole_name(text, alias)) else { continue };
            let mut labelled = inner.iter().filter(|output| output.label.as_deref() == Some(name));
            let output = match (labelled.next(), labelled.next()) {
                (Some(output), None) => Some(output),
                _ => inner.get(at).filter(|_| is_whole),
            };
            rows.insert(name.to_owned(), output.cloned().unwrap_or_default());
        }
        // Columns that it tests and does not hand on.
        for output in inner {
            if let Some(label) = &output.label {
                rows.entry(label.clone()).or_insert_with(|| output.clone());
            }
        }
        rows
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
            Some((visible, named)) if *visible == root => match named {
                Named::Table(number) => {
                    let base = (*number, (!SYSTEM_COLUMNS.contains(&name)).then(|| name.to_owned()));
                    Output { column: Some(base.clone()), bases: Rc::new(BTreeSet::from([base])), label: None }
                }
                Named::Rows(rows) => rows.get(name).cloned().unwrap_or_default(),
            },
            _ => Output::default(),
        }
    }

    /// Columns of tables that an expression of a subquery is made of.
    pub(super) fn bases(&mut self, tokens: &Tokens, range: Range<usize>, root: usize) -> Bases {
        let mut bases = Bases::default();
        let mut outer: Vec<(String, String)> = Vec::new();
        for reference in references(tokens, range) {
            let (alias, name) = match reference {
                Reference::Column { alias, name } => (alias, name),
                Reference::Unqualified(name) => match &self.sole {
                    Some(alias) => (alias.as_str(), name),
                    None => continue,
                },
                Reference::Row(alias) => {
                    match self.table(alias).filter(|_| self.is_visible(alias, root)) {
                        Some(number) => drop(bases.columns.insert((number, None))),
                        None => {}
                    }
                    continue;
                }
                Reference::Subplan { number, hides_test } => {
                    bases.hides_more |= hides_test;
                    let top = self.subplans.get(number);
                    for (alias, name) in top.and_then(|top| self.outer.get(top)).into_iter().flatten() {
                        bases.columns.extend(self.resolve(alias, name, root).bases.iter().cloned());
                    }
                    continue;
                }
            };
            if self.is_visible(alias, root) {
                bases.columns.extend(self.resolve(alias, name, root).bases.iter().cloned());
            } else if self.aliases.contains_key(alias) {
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

/// The range of a column in parentheses, casts and a collation.
fn strip_relabels(tokens: &Tokens, range: Range<usize>) -> Range<usize> {
    let mut range = range;
    loop {
        range = tokens.without_parentheses(range);
        let list = &tokens.list[range.clone()];
        let kept = match list {
            [.., Token::Word(collate), _] if collate == "COLLATE" => list.len() - 2,
            [.., Token::Word(collate), _, Token::Period, _] if collate == "COLLATE" => list.len() - 4,
            // (orders.status)::text
            [Token::Open, ..] => {
                let behind = tokens.behind(range.start);
                match &tokens.list[behind.min(range.end)..range.end] {
                    [Token::Cast, words @ ..] if is_relabel(words) => behind - range.start,
                    _ => return range,
                }
            }
            _ => return range,
        };
        range.end = range.start + kept;
    }
}

fn is_relabel(words: &[Token]) -> bool {
    RELABELLED.iter().any(|known| words.len() == known.len() && words.iter().zip(*known).all(|(word, known)| word.name() == Some(known)))
}

/// The column, if an expression is `alias.column`.
fn sole_name<'a>(tokens: &'a Tokens, alias: &str) -> Option<&'a str> {
    match tokens.list.as_slice() {
        [first, Token::Period, name] if first.name() == Some(alias) => name.name(),
        _ => None,
    }
}

/// The name that PostgreSQL gives to an output: of its column, or of its function.
fn label(tokens: &Tokens) -> Option<&str> {
    let range = tokens.without_parentheses(tokens.all());
    match &tokens.list[range] {
        [_, Token::Period, name] | [name] => name.name(),
        [function, Token::Open, ..] => function.name(),
        _ => None,
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
