//! EXPLAIN of a statement whose parameters are not known. It is planned, and never executed.

use std::ffi::{CStr, CString};

use pgrx::{Spi, pg_sys};

/// The generic plan of a statement as JSON, or why there is none. An error of the planner's is raised: see
/// [`super::attempt`].
///
/// A utility command is refused by SPI's read-only mode, in which pgrx runs what it is asked to select, so it is called
/// here. With no parameters given, EXPLAIN itself finds out the types of $1 and the following (transformExplainStmt).
pub fn explain(statement: &str) -> Result<String, String> {
    sole_statement(statement)?;
    let command = CString::new(format!("EXPLAIN (GENERIC_PLAN, VERBOSE, FORMAT JSON) {statement}"))
        .map_err(|_| "its text has a zero byte".to_owned())?;
    Spi::connect(|_| {
        // SAFETY: connected to SPI; the command is one EXPLAIN without ANALYZE, of one statement, as was checked.
        let status = unsafe { pg_sys::SPI_execute(command.as_ptr(), false, 0) };
        if status != pg_sys::SPI_OK_UTILITY as i32 {
            return Err(format!("EXPLAIN ended with status {status}"));
        }
        // SAFETY: SPI has just set its table; it is read before SPI is left.
        unsafe { first_value() }.ok_or_else(|| "EXPLAIN gave nothing".to_owned())
    })
}

/// The text in the first row and column of SPI's table.
///
/// # Safety
/// Connected to SPI.
unsafe fn first_value() -> Option<String> {
    // SAFETY: null, or a table of SPI's with as many rows as it says; SPI_getvalue gives null or a C string of its own.
    unsafe {
        let table = pg_sys::SPI_tuptable.as_ref().filter(|table| table.numvals > 0)?;
        let text = pg_sys::SPI_getvalue(*table.vals, table.tupdesc, 1);
        (!text.is_null()).then(|| CStr::from_ptr(text).to_string_lossy().into_owned())
    }
}

/// Whether a text is one SELECT, INSERT, UPDATE, DELETE or MERGE, which is all that is planned. What is a syntax error is
/// raised.
fn sole_statement(statement: &str) -> Result<(), String> {
    let text = CString::new(statement).map_err(|_| "its text has a zero byte".to_owned())?;
    // SAFETY: the parser reads the C string and allocates in the current context; a list of RawStmt comes out.
    let (statements, tag) = unsafe {
        let list = pg_sys::raw_parser(text.as_ptr(), pg_sys::RawParseMode::RAW_PARSE_DEFAULT);
        match list.as_ref() {
            Some(list) if list.length > 0 => {
                let first = (*list.elements).ptr_value.cast::<pg_sys::RawStmt>();
                (list.length, (*(*first).stmt).type_)
            }
            _ => (0, pg_sys::NodeTag::T_Invalid),
        }
    };
    use pg_sys::NodeTag::{T_DeleteStmt, T_InsertStmt, T_MergeStmt, T_SelectStmt, T_UpdateStmt};
    match statements {
        1 if [T_SelectStmt, T_InsertStmt, T_UpdateStmt, T_DeleteStmt, T_MergeStmt].contains(&tag) => Ok(()),
        1 => Err("it is no SELECT, INSERT, UPDATE, DELETE or MERGE".to_owned()),
        _ => Err(format!("its text is {statements} statements")),
    }
}
