//! Expressions of a plan, and the columns of tables that they are made of. A plan's nodes name columns of the nodes below them by
//! position, so that each is followed down to a table once and remembered.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::c_void;
use std::rc::Rc;

use pgrx::pg_guard;
use pgrx::pg_sys::{self, NodeTag};

use super::nodes::{List, NodeView, PlanView, View};

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
pub(super) struct Outputs<'t> {
    range_table: List<'t, pg_sys::RangeTblEntry>,
    known: HashMap<*mut pg_sys::Plan, Vec<Output>>,
    /// Parameters of the inner sides of nested loops, by number: the outer side, and the position in its output.
    parameters: BTreeMap<i32, (Option<PlanView<'t>>, i16)>,
    terms: usize,
}

/// A node, and the nodes whose outputs its expressions name.
#[derive(Clone, Copy)]
pub(super) struct NodeInputs<'t> {
    /// The node.
    pub plan: PlanView<'t>,
    /// The node of `OUTER_VAR`.
    pub outer: Option<PlanView<'t>>,
    /// The node of `INNER_VAR`, of a subquery and of a common table expression.
    pub inner: Option<PlanView<'t>>,
}

/// Columns, parameters and subqueries in an expression.
#[derive(Default)]
pub(super) struct Terms<'t> {
    /// Columns.
    pub vars: Vec<View<'t, pg_sys::Var>>,
    /// Parameters that are computed while the plan runs, by their numbers.
    pub parameters: Vec<i32>,
    /// Subqueries that are planned apart, by their numbers.
    pub subplans: Vec<i32>,
    left: usize,
    too_many: bool,
}

impl<'t> Outputs<'t> {
    /// Outputs of a plan with this range table, of which none is known yet.
    pub(super) fn new(range_table: List<'t, pg_sys::RangeTblEntry>) -> Outputs<'t> {
        Outputs { range_table, known: HashMap::new(), parameters: BTreeMap::new(), terms: 0 }
    }

    /// Terms that were read.
    pub(super) fn terms_read(&self) -> usize {
        self.terms
    }

    /// Terms of a tree; refuses it where the plan has too many.
    pub(super) fn terms(&mut self, tree: NodeView<'t>) -> Result<Terms<'t>, String> {
        let mut terms = Terms { left: MAX_TERMS - self.terms, ..Terms::default() };
        let before = terms.left;
        terms.add(Some(tree));
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
    pub(super) fn record_parameters(&mut self, inputs: NodeInputs<'t>) {
        let Some(nested) = inputs.plan.get::<pg_sys::NestLoop>() else { return };
        for parameter in nested.nestParams().iter() {
            let var = parameter.paramval().and_then(|value| value.get::<pg_sys::Var>());
            if let Some(var) = var.filter(|var| var.varno == pg_sys::OUTER_VAR) {
                self.parameters.insert(parameter.paramno, (inputs.outer, var.varattno));
            }
        }
    }

    /// Records the output of a node; that of the nodes below it is known.
    pub(super) fn record(&mut self, inputs: NodeInputs<'t>) -> Result<(), String> {
        let entries = inputs.plan.targetlist();
        let outputs = entries.iter().map(|entry| self.output(entry.expr(), inputs)).collect::<Result<_, _>>()?;
        self.known.insert(inputs.plan.as_ptr(), outputs);
        Ok(())
    }

    fn output(&mut self, expression: Option<NodeView<'t>>, inputs: NodeInputs<'t>) -> Result<Output, String> {
        let Some(expression) = expression else { return Ok(Output::default()) };
        if let Some(var) = expression.get::<pg_sys::Var>() {
            self.count(1)?;
            return Ok(self.resolve_var(var, inputs));
        }
        Ok(Output { column: self.column(expression, inputs), bases: Rc::new(self.base_columns(expression, inputs)?) })
    }

    /// Columns of tables that an expression of a node is made of.
    pub(super) fn base_columns(
        &mut self,
        tree: NodeView<'t>,
        inputs: NodeInputs<'t>,
    ) -> Result<BTreeSet<BaseColumn>, String> {
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

    /// The column that an expression of a node is, by itself or relabelled, as a varchar is to text wherever it is compared.
    pub(super) fn column(&self, expression: NodeView<'t>, inputs: NodeInputs<'t>) -> Option<BaseColumn> {
        let plain = strip_relabels(expression);
        if let Some(var) = plain.get::<pg_sys::Var>() {
            return self.resolve_var(var, inputs).column;
        }
        let parameter = plain.get::<pg_sys::Param>()?;
        let executed = parameter.paramkind == pg_sys::ParamKind::PARAM_EXEC;
        executed.then(|| self.resolve_parameter(parameter.paramid).column).flatten()
    }

    fn resolve_parameter(&self, parameter: i32) -> Output {
        self.parameters.get(&parameter).map_or_else(Output::default, |&(plan, position)| self.output_at(plan, position))
    }

    fn resolve_var(&self, var: View<'t, pg_sys::Var>, inputs: NodeInputs<'t>) -> Output {
        let (relation, position) = (var.varno, var.varattno);
        match relation {
            pg_sys::OUTER_VAR => return self.output_at(inputs.outer, position),
            pg_sys::INNER_VAR => return self.output_at(inputs.inner, position),
            pg_sys::INDEX_VAR => return self.resolve_index_column(position, inputs),
            _ => {}
        }
        match (self.entry(relation).map(|entry| entry.rtekind), inputs.plan.tag()) {
            (Some(pg_sys::RTEKind::RTE_RELATION), _) => {
                let base = (relation.unsigned_abs(), position);
                Output { column: Some(base), bases: Rc::new(BTreeSet::from([base])) }
            }
            (Some(_), NodeTag::T_SubqueryScan | NodeTag::T_CteScan) => self.output_at(inputs.inner, position),
            _ => Output::default(),
        }
    }

    /// A column of an index, which only nodes name that read an index alone.
    fn resolve_index_column(&self, position: i16, inputs: NodeInputs<'t>) -> Output {
        let indexed = || {
            let entries = inputs.plan.get::<pg_sys::IndexOnlyScan>()?.indextlist();
            let var = entries.get(index(position)?)?.expr()?.get::<pg_sys::Var>();
            var.filter(|var| var.varno > 0)
        };
        indexed().map_or_else(Output::default, |var| self.resolve_var(var, inputs))
    }

    /// The output of a node at a position counted from 1; that of nothing if there is none.
    pub(super) fn output_at(&self, plan: Option<PlanView<'t>>, position: i16) -> Output {
        let outputs = plan.map_or(&[][..], |plan| self.outputs(plan));
        index(position).and_then(|at| outputs.get(at)).cloned().unwrap_or_default()
    }

    /// The outputs of a node that was recorded.
    pub(super) fn outputs(&self, plan: PlanView<'t>) -> &[Output] {
        self.known.get(&plan.as_ptr()).map_or(&[], Vec::as_slice)
    }

    /// The table at a position of the range table; `None` if the entry is not a table.
    pub(super) fn table(&self, relation: u32) -> Option<pg_sys::Oid> {
        let entry = self.entry(i32::try_from(relation).ok()?)?;
        (entry.rtekind == pg_sys::RTEKind::RTE_RELATION).then_some(entry.relid)
    }

    /// An entry of the range table, by its number.
    fn entry(&self, number: i32) -> Option<View<'t, pg_sys::RangeTblEntry>> {
        self.range_table.get(usize::try_from(number).ok()?.checked_add_signed(-1)?)
    }
}

/// Index of a position counted from 1; `None` of a whole row or a system column.
fn index(position: i16) -> Option<usize> {
    usize::try_from(position).ok()?.checked_add_signed(-1)
}

/// An expression without the nodes around it that change the name of its type alone.
pub(super) fn strip_relabels(mut expression: NodeView<'_>) -> NodeView<'_> {
    while let Some(inner) = expression.get::<pg_sys::RelabelType>().and_then(|relabelled| relabelled.arg()) {
        expression = inner;
    }
    expression
}

/// Callback of PostgreSQL's walkers. Only they may call it: an error leaves it as PostgreSQL's own, for C to pass on.
#[pg_guard]
unsafe extern "C-unwind" fn walk(node: *mut pg_sys::Node, terms: *mut c_void) -> bool {
    // SAFETY: called with a node of the tree, and with the terms that the walk began with.
    unsafe { (*terms.cast::<Terms>()).add(View::new(node)) }
}

impl<'t> Terms<'t> {
    /// Adds the terms of a node, and has the walker call for each below it; true if there are too many.
    fn add(&mut self, node: Option<NodeView<'t>>) -> bool {
        let Some(node) = node else { return false };
        if self.left == 0 {
            self.too_many = true;
            return true;
        }
        self.left -= 1;
        if let Some(var) = node.get() {
            self.vars.push(var);
        } else if let Some(parameter) = node.get::<pg_sys::Param>() {
            let executed = parameter.paramkind == pg_sys::ParamKind::PARAM_EXEC;
            self.parameters.extend(executed.then_some(parameter.paramid));
        } else if let Some(subplan) = node.get::<pg_sys::SubPlan>() {
            self.subplans.push(subplan.plan_id);
        }
        // SAFETY: a node of a tree, which the walker reads; the callback gets the nodes below it, and these terms.
        unsafe { pg_sys::expression_tree_walker_impl(node.as_ptr(), Some(walk), std::ptr::from_mut(self).cast()) }
    }
}
