//! Plans of statements that others wrote, read out of PostgreSQL's own trees and never out of a text.
//!
//! - [`explain`]: one statement parsed, rewritten and planned, with hypothetical indexes where there are any.
//! - [`literals`], [`code_owners`]: refuse what would run code with rights that its owner does not have.
//! - [`tree`], [`clauses`], [`expressions`]: the plan as the model takes it.
//! - [`predicate`]: a test of a column as text, written by PostgreSQL.
//! - [`index_statement`]: an index definition is parsed before anybody gets it.

mod clauses;
mod code_owners;
mod explain;
mod expressions;
mod index_statement;
mod literals;
mod predicate;
mod tree;

pub use explain::{Explained, explain};
pub use index_statement::check_index;

use std::ffi::CStr;

use pgrx::pg_sys;

use super::statistics::text;

/// Pointers in a list of PostgreSQL's, in its order; none of NIL.
///
/// # Safety
/// `list` is NIL or a list of pointers that lives longer than what is made of the result.
unsafe fn elements<T>(list: *const pg_sys::List) -> impl DoubleEndedIterator<Item = *mut T> + ExactSizeIterator {
    // SAFETY: a list has as many cells as its length says.
    let cells = unsafe {
        match list.as_ref() {
            Some(list) => std::slice::from_raw_parts(list.elements, list.length as usize),
            None => &[],
        }
    };
    // SAFETY: a list of pointers, as the caller promises.
    cells.iter().map(|cell| unsafe { cell.ptr_value.cast::<T>() })
}

/// The type of a node; that of none is T_Invalid.
///
/// # Safety
/// Null or a node of PostgreSQL's.
unsafe fn tag<T>(node: *const T) -> pg_sys::NodeTag {
    // SAFETY: each node begins with its tag.
    unsafe { node.cast::<pg_sys::Node>().as_ref().map_or(pg_sys::NodeTag::T_Invalid, |node| node.type_) }
}

/// Numbers in a list of PostgreSQL's, in its order; none of NIL.
///
/// # Safety
/// `list` is NIL or a list of numbers of the catalogue that lives longer than what is made of the result.
unsafe fn oids(list: *const pg_sys::List) -> impl Iterator<Item = pg_sys::Oid> {
    // SAFETY: a list has as many numbers as its length says.
    unsafe {
        let length = list.as_ref().map_or(0, |list| list.length);
        (0..length).map(move |at| pg_sys::list_nth_oid(list, at))
    }
}

/// Runs `body` with settings under which names that are not PostgreSQL's own are written with their schema, and dates so that
/// everybody reads the same.
fn with_own_names<R>(body: impl FnOnce() -> R) -> R {
    const SETTINGS: [(&CStr, &CStr); 3] =
        [(c"search_path", c"pg_catalog, pg_temp"), (c"DateStyle", c"ISO, YMD"), (c"IntervalStyle", c"postgres")];
    // SAFETY: in a transaction; what is set is undone below, or by the abort of the subtransaction where `body` raises an error.
    unsafe {
        let level = pg_sys::NewGUCNestLevel();
        for (name, value) in SETTINGS {
            pg_sys::set_config_option(
                name.as_ptr(),
                value.as_ptr(),
                pg_sys::GucContext::PGC_USERSET,
                pg_sys::GucSource::PGC_S_SESSION,
                pg_sys::GucAction::GUC_ACTION_SAVE,
                true,
                0,
                false,
            );
        }
        let result = body();
        pg_sys::AtEOXact_GUC(true, level);
        result
    }
}
