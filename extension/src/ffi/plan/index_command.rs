//! Checks of a command about indexes that came from another server, before the user sees it: its tables are not here, so that the
//! parser's tree is all that there is to check, and nothing in it is looked up.

use std::ffi::CString;

use ebs_tuning::indexes::command_text::check_text;
use pgrx::pg_sys::{self, BoolExprType, NodeTag};

use super::index_statement::{is_plain, with_statement};
use super::nodes::{List, NodeView, View};
use super::output_settings::with_output_settings;
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
    attempt(|| with_output_settings(|| with_statement(&text, check)))?.map_err(str::to_owned)
}

fn check(statement: NodeView) -> Result<IndexCommand, &'static str> {
    if let Some(create) = statement.get::<pg_sys::IndexStmt>() {
        return check_create(create).map(|()| IndexCommand::Create);
    }
    if let Some(drop) = statement.get::<pg_sys::DropStmt>() {
        return check_drop(drop).map(|()| IndexCommand::Drop);
    }
    let extension = statement.get::<pg_sys::CreateExtensionStmt>();
    let hypopg = extension.filter(|create| create.extname() == "hypopg" && create.options.is_null());
    hypopg.map(|_| IndexCommand::CreateHypopg).ok_or("it is neither CREATE INDEX nor DROP INDEX")
}

fn check_create(statement: View<pg_sys::IndexStmt>) -> Result<(), &'static str> {
    let is_named =
        |table: View<pg_sys::RangeVar>| !table.schemaname.is_null() && table.catalogname.is_null() && table.inh;
    if !statement.relation().is_some_and(is_named) {
        return Err("its table is not named by schema and name");
    }
    if !statement.concurrent || statement.if_not_exists {
        return Err("it is not CREATE INDEX CONCURRENTLY");
    }
    if !is_plain(statement) {
        return Err("it is more than columns of a table");
    }
    let is_simple = statement.whereClause().is_none_or(is_condition);
    is_simple.then_some(()).ok_or("its condition is more than tests of columns")
}

/// True for tests of one column each that are joined by AND: `IS NULL`, `IS NOT NULL`, a column by itself and its negation. Operators are
/// left out: the server that runs the command chooses one by its name.
fn is_condition(condition: NodeView) -> bool {
    // The parser itself makes one list of all that AND joins.
    match arguments(condition, BoolExprType::AND_EXPR) {
        Some(tests) => tests.iter().all(is_test),
        None => is_test(condition),
    }
}

fn is_test(test: NodeView) -> bool {
    if let Some(negated) = arguments(test, BoolExprType::NOT_EXPR) {
        return negated.iter().all(is_column);
    }
    match test.get::<pg_sys::NullTest>() {
        Some(null) => null.arg().is_some_and(is_column),
        None => is_column(test),
    }
}

/// The arguments of this operation; `None` of anything else.
fn arguments(node: NodeView<'_>, operation: BoolExprType::Type) -> Option<List<'_, pg_sys::Node>> {
    let expression = node.get::<pg_sys::BoolExpr>().filter(|expression| expression.boolop == operation)?;
    Some(expression.args())
}

/// A column by its name alone.
fn is_column(node: NodeView) -> bool {
    let name = node.get::<pg_sys::ColumnRef>().and_then(|column| column.fields().exactly());
    name.is_some_and(|[name]| name.tag() == NodeTag::T_String)
}

/// The objects of DROP INDEX are lists of names.
fn check_drop(statement: View<pg_sys::DropStmt>) -> Result<(), &'static str> {
    if statement.removeType != pg_sys::ObjectType::OBJECT_INDEX || !statement.concurrent {
        return Err("it is not DROP INDEX CONCURRENTLY");
    }
    let index = statement.objects().exactly().and_then(|[names]| names.get::<pg_sys::List>());
    let is_restricted = statement.behavior == pg_sys::DropBehavior::DROP_RESTRICT;
    let index = index.filter(|names| names.length == 2 && is_restricted);
    index.map(|_| ()).ok_or("it is not one index, named by schema and name")
}
