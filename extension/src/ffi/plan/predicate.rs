//! Tests of a column with a constant, as PostgreSQL writes them: a partial index can be limited to one.

use pgrx::pg_sys::{self, Oid};

use super::catalog::{is_declared_for, is_immutable};
use super::nodes::{NodeView, View};
use crate::ffi::c_string::copy_c_string;

/// Longest test that an index is limited to, bytes.
const MAX_PREDICATE: usize = 1_000;

/// The text of a test of one column of a table, without the table's name; `None` where it would need anything but PostgreSQL's
/// own operators that never change their answer. Called with the settings of [`super::with_output_settings`].
pub(super) fn deparse_predicate(test: NodeView, table: Oid) -> Option<String> {
    // SAFETY: the copy may be changed, and no view of it is used then; the context knows one table, under number 1.
    unsafe {
        let copy = pg_sys::copyObjectImpl(test.as_ptr().cast()).cast::<pg_sys::Node>();
        let var = sole_column(View::new(copy)?)?.as_ptr();
        ((*var).varno, (*var).varattnosyn) = (1, (*var).varattno);
        (*var).varnosyn = 1;
        let context = pg_sys::deparse_context_for(pg_sys::get_rel_name(table), table);
        let written = copy_c_string(pg_sys::deparse_expression(copy, context, false, false));
        (written.len() <= MAX_PREDICATE).then(|| without_parentheses(written))
    }
}

/// The column of a test that may be deparsed.
pub(super) fn sole_column(test: NodeView<'_>) -> Option<View<'_, pg_sys::Var>> {
    if let Some(operation) = test.get::<pg_sys::OpExpr>() {
        return compared_column(operation);
    }
    if let Some(null) = test.get::<pg_sys::NullTest>() {
        return column(null.arg()?);
    }
    match test.get::<pg_sys::BoolExpr>() {
        Some(negation) if negation.boolop == pg_sys::BoolExprType::NOT_EXPR => column(negation.args().get(0)?),
        Some(_) => None,
        None => column(test),
    }
}

/// The column that PostgreSQL's own operator compares with a constant, in the types that it is declared for. One that takes any
/// enumeration, array or row is written as any other, and a user's operator for that very type would be used in its place where the
/// command is run.
fn compared_column(operation: View<'_, pg_sys::OpExpr>) -> Option<View<'_, pg_sys::Var>> {
    let function = operation.opfuncid;
    if !is_built_in(operation.opno) || !is_built_in(function) || !is_immutable(function) {
        return None;
    }
    let arguments = operation.args().exactly().filter(|arguments| is_declared_for(operation.opno, *arguments))?;
    match arguments.map(column) {
        [Some(var), None] => is_constant(arguments[1]).then_some(var),
        [None, Some(var)] => is_constant(arguments[0]).then_some(var),
        _ => None,
    }
}

/// A column by itself, or relabelled as a type of PostgreSQL's own.
fn column(mut expression: NodeView<'_>) -> Option<View<'_, pg_sys::Var>> {
    while let Some(label) = expression.get::<pg_sys::RelabelType>() {
        if !is_built_in(label.resulttype) {
            return None;
        }
        expression = label.arg()?;
    }
    expression.get::<pg_sys::Var>().filter(|var| var.varno > 0 && var.varattno > 0)
}

/// A constant of one of PostgreSQL's own types.
fn is_constant(expression: NodeView) -> bool {
    let constant = expression.get::<pg_sys::Const>();
    constant.is_some_and(|constant| is_built_in(constant.consttype) && !constant.constisnull)
}

/// True of an object that comes with PostgreSQL itself.
pub(super) fn is_built_in(oid: Oid) -> bool {
    oid.to_u32() < pg_sys::FirstNormalObjectId
}

/// Removes the pair of parentheses around a text, where it is the only one.
fn without_parentheses(written: String) -> String {
    match written.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
        Some(inner) if !inner.contains(['(', ')']) => inner.to_owned(),
        _ => written,
    }
}
