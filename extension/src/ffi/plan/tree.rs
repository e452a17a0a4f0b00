//! Plans of PostgreSQL's as the pure crates take them. A deep plan takes no deep stack: nodes are visited from a list.

use std::collections::BTreeSet;

use ebs_tuning::indexes::condition::SortKey;
use ebs_tuning::indexes::plan::{Columns, Kind, Node, Operation, Plan, Relation};
use pgrx::pg_sys::{self, CmdType, NodeTag};

use super::catalog::{function_symbol, operator_symbol, schema_and_table};
use super::clauses::{named_column, read_clause, split_conjunction};
use super::expressions::{BaseColumn, NodeInputs, Outputs};
use super::nodes::{NodeView, PlanView, View};
use super::output_settings::with_output_settings;

/// Most nodes of a plan that is analysed. A table of 1,000 partitions in a join of five has some 5,000.
const MAX_NODES: usize = 10_000;

/// Nodes of a plan, each behind the one above it.
#[derive(Default)]
struct Nodes<'t> {
    plans: Vec<PlanView<'t>>,
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
    let planned = unsafe { View::new(planned) }.ok_or("without a plan")?;
    with_output_settings(|| {
        let mut nodes = Nodes::default();
        nodes.add(planned.planTree())?;
        for subplan in planned.subplans().entries() {
            nodes.subplans.push(subplan.map(|_| nodes.plans.len()));
            nodes.add(subplan)?;
        }
        read_nodes(&nodes, Outputs::new(planned.rtable()), check_interrupts)
    })
}

impl<'t> Nodes<'t> {
    /// Adds a node, if there is one, and all below it.
    fn add(&mut self, top: Option<PlanView<'t>>) -> Result<(), String> {
        let mut rest: Vec<_> = top.into_iter().map(|top| (top, None::<usize>)).collect();
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
            rest.extend(child_plans(plan).rev().map(|child| (child, Some(position))));
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
    fn inputs(&self, position: usize) -> NodeInputs<'t> {
        let plan = self.plans[position];
        let first = self.children[position].first().map(|&child| self.plans[child]);
        let (outer, inner) = match plan.tag() {
            NodeTag::T_Append | NodeTag::T_MergeAppend => (first, None),
            NodeTag::T_SubqueryScan => (None, first),
            NodeTag::T_CteScan => {
                let subplan = plan.get::<pg_sys::CteScan>().and_then(|scan| self.subplan(scan.ctePlanId));
                (None, subplan.map(|position| self.plans[position]))
            }
            _ => (plan.lefttree(), plan.righttree()),
        };
        NodeInputs { plan, outer, inner }
    }

    fn subplan(&self, number: i32) -> Option<usize> {
        let at = usize::try_from(number).ok()?.checked_add_signed(-1)?;
        self.subplans.get(at).copied().flatten()
    }
}

/// Nodes right below one.
fn child_plans(plan: PlanView<'_>) -> impl DoubleEndedIterator<Item = PlanView<'_>> {
    let inside = plan.get::<pg_sys::SubqueryScan>().and_then(|scan| scan.subplan());
    let lists = [
        plan.get::<pg_sys::Append>().map(|append| append.appendplans()),
        plan.get::<pg_sys::MergeAppend>().map(|append| append.mergeplans()),
        plan.get::<pg_sys::BitmapAnd>().map(|and| and.bitmapplans()),
        plan.get::<pg_sys::BitmapOr>().map(|or| or.bitmapplans()),
        plan.get::<pg_sys::CustomScan>().map(|scan| scan.custom_plans()),
    ];
    let single = [plan.lefttree(), plan.righttree(), inside].into_iter().flatten();
    single.chain(lists.into_iter().flatten().flat_map(|list| list.iter()))
}

fn read_nodes<'t>(
    nodes: &Nodes<'t>,
    mut outputs: Outputs<'t>,
    check_interrupts: fn(),
) -> Result<(Plan, usize), String> {
    let mut plan = Plan { nodes: vec![Node::default(); nodes.plans.len()] };
    for (node, parent) in plan.nodes.iter_mut().zip(&nodes.parents) {
        node.parent = *parent;
    }
    for position in 0..nodes.plans.len() {
        outputs.record_parameters(nodes.inputs(position));
    }
    for position in nodes.bottom_up() {
        check_interrupts();
        let inputs = nodes.inputs(position);
        outputs.record(inputs)?;
        let subplans = read_node(&mut plan.nodes[position], &mut outputs, inputs)?;
        for top in subplans.into_iter().filter_map(|number| nodes.subplan(number)) {
            plan.nodes[top].parent.get_or_insert(position);
        }
    }
    Ok((plan, outputs.terms_read()))
}

/// Reads a node; the numbers of the subqueries that it runs.
fn read_node<'t>(node: &mut Node, outputs: &mut Outputs<'t>, inputs: NodeInputs<'t>) -> Result<BTreeSet<i32>, String> {
    let plan = inputs.plan;
    node.tag = plan.tag() as u32;
    node.total_cost = plan.total_cost;
    node.kind = kind(plan);
    node.relation = relation(plan, outputs);
    node.index = index(plan);
    let mut tested = BTreeSet::new();
    let mut subplans: BTreeSet<i32> = plan.initPlan().iter().map(|subplan| subplan.plan_id).collect();
    for test in split_conjunction(&conditions(plan)) {
        tested.extend(outputs.base_columns(test, inputs)?);
        subplans.extend(outputs.terms(test)?.subplans);
        node.clauses.push(read_clause(outputs, test, inputs)?);
    }
    for expression in plan.targetlist().iter().filter_map(|entry| entry.expr()) {
        if expression.tag() != NodeTag::T_Var {
            subplans.extend(outputs.terms(expression)?.subplans);
            node.extremes.extend(extreme(expression, outputs, inputs));
        }
    }
    node.sort_key = sort_key(plan, outputs);
    if let Some(nested) = plan.get::<pg_sys::NestLoop>() {
        for value in nested.nestParams().iter().filter_map(|parameter| parameter.paramval()) {
            tested.extend(outputs.base_columns(value, inputs)?);
        }
    }
    node.tested = columns(&tested, outputs);
    let handed: BTreeSet<BaseColumn> =
        outputs.outputs(plan).iter().flat_map(|output| output.bases.iter().copied()).collect();
    node.output = columns(&handed, outputs);
    node.columns_set = columns_set(plan, outputs);
    Ok(subplans)
}

fn kind(plan: PlanView) -> Kind {
    if plan.get::<pg_sys::Scan>().is_some() {
        return Kind::Scan;
    }
    if let Some(modify) = plan.get::<pg_sys::ModifyTable>() {
        return Kind::Modify(match modify.operation {
            CmdType::CMD_INSERT => Operation::Insert,
            CmdType::CMD_UPDATE => Operation::Update,
            CmdType::CMD_DELETE => Operation::Delete,
            _ => Operation::Merge,
        });
    }
    let is_hashed = |agg: View<pg_sys::Agg>| agg.aggstrategy == pg_sys::AggStrategy::AGG_HASHED;
    match plan.tag() {
        NodeTag::T_Sort | NodeTag::T_HashJoin => Kind::Spills,
        _ if plan.get().is_some_and(is_hashed) => Kind::Spills,
        _ => Kind::Other,
    }
}

fn relation(plan: PlanView, outputs: &Outputs) -> Option<Relation> {
    let scanned = plan.get::<pg_sys::Scan>().map(|scan| scan.scanrelid);
    let number = scanned.or_else(|| Some(plan.get::<pg_sys::ModifyTable>()?.nominalRelation))?;
    let (schema, name) = schema_and_table(outputs.table(number)?);
    Some(Relation { number, schema, name })
}

fn index(plan: PlanView) -> Option<u32> {
    let index = plan.get::<pg_sys::IndexScan>().map(|scan| scan.indexid);
    let only = || plan.get::<pg_sys::IndexOnlyScan>().map(|scan| scan.indexid);
    let bitmap = || plan.get::<pg_sys::BitmapIndexScan>().map(|scan| scan.indexid);
    index.or_else(only).or_else(bitmap).map(pg_sys::Oid::to_u32)
}

/// Conditions of a node. Those of a bitmap's index are the ones that its table is rechecked by.
fn conditions(plan: PlanView<'_>) -> Vec<NodeView<'_>> {
    let lists = [
        Some(plan.qual()),
        plan.get::<pg_sys::IndexScan>().map(|scan| scan.indexqualorig()),
        plan.get::<pg_sys::IndexOnlyScan>().map(|scan| scan.indexqual()),
        plan.get::<pg_sys::BitmapHeapScan>().map(|scan| scan.bitmapqualorig()),
        plan.get::<pg_sys::Join>().map(|join| join.joinqual()),
        plan.get::<pg_sys::HashJoin>().map(|join| join.hashclauses()),
        plan.get::<pg_sys::MergeJoin>().map(|join| join.mergeclauses()),
    ];
    lists.into_iter().flatten().flat_map(|list| list.iter()).collect()
}

fn sort_key(plan: PlanView, outputs: &Outputs) -> Vec<Option<SortKey>> {
    let sort = plan.get::<pg_sys::Sort>();
    let sort = sort.map(|sort| (sort.sortColIdx(), sort.sortOperators(), sort.nullsFirst()));
    let merge = plan.get::<pg_sys::MergeAppend>();
    let merge = merge.map(|merge| (merge.sortColIdx(), merge.sortOperators(), merge.nullsFirst()));
    let Some((positions, operators, nulls)) = sort.or(merge) else { return Vec::new() };
    let key = |((&position, &operator), &nulls_first)| {
        let base = outputs.output_at(Some(plan), position).column?;
        let descending = match operator_symbol(operator).as_str() {
            "<" => false,
            ">" => true,
            _ => return None,
        };
        let nulls_first = (nulls_first != descending).then_some(nulls_first);
        Some(SortKey { column: named_column(outputs, base)?, descending, nulls_first })
    };
    positions.iter().zip(operators).zip(nulls).map(key).collect()
}

/// The column of which the least or greatest value is computed.
fn extreme<'t>(expression: NodeView<'t>, outputs: &Outputs<'t>, inputs: NodeInputs<'t>) -> Option<SortKey> {
    let aggregate = expression.get::<pg_sys::Aggref>()?;
    let name = function_symbol(aggregate.aggfnoid);
    let [argument] = aggregate.args().exactly().filter(|_| ["min", "max"].contains(&name.as_str()))?;
    let base = outputs.column(argument.expr()?, inputs)?;
    Some(SortKey { column: named_column(outputs, base)?, descending: false, nulls_first: None })
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

/// Columns that an UPDATE sets, which has a list of them for each of its tables.
fn columns_set(plan: PlanView, outputs: &Outputs) -> Option<Vec<String>> {
    let modify = plan.get::<pg_sys::ModifyTable>().filter(|modify| modify.operation == CmdType::CMD_UPDATE)?;
    let table = u32::try_from(modify.resultRelations()?.integers().next()?).ok()?;
    let numbers = modify.updateColnosLists().entries().next()?;
    let name = |number| Some(named_column(outputs, (table, i16::try_from(number).ok()?))?.name);
    numbers.map_or(Some(Vec::new()), |numbers| numbers.integers().map(name).collect())
}
