//! Tests of a column with a constant, as PostgreSQL writes them: a partial index can be limited to one.

use pgrx::pg_sys::{self, NodeTag, Oid};

use super::nodes::tag;
use crate::ffi::c_string::copy_c_string;

/// Longest test that an index is limited to, bytes.
const MAX_PREDICATE: usize = 1_000;

/// The text of a test of one column of a table, without the table's name; `None` where it would need anything but PostgreSQL's
/// own operators that never change their answer. Called with the settings of [`super::with_output_settings`].
///
/// # Safety
/// A test of a scan of that table, in which columns are named by the table itself.
pub(super) unsafe fn deparse_predicate(test: *mut pg_sys::Node, table: Oid) -> Option<String> {
    // SAFETY: the copy may be changed; the context knows one table, under number 1.
    unsafe {
        let copy = pg_sys::copyObjectImpl(test.cast()).cast::<pg_sys::Node>();
        let var = sole_column(copy)?;
        ((*var).varno, (*var).varattnosyn) = (1, (*var).varattno);
        (*var).varnosyn = 1;
        let context = pg_sys::deparse_context_for(pg_sys::get_rel_name(table), table);
        let written = copy_c_string(pg_sys::deparse_expression(copy, context, false, false));
        (written.len() <= MAX_PREDICATE).then(|| without_parentheses(written))
    }
}

/// The column of a test that may be deparsed.
///
/// # Safety
/// A test.
pub(super) unsafe fn sole_column(test: *mut pg_sys::Node) -> Option<*mut pg_sys::Var> {
    // SAFETY: nodes are read as what their tags say.
    unsafe {
        match tag(test) {
            NodeTag::T_OpExpr => {
                let operation = test.cast::<pg_sys::OpExpr>();
                let function = (*operation).opfuncid;
                let constant = pg_sys::func_volatile(function) as u8 == pg_sys::PROVOLATILE_IMMUTABLE;
                let arguments = (*operation).args;
                let declared = has_declared_types((*operation).opno, arguments);
                if !is_built_in((*operation).opno) || !is_built_in(function) || !constant || !declared {
                    return None;
                }
                let left = pg_sys::list_nth(arguments, 0).cast();
                let right = pg_sys::list_nth(arguments, 1).cast();
                match (column(left), column(right)) {
                    (Some(var), None) => is_constant(right).then_some(var),
                    (None, Some(var)) => is_constant(left).then_some(var),
                    _ => None,
                }
            }
            NodeTag::T_NullTest => column((*test.cast::<pg_sys::NullTest>()).arg.cast()),
            NodeTag::T_BoolExpr => {
                let negation = test.cast::<pg_sys::BoolExpr>();
                let single = (*negation).boolop == pg_sys::BoolExprType::NOT_EXPR;
                single.then(|| column(pg_sys::list_nth((*negation).args, 0).cast())).flatten()
            }
            _ => column(test),
        }
    }
}

/// A column by itself, or relabelled as a type of PostgreSQL's own.
unsafe fn column(expression: *mut pg_sys::Node) -> Option<*mut pg_sys::Var> {
    // SAFETY: nodes are read as what their tags say.
    unsafe {
        let mut label = expression;
        while tag(label) == NodeTag::T_RelabelType {
            let relabelled = label.cast::<pg_sys::RelabelType>();
            if !is_built_in((*relabelled).resulttype) {
                return None;
            }
            label = (*relabelled).arg.cast();
        }
        let var = label.cast::<pg_sys::Var>();
        (tag(label) == NodeTag::T_Var && (*var).varno > 0 && (*var).varattno > 0).then_some(var)
    }
}

/// True if an operator is declared for just the types of its two arguments. One that takes any enumeration, array or row is
/// written as any other, and a user's operator for that very type would be used in its place where the command is run.
unsafe fn has_declared_types(operator: Oid, arguments: *mut pg_sys::List) -> bool {
    // SAFETY: a catalogue look-up in a transaction; the arguments are expressions.
    unsafe {
        let (mut left, mut right) = (pg_sys::InvalidOid, pg_sys::InvalidOid);
        pg_sys::op_input_types(operator, &mut left, &mut right);
        (*arguments).length == 2
            && pg_sys::exprType(pg_sys::list_nth(arguments, 0).cast()) == left
            && pg_sys::exprType(pg_sys::list_nth(arguments, 1).cast()) == right
    }
}

/// A constant of one of PostgreSQL's own types.
unsafe fn is_constant(expression: *mut pg_sys::Node) -> bool {
    // SAFETY: a Const, by its tag.
    unsafe {
        if tag(expression) != NodeTag::T_Const {
            return false;
        }
        let constant = expression.cast::<pg_sys::Const>();
        is_built_in((*constant).consttype) && !(*constant).constisnull
    }
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
