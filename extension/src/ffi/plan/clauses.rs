//! Conditions of a node, taken apart into the tests of columns.

use ebs_tuning::indexes::condition::{Clause, Column};
use pgrx::pg_sys::{self, NodeTag};

use super::expressions::{BaseColumn, NodeInputs, Outputs, strip_relabels};
use super::nodes::{elements, tag};
use super::predicate::deparse_predicate;
use crate::ffi::c_string::copy_c_string;

/// Splits conditions into the tests that are joined by AND.
///
/// # Safety
/// Conditions of the node.
pub(super) unsafe fn split_conjunction(conditions: &[*mut pg_sys::Node]) -> Vec<*mut pg_sys::Node> {
    let mut tests = Vec::new();
    let mut rest: Vec<*mut pg_sys::Node> = conditions.iter().rev().copied().collect();
    while let Some(test) = rest.pop() {
        // SAFETY: nodes are read as what their tags say.
        unsafe {
            let joined = test.cast::<pg_sys::BoolExpr>();
            if tag(test) == NodeTag::T_BoolExpr && (*joined).boolop == pg_sys::BoolExprType::AND_EXPR {
                rest.extend(elements::<pg_sys::Node>((*joined).args).rev());
            } else {
                tests.push(test);
            }
        }
    }
    tests
}

/// Reads a test as the pure crates take it.
///
/// # Safety
/// A test of the node.
pub(super) unsafe fn read_clause(
    outputs: &mut Outputs,
    test: *mut pg_sys::Node,
    inputs: NodeInputs,
) -> Result<Clause, String> {
    // SAFETY: nodes are read as what their tags say.
    unsafe {
        let clause = match tag(test) {
            NodeTag::T_OpExpr => comparison_clause(outputs, test.cast(), inputs)?,
            NodeTag::T_ScalarArrayOpExpr => membership_clause(outputs, test.cast(), inputs)?,
            NodeTag::T_NullTest => {
                let null = test.cast::<pg_sys::NullTest>();
                let equality = (*null).nulltesttype == pg_sys::NullTestType::IS_NULL;
                fixed_clause(outputs, test, (*null).arg.cast(), equality, inputs)
            }
            NodeTag::T_BoolExpr if (*test.cast::<pg_sys::BoolExpr>()).boolop == pg_sys::BoolExprType::NOT_EXPR => {
                let negated = pg_sys::list_nth((*test.cast::<pg_sys::BoolExpr>()).args, 0);
                fixed_clause(outputs, test, negated.cast(), true, inputs)
            }
            NodeTag::T_Var => fixed_clause(outputs, test, test, true, inputs),
            _ => None,
        };
        match clause {
            Some(clause) => Ok(clause),
            None => other_clause(outputs, test, inputs),
        }
    }
}

unsafe fn comparison_clause(
    outputs: &mut Outputs,
    test: *mut pg_sys::OpExpr,
    inputs: NodeInputs,
) -> Result<Option<Clause>, String> {
    // SAFETY: an operator's arguments are one or two nodes.
    unsafe {
        let arguments: Vec<*mut pg_sys::Node> = elements((*test).args).collect();
        let ([left, right], name) = (arguments.as_slice(), copy_c_string(pg_sys::get_opname((*test).opno))) else {
            return Ok(None);
        };
        let equal = name == "=";
        if !equal && !["<", "<=", ">=", ">"].contains(&name.as_str()) {
            return Ok(None);
        }
        let (base, against) = match (outputs.column(*left, inputs), outputs.column(*right, inputs)) {
            (Some(first), Some(second)) if equal && first.0 != second.0 => {
                let columns = named_column(outputs, first).zip(named_column(outputs, second));
                return Ok(columns.map(|(left, right)| Clause::Join(left, right)));
            }
            (Some(_), Some(_)) | (None, None) => return Ok(None),
            (Some(base), None) => (base, *right),
            (None, Some(base)) => (base, *left),
        };
        if outputs.base_columns(against, inputs)?.iter().any(|other| other.0 == base.0) {
            return Ok(None);
        }
        let Some(column) = named_column(outputs, base) else { return Ok(None) };
        // A partial index of hypopg's with a range in its predicate ends the backend (hypopg#116: it has no pages to look a
        // column's extremes up in), so that none is tried.
        let constant = equal && tag(strip_relabels(against)) == NodeTag::T_Const;
        let predicate = constant.then(|| test_text(outputs, test.cast(), base, inputs)).flatten();
        Ok(Some(match predicate {
            Some(predicate) => Clause::Fixed { column, predicate, equality: true },
            None if equal => Clause::Equal(column),
            None => Clause::Range(column),
        }))
    }
}

unsafe fn membership_clause(
    outputs: &mut Outputs,
    test: *mut pg_sys::ScalarArrayOpExpr,
    inputs: NodeInputs,
) -> Result<Option<Clause>, String> {
    // SAFETY: the arguments are two nodes.
    unsafe {
        let arguments: Vec<*mut pg_sys::Node> = elements((*test).args).collect();
        let [left, right] = arguments.as_slice() else { return Ok(None) };
        let Some(base) = outputs.column(*left, inputs).filter(|_| (*test).useOr) else { return Ok(None) };
        let mentioned = outputs.base_columns(*right, inputs)?.iter().any(|other| other.0 == base.0);
        let equal = copy_c_string(pg_sys::get_opname((*test).opno)) == "=";
        Ok(named_column(outputs, base).filter(|_| equal && !mentioned).map(Clause::OneOf))
    }
}

/// A test of one column that needs nothing else.
unsafe fn fixed_clause(
    outputs: &Outputs,
    test: *mut pg_sys::Node,
    tested: *mut pg_sys::Node,
    equality: bool,
    inputs: NodeInputs,
) -> Option<Clause> {
    // SAFETY: a test of the node, and the expression in it.
    unsafe {
        let base = outputs.column(tested, inputs)?;
        let predicate = test_text(outputs, test, base, inputs)?;
        Some(Clause::Fixed { column: named_column(outputs, base)?, predicate, equality })
    }
}

/// The text of a test, where it is one of the scan of its table.
unsafe fn test_text(
    outputs: &Outputs,
    test: *mut pg_sys::Node,
    base: BaseColumn,
    inputs: NodeInputs,
) -> Option<String> {
    use NodeTag::{T_BitmapHeapScan, T_IndexScan, T_SeqScan};
    // SAFETY: a scan, by its tag; its tests name its table by the table's number.
    unsafe {
        let scans = [T_SeqScan, T_IndexScan, T_BitmapHeapScan].contains(&tag(inputs.plan));
        let is_own = scans && (*inputs.plan.cast::<pg_sys::Scan>()).scanrelid == base.0;
        deparse_predicate(test, outputs.table(base.0).filter(|_| is_own)?)
    }
}

unsafe fn other_clause(outputs: &mut Outputs, test: *mut pg_sys::Node, inputs: NodeInputs) -> Result<Clause, String> {
    // SAFETY: nodes are read as what their tags say.
    unsafe {
        let kind = match tag(test) {
            NodeTag::T_OpExpr => {
                format!("operator {}", copy_c_string(pg_sys::get_opname((*test.cast::<pg_sys::OpExpr>()).opno)))
            }
            NodeTag::T_BoolExpr => match (*test.cast::<pg_sys::BoolExpr>()).boolop {
                pg_sys::BoolExprType::OR_EXPR => "OR".to_owned(),
                _ => "NOT".to_owned(),
            },
            NodeTag::T_ScalarArrayOpExpr => "a list of values".to_owned(),
            NodeTag::T_FuncExpr => {
                format!("function {}", copy_c_string(pg_sys::get_func_name((*test.cast::<pg_sys::FuncExpr>()).funcid)))
            }
            NodeTag::T_SubPlan | NodeTag::T_AlternativeSubPlan => "a subquery".to_owned(),
            _ => "an expression".to_owned(),
        };
        let bases = outputs.base_columns(test, inputs)?;
        Ok(Clause::Other { relation: bases.first().map(|base| base.0), kind })
    }
}

/// The column of that number; `None` of a whole row or a system column.
pub(super) fn named_column(outputs: &Outputs, (relation, number): BaseColumn) -> Option<Column> {
    let table = outputs.table(relation).filter(|_| number > 0)?;
    // SAFETY: a catalogue look-up in a transaction; the last argument keeps it from raising an error.
    let name = unsafe { copy_c_string(pg_sys::get_attname(table, number, true)) };
    (!name.is_empty()).then_some(Column { relation, name })
}
