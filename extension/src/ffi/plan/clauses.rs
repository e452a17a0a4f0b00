//! Conditions of a node, taken apart into the tests of columns.

use ebs_tuning::indexes::condition::{Clause, Column};
use pgrx::pg_sys::{self, BoolExprType, NodeTag};

use super::catalog::{column_name, function_symbol, operator_symbol};
use super::expressions::{BaseColumn, NodeInputs, Outputs, strip_relabels};
use super::nodes::{NodeView, View};
use super::predicate::deparse_predicate;

/// Splits conditions into the tests that are joined by AND.
pub(super) fn split_conjunction<'t>(conditions: &[NodeView<'t>]) -> Vec<NodeView<'t>> {
    let mut tests = Vec::new();
    let mut rest: Vec<_> = conditions.iter().rev().copied().collect();
    while let Some(test) = rest.pop() {
        match test.get::<pg_sys::BoolExpr>() {
            Some(joined) if joined.boolop == BoolExprType::AND_EXPR => rest.extend(joined.args().iter().rev()),
            _ => tests.push(test),
        }
    }
    tests
}

/// Reads a test of a node as the pure crates take it.
pub(super) fn read_clause<'t>(
    outputs: &mut Outputs<'t>,
    test: NodeView<'t>,
    inputs: NodeInputs<'t>,
) -> Result<Clause, String> {
    let clause = if test.get::<pg_sys::OpExpr>().is_some() {
        comparison_clause(outputs, test, inputs)?
    } else if let Some(membership) = test.get::<pg_sys::ScalarArrayOpExpr>() {
        membership_clause(outputs, membership, inputs)?
    } else if let Some(null) = test.get::<pg_sys::NullTest>() {
        let equality = null.nulltesttype == pg_sys::NullTestType::IS_NULL;
        null.arg().and_then(|tested| fixed_clause(outputs, test, tested, equality, inputs))
    } else if let Some(negation) = test.get::<pg_sys::BoolExpr>() {
        let negated = negation.args().get(0).filter(|_| negation.boolop == BoolExprType::NOT_EXPR);
        negated.and_then(|negated| fixed_clause(outputs, test, negated, true, inputs))
    } else {
        test.get::<pg_sys::Var>().and_then(|_| fixed_clause(outputs, test, test, true, inputs))
    };
    clause.map_or_else(|| other_clause(outputs, test, inputs), Ok)
}

fn comparison_clause<'t>(
    outputs: &mut Outputs<'t>,
    test: NodeView<'t>,
    inputs: NodeInputs<'t>,
) -> Result<Option<Clause>, String> {
    let Some(comparison) = test.get::<pg_sys::OpExpr>() else { return Ok(None) };
    let Some([left, right]) = comparison.args().exactly() else { return Ok(None) };
    let name = operator_symbol(comparison.opno);
    let equal = name == "=";
    if !equal && !["<", "<=", ">=", ">"].contains(&name.as_str()) {
        return Ok(None);
    }
    let (base, against) = match (outputs.column(left, inputs), outputs.column(right, inputs)) {
        (Some(first), Some(second)) if equal && first.0 != second.0 => {
            let columns = named_column(outputs, first).zip(named_column(outputs, second));
            return Ok(columns.map(|(left, right)| Clause::Join(left, right)));
        }
        (Some(_), Some(_)) | (None, None) => return Ok(None),
        (Some(base), None) => (base, right),
        (None, Some(base)) => (base, left),
    };
    if outputs.base_columns(against, inputs)?.iter().any(|other| other.0 == base.0) {
        return Ok(None);
    }
    let Some(column) = named_column(outputs, base) else { return Ok(None) };
    // A partial index of hypopg's with a range in its predicate ends the backend (hypopg#116: it has no pages to look a
    // column's extremes up in), so that none is tried.
    let constant = equal && strip_relabels(against).tag() == NodeTag::T_Const;
    let predicate = constant.then(|| test_text(outputs, test, base, inputs)).flatten();
    Ok(Some(match predicate {
        Some(predicate) => Clause::Fixed { column, predicate, equality: true },
        None if equal => Clause::Equal(column),
        None => Clause::Range(column),
    }))
}

fn membership_clause<'t>(
    outputs: &mut Outputs<'t>,
    test: View<'t, pg_sys::ScalarArrayOpExpr>,
    inputs: NodeInputs<'t>,
) -> Result<Option<Clause>, String> {
    let Some([left, right]) = test.args().exactly() else { return Ok(None) };
    let Some(base) = outputs.column(left, inputs).filter(|_| test.useOr) else { return Ok(None) };
    let mentioned = outputs.base_columns(right, inputs)?.iter().any(|other| other.0 == base.0);
    let equal = operator_symbol(test.opno) == "=";
    Ok(named_column(outputs, base).filter(|_| equal && !mentioned).map(Clause::OneOf))
}

/// A test of one column that needs nothing else.
fn fixed_clause<'t>(
    outputs: &Outputs<'t>,
    test: NodeView<'t>,
    tested: NodeView<'t>,
    equality: bool,
    inputs: NodeInputs<'t>,
) -> Option<Clause> {
    let base = outputs.column(tested, inputs)?;
    let predicate = test_text(outputs, test, base, inputs)?;
    Some(Clause::Fixed { column: named_column(outputs, base)?, predicate, equality })
}

/// The text of a test, where it is one of the scan of its table, whose tests name the table by its number.
fn test_text(outputs: &Outputs, test: NodeView, base: BaseColumn, inputs: NodeInputs) -> Option<String> {
    use NodeTag::{T_BitmapHeapScan, T_IndexScan, T_SeqScan};
    let scan = inputs.plan.get::<pg_sys::Scan>()?;
    let is_own = [T_SeqScan, T_IndexScan, T_BitmapHeapScan].contains(&scan.tag()) && scan.scanrelid == base.0;
    deparse_predicate(test, outputs.table(base.0).filter(|_| is_own)?)
}

fn other_clause<'t>(outputs: &mut Outputs<'t>, test: NodeView<'t>, inputs: NodeInputs<'t>) -> Result<Clause, String> {
    let kind = if let Some(operation) = test.get::<pg_sys::OpExpr>() {
        format!("operator {}", operator_symbol(operation.opno))
    } else if let Some(call) = test.get::<pg_sys::FuncExpr>() {
        format!("function {}", function_symbol(call.funcid))
    } else if let Some(joined) = test.get::<pg_sys::BoolExpr>() {
        if joined.boolop == BoolExprType::OR_EXPR { "OR" } else { "NOT" }.to_owned()
    } else {
        let kind = match test.tag() {
            NodeTag::T_ScalarArrayOpExpr => "a list of values",
            NodeTag::T_SubPlan | NodeTag::T_AlternativeSubPlan => "a subquery",
            _ => "an expression",
        };
        kind.to_owned()
    };
    let bases = outputs.base_columns(test, inputs)?;
    Ok(Clause::Other { relation: bases.first().map(|base| base.0), kind })
}

/// The column of that number; `None` of a whole row or a system column.
pub(super) fn named_column(outputs: &Outputs, (relation, number): BaseColumn) -> Option<Column> {
    let table = outputs.table(relation).filter(|_| number > 0)?;
    let name = column_name(table, number);
    (!name.is_empty()).then_some(Column { relation, name })
}
