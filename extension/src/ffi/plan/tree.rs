//! Plans of PostgreSQL's as the pure crates take them. A deep plan takes no deep stack: nodes are visited from a list.

use std::collections::BTreeSet;

use ebs_tuning::indexes::condition::SortKey;
use ebs_tuning::indexes::plan::{Columns, Kind, Node, Operation, Plan, Relation};
use pgrx::pg_sys::{self, CmdType, NodeTag};

use super::clauses::{named_column, read_clause, split_conjunction};
use super::expressions::{BaseColumn, NodeInputs, Outputs};
use super::nodes::{elements, tag};
use super::output_settings::with_output_settings;
use crate::ffi::c_string::copy_c_string;

/// Most nodes of a plan that is analysed. A table of 1,000 partitions in a join of five has some 5,000.
const MAX_NODES: usize = 10_000;

/// Nodes of a plan, each behind the one above it.
#[derive(Default)]
struct Nodes {
    plans: Vec<*mut pg_sys::Plan>,
    parents: Vec<Option<usize>>,
    children: Vec<Vec<usize>>,
    /// Positions of subqueries that are planned apart, by their numbers less one; `None` of those that are not used.
    subplans: Vec<Option<usize>>,
}

/// Reads a plan, and counts the terms of its expressions; refuses one that is too wide.
///
/// # Safety
/// A plan of the planner's, in a transaction.
pub(super) unsafe fn read_plan(
    planned: *mut pg_sys::PlannedStmt,
    check_interrupts: fn(),
) -> Result<(Plan, usize), String> {
    // SAFETY: as the caller promises.
    with_output_settings(|| unsafe {
        let mut nodes = Nodes::default();
        nodes.add((*planned).planTree)?;
        for subplan in elements::<pg_sys::Plan>((*planned).subplans) {
            let position = nodes.plans.len();
            if !subplan.is_null() {
                nodes.add(subplan)?;
            }
            nodes.subplans.push((!subplan.is_null()).then_some(position));
        }
        read_nodes(&nodes, Outputs::new((*planned).rtable), check_interrupts)
    })
}

impl Nodes {
    /// Adds a node and all below it.
    unsafe fn add(&mut self, top: *mut pg_sys::Plan) -> Result<(), String> {
        let mut rest = vec![(top, None::<usize>)];
        while let Some((plan, parent)) = rest.pop() {
            let position = self.plans.len();
            if position == MAX_NODES {
                return Err(format!("too wide to be analysed: its plan has more than {MAX_NODES} nodes"));
            }
            self.plans.push(plan);
            self.parents.push(parent);
            self.children.push(Vec::new());
            if let Some(parent) = parent {
                self.children[parent].push(position);
            }
            // SAFETY: a node of the plan.
            let children = unsafe { child_plans(plan) };
            rest.extend(children.into_iter().rev().map(|child| (child, Some(position))));
        }
        Ok(())
    }

    /// Positions, each behind all below it: subqueries first, in the order of their numbers, of which each can only name those
    /// before it.
    fn bottom_up(&self) -> Vec<usize> {
        let mut order = Vec::with_capacity(self.plans.len());
        for top in self.subplans.iter().flatten().copied().chain([0]) {
            let begin = order.len();
            let mut rest = vec![top];
            while let Some(position) = rest.pop() {
                order.push(position);
                rest.extend(&self.children[position]);
            }
            order[begin..].reverse();
        }
        order
    }

    /// A node, and those whose outputs its expressions name (set_deparse_plan in ruleutils.c).
    unsafe fn inputs(&self, position: usize) -> NodeInputs {
        let plan = self.plans[position];
        let first = self.children[position].first().map_or(std::ptr::null_mut(), |&child| self.plans[child]);
        // SAFETY: nodes are read as what their tags say.
        unsafe {
            let (outer, inner) = match tag(plan) {
                NodeTag::T_Append | NodeTag::T_MergeAppend => (first, std::ptr::null_mut()),
                NodeTag::T_SubqueryScan => (std::ptr::null_mut(), first),
                NodeTag::T_CteScan => {
                    let number = (*plan.cast::<pg_sys::CteScan>()).ctePlanId;
                    let subplan = self.subplan(number).map_or(std::ptr::null_mut(), |position| self.plans[position]);
                    (std::ptr::null_mut(), subplan)
                }
                _ => ((*plan).lefttree, (*plan).righttree),
            };
            NodeInputs { plan, outer, inner }
        }
    }

    fn subplan(&self, number: i32) -> Option<usize> {
        let at = usize::try_from(number).ok()?.checked_add_signed(-1)?;
        self.subplans.get(at).copied().flatten()
    }
}

/// Nodes right below one.
unsafe fn child_plans(plan: *mut pg_sys::Plan) -> Vec<*mut pg_sys::Plan> {
    // SAFETY: nodes are read as what their tags say; their lists are made of plans.
    unsafe {
        let more = match tag(plan) {
            NodeTag::T_Append => (*plan.cast::<pg_sys::Append>()).appendplans,
            NodeTag::T_MergeAppend => (*plan.cast::<pg_sys::MergeAppend>()).mergeplans,
            NodeTag::T_BitmapAnd => (*plan.cast::<pg_sys::BitmapAnd>()).bitmapplans,
            NodeTag::T_BitmapOr => (*plan.cast::<pg_sys::BitmapOr>()).bitmapplans,
            NodeTag::T_CustomScan => (*plan.cast::<pg_sys::CustomScan>()).custom_plans,
            _ => std::ptr::null_mut(),
        };
        let inside = match tag(plan) {
            NodeTag::T_SubqueryScan => (*plan.cast::<pg_sys::SubqueryScan>()).subplan,
            _ => std::ptr::null_mut(),
        };
        let single = [(*plan).lefttree, (*plan).righttree, inside].into_iter().filter(|child| !child.is_null());
        single.chain(elements(more)).collect()
    }
}

unsafe fn read_nodes(nodes: &Nodes, mut outputs: Outputs, check_interrupts: fn()) -> Result<(Plan, usize), String> {
    let mut plan = Plan { nodes: vec![Node::default(); nodes.plans.len()] };
    for (node, parent) in plan.nodes.iter_mut().zip(&nodes.parents) {
        node.parent = *parent;
    }
    for position in 0..nodes.plans.len() {
        // SAFETY: nodes of one plan.
        unsafe { outputs.record_parameters(nodes.inputs(position)) };
    }
    for position in nodes.bottom_up() {
        check_interrupts();
        // SAFETY: all below it was read before.
        let subplans = unsafe {
            let inputs = nodes.inputs(position);
            outputs.record(inputs)?;
            read_node(&mut plan.nodes[position], &mut outputs, inputs)?
        };
        for top in subplans.into_iter().filter_map(|number| nodes.subplan(number)) {
            plan.nodes[top].parent.get_or_insert(position);
        }
    }
    Ok((plan, outputs.terms_read()))
}

/// Reads a node; the numbers of the subqueries that it runs.
unsafe fn read_node(node: &mut Node, outputs: &mut Outputs, inputs: NodeInputs) -> Result<BTreeSet<i32>, String> {
    // SAFETY: nodes are read as what their tags say.
    unsafe {
        let plan = inputs.plan;
        node.tag = tag(plan) as u32;
        node.total_cost = (*plan).total_cost;
        node.kind = kind(plan);
        node.relation = relation(plan, outputs);
        node.index = index(plan);
        let tests = split_conjunction(&conditions(plan));
        let mut tested = BTreeSet::new();
        let mut subplans: BTreeSet<i32> =
            elements::<pg_sys::SubPlan>((*plan).initPlan).map(|subplan| (*subplan).plan_id).collect();
        for test in tests {
            tested.extend(outputs.base_columns(test, inputs)?);
            subplans.extend(outputs.terms(test)?.subplans);
            node.clauses.push(read_clause(outputs, test, inputs)?);
        }
        for entry in elements::<pg_sys::TargetEntry>((*plan).targetlist) {
            if tag((*entry).expr) != NodeTag::T_Var {
                subplans.extend(outputs.terms((*entry).expr.cast())?.subplans);
                node.extremes.extend(extreme((*entry).expr.cast(), outputs, inputs));
            }
        }
        node.sort_key = sort_key(plan, outputs);
        if tag(plan) == NodeTag::T_NestLoop {
            let handed = (*plan.cast::<pg_sys::NestLoop>()).nestParams;
            for parameter in elements::<pg_sys::NestLoopParam>(handed) {
                tested.extend(outputs.base_columns((*parameter).paramval.cast(), inputs)?);
            }
        }
        node.tested = columns(&tested, outputs);
        let handed: BTreeSet<BaseColumn> =
            outputs.outputs(plan).iter().flat_map(|output| output.bases.iter().copied()).collect();
        node.output = columns(&handed, outputs);
        node.columns_set = columns_set(plan, outputs);
        Ok(subplans)
    }
}

unsafe fn kind(plan: *mut pg_sys::Plan) -> Kind {
    // SAFETY: nodes are read as what their tags say.
    unsafe {
        match tag(plan) {
            NodeTag::T_SeqScan
            | NodeTag::T_IndexScan
            | NodeTag::T_IndexOnlyScan
            | NodeTag::T_BitmapHeapScan
            | NodeTag::T_SampleScan
            | NodeTag::T_TidScan
            | NodeTag::T_TidRangeScan => Kind::Scan,
            NodeTag::T_Sort | NodeTag::T_HashJoin => Kind::Spills,
            NodeTag::T_Agg if (*plan.cast::<pg_sys::Agg>()).aggstrategy == pg_sys::AggStrategy::AGG_HASHED => {
                Kind::Spills
            }
            NodeTag::T_ModifyTable => match (*plan.cast::<pg_sys::ModifyTable>()).operation {
                CmdType::CMD_INSERT => Kind::Modify(Operation::Insert),
                CmdType::CMD_UPDATE => Kind::Modify(Operation::Update),
                CmdType::CMD_DELETE => Kind::Modify(Operation::Delete),
                _ => Kind::Modify(Operation::Merge),
            },
            _ => Kind::Other,
        }
    }
}

unsafe fn relation(plan: *mut pg_sys::Plan, outputs: &Outputs) -> Option<Relation> {
    // SAFETY: every kind of scan begins as Scan does; catalogue look-ups in a transaction.
    unsafe {
        let number = match kind(plan) {
            Kind::Scan => (*plan.cast::<pg_sys::Scan>()).scanrelid,
            Kind::Modify(_) => (*plan.cast::<pg_sys::ModifyTable>()).nominalRelation,
            _ => return None,
        };
        let table = outputs.table(number)?;
        let schema = copy_c_string(pg_sys::get_namespace_name(pg_sys::get_rel_namespace(table)));
        Some(Relation { number, schema, name: copy_c_string(pg_sys::get_rel_name(table)) })
    }
}

unsafe fn index(plan: *mut pg_sys::Plan) -> Option<u32> {
    // SAFETY: nodes are read as what their tags say.
    let index = unsafe {
        match tag(plan) {
            NodeTag::T_IndexScan => (*plan.cast::<pg_sys::IndexScan>()).indexid,
            NodeTag::T_IndexOnlyScan => (*plan.cast::<pg_sys::IndexOnlyScan>()).indexid,
            NodeTag::T_BitmapIndexScan => (*plan.cast::<pg_sys::BitmapIndexScan>()).indexid,
            _ => return None,
        }
    };
    Some(index.to_u32())
}

/// Conditions of a node. Those of a bitmap's index are the ones that its table is rechecked by.
unsafe fn conditions(plan: *mut pg_sys::Plan) -> Vec<*mut pg_sys::Node> {
    // SAFETY: nodes are read as what their tags say; every kind of join begins as Join does.
    unsafe {
        let (first, second) = match tag(plan) {
            NodeTag::T_IndexScan => ((*plan.cast::<pg_sys::IndexScan>()).indexqualorig, std::ptr::null_mut()),
            NodeTag::T_IndexOnlyScan => ((*plan.cast::<pg_sys::IndexOnlyScan>()).indexqual, std::ptr::null_mut()),
            NodeTag::T_BitmapHeapScan => {
                ((*plan.cast::<pg_sys::BitmapHeapScan>()).bitmapqualorig, std::ptr::null_mut())
            }
            NodeTag::T_NestLoop => ((*plan.cast::<pg_sys::Join>()).joinqual, std::ptr::null_mut()),
            NodeTag::T_HashJoin => {
                ((*plan.cast::<pg_sys::Join>()).joinqual, (*plan.cast::<pg_sys::HashJoin>()).hashclauses)
            }
            NodeTag::T_MergeJoin => {
                ((*plan.cast::<pg_sys::Join>()).joinqual, (*plan.cast::<pg_sys::MergeJoin>()).mergeclauses)
            }
            _ => (std::ptr::null_mut(), std::ptr::null_mut()),
        };
        elements((*plan).qual).chain(elements(first)).chain(elements(second)).collect()
    }
}

unsafe fn sort_key(plan: *mut pg_sys::Plan, outputs: &Outputs) -> Vec<Option<SortKey>> {
    // SAFETY: the arrays have as many entries as the node says; IncrementalSort begins with a Sort.
    unsafe {
        let (count, positions, operators, nulls) = match tag(plan) {
            NodeTag::T_Sort | NodeTag::T_IncrementalSort => {
                let sort = plan.cast::<pg_sys::Sort>();
                ((*sort).numCols, (*sort).sortColIdx, (*sort).sortOperators, (*sort).nullsFirst)
            }
            NodeTag::T_MergeAppend => {
                let merge = plan.cast::<pg_sys::MergeAppend>();
                ((*merge).numCols, (*merge).sortColIdx, (*merge).sortOperators, (*merge).nullsFirst)
            }
            _ => return Vec::new(),
        };
        let key = |at: usize| {
            let position = usize::try_from(*positions.add(at)).ok()?.checked_add_signed(-1)?;
            let base = outputs.outputs(plan).get(position)?.column?;
            let descending = match copy_c_string(pg_sys::get_opname(*operators.add(at))).as_str() {
                "<" => false,
                ">" => true,
                _ => return None,
            };
            let nulls_first = *nulls.add(at);
            let nulls_first = (nulls_first != descending).then_some(nulls_first);
            Some(SortKey { column: named_column(outputs, base)?, descending, nulls_first })
        };
        (0..usize::try_from(count).unwrap_or(0)).map(key).collect()
    }
}

/// The column of which the least or greatest value is computed.
unsafe fn extreme(expression: *mut pg_sys::Node, outputs: &Outputs, inputs: NodeInputs) -> Option<SortKey> {
    // SAFETY: an Aggref, by its tag; its arguments are TargetEntry.
    unsafe {
        if tag(expression) != NodeTag::T_Aggref {
            return None;
        }
        let aggregate = expression.cast::<pg_sys::Aggref>();
        let name = copy_c_string(pg_sys::get_func_name((*aggregate).aggfnoid));
        let mut arguments = elements::<pg_sys::TargetEntry>((*aggregate).args);
        let argument = arguments.next().filter(|_| arguments.len() == 0 && ["min", "max"].contains(&name.as_str()))?;
        let base = outputs.column((*argument).expr.cast(), inputs)?;
        Some(SortKey { column: named_column(outputs, base)?, descending: false, nulls_first: None })
    }
}

fn columns(bases: &BTreeSet<BaseColumn>, outputs: &Outputs) -> Columns {
    let mut columns = Columns::default();
    for &base in bases {
        match named_column(outputs, base) {
            Some(column) => drop(columns.named.insert(column)),
            None => drop(columns.whole_rows.insert(base.0)),
        }
    }
    columns
}

unsafe fn columns_set(plan: *mut pg_sys::Plan, outputs: &Outputs) -> Option<Vec<String>> {
    // SAFETY: an UPDATE has for each of its tables a list of the columns that it sets.
    unsafe {
        if kind(plan) != Kind::Modify(Operation::Update) {
            return None;
        }
        let modify = plan.cast::<pg_sys::ModifyTable>();
        let table = u32::try_from(pg_sys::list_nth_int((*modify).resultRelations, 0)).ok()?;
        let numbers = elements::<pg_sys::List>((*modify).updateColnosLists).next()?;
        let count = numbers.as_ref().map_or(0, |list| list.length);
        let number = |at| i16::try_from(pg_sys::list_nth_int(numbers, at)).ok();
        (0..count).map(|at| Some(named_column(outputs, (table, number(at)?))?.name)).collect()
    }
}
