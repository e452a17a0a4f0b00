//! Rules for what planning may do while the barrier is up.

use std::cell::{Cell, RefCell};
use std::ffi::{CStr, CString, c_char};

use pgrx::pg_sys::{self, Oid};
use pgrx::{PgSqlErrorCode, ereport};

use super::catalog::{Function, Language, function_name, is_volatile, relation_name, role_name};
use super::computed_constants::takes_bounded;
use super::operators;

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

/// Data for the hooks.
#[derive(Clone, Copy)]
pub(super) struct Rules {
    /// The role that asks, and the one that is planned as.
    pub roles: [Oid; 2],
    /// True if functions with effects may be called: those of an extension's own.
    pub has_effects: bool,
    /// Ends the statement where it is to end, by unwinding.
    pub check_interrupts: fn(),
}

impl Rules {
    /// The first of the roles that the owner of code may not act as.
    fn role_denied_to(&self, owner: Oid) -> Option<Oid> {
        // SAFETY: look-ups of the catalogue in a transaction.
        self.roles.into_iter().find(|&role| unsafe { !pg_sys::member_can_set_role(owner, role) })
    }
}

thread_local! {
    static RULES: Cell<Option<Rules>> = const { Cell::new(None) };
    static PERMITTED: RefCell<Permitted> = const { RefCell::new(Permitted::Nothing) };
    static REFUSED: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Raises the barrier: only these rules hold, and nothing was refused yet.
pub(super) fn begin(rules: Rules, permitted: Permitted) {
    PERMITTED.set(permitted);
    REFUSED.set(None);
    operators::forget();
    RULES.set(Some(rules));
}

/// Ends it; the reason for which something was held back first.
pub(super) fn end() -> Option<String> {
    RULES.set(None);
    PERMITTED.set(Permitted::Nothing);
    REFUSED.take()
}

/// True while the barrier is up.
pub(super) fn is_up() -> bool {
    RULES.get().is_some()
}

/// Longest function of SQL that is inlined, bytes: its constants are computed with the statement's.
const MAX_INLINED: usize = 64 << 10;

/// Reason that planning must not call a function; `None` for one that it may, and for one that does not exist, which PostgreSQL refuses.
pub(super) fn obstacle(function: Oid, rules: Rules) -> Option<String> {
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
pub(super) fn check_call(function: Oid) {
    check_refused();
    if let Some(reason) = RULES.get().and_then(|rules| obstacle(function, rules)) {
        refuse(reason);
    }
}

/// Raises an error, and keeps its reason: the first is the one that counts.
pub(super) fn refuse(reason: String) {
    let reason = REFUSED.with_borrow_mut(|refused| refused.get_or_insert(reason).clone());
    ereport!(ERROR, PgSqlErrorCode::ERRCODE_S_R_E_PROHIBITED_SQL_STATEMENT_ATTEMPTED, reason);
}

/// Raises the error again that a function has caught.
fn check_refused() {
    if let Some(reason) = REFUSED.with_borrow(Clone::clone) {
        refuse(reason);
    }
}

/// Called before a function of an expression is computed. PostgreSQL does not look in between whether the statement is to end, nor within
/// most of its functions.
pub(super) fn check_computed(function: Option<Oid>) {
    let Some(rules) = RULES.get() else { return };
    check_refused();
    (rules.check_interrupts)();
    let Some(function) = function.filter(|_| !rules.has_effects) else { return };
    if !takes_bounded(function) {
        let name = function_name(function);
        refuse(format!("planning would compute {name} of constants, for which there is no bound"));
    }
    // In a check of a domain, also PostgreSQL's own.
    if is_volatile(function) {
        refuse(format!("planning would call function {}, which is volatile", function_name(function)));
    }
}

/// Raises an error for a statement that is not permitted.
///
/// # Safety
/// Null or a C string.
pub(super) unsafe fn check_statement(text: *const c_char) {
    // SAFETY: as the caller promises.
    if RULES.get().is_some() && !PERMITTED.with_borrow_mut(|permitted| unsafe { permitted.take(text) }) {
        refuse("planning would execute a query, for a function that it calls".to_owned());
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

/// Raises an error where an estimate could call a function with effects.
///
/// # Safety
/// The planner's data of a query.
pub(super) unsafe fn check_operators(root: *mut pg_sys::PlannerInfo) {
    if RULES.get().is_none() {
        return;
    }
    // SAFETY: as the caller promises.
    if let Some(operator) = unsafe { operators::find_volatile(root) } {
        refuse(format!("planning could call the function of operator {operator}, which is volatile"));
    }
}

/// Raises an error where planning would ask a foreign server for its estimates, or call a function that it must not.
///
/// # Safety
/// The planner's data of a query, and of a table in it.
pub(super) unsafe fn check_table(root: *mut pg_sys::PlannerInfo, table: Oid, relation: *mut pg_sys::RelOptInfo) {
    // SAFETY: as the caller promises.
    unsafe {
        if RULES.get().is_some() && !(*relation).fdwroutine.is_null() {
            refuse(format!("it reads foreign table {}", relation_name(table)));
        }
        check_operators(root);
        check_partitioning((*relation).part_scheme);
    }
}
