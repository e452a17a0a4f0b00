//! The barrier around planning: what planning may call, and that it executes nothing.
//!
//! Planning runs code: functions of constant arguments, checks of domains, expressions of indexes and partition keys, operators on
//! statistics, also by the number of a type or a table that stands in a text. While the barrier is up, PostgreSQL asks here whenever it makes the call
//! information of a function that is not built in (`needs_fmgr_hook`, as sepgsql uses it), and before it calls one with rights or settings
//! of its own, for which it does not ask that (`fmgr_hook`). A query below planning is refused, since built-in functions take its text or
//! its tables as arguments. No hook is set while nothing is planned.

use std::cell::{Cell, RefCell};
use std::ffi::{CStr, CString, c_char, c_int, c_void};

use pgrx::pg_sys::{self, Oid};
use pgrx::{PgSqlErrorCode, ereport, pg_guard};

use super::cached_calls::CachedCalls;
use super::catalog::{Function, Language, function_name, relation_name, role_name};
use super::computed_constants::may_grow;
use super::hooks::Hook;
use super::operators;

/// Who may own the code that planning runs.
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
        let _up = Up::new(self, permitted);
        let result = body();
        // A function may have caught the error.
        match REFUSED.take() {
            Some(reason) => Err(reason),
            None => Ok(result),
        }
    }
}

/// Statements that may be executed behind the barrier.
#[derive(Clone, Debug)]
pub enum Permitted {
    /// None.
    Nothing,
    /// One with this text.
    Statement(CString),
    /// Any: those of an extension's own, which takes no text of others.
    Queries,
}

impl Permitted {
    /// Takes the right to execute a statement; false where there is none.
    ///
    /// # Safety
    /// Null or a C string.
    unsafe fn take(&mut self, text: *const c_char) -> bool {
        match self {
            Permitted::Nothing => false,
            Permitted::Queries => true,
            Permitted::Statement(permitted) => {
                // SAFETY: as the caller promises.
                let is_this = !text.is_null() && unsafe { CStr::from_ptr(text) } == permitted.as_c_str();
                if is_this {
                    *self = Permitted::Nothing;
                }
                is_this
            }
        }
    }
}

/// What the hooks need.
#[derive(Clone, Copy)]
struct Rules {
    roles: [Oid; 2],
    check_interrupts: fn(),
}

impl Rules {
    /// The first of the roles that the owner of code may not act as.
    fn role_denied_to(&self, owner: Oid) -> Option<Oid> {
        // SAFETY: look-ups of the catalogue in a transaction.
        self.roles.into_iter().find(|&role| unsafe { !pg_sys::member_can_set_role(owner, role) })
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
}

thread_local! {
    static RULES: Cell<Option<Rules>> = const { Cell::new(None) };
    static PERMITTED: RefCell<Permitted> = const { RefCell::new(Permitted::Nothing) };
    static REFUSED: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// The barrier, up while this lives.
struct Up {
    _cached: CachedCalls,
}

impl Up {
    fn new(barrier: &Barrier, permitted: Permitted) -> Up {
        let rules = Rules { roles: [barrier.asker, barrier.planned_as], check_interrupts: barrier.check_interrupts };
        let is_refused = |function| obstacle(function, rules).is_some();
        let cached = CachedCalls::withdraw(&barrier.types, refuse_call, is_refused);
        PERMITTED.set(permitted);
        RULES.set(Some(rules));
        operators::forget();
        set_hooks();
        Up { _cached: cached }
    }
}

impl Drop for Up {
    fn drop(&mut self) {
        unset_hooks();
        RULES.set(None);
        PERMITTED.set(Permitted::Nothing);
        REFUSED.set(None);
    }
}

/// Longest function of SQL that is inlined, bytes: its constants are computed with the statement's.
const MAX_INLINED: usize = 64 << 10;

/// Reason that planning must not call a function; `None` for one that it may, and for one that does not exist, which PostgreSQL refuses.
fn obstacle(function: Oid, rules: Rules) -> Option<String> {
    let read = Function::read(function)?;
    let name = || function_name(function);
    if read.is_foreign_data_handler {
        return Some("it uses a foreign table, whose server planning may ask".to_owned());
    }
    // Their queries end in `executor_start`.
    if read.language == Language::Sql {
        let most = MAX_INLINED >> 10;
        let is_long = read.length > MAX_INLINED;
        return is_long.then(|| format!("function {} is longer than the {most} KiB that are inlined", name()));
    }
    if let Some(role) = rules.role_denied_to(read.owner) {
        let (owner, role) = (role_name(read.owner), role_name(role));
        return Some(format!("function {} belongs to role {owner}, which may not act as role {role}", name()));
    }
    // They call what the search_path gives them, and keep the call information for the rest of a transaction.
    let is_interpreted = read.language == Language::Procedural;
    is_interpreted.then(|| format!("planning would run function {}, which is in an interpreted language", name()))
}

/// Raises an error where planning must not call a function.
fn check_call(function: Oid) {
    check_refused();
    if let Some(reason) = RULES.get().and_then(|rules| obstacle(function, rules)) {
        refuse(reason);
    }
}

/// Raises an error, and keeps its reason: the first is the one that counts.
fn refuse(reason: String) {
    let reason = REFUSED.with_borrow_mut(|refused| refused.get_or_insert(reason).clone());
    ereport!(ERROR, PgSqlErrorCode::ERRCODE_S_R_E_PROHIBITED_SQL_STATEMENT_ATTEMPTED, reason);
}

/// Raises the error again that a function has caught.
fn check_refused() {
    if let Some(reason) = REFUSED.with_borrow(Clone::clone) {
        refuse(reason);
    }
}

/// Raises an error for a statement that is not permitted.
///
/// # Safety
/// Null or a C string.
unsafe fn check_statement(text: *const c_char) {
    // SAFETY: as the caller promises.
    if RULES.get().is_some() && !PERMITTED.with_borrow_mut(|permitted| unsafe { permitted.take(text) }) {
        refuse("planning would execute a query, for a function that it calls".to_owned());
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
    if let Some(rules) = RULES.get() {
        check_refused();
        (rules.check_interrupts)();
        let is_call = access == pg_sys::ObjectAccessType::OAT_FUNCTION_EXECUTE;
        if is_call && may_grow(object) {
            let name = function_name(object);
            refuse(format!("planning would compute {name} of constants, for which there is no bound"));
        }
    }
}

/// Raises an error where the functions that compare partition keys must not be called: a session keeps their call information.
///
/// # Safety
/// Null or the planner's data of a partitioned table.
unsafe fn check_partitioning(scheme: pg_sys::PartitionScheme) {
    // SAFETY: as the caller promises; an array of as many functions as the key has columns.
    unsafe {
        let Some(scheme) = scheme.as_ref().filter(|_| RULES.get().is_some()) else { return };
        for column in 0..usize::try_from(scheme.partnatts).unwrap_or(0) {
            check_call((*scheme.partsupfunc.add(column)).fn_oid);
        }
    }
}

/// Called before statistics of a column are used.
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
        RELATION_STATS.with(|hook| hook.pass_on(pass_on)).unwrap_or(false)
    }
}

/// Raises an error where an estimate could call a function with effects.
///
/// # Safety
/// The planner's data of a query.
unsafe fn check_operators(root: *mut pg_sys::PlannerInfo) {
    // SAFETY: as the caller promises.
    if RULES.get().is_some()
        && let Some(operator) = unsafe { operators::find_volatile(root) }
    {
        refuse(format!("planning could call the function of operator {operator}, which is volatile"));
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
        if RULES.get().is_some() && !(*relation).fdwroutine.is_null() {
            refuse(format!("it reads foreign table {}", relation_name(table)));
        }
        if RULES.get().is_some()
            && let Some(operator) = operators::find_volatile(root)
        {
            refuse(format!("planning could call the function of operator {operator}, which is volatile"));
        }
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
