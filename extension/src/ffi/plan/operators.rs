//! Operators whose functions have effects. Estimates of selectivity call an operator's function for the most common values of a column,
//! whatever its volatility, and without asking a hook where it is built in: an operator over `pg_terminate_backend` ended sessions.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ffi::{c_int, c_void};

use pgrx::pg_guard;
use pgrx::pg_sys::{self, NodeTag, Oid};

use super::nodes::tag;
use crate::ffi::c_string::copy_c_string;

thread_local! {
    /// Addresses of the queries of a plan that were looked through.
    static SEEN: RefCell<BTreeSet<usize>> = const { RefCell::new(BTreeSet::new()) };
}

/// An operator with a volatile function in a query that is planned, or in one around it, whose conditions are estimated by statistics of
/// tables below; `None` if there is none in those that were not looked through before.
///
/// # Safety
/// The planner's data of a query.
pub(super) unsafe fn find_volatile(mut root: *mut pg_sys::PlannerInfo) -> Option<String> {
    let mut found = pg_sys::InvalidOid;
    // SAFETY: the walker is called with the nodes of the query and with `found`. A query whose tables are known has its functions inlined.
    unsafe {
        while let Some(query) = root.as_ref() {
            if !query.simple_rel_array.is_null() && SEEN.with_borrow_mut(|seen| seen.insert(root.addr())) {
                let context = std::ptr::from_mut(&mut found).cast();
                pg_sys::query_tree_walker_impl(query.parse, Some(walk), context, 0);
            }
            root = query.parent_root;
        }
        (found != pg_sys::InvalidOid).then(|| copy_c_string(pg_sys::format_operator(found)))
    }
}

/// Forgets which queries were looked through, before another plan.
pub(super) fn forget() {
    SEEN.take();
}

/// Callback of PostgreSQL's walkers. Only they may call it: an error leaves it as PostgreSQL's own, for C to pass on.
#[pg_guard]
unsafe extern "C-unwind" fn walk(node: *mut pg_sys::Node, found: *mut c_void) -> bool {
    // SAFETY: called with a node of the query, which is what its tag says, and with the number that the walk began with.
    unsafe {
        let operator = match tag(node) {
            NodeTag::T_Invalid => return false,
            NodeTag::T_Query => return pg_sys::query_tree_walker_impl(node.cast(), Some(walk), found, 0 as c_int),
            // Each of them is an OpExpr by another name (src/include/nodes/primnodes.h).
            NodeTag::T_OpExpr | NodeTag::T_DistinctExpr | NodeTag::T_NullIfExpr => {
                (*node.cast::<pg_sys::OpExpr>()).opno
            }
            NodeTag::T_ScalarArrayOpExpr => (*node.cast::<pg_sys::ScalarArrayOpExpr>()).opno,
            _ => pg_sys::InvalidOid,
        };
        if operator.to_u32() >= pg_sys::FirstNormalObjectId && has_volatile_kin(operator) {
            *found.cast::<Oid>() = operator;
            return true;
        }
        pg_sys::expression_tree_walker_impl(node, Some(walk), found)
    }
}

/// True if the function of an operator is volatile, or that of one which stands in for it in an estimate: its negator, the commutator of
/// either.
unsafe fn has_volatile_kin(operator: Oid) -> bool {
    // SAFETY: look-ups of the catalogue in a transaction.
    unsafe {
        let negator = pg_sys::get_negator(operator);
        let kin = [operator, negator, pg_sys::get_commutator(operator), pg_sys::get_commutator(negator)];
        let functions = kin.into_iter().map(|operator| pg_sys::get_opcode(operator));
        let mut functions = functions.filter(|function| *function != pg_sys::InvalidOid);
        functions.any(|function| pg_sys::func_volatile(function) as u8 == pg_sys::PROVOLATILE_VOLATILE)
    }
}
