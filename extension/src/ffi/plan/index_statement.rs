//! Checks of an index definition before hypopg gets it or the user sees it: exactly one CREATE INDEX on that table, of its
//! columns, limited by nothing but PostgreSQL's own functions that never change their answer.

use std::ffi::{CStr, CString, c_char};

use pgrx::pg_guard;
use pgrx::pg_sys::{self, Oid};

use super::barrier::Barrier;
use super::clauses::split_conjunction;
use super::nodes::{List, NodeView, View};
use super::output_settings::with_output_settings;
use super::predicate::sole_column;
use super::rules::Permitted;
use crate::ffi::subtransaction::attempt;

#[pg_guard]
unsafe extern "C-unwind" {
    #[link_name = "transformIndexStmt"]
    fn transform_index_stmt(
        table: Oid,
        statement: *mut pg_sys::IndexStmt,
        text: *const c_char,
    ) -> *mut pg_sys::IndexStmt;
}

/// Refuses a text that is anything else, with the reason.
pub fn check_index(command: &str, table: u32, barrier: &Barrier) -> Result<(), String> {
    let text = CString::new(command).map_err(|_| "it has a zero byte".to_owned())?;
    let check = |statement: View<'_, _>| check(statement, &text, Oid::from_u32(table));
    let check = || with_output_settings(|| with_statement(&text, check));
    attempt(|| barrier.around(Permitted::Nothing, check))??.map_err(str::to_owned)
}

/// Parses a text, and refuses all but one statement, on which it calls `check`. In a subtransaction, which undoes whatever the parser allocates.
pub(super) fn with_statement<R>(
    text: &CStr,
    check: impl FnOnce(NodeView) -> Result<R, &'static str>,
) -> Result<R, &'static str> {
    // SAFETY: the parser reads the C string and allocates in the current context; a list of RawStmt comes out.
    let statements: List<pg_sys::RawStmt> =
        unsafe { List::new(pg_sys::raw_parser(text.as_ptr(), pg_sys::RawParseMode::RAW_PARSE_DEFAULT)) };
    let [statement] = statements.exactly().ok_or("it is not one statement")?;
    check(statement.stmt().ok_or("it is not one statement")?)
}

fn check(statement: NodeView, text: &CStr, table: Oid) -> Result<(), &'static str> {
    let statement = statement.get::<pg_sys::IndexStmt>().ok_or("it is no CREATE INDEX")?;
    let lock = pg_sys::AccessShareLock as pg_sys::LOCKMODE;
    // SAFETY: a table's name of the parser's, in a transaction; without a callback.
    let relation = unsafe { pg_sys::RangeVarGetRelidExtended(statement.relation, lock, 0, None, std::ptr::null_mut()) };
    if statement.relation().is_none_or(|named| named.schemaname.is_null()) || relation != table {
        return Err("it is on another table");
    }
    if !is_plain(statement) {
        return Err("it is more than columns of a table");
    }
    if statement.whereClause.is_null() {
        return Ok(());
    }
    // SAFETY: a statement of the parser's on that table, which is locked; no view of it is used after it was changed.
    let condition = unsafe {
        let transformed = transform_index_stmt(table, statement.as_ptr(), text.as_ptr());
        View::new(pg_sys::eval_const_expressions(std::ptr::null_mut(), (*transformed).whereClause))
    };
    let tests = condition.map(|condition| split_conjunction(&[condition]));
    let is_simple = tests.is_some_and(|tests| tests.into_iter().all(|test| sole_column(test).is_some()));
    is_simple.then_some(()).ok_or("its condition is more than tests of columns by PostgreSQL's own operators")
}

/// A b-tree by default on columns, without a name, options or a tablespace.
pub(super) fn is_plain(statement: View<pg_sys::IndexStmt>) -> bool {
    statement.accessMethod() == "btree"
        && statement.idxname.is_null()
        && statement.tableSpace.is_null()
        && statement.options.is_null()
        && statement.excludeOpNames.is_null()
        && !statement.unique
        && statement.indexParams().iter().chain(statement.indexIncludingParams().iter()).all(is_column)
}

/// A column by name alone, without expression, collation and operator class.
fn is_column(element: View<pg_sys::IndexElem>) -> bool {
    !element.name.is_null() && element.expr.is_null() && element.collation.is_null() && element.opclass.is_null()
}
