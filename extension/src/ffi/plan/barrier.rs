//! The barrier around planning: what planning may call, and that it executes nothing.
//!
//! Planning runs code: functions of constant arguments, checks of domains, expressions of indexes and partition keys, operators on
//! statistics, also by the number of a type or a table that stands in a text. While the barrier is up, PostgreSQL asks here whenever it
//! makes the call information of a function that is not built in (`needs_fmgr_hook`, as sepgsql uses it), before it calls one with rights or
//! settings of its own, for which it does not ask that (`fmgr_hook`), and before any function of an expression is computed
//! (`object_access_hook`). A query below planning is refused, since built-in functions take its text or its tables as arguments. What may
//! be called stands in [`rules`](super::rules). No hook is set while nothing is planned.

use std::ffi::{c_char, c_int, c_void};

use pgrx::pg_guard;
use pgrx::pg_sys::{self, Oid};

use super::cached_calls::CachedCalls;
use super::hooks::Hook;
use super::rules::{
    self, Permitted, Rules, check_call, check_computed, check_operators, check_statement, check_table, is_up, obstacle,
    refuse,
};
use super::statistics::are_plausible;

/// A barrier around planning: roles that may own the code that it runs.
#[derive(Clone)]
pub struct Barrier {
    /// The role that asks.
    pub asker: Oid,
    /// The role that is planned as. An owner of code must be both roles, or may `SET ROLE` to them, as a superuser may.
    pub planned_as: Oid,
    /// Types of which the session may keep call information of users' functions.
    pub types: Vec<Oid>,
    /// Ends the statement where it is to end, by unwinding.
    pub check_interrupts: fn(),
}

impl Barrier {
    /// Runs `body` behind the barrier, or returns the reason for which it held something back.
    pub fn around<R>(&self, permitted: Permitted, body: impl FnOnce() -> R) -> Result<R, String> {
        let up = Up::new(self, permitted);
        let result = body();
        // A function may have caught the error.
        match up.end() {
            Some(reason) => Err(reason),
            None => Ok(result),
        }
    }
}

macro_rules! hooks {
    ($($name:ident: $place:ident, $function:ident as $type:ty;)*) => {
        thread_local! { $(static $name: Hook<$type> = const { Hook::new() };)* }

        /// Sets all hooks.
        fn set_hooks() {
            // SAFETY: the place, and below the function, of each hook.
            $($name.with(|hook| unsafe { hook.set(&raw mut pg_sys::$place, $function as $type) });)*
        }

        /// Puts back what they were before.
        fn unset_hooks() {
            // SAFETY: as in `set_hooks`.
            $($name.with(|hook| unsafe { hook.unset(&raw mut pg_sys::$place, $function as $type) });)*
        }
    };
}

type NeedsFmgr = unsafe extern "C-unwind" fn(Oid) -> bool;
type Fmgr = unsafe extern "C-unwind" fn(pg_sys::FmgrHookEventType::Type, *mut pg_sys::FmgrInfo, *mut pg_sys::Datum);
type ExecutorStart = unsafe extern "C-unwind" fn(*mut pg_sys::QueryDesc, c_int);
type ObjectAccess = unsafe extern "C-unwind" fn(pg_sys::ObjectAccessType::Type, Oid, Oid, c_int, *mut c_void);
type RelationInfo = unsafe extern "C-unwind" fn(*mut pg_sys::PlannerInfo, Oid, bool, *mut pg_sys::RelOptInfo);
type RelationStats = unsafe extern "C-unwind" fn(
    *mut pg_sys::PlannerInfo,
    *mut pg_sys::RangeTblEntry,
    pg_sys::AttrNumber,
    *mut pg_sys::VariableStatData,
) -> bool;
type IndexStats = unsafe extern "C-unwind" fn(
    *mut pg_sys::PlannerInfo,
    Oid,
    pg_sys::AttrNumber,
    *mut pg_sys::VariableStatData,
) -> bool;
type ProcessUtility = unsafe extern "C-unwind" fn(
    *mut pg_sys::PlannedStmt,
    *const c_char,
    bool,
    pg_sys::ProcessUtilityContext::Type,
    pg_sys::ParamListInfo,
    *mut pg_sys::QueryEnvironment,
    *mut pg_sys::DestReceiver,
    *mut pg_sys::QueryCompletion,
);

hooks! {
    NEEDS_FMGR: needs_fmgr_hook, needs_fmgr as NeedsFmgr;
    FMGR: fmgr_hook, fmgr as Fmgr;
    EXECUTOR_START: ExecutorStart_hook, executor_start as ExecutorStart;
    PROCESS_UTILITY: ProcessUtility_hook, process_utility as ProcessUtility;
    OBJECT_ACCESS: object_access_hook, object_access as ObjectAccess;
    RELATION_INFO: get_relation_info_hook, relation_info as RelationInfo;
    RELATION_STATS: get_relation_stats_hook, relation_stats as RelationStats;
    INDEX_STATS: get_index_stats_hook, index_stats as IndexStats;
}

/// The barrier, up while this lives.
struct Up {
    _cached: CachedCalls,
}

impl Up {
    fn new(barrier: &Barrier, permitted: Permitted) -> Up {
        let rules = Rules {
            roles: [barrier.asker, barrier.planned_as],
            has_effects: matches!(permitted, Permitted::Queries),
            check_interrupts: barrier.check_interrupts,
        };
        let is_refused = |function| obstacle(function, rules).is_some();
        let cached = CachedCalls::withdraw(&barrier.types, refuse_call, is_refused);
        rules::begin(rules, permitted);
        set_hooks();
        Up { _cached: cached }
    }

    /// Takes it down; the reason for which it held something back.
    fn end(self) -> Option<String> {
        rules::end()
    }
}

impl Drop for Up {
    fn drop(&mut self) {
        unset_hooks();
        rules::end();
    }
}

#[pg_guard]
unsafe extern "C-unwind" fn needs_fmgr(function: Oid) -> bool {
    // PostgreSQL asks here before it inlines a function of SQL, too.
    check_call(function);
    // SAFETY: the arguments of this call.
    NEEDS_FMGR.with(|hook| hook.pass_on(|previous| unsafe { previous(function) })).unwrap_or(false)
}

#[pg_guard]
unsafe extern "C-unwind" fn fmgr(
    event: pg_sys::FmgrHookEventType::Type,
    info: *mut pg_sys::FmgrInfo,
    argument: *mut pg_sys::Datum,
) {
    if event == pg_sys::FmgrHookEventType::FHET_START {
        // SAFETY: PostgreSQL calls it with the call information of the function.
        check_call(unsafe { (*info).fn_oid });
    }
    // SAFETY: the arguments of this call.
    FMGR.with(|hook| hook.pass_on(|previous| unsafe { previous(event, info, argument) }));
}

#[pg_guard]
unsafe extern "C-unwind" fn executor_start(query: *mut pg_sys::QueryDesc, flags: c_int) {
    // SAFETY: the arguments of this call.
    unsafe {
        check_statement((*query).sourceText);
        if EXECUTOR_START.with(|hook| hook.pass_on(|previous| previous(query, flags))).is_none() {
            pg_sys::standard_ExecutorStart(query, flags);
        }
    }
}

#[pg_guard]
#[allow(clippy::too_many_arguments)] // PostgreSQL's own
unsafe extern "C-unwind" fn process_utility(
    statement: *mut pg_sys::PlannedStmt,
    text: *const c_char,
    read_only_tree: bool,
    context: pg_sys::ProcessUtilityContext::Type,
    parameters: pg_sys::ParamListInfo,
    environment: *mut pg_sys::QueryEnvironment,
    receiver: *mut pg_sys::DestReceiver,
    completion: *mut pg_sys::QueryCompletion,
) {
    // SAFETY: the arguments of this call.
    unsafe {
        check_statement(text);
        let pass_on = |next: ProcessUtility| {
            next(statement, text, read_only_tree, context, parameters, environment, receiver, completion);
        };
        if PROCESS_UTILITY.with(|hook| hook.pass_on(pass_on)).is_none() {
            pg_sys::standard_ProcessUtility(
                statement,
                text,
                read_only_tree,
                context,
                parameters,
                environment,
                receiver,
                completion,
            );
        }
    }
}

/// Called before each function of an expression that is to be computed, built-in ones among them. PostgreSQL does not look in between
/// whether the statement is to end, nor within most of its functions.
#[pg_guard]
unsafe extern "C-unwind" fn object_access(
    access: pg_sys::ObjectAccessType::Type,
    class: Oid,
    object: Oid,
    part: c_int,
    argument: *mut c_void,
) {
    // SAFETY: the arguments of this call.
    OBJECT_ACCESS.with(|hook| hook.pass_on(|previous| unsafe { previous(access, class, object, part, argument) }));
    let is_call = access == pg_sys::ObjectAccessType::OAT_FUNCTION_EXECUTE;
    check_computed(is_call.then_some(object));
}

/// Called before statistics of a column are used; true for none instead of those that are there.
#[pg_guard]
unsafe extern "C-unwind" fn relation_stats(
    root: *mut pg_sys::PlannerInfo,
    entry: *mut pg_sys::RangeTblEntry,
    column: pg_sys::AttrNumber,
    variable: *mut pg_sys::VariableStatData,
) -> bool {
    // SAFETY: the arguments of this call.
    unsafe {
        check_operators(root);
        let pass_on = |previous: RelationStats| previous(root, entry, column, variable);
        is_up() && !are_plausible((*entry).relid, column, (*entry).inh)
            || RELATION_STATS.with(|hook| hook.pass_on(pass_on)).unwrap_or(false)
    }
}

/// The same for an expression of an index.
#[pg_guard]
unsafe extern "C-unwind" fn index_stats(
    root: *mut pg_sys::PlannerInfo,
    index: Oid,
    column: pg_sys::AttrNumber,
    variable: *mut pg_sys::VariableStatData,
) -> bool {
    // SAFETY: the arguments of this call.
    unsafe {
        check_operators(root);
        let pass_on = |previous: IndexStats| previous(root, index, column, variable);
        is_up() && !are_plausible(index, column, false)
            || INDEX_STATS.with(|hook| hook.pass_on(pass_on)).unwrap_or(false)
    }
}

/// Called for each table of a plan, partitions among them, before anything is estimated. A foreign server would be asked for its
/// estimates.
#[pg_guard]
unsafe extern "C-unwind" fn relation_info(
    root: *mut pg_sys::PlannerInfo,
    table: Oid,
    is_parent: bool,
    relation: *mut pg_sys::RelOptInfo,
) {
    // SAFETY: the arguments of this call.
    unsafe {
        check_table(root, table, relation);
        RELATION_INFO.with(|hook| hook.pass_on(|previous| previous(root, table, is_parent, relation)));
    }
}

/// Stands in for a function whose call information was made before the barrier.
#[pg_guard]
unsafe extern "C-unwind" fn refuse_call(call: pg_sys::FunctionCallInfo) -> pg_sys::Datum {
    // SAFETY: PostgreSQL calls it with the call information of the function.
    check_call(unsafe { (*(*call).flinfo).fn_oid });
    refuse("planning would call a function that it may not".to_owned());
    pg_sys::Datum::null()
}
