//! Names and owners from the catalogue.

use std::ffi::c_char;

use pgrx::pg_sys::{self, Oid};

use crate::ffi::c_string::copy_c_string;

/// SQLlanguageId of src/include/catalog/pg_language.dat.
const SQL_LANGUAGE: Oid = Oid::from_u32(14);

/// What decides on a call of a function.
pub(super) struct Function {
    /// Its owner.
    pub owner: Oid,
    /// True of the language SQL: a call executes queries, and an inlined one is a part of the statement, as a view is.
    pub is_sql: bool,
    /// True if it gives the functions of a foreign-data wrapper.
    pub is_foreign_data_handler: bool,
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
            pg_sys::ReleaseSysCache(tuple);
            let is_sql = language == SQL_LANGUAGE;
            Some(Function { owner, is_sql, is_foreign_data_handler: result == pg_sys::FDW_HANDLEROID })
        }
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
