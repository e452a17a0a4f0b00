//! Nodes of a plan, out of their keys in the document: conditions, keys of sorts, and what the extension reads from the same node.

use std::collections::BTreeSet;
use std::ops::Range;

use ebs_tuning::indexes::condition::{Clause, SortKey};
use ebs_tuning::indexes::plan::{Kind, Node, Relation};

use super::clauses::{Condition, is_keyword, split_conjunction};
use super::document::{Entry, Fields};
use super::error::PlanError;
use super::scope::{BaseColumn, Bases, MAX_FOLLOWED, Scope, columns, named_column};
use super::tokens::{MAX_TEXT, Token, Tokens};

/// Most tokens of all expressions of a plan. 10,000 nodes with 25 columns each are a million.
pub const MAX_TOKENS: usize = 1_000_000;

/// Reads the nodes of one plan from the bottom up.
pub(super) struct NodeReader<'a> {
    entries: &'a [Entry<'a>],
    scope: Scope,
    tokens_left: usize,
}

impl<'a> NodeReader<'a> {
    /// A reader of a plan of which nothing is read.
    pub(super) fn new(entries: &'a [Entry<'a>]) -> NodeReader<'a> {
        NodeReader { entries, scope: Scope::new(entries), tokens_left: MAX_TOKENS }
    }

    /// Reads a node whose inputs were read, but for the numbers of its type and its index, and its parent.
    pub(super) fn read(&mut self, position: usize) -> Result<Node, PlanError> {
        let fields = &self.entries[position].fields;
        let (kind, relation) = (kind(fields), self.relation(fields)?);
        let number = relation.as_ref().map(|relation| relation.number);
        let outputs = self.tokens_of_all(fields.output.iter().flatten())?;
        self.scope.record(self.entries, position, &outputs);
        let mut bases = Bases::default();
        let mut node = Node { kind, relation, total_cost: fields.total_cost.unwrap_or(0.0), ..Node::default() };
        // What partial aggregates found is no column any more.
        if fields.partial_mode.as_deref() != Some("Finalize") {
            node.extremes = outputs.iter().flatten().filter_map(|output| self.extreme(output, position)).collect();
        }
        for text in conditions(fields) {
            let tokens = self.tokens(text)?;
            node.clauses.extend(self.clauses(tokens.as_ref(), position, number, &mut bases));
        }
        for text in handed(fields) {
            let root = self.entries[position].root;
            if let Some(tokens) = self.tokens(text)? {
                let named = self.scope.bases(&tokens, tokens.all(), root).columns;
                bases.columns.extend(named.into_iter().filter(|base| Some(base.0) != number));
            }
        }
        if bases.hides_more && kind == Kind::Scan {
            bases.columns.extend(number.map(|number| (number, None)));
        }
        node.tested = columns(&bases.columns);
        node.sort_key = self.sort_key(position)?;
        let handed: BTreeSet<&BaseColumn> =
            self.scope.outputs(position).iter().flat_map(|output| output.bases.iter()).collect();
        node.output = columns(handed);
        if self.scope.is_exhausted() {
            return Err(PlanError::TooWide(format!("its expressions have more than {MAX_FOLLOWED} columns")));
        }
        Ok(node)
    }

    /// Tokens of a text; `None` of one that is not PostgreSQL's.
    fn tokens(&mut self, text: &str) -> Result<Option<Tokens>, PlanError> {
        if text.len() > MAX_TEXT {
            return Err(PlanError::TooWide(format!("an expression has more than {} KiB", MAX_TEXT >> 10)));
        }
        let tokens = Tokens::read(text);
        let count = tokens.as_ref().map_or(1, |tokens| tokens.list.len());
        self.tokens_left =
            self.tokens_left.checked_add_signed(-isize::try_from(count).unwrap_or(isize::MAX)).ok_or_else(|| {
                PlanError::TooWide(format!("its expressions have more than {MAX_TOKENS} words and signs"))
            })?;
        Ok(tokens)
    }

    fn tokens_of_all<'t>(&mut self, texts: impl Iterator<Item = &'t String>) -> Result<Vec<Option<Tokens>>, PlanError> {
        texts.map(|text| self.tokens(text)).collect()
    }

    fn relation(&self, fields: &Fields<'_>) -> Result<Option<Relation>, PlanError> {
        let (Some(name), Some(alias)) = (&fields.relation_name, &fields.alias) else { return Ok(None) };
        if !matches!(kind(fields), Kind::Scan | Kind::Modify(_)) {
            return Ok(None);
        }
        let schema = fields.schema.as_deref().ok_or_else(|| PlanError::NotVerbose(name.to_string()))?;
        let relation = |number| Relation { number, schema: schema.to_owned(), name: name.to_string() };
        Ok(self.scope.table(alias).map(relation))
    }

    fn clauses(
        &mut self,
        tokens: Option<&Tokens>,
        position: usize,
        number: Option<u32>,
        bases: &mut Bases,
    ) -> Vec<Clause> {
        let Some(tokens) = tokens else {
            bases.hides_more = true;
            return vec![Clause::Other { relation: None, kind: "an expression".to_owned() }];
        };
        let entry = &self.entries[position];
        let limits = ["Seq Scan", "Index Scan", "Bitmap Heap Scan"].contains(&&*entry.fields.node_type);
        let condition = Condition { tokens, root: entry.root, scanned: number.filter(|_| limits) };
        let mut clauses = Vec::new();
        for test in split_conjunction(tokens) {
            let named = self.scope.bases(tokens, test.clone(), entry.root);
            let tested = named.columns.first().map(|base| base.0).or(number.filter(|_| named.hides_more));
            clauses.push(condition.read(&mut self.scope, test, tested));
            bases.columns.extend(named.columns);
            bases.hides_more |= named.hides_more;
        }
        clauses
    }

    /// The column of which the least or greatest value is computed.
    fn extreme(&self, output: &Tokens, position: usize) -> Option<SortKey> {
        let list = match output.list.as_slice() {
            [partial, rest @ ..] if is_keyword(partial, "PARTIAL") => rest,
            all => all,
        };
        let open = output.list.len() - list.len() + 1;
        match list {
            [Token::Word(name), Token::Open, ..] if ["min", "max"].contains(&name.as_str()) => {}
            _ => return None,
        }
        let behind = output.list.get(output.behind(open));
        let mut inside = output.inside(open);
        if output.list.get(inside.start).is_some_and(|first| is_keyword(first, "DISTINCT")) {
            inside.start += 1;
        }
        let is_aggregate = behind.is_none_or(|behind| is_keyword(behind, "FILTER")) && !is_window(output);
        self.key(output, inside.clone(), position).filter(|_| is_aggregate && !inside.is_empty())
    }

    fn key(&self, tokens: &Tokens, range: Range<usize>, position: usize) -> Option<SortKey> {
        let base = self.scope.column(tokens, range, self.entries[position].root)?;
        Some(SortKey { column: named_column(base)?, descending: false, nulls_first: None })
    }

    fn sort_key(&mut self, position: usize) -> Result<Vec<Option<SortKey>>, PlanError> {
        let fields = &self.entries[position].fields;
        if !["Sort", "Incremental Sort", "Merge Append"].contains(&&*fields.node_type) {
            return Ok(Vec::new());
        }
        let texts = self.tokens_of_all(fields.sort_key.iter())?;
        Ok(texts.iter().map(|text| text.as_ref().and_then(|tokens| self.ordered(tokens, position))).collect())
    }

    /// A key of a sort: `t.placed DESC NULLS LAST`.
    fn ordered(&self, tokens: &Tokens, position: usize) -> Option<SortKey> {
        let mut range = tokens.all();
        let nulls_first = match &tokens.list[range.clone()] {
            [.., nulls, place] if is_keyword(nulls, "NULLS") => {
                range.end -= 2;
                Some(is_keyword(place, "FIRST"))
            }
            _ => None,
        };
        let descending = tokens.list[range.clone()].last().is_some_and(|last| is_keyword(last, "DESC"));
        range.end -= usize::from(descending);
        Some(SortKey { descending, nulls_first, ..self.key(tokens, range, position)? })
    }
}

/// True of a function over a window.
fn is_window(tokens: &Tokens) -> bool {
    tokens.top_level(&tokens.all()).any(|(_, token)| is_keyword(token, "OVER"))
}

fn kind(fields: &Fields<'_>) -> Kind {
    if let Some(operation) = fields.changes() {
        return Kind::Modify(operation);
    }
    match &*fields.node_type {
        "Seq Scan" | "Index Scan" | "Index Only Scan" | "Bitmap Heap Scan" | "Sample Scan" | "Tid Scan"
        | "Tid Range Scan" => Kind::Scan,
        "Sort" | "Hash Join" => Kind::Spills,
        "Aggregate" if fields.strategy.as_deref() == Some("Hashed") => Kind::Spills,
        _ => Kind::Other,
    }
}

/// Conditions of a node. Those of a bitmap's index are the ones that its table is rechecked by.
fn conditions<'a>(fields: &'a Fields<'_>) -> impl Iterator<Item = &'a str> {
    let more = match &*fields.node_type {
        "Index Scan" | "Index Only Scan" => [&fields.index_cond, &None],
        "Bitmap Heap Scan" => [&fields.recheck_cond, &None],
        "Nested Loop" => [&fields.join_filter, &None],
        "Hash Join" => [&fields.join_filter, &fields.hash_cond],
        "Merge Join" => [&fields.join_filter, &fields.merge_cond],
        _ => [&None, &None],
    };
    [&fields.filter].into_iter().chain(more).filter_map(|text| text.as_deref())
}

/// Expressions in which a nested loop hands columns of its outer side to its inner side, beside conditions and outputs.
fn handed<'a>(fields: &'a Fields<'_>) -> impl Iterator<Item = &'a str> {
    let all = [
        &fields.one_time_filter,
        &fields.tid_cond,
        &fields.order_by,
        &fields.cache_key,
        &fields.function_call,
        &fields.table_function_call,
    ];
    all.into_iter().filter_map(|text| text.as_deref())
}
