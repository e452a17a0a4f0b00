//! Constants that a plan does without. In their place stands a parameter, of which the planner knows the type alone, as of those that
//! pg_stat_statements puts in the place of literals.
//!
//! A statement is planned so where planning it as it stands is refused: a function of a user's may belong to somebody else or execute queries,
//! and PostgreSQL's own may take without bound: `translate` of two constants of 60 kB takes 26 s, during which PostgreSQL neither
//! cancels a statement nor ends a session. What is left is computed: PostgreSQL's own functions of numbers and of types of fixed length, such as
//! `now() - interval '1 day'`.

use std::ffi::{c_int, c_void};

use pgrx::pg_sys::{self, NodeTag, Oid};
use pgrx::{PgBox, pg_guard};

use super::catalog::{Function, Language};
use super::nodes::{places, tag};
use super::predicate::is_built_in;

/// Longest constant that a plan keeps, bytes: estimates compare it with each of up to 10,000 common values of a column.
const MAX_CONSTANT: usize = 2 << 10;

/// Number of the parameters: no statement has so many of its own.
const PARAMETER: c_int = c_int::MAX;

/// Kinds of nodes of which a computed constant may be made.
const PARTS: &[NodeTag] = &[
    NodeTag::T_Const,
    NodeTag::T_FuncExpr,
    NodeTag::T_NamedArgExpr,
    NodeTag::T_OpExpr,
    NodeTag::T_DistinctExpr,
    NodeTag::T_NullIfExpr,
    NodeTag::T_ScalarArrayOpExpr,
    NodeTag::T_BoolExpr,
    NodeTag::T_NullTest,
    NodeTag::T_BooleanTest,
    NodeTag::T_SubscriptingRef,
    NodeTag::T_FieldSelect,
    NodeTag::T_RelabelType,
    NodeTag::T_CoerceViaIO,
    NodeTag::T_ArrayCoerceExpr,
    NodeTag::T_ConvertRowtypeExpr,
    NodeTag::T_CollateExpr,
    NodeTag::T_CoerceToDomain,
    NodeTag::T_ArrayExpr,
    NodeTag::T_RowExpr,
    NodeTag::T_CoalesceExpr,
    NodeTag::T_MinMaxExpr,
    NodeTag::T_SQLValueFunction,
];

/// Constants for which a parameter stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Replaced {
    /// Long ones.
    Long,
    /// Those for which there is no bound, too: computed by functions, and compared by a user's operators or in a user's range type.
    Unbounded,
}

/// The query with parameters in the place of constants.
///
/// # Safety
/// A query after rewriting, in a transaction.
pub(super) unsafe fn replace(query: *mut pg_sys::Query, mut replaced: Replaced) -> *mut pg_sys::Query {
    // SAFETY: as the caller promises; the mutator copies what it changes.
    unsafe { pg_sys::query_tree_mutator_impl(query, Some(mutate), std::ptr::from_mut(&mut replaced).cast(), 0) }
}

/// True of numbers, enumerations and types of fixed length. Of these numeric alone has no fixed one, but at most 150,000 digits.
fn is_bounded(type_oid: Oid) -> bool {
    // SAFETY: look-ups of the catalogue in a transaction.
    unsafe {
        let is_value = pg_sys::get_typtype(type_oid) as u8 != pg_sys::TYPTYPE_PSEUDO;
        [pg_sys::NUMERICOID, pg_sys::ANYENUMOID].contains(&type_oid) || is_value && pg_sys::get_typlen(type_oid) > 0
    }
}

/// True of functions that take and give nothing but bounded values. PostgreSQL's own of others may keep a session at work for hours.
pub(super) fn takes_bounded(function: Oid) -> bool {
    let (mut types, mut count) = (std::ptr::null_mut(), 0);
    // SAFETY: a look-up of the catalogue in a transaction; an array of as many numbers as it is said to have.
    unsafe {
        let result = pg_sys::get_func_signature(function, &mut types, &mut count);
        let arguments = (0..count as usize).map(|at| *types.add(at));
        arguments.chain([result]).all(is_bounded)
    }
}

/// True of a function that executes queries.
fn is_query(function: Oid) -> bool {
    Function::read(function).is_some_and(|function| function.language == Language::Sql)
}

/// Callback of PostgreSQL's mutators. Only they may call it: an error leaves it as PostgreSQL's own, for C to pass on.
#[pg_guard]
unsafe extern "C-unwind" fn mutate(node: *mut pg_sys::Node, context: *mut c_void) -> *mut pg_sys::Node {
    // SAFETY: called with a node of the query, which is what its tag says, and with what `replace` began with.
    unsafe {
        let unbounded = *context.cast::<Replaced>() == Replaced::Unbounded;
        match tag(node) {
            NodeTag::T_Invalid => node,
            NodeTag::T_Query => pg_sys::query_tree_mutator_impl(node.cast(), Some(mutate), context, 0).cast(),
            NodeTag::T_Const if length(node.cast()) > MAX_CONSTANT => parameter_for(node),
            NodeTag::T_Const if unbounded && is_users_range(pg_sys::exprType(node)) => parameter_for(node),
            NodeTag::T_Const => pg_sys::expression_tree_mutator_impl(node, Some(mutate), context),
            kind if unbounded && PARTS.contains(&kind) && Constant::examine(node).is_unbounded() => parameter_for(node),
            _ => {
                let copy = pg_sys::expression_tree_mutator_impl(node, Some(mutate), context);
                if unbounded {
                    replace_compared(copy);
                }
                copy
            }
        }
    }
}

/// Replaces constants that a user's operator compares: estimates call its function with them.
unsafe fn replace_compared(node: *mut pg_sys::Node) {
    // SAFETY: a copy of a node of the query, which is what its tag says.
    unsafe {
        let (operator, arguments) = match tag(node) {
            NodeTag::T_OpExpr => ((*node.cast::<pg_sys::OpExpr>()).opno, (*node.cast::<pg_sys::OpExpr>()).args),
            NodeTag::T_ScalarArrayOpExpr => {
                let membership = node.cast::<pg_sys::ScalarArrayOpExpr>();
                ((*membership).opno, (*membership).args)
            }
            _ => return,
        };
        for argument in places::<pg_sys::Node>(arguments).filter(|_| !is_built_in(operator)) {
            if tag(*argument) == NodeTag::T_Const {
                *argument = parameter_for(*argument);
            }
        }
    }
}

unsafe fn is_users_range(type_oid: Oid) -> bool {
    // SAFETY: a look-up of the catalogue in a transaction.
    unsafe {
        let kind = pg_sys::get_typtype(type_oid) as u8;
        !is_built_in(type_oid) && [pg_sys::TYPTYPE_RANGE, pg_sys::TYPTYPE_MULTIRANGE].contains(&kind)
    }
}

/// Result of a look through an expression.
#[derive(Default)]
struct Constant {
    /// True if it has anything else than constants.
    varies: bool,
    /// True if it has a function for which there is no bound.
    calls_unbounded: bool,
}

impl Constant {
    unsafe fn examine(node: *mut pg_sys::Node) -> Constant {
        let mut constant = Constant::default();
        // SAFETY: the walker is called with the nodes of the expression and with this.
        unsafe { visit(node, std::ptr::from_mut(&mut constant).cast()) };
        constant
    }

    fn is_unbounded(&self) -> bool {
        self.calls_unbounded && !self.varies
    }
}

/// Callback of PostgreSQL's walkers.
#[pg_guard]
unsafe extern "C-unwind" fn walk(node: *mut pg_sys::Node, context: *mut c_void) -> bool {
    // SAFETY: the walker's promises are those of `visit`.
    unsafe { visit(node, context) }
}

/// Examines a node, and has the walker call for each below it; true at one that varies.
///
/// # Safety
/// A node of the expression, and what the walk began with.
unsafe fn visit(node: *mut pg_sys::Node, context: *mut c_void) -> bool {
    // SAFETY: called with a node of the expression, which is what its tag says, and with the `Constant` that the walk began with.
    unsafe {
        let constant = &mut *context.cast::<Constant>();
        match tag(node) {
            NodeTag::T_Invalid => return false,
            NodeTag::T_FuncExpr if (*node.cast::<pg_sys::FuncExpr>()).funcretset => constant.varies = true,
            NodeTag::T_List => {}
            kind => constant.varies |= !PARTS.contains(&kind),
        }
        constant.varies
            || pg_sys::check_functions_in_node(node, Some(note_function), context)
            || pg_sys::expression_tree_walker_impl(node, Some(walk), context)
    }
}

#[pg_guard]
unsafe extern "C-unwind" fn note_function(function: Oid, context: *mut c_void) -> bool {
    // SAFETY: called with the context of `walk`, and a look-up of the catalogue in a transaction.
    unsafe {
        let constant = &mut *context.cast::<Constant>();
        constant.varies |= pg_sys::func_volatile(function) as u8 == pg_sys::PROVOLATILE_VOLATILE;
        constant.calls_unbounded |= !is_built_in(function) || is_query(function) || !takes_bounded(function);
        constant.varies
    }
}

/// Bytes of a constant.
unsafe fn length(constant: *mut pg_sys::Const) -> usize {
    // SAFETY: a constant of variable length that is not null points to one.
    unsafe {
        match (*constant).constlen {
            -1 if !(*constant).constisnull => pgrx::varsize_any((*constant).constvalue.cast_mut_ptr()),
            _ => 0,
        }
    }
}

/// A parameter of the type of an expression.
unsafe fn parameter_for(expression: *mut pg_sys::Node) -> *mut pg_sys::Node {
    // SAFETY: an expression; the node is allocated in the current context, where the query is, too.
    unsafe {
        let mut parameter = PgBox::<pg_sys::Param>::alloc_node(NodeTag::T_Param);
        parameter.paramkind = pg_sys::ParamKind::PARAM_EXTERN;
        parameter.paramid = PARAMETER;
        parameter.paramtype = pg_sys::exprType(expression);
        parameter.paramtypmod = pg_sys::exprTypmod(expression);
        parameter.paramcollid = pg_sys::exprCollation(expression);
        parameter.location = -1;
        parameter.into_pg().cast()
    }
}
