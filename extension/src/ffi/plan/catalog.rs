//! Names and owners from the catalogue.

use std::ffi::c_char;

use pgrx::pg_sys::{self, Oid};

use super::nodes::NodeView;
use crate::ffi::c_string::copy_c_string;

/// Languages internal, c and sql (src/include/catalog/pg_language.dat).
const INTERNAL: Oid = Oid::from_u32(12);
const C: Oid = Oid::from_u32(13);
const SQL: Oid = Oid::from_u32(14);

/// A function, as far as it decides on a call.
pub(super) struct Function {
    /// Its owner.
    pub owner: Oid,
    /// Its language.
    pub language: Language,
    /// Bytes of its text.
    pub length: usize,
    /// True if it gives the functions of a foreign-data wrapper.
    pub is_foreign_data_handler: bool,
}

/// Kind of a language.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    /// Compiled.
    Native,
    /// SQL: a call executes queries, and what is inlined becomes part of the statement, as a view does.
    Sql,
    /// One with an interpreter, such as PL/pgSQL.
    Procedural,
}

impl Function {
    /// Reads it; `None` if there is none with this number.
    pub(super) fn read(function: Oid) -> Option<Function> {
        let cache = pg_sys::SysCacheIdentifier::PROCOID as i32;
        // SAFETY: in a transaction; the tuple is one of pg_proc, and released after it was read.
        unsafe {
            let tuple = pg_sys::SearchSysCache1(cache, pg_sys::Datum::from(function));
            if tuple.is_null() {
                return None;
            }
            let row = pg_sys::GETSTRUCT(tuple).cast::<pg_sys::FormData_pg_proc>();
            let (owner, language, result) = ((*row).proowner, (*row).prolang, (*row).prorettype);
            let attributes = [pg_sys::Anum_pg_proc_prosrc, pg_sys::Anum_pg_proc_prosqlbody];
            let length = attributes.map(|attribute| attribute_length(cache, tuple, attribute)).into_iter().sum();
            pg_sys::ReleaseSysCache(tuple);
            let language = match language {
                INTERNAL | C => Language::Native,
                SQL => Language::Sql,
                _ => Language::Procedural,
            };
            let is_foreign_data_handler = result == pg_sys::FDW_HANDLEROID;
            Some(Function { owner, language, length, is_foreign_data_handler })
        }
    }
}

/// Bytes of an attribute of variable length, without compression; 0 of NULL.
///
/// # Safety
/// A tuple of that cache.
pub(super) unsafe fn attribute_length(cache: i32, tuple: pg_sys::HeapTuple, attribute: u32) -> usize {
    // SAFETY: as the caller promises.
    unsafe {
        let mut is_null = true;
        let value = pg_sys::SysCacheGetAttr(cache, tuple, attribute as i16, &mut is_null);
        if is_null { 0 } else { pg_sys::toast_raw_datum_size(value) }
    }
}

/// True of a function that may have effects.
pub(super) fn is_volatile(function: Oid) -> bool {
    // SAFETY: look-ups of the catalogue in a transaction.
    unsafe { pg_sys::func_volatile(function) as u8 == pg_sys::PROVOLATILE_VOLATILE }
}

/// The name of an operator without its schema; empty where it is gone.
pub(super) fn operator_symbol(operator: Oid) -> String {
    // SAFETY: a look-up of the catalogue in a transaction.
    unsafe { copy_c_string(pg_sys::get_opname(operator)) }
}

/// True if an operator is declared for just the types of these operands.
pub(super) fn is_declared_for(operator: Oid, operands: [NodeView; 2]) -> bool {
    let (mut left, mut right) = (pg_sys::InvalidOid, pg_sys::InvalidOid);
    // SAFETY: expressions of a tree, and look-ups of the catalogue in a transaction.
    unsafe {
        pg_sys::op_input_types(operator, &mut left, &mut right);
        operands.map(|operand| pg_sys::exprType(operand.as_ptr())) == [left, right]
    }
}

/// True of a function that always gives the same value for the same arguments.
pub(super) fn is_immutable(function: Oid) -> bool {
    // SAFETY: a look-up of the catalogue in a transaction.
    unsafe { pg_sys::func_volatile(function) as u8 == pg_sys::PROVOLATILE_IMMUTABLE }
}

/// The name of a function without its schema; empty where it is gone.
pub(super) fn function_symbol(function: Oid) -> String {
    // SAFETY: a look-up of the catalogue in a transaction.
    unsafe { copy_c_string(pg_sys::get_func_name(function)) }
}

/// The name of a column of a table; empty where it is gone.
pub(super) fn column_name(table: Oid, number: i16) -> String {
    // SAFETY: a look-up of the catalogue in a transaction; the last argument keeps it from raising an error.
    unsafe { copy_c_string(pg_sys::get_attname(table, number, true)) }
}

/// Schema and name of a table, without quotes; empty where it is gone.
pub(super) fn schema_and_table(table: Oid) -> (String, String) {
    // SAFETY: look-ups of the catalogue in a transaction.
    unsafe {
        let schema = copy_c_string(pg_sys::get_namespace_name(pg_sys::get_rel_namespace(table)));
        (schema, copy_c_string(pg_sys::get_rel_name(table)))
    }
}

/// Schema and name of a function, as SQL takes them.
pub(super) fn function_name(function: Oid) -> String {
    // SAFETY: look-ups of the catalogue in a transaction.
    unsafe { qualified_name(pg_sys::get_func_namespace(function), pg_sys::get_func_name(function)) }
}

/// Schema and name of a table, as SQL takes them.
pub(super) fn relation_name(table: Oid) -> String {
    // SAFETY: look-ups of the catalogue in a transaction.
    unsafe { qualified_name(pg_sys::get_rel_namespace(table), pg_sys::get_rel_name(table)) }
}

/// The name of a role, as SQL takes it; empty where it is gone.
pub(super) fn role_name(role: Oid) -> String {
    // SAFETY: a look-up of the catalogue in a transaction.
    unsafe {
        let name = pg_sys::GetUserNameFromId(role, true);
        if name.is_null() { String::new() } else { copy_c_string(pg_sys::quote_identifier(name)) }
    }
}

unsafe fn qualified_name(schema: Oid, name: *const c_char) -> String {
    // SAFETY: a look-up of the catalogue in a transaction; both names are C strings unless they are null.
    unsafe {
        let schema = pg_sys::get_namespace_name(schema);
        if schema.is_null() || name.is_null() {
            return "that is gone".to_owned();
        }
        copy_c_string(pg_sys::quote_qualified_identifier(schema, name))
    }
}
