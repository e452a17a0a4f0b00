//! Quoted texts in a statement that was parsed and no more. pg_stat_statements puts parameters in their place, except where it
//! could not number them. PostgreSQL reads a text while it finds out its type, and runs the checks of a domain for it, in an
//! array or a row too, before their owners can be checked.

use std::ffi::{CStr, c_void};

use pgrx::pg_guard;
use pgrx::pg_sys::{self, NodeTag};

use super::nodes::tag;

/// Text of the statement, and the result of the walk.
struct Search<'a> {
    text: &'a [u8],
    has_literal: bool,
}

/// True if a statement has a text in quotes.
///
/// # Safety
/// The statement that the parser made of this text.
pub(super) unsafe fn has_quoted_literal(statement: *mut pg_sys::Node, text: &CStr) -> bool {
    let mut search = Search { text: text.to_bytes(), has_literal: false };
    // SAFETY: the walker is called with the nodes of the statement and with the search.
    unsafe { visit(statement, std::ptr::from_mut(&mut search).cast()) };
    search.has_literal
}

/// Callback of PostgreSQL's walkers. Only they may call it: an error leaves it as PostgreSQL's own, for C to pass on.
#[pg_guard]
unsafe extern "C-unwind" fn walk(node: *mut pg_sys::Node, context: *mut c_void) -> bool {
    // SAFETY: the walker's promises are those of `visit`.
    unsafe { visit(node, context) }
}

/// Checks a node, and has the walker call for each below it.
///
/// # Safety
/// A node of the tree, and what the walk began with.
unsafe fn visit(node: *mut pg_sys::Node, context: *mut c_void) -> bool {
    // SAFETY: called by PostgreSQL's walker with a node of the statement, and with the `Search` that the walk began with.
    unsafe {
        if node.is_null() {
            return false;
        }
        if tag(node) == NodeTag::T_A_Const {
            let search = &mut *context.cast::<Search>();
            search.has_literal |= is_quoted(node.cast(), search.text);
            return search.has_literal;
        }
        pg_sys::raw_expression_tree_walker_impl(node, Some(walk), context)
    }
}

/// True of a text in quotes, and not of a word that the grammar turns into a text, as in `extract(epoch FROM d)`.
unsafe fn is_quoted(constant: *mut pg_sys::A_Const, text: &[u8]) -> bool {
    // SAFETY: a constant is what its tag says.
    unsafe {
        if (*constant).isnull || tag(&raw const (*constant).val.node) != NodeTag::T_String {
            return false;
        }
        let value = CStr::from_ptr((*constant).val.sval.sval).to_bytes();
        let place = usize::try_from((*constant).location).ok().and_then(|from| text.get(from..));
        let word = |place: &[u8]| place.get(..value.len()).is_some_and(|word| word.eq_ignore_ascii_case(value));
        value.is_empty() || !place.is_some_and(word)
    }
}
