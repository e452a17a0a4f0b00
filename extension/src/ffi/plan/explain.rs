//! The generic plan of a statement whose parameters are not known. It is planned, and never executed.
//!
//! hypopg shows its indexes to EXPLAIN alone, and EXPLAIN finds out the types of $1 and the following. Instead of printing, it
//! calls a function of this file with the statement (ExplainOneQuery_hook), while an EXPLAIN of this file runs and no longer.

use std::cell::{Cell, RefCell};
use std::ffi::{CString, c_char, c_int, c_void};

use ebs_tuning::indexes::Plan;
use ebs_tuning::indexes::statement::{MAX_CASTS, with_cast_at};
use pgrx::{Spi, pg_guard, pg_sys};

use super::barrier::Barrier;
use super::computed_constants::{self, Replaced};
use super::nodes::{elements, tag};
use super::rights::{NotPlanned, check_rights};
use super::rules::Permitted;
use super::tree;
use crate::ffi::subtransaction::run_and_roll_back;

/// Longest text that is planned, bytes. pg_stat_statements keeps texts of any length; statements that people write are shorter.
const MAX_TEXT: usize = 256 << 10;

/// A statement that was planned.
pub struct Explained {
    /// Its plan.
    pub plan: Plan,
    /// True if its LIMIT was taken to be the rows that were given.
    pub limited: bool,
    /// Terms of its expressions: with its nodes a measure of the planner's work.
    pub terms: usize,
}

/// Arguments for the hook, and its result.
struct Request {
    limit: Option<f64>,
    executed_by: pg_sys::Oid,
    replaced: Replaced,
    check_interrupts: fn(),
    explained: Option<Result<Explained, NotPlanned>>,
}

thread_local! {
    static REQUEST: RefCell<Option<Request>> = const { RefCell::new(None) };
}

/// Plans a statement behind the barrier as the current role, or returns the reason not to. Where its outermost LIMIT is a parameter,
/// without OFFSET, it is taken to be `limit` rows: otherwise the planner takes a tenth of all rows to be wanted (preprocess_limit in
/// planner.c). With `without_constants`, its plan does without those for which there is no bound. An error of the planner's is raised: see [`crate::ffi::attempt_within`].
pub fn explain(
    statement: &str,
    limit: Option<f64>,
    executed_by: pg_sys::Oid,
    barrier: &Barrier,
    without_constants: bool,
) -> Result<Explained, NotPlanned> {
    if statement.len() > MAX_TEXT {
        let (length, most) = (statement.len(), MAX_TEXT >> 10);
        return Err(format!("its text of {length} bytes is longer than the {most} KiB that are planned").into());
    }
    let text = parseable_text(statement)?;
    let command = CString::new(format!("EXPLAIN (GENERIC_PLAN) {text}")).map_err(|_| ZERO_BYTE.to_owned())?;
    let check_interrupts = barrier.check_interrupts;
    let replaced = if without_constants { Replaced::Unbounded } else { Replaced::Long };
    let hook = ExplainHook::new(Request { limit, executed_by, replaced, check_interrupts, explained: None });
    Spi::connect(|_| {
        // SAFETY: connected to SPI; the command is one EXPLAIN without ANALYZE, of one statement, as was checked.
        let execute = || unsafe { pg_sys::SPI_execute(command.as_ptr(), false, 0) };
        let status = barrier.around(Permitted::Statement(command.clone()), execute)?;
        if status != pg_sys::SPI_OK_UTILITY as i32 {
            return Err(format!("EXPLAIN ended with status {status}").into());
        }
        hook.explained().unwrap_or_else(|| Err("a rule leaves nothing of it".to_owned().into()))
    })
}

const ZERO_BYTE: &str = "its text has a zero byte";

/// Our hook, in place while this lives.
struct ExplainHook {
    previous: pg_sys::ExplainOneQuery_hook_type,
}

impl ExplainHook {
    fn new(request: Request) -> ExplainHook {
        REQUEST.set(Some(request));
        // SAFETY: a backend has one thread; the value before is put back when this is dropped, after an error too.
        unsafe {
            let previous = pg_sys::ExplainOneQuery_hook;
            pg_sys::ExplainOneQuery_hook = Some(explain_one_query);
            ExplainHook { previous }
        }
    }

    fn explained(&self) -> Option<Result<Explained, NotPlanned>> {
        REQUEST.take().and_then(|request| request.explained)
    }
}

impl Drop for ExplainHook {
    fn drop(&mut self) {
        // SAFETY: as in `new`.
        unsafe { pg_sys::ExplainOneQuery_hook = self.previous };
        REQUEST.set(None);
    }
}

/// Called by EXPLAIN with the statement after parsing and rewriting: once, or more often where a rule makes several of it, of
/// which the first is the one that counts.
#[pg_guard]
unsafe extern "C-unwind" fn explain_one_query(
    query: *mut pg_sys::Query,
    cursor_options: c_int,
    _into: *mut pg_sys::IntoClause,
    _state: *mut pg_sys::ExplainState,
    text: *const c_char,
    parameters: pg_sys::ParamListInfo,
    _environment: *mut pg_sys::QueryEnvironment,
) {
    let Some(mut request) = REQUEST.take() else { return };
    let Request { limit, executed_by, replaced, check_interrupts, .. } = request;
    // SAFETY: EXPLAIN passes a query that nothing else uses, in a transaction with an active snapshot, as its own planning needs it.
    let explained = unsafe {
        let limited = limit.is_some_and(|rows| limit_to(query, rows));
        let query = computed_constants::replace(query, replaced);
        let planned = pg_sys::pg_plan_query(query, text, cursor_options, parameters);
        check_rights(planned, executed_by).and_then(|()| {
            let (plan, terms) = tree::read_plan(planned, check_interrupts)?;
            Ok(Explained { plan, limited, terms })
        })
    };
    let refused = matches!(request.explained, Some(Err(_)));
    if !refused && (explained.is_err() || request.explained.is_none()) {
        request.explained = Some(explained);
    }
    REQUEST.set(Some(request));
}

/// Puts a number of rows in place of the parameter of the outermost LIMIT; false where there is none, or an OFFSET, of which
/// nothing is known.
///
/// # Safety
/// A query that nothing else uses.
unsafe fn limit_to(query: *mut pg_sys::Query, rows: f64) -> bool {
    // SAFETY: a node of the query; makeConst allocates in the current context, where the query is, too.
    unsafe {
        if !(*query).limitOffset.is_null() || tag((*query).limitCount) != pg_sys::NodeTag::T_Param {
            return false;
        }
        let rows = pg_sys::Datum::from(rows.ceil().max(1.0) as i64);
        (*query).limitCount = pg_sys::makeConst(pg_sys::INT8OID, -1, pg_sys::InvalidOid, 8, rows, false, true).cast();
    }
    true
}

/// The text, with casts where a parameter stands that the grammar does not take: one SELECT, INSERT, UPDATE, DELETE or MERGE,
/// which is all that is planned.
fn parseable_text(statement: &str) -> Result<String, String> {
    let mut text = statement.to_owned();
    for _ in 0..=MAX_CASTS {
        let refused_at = Cell::new(0);
        let outcome = run_and_roll_back(|| check_statement(&text, &refused_at));
        let error = match outcome {
            Ok(Ok(())) => return Ok(text),
            Ok(Err(reason)) => return Err(reason),
            Err(error) => error,
        };
        // A position counts characters, from 1; 0 is none.
        let characters = usize::try_from(refused_at.get()).ok().and_then(|place| place.checked_add_signed(-1));
        let place = characters.and_then(|before| text.char_indices().nth(before));
        match place.and_then(|(byte, _)| with_cast_at(&text, byte)) {
            Some(cast) => text = cast,
            None if error.ends_the_statement() => error.rethrow(),
            None => return Err(error.message()),
        }
    }
    Err(format!("it has more than {MAX_CASTS} parameters behind the name of a type"))
}

/// Refuses a text that is not one statement of those that are planned. A syntax error is raised, and its position stored in
/// `refused_at`.
fn check_statement(statement: &str, refused_at: &Cell<c_int>) -> Result<(), String> {
    let text = CString::new(statement).map_err(|_| ZERO_BYTE.to_owned())?;
    let _context = ErrorContext::new(refused_at);
    // SAFETY: the parser reads the C string and allocates in the current context; a list of RawStmt comes out.
    let (statements, tag) = unsafe {
        let mut list =
            elements::<pg_sys::RawStmt>(pg_sys::raw_parser(text.as_ptr(), pg_sys::RawParseMode::RAW_PARSE_DEFAULT));
        let count = list.len();
        let first = list.next().map_or(std::ptr::null_mut(), |first| (*first).stmt);
        (count, tag(first))
    };
    use pg_sys::NodeTag::{T_DeleteStmt, T_InsertStmt, T_MergeStmt, T_SelectStmt, T_UpdateStmt};
    match statements {
        1 if [T_SelectStmt, T_InsertStmt, T_UpdateStmt, T_DeleteStmt, T_MergeStmt].contains(&tag) => Ok(()),
        1 => Err("it is no SELECT, INSERT, UPDATE, DELETE or MERGE".to_owned()),
        _ => Err(format!("its text is {statements} statements")),
    }
}

/// Records the position of an error in the text, while this lives.
struct ErrorContext {
    callback: *mut pg_sys::ErrorContextCallback,
}

impl ErrorContext {
    fn new(position: &Cell<c_int>) -> ErrorContext {
        // SAFETY: a backend has one thread; what is pushed lives in a box, and is taken off when it is dropped, after an error
        // too. `position` outlives this.
        unsafe {
            let previous = pg_sys::error_context_stack;
            let arg = std::ptr::from_ref(position).cast_mut().cast::<c_void>();
            let entry = pg_sys::ErrorContextCallback { previous, callback: Some(note_position), arg };
            let callback = Box::into_raw(Box::new(entry));
            pg_sys::error_context_stack = callback;
            ErrorContext { callback }
        }
    }
}

impl Drop for ErrorContext {
    fn drop(&mut self) {
        // SAFETY: as in `new`.
        unsafe {
            pg_sys::error_context_stack = (*self.callback).previous;
            drop(Box::from_raw(self.callback));
        }
    }
}

unsafe extern "C-unwind" fn note_position(position: *mut c_void) {
    // SAFETY: called while an error is reported, with what was pushed in `ErrorContext::new`.
    unsafe { (*position.cast::<Cell<c_int>>()).set(pg_sys::geterrposition()) };
}
