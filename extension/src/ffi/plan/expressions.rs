//! Expressions of a plan, and the columns of tables that they are made of. A plan's nodes name columns of the nodes below them by
//! position, so that each is followed down to a table once and remembered.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::c_void;
use std::rc::Rc;

use pgrx::pg_guard;
use pgrx::pg_sys::{self, NodeTag};

use super::nodes::{elements, tag};

/// Most terms of all expressions of a plan that is analysed. 1,200 pairs of columns joined by OR are some 8,400.
const MAX_TERMS: usize = 100_000;

/// A column of a table in the plan: number of the table in the range table, number of the column; 0 is the whole row, and
/// negative a system column.
pub(super) type BaseColumn = (u32, i16);

/// An expression in the output of a node.
#[derive(Clone, Default)]
pub(super) struct Output {
    /// The column, if it is one.
    pub column: Option<BaseColumn>,
    /// Columns of tables that it is made of.
    pub bases: Rc<BTreeSet<BaseColumn>>,
}

/// Outputs of the nodes of a plan, recorded from the bottom up while the plan is read.
pub(super) struct Outputs {
    range_table: *mut pg_sys::List,
    known: HashMap<*const pg_sys::Plan, Vec<Output>>,
    /// Parameters of the inner sides of nested loops, by number: the outer side, and the position in its output.
    parameters: BTreeMap<i32, (*const pg_sys::Plan, i16)>,
    terms: usize,
}

/// A node, and the nodes whose outputs its expressions name.
#[derive(Clone, Copy)]
pub(super) struct NodeInputs {
    pub plan: *mut pg_sys::Plan,
    pub outer: *mut pg_sys::Plan,
    pub inner: *mut pg_sys::Plan,
}

/// Columns, parameters and subqueries in an expression.
#[derive(Default)]
pub(super) struct Terms {
    /// Columns.
    pub vars: Vec<*mut pg_sys::Var>,
    /// Parameters that are computed while the plan runs, by their numbers.
    pub parameters: Vec<i32>,
    /// Subqueries that are planned apart, by their numbers.
    pub subplans: Vec<i32>,
    left: usize,
    too_many: bool,
}

impl Outputs {
    /// Outputs of a plan with this range table, of which none is known yet.
    pub(super) fn new(range_table: *mut pg_sys::List) -> Outputs {
        Outputs { range_table, known: HashMap::new(), parameters: BTreeMap::new(), terms: 0 }
    }

    /// Terms that were read.
    pub(super) fn terms_read(&self) -> usize {
        self.terms
    }

    /// Terms of a tree; refuses it where the plan has too many.
    ///
    /// # Safety
    /// A tree of expressions.
    pub(super) unsafe fn terms(&mut self, tree: *mut pg_sys::Node) -> Result<Terms, String> {
        let mut terms = Terms { left: MAX_TERMS - self.terms, ..Terms::default() };
        let before = terms.left;
        // SAFETY: the walker is called with the nodes of the tree and with the terms.
        unsafe { visit(tree, std::ptr::from_mut(&mut terms).cast()) };
        self.count(before - terms.left + usize::from(terms.too_many))?;
        Ok(terms)
    }

    fn count(&mut self, terms: usize) -> Result<(), String> {
        self.terms += terms;
        if self.terms > MAX_TERMS {
            return Err(format!("too wide to be analysed: its expressions have more than {MAX_TERMS} terms"));
        }
        Ok(())
    }

    /// Records the parameters of a nested loop's inner side.
    ///
    /// # Safety
    /// A node of a plan.
    pub(super) unsafe fn record_parameters(&mut self, inputs: NodeInputs) {
        // SAFETY: a NestLoop, by its tag; its parameters are NestLoopParam.
        unsafe {
            if tag(inputs.plan) == NodeTag::T_NestLoop {
                for parameter in elements::<pg_sys::NestLoopParam>((*inputs.plan.cast::<pg_sys::NestLoop>()).nestParams)
                {
                    let var = (*parameter).paramval;
                    if tag(var) == NodeTag::T_Var && (*var).varno == pg_sys::OUTER_VAR {
                        self.parameters.insert((*parameter).paramno, (inputs.outer, (*var).varattno));
                    }
                }
            }
        }
    }

    /// Records the output of a node; that of the nodes below it is known.
    ///
    /// # Safety
    /// A node of a plan.
    pub(super) unsafe fn record(&mut self, inputs: NodeInputs) -> Result<(), String> {
        // SAFETY: a target list is made of TargetEntry.
        unsafe {
            let mut outputs = Vec::new();
            for entry in elements::<pg_sys::TargetEntry>((*inputs.plan).targetlist) {
                outputs.push(self.output((*entry).expr.cast(), inputs)?);
            }
            self.known.insert(inputs.plan, outputs);
        }
        Ok(())
    }

    unsafe fn output(&mut self, expression: *mut pg_sys::Node, inputs: NodeInputs) -> Result<Output, String> {
        // SAFETY: an expression of the node.
        unsafe {
            if tag(expression) == NodeTag::T_Var {
                self.count(1)?;
                return Ok(self.resolve_var(expression.cast(), inputs));
            }
            Ok(Output {
                column: self.column(expression, inputs),
                bases: Rc::new(self.base_columns(expression, inputs)?),
            })
        }
    }

    /// Columns of tables that an expression is made of.
    ///
    /// # Safety
    /// An expression of the node.
    pub(super) unsafe fn base_columns(
        &mut self,
        tree: *mut pg_sys::Node,
        inputs: NodeInputs,
    ) -> Result<BTreeSet<BaseColumn>, String> {
        // SAFETY: as the caller promises.
        unsafe {
            let terms = self.terms(tree)?;
            let mut bases = BTreeSet::new();
            for &var in &terms.vars {
                bases.extend(self.resolve_var(var, inputs).bases.iter().copied());
            }
            for parameter in &terms.parameters {
                bases.extend(self.resolve_parameter(*parameter).bases.iter().copied());
            }
            Ok(bases)
        }
    }

    /// The column that an expression is, by itself or relabelled, as a varchar is to text wherever it is compared.
    ///
    /// # Safety
    /// An expression of the node.
    pub(super) unsafe fn column(&self, expression: *mut pg_sys::Node, inputs: NodeInputs) -> Option<BaseColumn> {
        // SAFETY: nodes are read as what their tags say.
        unsafe {
            let plain = strip_relabels(expression);
            match tag(plain) {
                NodeTag::T_Var => self.resolve_var(plain.cast(), inputs).column,
                NodeTag::T_Param => {
                    let parameter = plain.cast::<pg_sys::Param>();
                    let executed = (*parameter).paramkind == pg_sys::ParamKind::PARAM_EXEC;
                    executed.then(|| self.resolve_parameter((*parameter).paramid).column).flatten()
                }
                _ => None,
            }
        }
    }

    fn resolve_parameter(&self, parameter: i32) -> Output {
        self.parameters.get(&parameter).map_or_else(Output::default, |&(plan, position)| self.output_at(plan, position))
    }

    unsafe fn resolve_var(&self, var: *const pg_sys::Var, inputs: NodeInputs) -> Output {
        // SAFETY: a Var of the node; its entry of the range table is there, and a plan is what its tag says.
        unsafe {
            let (relation, position) = ((*var).varno, (*var).varattno);
            match relation {
                pg_sys::OUTER_VAR => return self.output_at(inputs.outer, position),
                pg_sys::INNER_VAR => return self.output_at(inputs.inner, position),
                pg_sys::INDEX_VAR => return self.resolve_index_column(position, inputs),
                _ => {}
            }
            let Some(entry) = entry(self.range_table, relation) else { return Output::default() };
            match ((*entry).rtekind, tag(inputs.plan)) {
                (pg_sys::RTEKind::RTE_RELATION, _) => {
                    let base = (relation.unsigned_abs(), position);
                    Output { column: Some(base), bases: Rc::new(BTreeSet::from([base])) }
                }
                (_, NodeTag::T_SubqueryScan | NodeTag::T_CteScan) => self.output_at(inputs.inner, position),
                _ => Output::default(),
            }
        }
    }

    unsafe fn resolve_index_column(&self, position: i16, inputs: NodeInputs) -> Output {
        // SAFETY: only nodes that read an index alone have such columns; their list is made of TargetEntry.
        unsafe {
            if tag(inputs.plan) != NodeTag::T_IndexOnlyScan {
                return Output::default();
            }
            let list = (*inputs.plan.cast::<pg_sys::IndexOnlyScan>()).indextlist;
            let entry = index(position).and_then(|at| elements::<pg_sys::TargetEntry>(list).nth(at));
            match entry.map(|entry| (*entry).expr) {
                Some(indexed) if tag(indexed) == NodeTag::T_Var && (*indexed.cast::<pg_sys::Var>()).varno > 0 => {
                    self.resolve_var(indexed.cast(), inputs)
                }
                _ => Output::default(),
            }
        }
    }

    fn output_at(&self, plan: *const pg_sys::Plan, position: i16) -> Output {
        let outputs = self.known.get(&plan);
        index(position).and_then(|at| outputs?.get(at)).cloned().unwrap_or_default()
    }

    /// The outputs of a node that was noted.
    pub(super) fn outputs(&self, plan: *const pg_sys::Plan) -> &[Output] {
        self.known.get(&plan).map_or(&[], Vec::as_slice)
    }

    /// The table at a position of the range table; `None` if the entry is not a table.
    pub(super) fn table(&self, relation: u32) -> Option<pg_sys::Oid> {
        // SAFETY: an entry of the plan's own list.
        unsafe {
            let entry = entry(self.range_table, i32::try_from(relation).ok()?)?;
            ((*entry).rtekind == pg_sys::RTEKind::RTE_RELATION).then_some((*entry).relid)
        }
    }
}

/// Index of a position counted from 1; `None` of a whole row or a system column.
fn index(position: i16) -> Option<usize> {
    usize::try_from(position).ok()?.checked_add_signed(-1)
}

unsafe fn entry(range_table: *mut pg_sys::List, number: i32) -> Option<*mut pg_sys::RangeTblEntry> {
    // SAFETY: a list of RangeTblEntry.
    unsafe {
        let length = range_table.as_ref().map_or(0, |list| list.length);
        (1..=length).contains(&number).then(|| pg_sys::list_nth(range_table, number - 1).cast())
    }
}

/// An expression without the nodes around it that change the name of its type alone.
///
/// # Safety
/// Null or a node.
pub(super) unsafe fn strip_relabels(mut expression: *mut pg_sys::Node) -> *mut pg_sys::Node {
    // SAFETY: a RelabelType, by its tag.
    unsafe {
        while tag(expression) == NodeTag::T_RelabelType {
            expression = (*expression.cast::<pg_sys::RelabelType>()).arg.cast();
        }
    }
    expression
}

/// Callback of PostgreSQL's walkers. Only they may call it: an error leaves it as PostgreSQL's own, for C to pass on.
#[pg_guard]
unsafe extern "C-unwind" fn walk(node: *mut pg_sys::Node, context: *mut c_void) -> bool {
    // SAFETY: the walker's promises are those of `visit`.
    unsafe { visit(node, context) }
}

/// Adds the terms of a node, and has the walker call for each below it.
///
/// # Safety
/// A node of the tree, and what the walk began with.
unsafe fn visit(node: *mut pg_sys::Node, context: *mut c_void) -> bool {
    // SAFETY: called by PostgreSQL's walker with a node of the tree, and with the `Terms` that the walk began with.
    unsafe {
        let terms = &mut *context.cast::<Terms>();
        if node.is_null() {
            return false;
        }
        if terms.left == 0 {
            terms.too_many = true;
            return true;
        }
        terms.left -= 1;
        match tag(node) {
            NodeTag::T_Var => terms.vars.push(node.cast()),
            NodeTag::T_Param => {
                let parameter = node.cast::<pg_sys::Param>();
                if (*parameter).paramkind == pg_sys::ParamKind::PARAM_EXEC {
                    terms.parameters.push((*parameter).paramid);
                }
            }
            NodeTag::T_SubPlan => terms.subplans.push((*node.cast::<pg_sys::SubPlan>()).plan_id),
            _ => {}
        }
        pg_sys::expression_tree_walker_impl(node, Some(walk), context)
    }
}
