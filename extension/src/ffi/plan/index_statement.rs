//! Checks of an index definition before hypopg gets it or the user sees it: exactly one CREATE INDEX on that table, of its
//! columns, limited by nothing but PostgreSQL's own functions that never change their answer.

use std::ffi::{CString, c_char};

use pgrx::pg_guard;
use pgrx::pg_sys::{self, NodeTag, Oid};

use super::barrier::Barrier;
use super::clauses::split_conjunction;
use super::nodes::{elements, tag};
use super::output_settings::with_output_settings;
use super::predicate::sole_column;
use super::rules::Permitted;
use crate::ffi::c_string::copy_c_string;
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
    // SAFETY: in a transaction; whatever the parser and the look-ups lock or allocate is undone.
    let check = || with_output_settings(|| unsafe { check(&text, Oid::from_u32(table)) });
    attempt(|| barrier.around(Permitted::Nothing, check))??.map_err(str::to_owned)
}

unsafe fn check(text: &CString, table: Oid) -> Result<(), &'static str> {
    // SAFETY: nodes are read as what their tags say.
    unsafe {
        let list = pg_sys::raw_parser(text.as_ptr(), pg_sys::RawParseMode::RAW_PARSE_DEFAULT);
        let mut statements = elements::<pg_sys::RawStmt>(list);
        let first = statements.next().filter(|_| statements.len() == 0).ok_or("it is not one statement")?;
        if tag((*first).stmt) != NodeTag::T_IndexStmt {
            return Err("it is no CREATE INDEX");
        }
        let statement = (*first).stmt.cast::<pg_sys::IndexStmt>();
        let lock = pg_sys::AccessShareLock as pg_sys::LOCKMODE;
        let range_var = (*statement).relation;
        let relation = pg_sys::RangeVarGetRelidExtended(range_var, lock, 0, None, std::ptr::null_mut());
        if (*range_var).schemaname.is_null() || relation != table {
            return Err("it is on another table");
        }
        if !is_plain(statement) || !columns((*statement).indexParams) || !columns((*statement).indexIncludingParams) {
            return Err("it is more than columns of a table");
        }
        if (*statement).whereClause.is_null() {
            return Ok(());
        }
        let transformed = transform_index_stmt(table, statement, text.as_ptr());
        let condition = pg_sys::eval_const_expressions(std::ptr::null_mut(), (*transformed).whereClause);
        if split_conjunction(&[condition]).into_iter().all(|test| sole_column(test).is_some()) {
            Ok(())
        } else {
            Err("its condition is more than tests of columns by PostgreSQL's own operators")
        }
    }
}

/// A b-tree by default, without a name, options or a tablespace.
pub(super) unsafe fn is_plain(statement: *const pg_sys::IndexStmt) -> bool {
    // SAFETY: a statement of the parser's, which names the default access method.
    unsafe {
        let statement = &*statement;
        copy_c_string(statement.accessMethod) == "btree"
            && statement.idxname.is_null()
            && statement.tableSpace.is_null()
            && statement.options.is_null()
            && statement.excludeOpNames.is_null()
            && !statement.unique
    }
}

/// Columns by name alone, without expressions, collations and operator classes.
pub(super) unsafe fn columns(list: *const pg_sys::List) -> bool {
    // SAFETY: a list of IndexElem.
    unsafe {
        elements::<pg_sys::IndexElem>(list).all(|element| {
            let element = &*element;
            !element.name.is_null()
                && element.expr.is_null()
                && element.collation.is_null()
                && element.opclass.is_null()
        })
    }
}
