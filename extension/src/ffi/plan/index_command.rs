//! Checks of a command about indexes that came from another server, before the user sees it: its tables are not here, so that the
//! parser's tree is all that there is to check, and nothing in it is looked up.

use std::ffi::CString;

use ebs_tuning::indexes::command_text::check_text;
use pgrx::pg_sys::{self, NodeTag};

use super::index_statement::{columns, is_plain};
use super::nodes::{elements, tag};
use super::output_settings::with_output_settings;
use crate::ffi::c_string::copy_c_string;
use crate::ffi::subtransaction::attempt;

/// Command that may be shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum IndexCommand {
    /// CREATE INDEX CONCURRENTLY on columns of a table with its schema, of rows that simple tests of columns select.
    Create,
    /// DROP INDEX CONCURRENTLY of one index with its schema.
    Drop,
    /// CREATE EXTENSION hypopg.
    CreateHypopg,
}

/// Parses a command, and refuses anything else than these, with the reason.
pub fn parse_index_command(command: &str) -> Result<IndexCommand, String> {
    check_text(command)?;
    let text = CString::new(command).map_err(|_| "it has a zero byte".to_owned())?;
    // SAFETY: in a transaction; whatever the parser allocates is undone.
    attempt(|| with_output_settings(|| unsafe { parse(&text) }))?.map_err(str::to_owned)
}

unsafe fn parse(text: &CString) -> Result<IndexCommand, &'static str> {
    // SAFETY: nodes are read as what their tags say.
    unsafe {
        let list = pg_sys::raw_parser(text.as_ptr(), pg_sys::RawParseMode::RAW_PARSE_DEFAULT);
        let mut statements = elements::<pg_sys::RawStmt>(list);
        let first = statements.next().filter(|_| statements.len() == 0).ok_or("it is not one statement")?;
        let statement = (*first).stmt;
        match tag(statement) {
            NodeTag::T_IndexStmt => check_create(statement.cast()).map(|()| IndexCommand::Create),
            NodeTag::T_DropStmt => check_drop(statement.cast()).map(|()| IndexCommand::Drop),
            NodeTag::T_CreateExtensionStmt if is_hypopg(statement.cast()) => Ok(IndexCommand::CreateHypopg),
            _ => Err("it is neither CREATE INDEX nor DROP INDEX"),
        }
    }
}

unsafe fn check_create(statement: *mut pg_sys::IndexStmt) -> Result<(), &'static str> {
    // SAFETY: a statement of the parser's.
    unsafe {
        let table = &*(*statement).relation;
        if table.schemaname.is_null() || !table.catalogname.is_null() || !table.inh {
            return Err("its table is not named by schema and name");
        }
        if !(*statement).concurrent || (*statement).if_not_exists {
            return Err("it is not CREATE INDEX CONCURRENTLY");
        }
        if !is_plain(statement) || !columns((*statement).indexParams) || !columns((*statement).indexIncludingParams) {
            return Err("it is more than columns of a table");
        }
        if is_condition((*statement).whereClause) { Ok(()) } else { Err("its condition is more than tests of columns") }
    }
}

/// True for no condition, and for tests of one column each that are joined by AND: `IS NULL`, `IS NOT NULL`, a column by itself and its
/// negation. Operators are left out: the server that runs the command chooses one by its name.
unsafe fn is_condition(condition: *mut pg_sys::Node) -> bool {
    // SAFETY: nodes are read as what their tags say.
    unsafe {
        if condition.is_null() {
            return true;
        }
        // The parser itself makes one list of all that AND joins.
        match boolean(condition, pg_sys::BoolExprType::AND_EXPR) {
            Some(tests) => elements::<pg_sys::Node>(tests).all(|test| is_test(test)),
            None => is_test(condition),
        }
    }
}

unsafe fn is_test(test: *mut pg_sys::Node) -> bool {
    // SAFETY: nodes are read as what their tags say.
    unsafe {
        if let Some(negated) = boolean(test, pg_sys::BoolExprType::NOT_EXPR) {
            return elements::<pg_sys::Node>(negated).all(|column| is_column(column));
        }
        match tag(test) {
            NodeTag::T_NullTest => is_column((*test.cast::<pg_sys::NullTest>()).arg.cast()),
            _ => is_column(test),
        }
    }
}

/// The arguments of this operation.
unsafe fn boolean(node: *mut pg_sys::Node, operation: pg_sys::BoolExprType::Type) -> Option<*mut pg_sys::List> {
    // SAFETY: a BoolExpr, by its tag.
    unsafe {
        let expression = node.cast::<pg_sys::BoolExpr>();
        (tag(node) == NodeTag::T_BoolExpr && (*expression).boolop == operation).then(|| (*expression).args)
    }
}

/// A column by its name alone.
unsafe fn is_column(node: *mut pg_sys::Node) -> bool {
    // SAFETY: a ColumnRef, by its tag.
    unsafe {
        let mut names = match tag(node) {
            NodeTag::T_ColumnRef => elements::<pg_sys::Node>((*node.cast::<pg_sys::ColumnRef>()).fields),
            _ => return false,
        };
        names.len() == 1 && names.all(|name| tag(name) == NodeTag::T_String)
    }
}

unsafe fn check_drop(statement: *mut pg_sys::DropStmt) -> Result<(), &'static str> {
    // SAFETY: a statement of the parser's; the objects of DROP INDEX are lists of names.
    unsafe {
        let statement = &*statement;
        if statement.removeType != pg_sys::ObjectType::OBJECT_INDEX || !statement.concurrent {
            return Err("it is not DROP INDEX CONCURRENTLY");
        }
        let mut indexes = elements::<pg_sys::List>(statement.objects);
        let is_restricted = statement.behavior == pg_sys::DropBehavior::DROP_RESTRICT;
        if indexes.len() == 1 && indexes.all(|names| (*names).length == 2) && is_restricted {
            Ok(())
        } else {
            Err("it is not one index, named by schema and name")
        }
    }
}

unsafe fn is_hypopg(statement: *mut pg_sys::CreateExtensionStmt) -> bool {
    // SAFETY: a statement of the parser's.
    unsafe { copy_c_string((*statement).extname) == "hypopg" && (*statement).options.is_null() }
}
