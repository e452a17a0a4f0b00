//! Owners of the code that planning runs: immutable functions, checks of domains, functions that operators compare statistics
//! with, expressions of indexes and constraints. A statement is planned only where the owner of such code may act already as
//! the role that it would run as, so that nobody gains a right, and as the role that asks, so that nobody can keep it waiting:
//! a function may run for ever, and catch what would cancel it.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{c_char, c_int, c_void};

use pgrx::pg_guard;
use pgrx::pg_sys::{self, NodeTag, Oid};

use super::nodes::{oids, tag};
use super::predicate::is_built_in;
use crate::ffi::c_string::copy_c_string;

/// Most tables, views and subqueries of a statement after rewriting, without partitions: views 500 deep took 0.9 s a plan.
const MAX_RELATIONS: usize = 200;

/// `attgenerated` of a column that is computed when it is read (ATTRIBUTE_GENERATED_VIRTUAL of PostgreSQL 18).
const VIRTUAL: u8 = b'v';

/// Attribute `partexprs` of pg_partitioned_table (src/include/catalog/pg_partitioned_table.h, the same in 16 to 18).
const PARTITION_EXPRESSIONS: i16 = 8;
/// Attribute `stxexprs` of pg_statistic_ext (src/include/catalog/pg_statistic_ext.h, the same in 16 to 18).
const STATISTICS_EXPRESSIONS: i16 = 9;

#[pg_guard]
unsafe extern "C-unwind" {
    fn find_all_inheritors(parent: Oid, lock: pg_sys::LOCKMODE, parents: *mut *mut pg_sys::List) -> *mut pg_sys::List;
}

/// Code and tables that a tree names, without PostgreSQL's own.
#[derive(Default)]
pub(super) struct ReferencedCode {
    /// Functions, also those of operators, aggregates and casts.
    pub functions: BTreeSet<u32>,
    /// Types with code of their own: domains and ranges.
    types: BTreeSet<u32>,
    /// Reason not to plan it, regardless of the code's owner.
    refusal: Option<String>,
    relations: BTreeSet<u32>,
    /// Number of tables, views and subqueries, each as often as it is named.
    entries: usize,
    /// True to collect PostgreSQL's own functions, too.
    built_in_too: bool,
}

/// Refuses a query whose planning would run code of a role that may not act as the current one, or would ask a foreign
/// server.
///
/// # Safety
/// A query after rewriting, in a transaction.
pub(super) unsafe fn check_owners(
    query: *mut pg_sys::Query,
    caller: Oid,
    check_interrupts: fn(),
) -> Result<(), String> {
    // SAFETY: a query, as the caller promises; catalogue look-ups in a transaction.
    unsafe {
        let mut code = ReferencedCode::default();
        code.add(query.cast());
        if code.entries > MAX_RELATIONS {
            return Err(format!(
                "too wide to be analysed: it reads more than {MAX_RELATIONS} tables, views and subqueries"
            ));
        }
        for relation in std::mem::take(&mut code.relations) {
            let lock = pg_sys::AccessShareLock as pg_sys::LOCKMODE;
            let tree = find_all_inheritors(Oid::from_u32(relation), lock, std::ptr::null_mut());
            for table in oids(tree) {
                check_interrupts();
                code.add_relation(table)?;
            }
        }
        if let Some(reason) = code.refusal.take() {
            return Err(reason);
        }
        let mut owners = Owners { roles: [pg_sys::GetUserId(), caller], known: BTreeMap::new() };
        let functions = code.functions.iter().map(|&function| ("function", Oid::from_u32(function)));
        let types = code.types.iter().map(|&type_oid| ("type", Oid::from_u32(type_oid)));
        let owner = |kind, oid| if kind == "type" { owner_of_type(oid) } else { owner_of_function(oid) };
        functions.chain(types).try_for_each(|(kind, oid)| owners.require(owner(kind, oid), kind, oid))
    }
}

impl ReferencedCode {
    /// Collects the code of a tree, PostgreSQL's own functions among it.
    ///
    /// # Safety
    /// A tree of expressions.
    pub(super) unsafe fn including_built_in(tree: *mut pg_sys::Node) -> ReferencedCode {
        let mut code = ReferencedCode { built_in_too: true, ..ReferencedCode::default() };
        // SAFETY: as the caller promises.
        unsafe { code.add(tree) };
        code
    }

    /// True if domains or ranges are in it.
    pub(super) fn has_types(&self) -> bool {
        !self.types.is_empty()
    }

    unsafe fn add(&mut self, tree: *mut pg_sys::Node) {
        // SAFETY: the walker is called with the nodes of the tree and with this.
        unsafe { visit(tree, std::ptr::from_mut(self).cast()) };
    }

    /// Adds an expression that the catalogue keeps as text.
    unsafe fn add_stored(&mut self, stored: *const c_char) {
        if !stored.is_null() {
            // SAFETY: text of nodeToString, as the catalogue has it.
            unsafe { self.add(pg_sys::stringToNode(stored).cast()) };
        }
    }

    /// Adds the expressions of a table that planning evaluates besides the statement: checks, computed columns, expressions of
    /// indexes, of statistics and of the partition key.
    unsafe fn add_relation(&mut self, table: Oid) -> Result<(), String> {
        use pg_sys::SysCacheIdentifier::{INDEXRELID, PARTRELID, STATEXTOID};
        // SAFETY: locked by find_all_inheritors; closed before it returns, and the lock kept, as the planner does. The attribute
        // numbers are those of the catalogues that they are read from.
        unsafe {
            let relation = pg_sys::relation_open(table, pg_sys::NoLock as pg_sys::LOCKMODE);
            if let Some(constraints) = (*(*relation).rd_att).constr.as_ref() {
                for at in 0..usize::from(constraints.num_check) {
                    self.add_stored((*constraints.check.add(at)).ccbin);
                }
                // Expressions of columns that are computed when they are read; any other default is part of the statement that needs it.
                for at in 0..usize::from(constraints.num_defval) {
                    let default = constraints.defval.add(at);
                    if pg_sys::get_attgenerated(table, (*default).adnum) as u8 == VIRTUAL {
                        self.add_stored((*default).adbin);
                    }
                }
            }
            for index in oids(pg_sys::RelationGetIndexList(relation)) {
                self.add_attribute(INDEXRELID as c_int, index, pg_sys::Anum_pg_index_indexprs as i16);
                self.add_attribute(INDEXRELID as c_int, index, pg_sys::Anum_pg_index_indpred as i16);
            }
            self.add_attribute(PARTRELID as c_int, table, PARTITION_EXPRESSIONS);
            for stored in oids(pg_sys::RelationGetStatExtList(relation)) {
                self.add_attribute(STATEXTOID as c_int, stored, STATISTICS_EXPRESSIONS);
            }
            let kind = (*(*relation).rd_rel).relkind as u8;
            pg_sys::relation_close(relation, pg_sys::NoLock as pg_sys::LOCKMODE);
            if kind == pg_sys::RELKIND_FOREIGN_TABLE {
                return Err(format!("it reads foreign table {}", relation_name(table)));
            }
            Ok(())
        }
    }

    unsafe fn add_attribute(&mut self, cache: c_int, key: Oid, attribute: i16) {
        // SAFETY: a tuple of that cache; its attribute is copied into a C string.
        unsafe {
            read_tuple(cache, key, |tuple| {
                let mut is_null = true;
                let value = pg_sys::SysCacheGetAttr(cache, tuple, attribute, &mut is_null);
                if !is_null {
                    self.add_stored(pg_sys::text_to_cstring(value.cast_mut_ptr()));
                }
            });
        }
    }

    fn add_function(&mut self, function: Oid) {
        if self.built_in_too || !is_built_in(function) {
            self.functions.insert(function.to_u32());
        }
        if is_built_in(function) && runs_named_code(function) {
            self.refusal
                .get_or_insert_with(|| "planning would run what a function of PostgreSQL is given as text".to_owned());
        }
    }

    /// Adds the type of a column or a parameter: its values are not there while a statement is planned, but statistics are.
    unsafe fn add_column_type(&mut self, type_oid: Oid) {
        // SAFETY: a catalogue look-up in a transaction.
        unsafe {
            if !is_built_in(type_oid)
                && [pg_sys::TYPTYPE_RANGE, pg_sys::TYPTYPE_MULTIRANGE].contains(&kind_of(element_type(type_oid)))
            {
                self.types.insert(element_type(type_oid).to_u32());
            }
        }
    }

    /// Adds the type of a value that may be computed while a statement is planned. PostgreSQL's own functions run code by the
    /// type of their arguments, without a node that names it: the checks of a domain wherever a text becomes one, in a row or
    /// an array, too; a cast to json wherever json is made.
    unsafe fn add_type(&mut self, type_oid: Oid) {
        // SAFETY: catalogue look-ups in a transaction.
        unsafe {
            let type_oid = element_type(type_oid);
            if is_built_in(type_oid) {
                return;
            }
            match kind_of(type_oid) {
                pg_sys::TYPTYPE_DOMAIN | pg_sys::TYPTYPE_RANGE | pg_sys::TYPTYPE_MULTIRANGE => {
                    self.types.insert(type_oid.to_u32());
                }
                pg_sys::TYPTYPE_COMPOSITE => {
                    let name = copy_c_string(pg_sys::format_type_be(type_oid));
                    self.refusal.get_or_insert_with(|| format!("planning would compute rows of type {name}"));
                }
                _ => {}
            }
            let (mut function, explicitly) = (pg_sys::InvalidOid, pg_sys::CoercionContext::COERCION_EXPLICIT);
            pg_sys::find_coercion_pathway(pg_sys::JSONOID, type_oid, explicitly, &mut function);
            if function != pg_sys::InvalidOid {
                self.add_function(function);
            }
        }
    }
}

/// Kinds of nodes that give a value of a type which no node below them need have.
const VALUES: &[NodeTag] = &[
    NodeTag::T_Const,
    NodeTag::T_FuncExpr,
    NodeTag::T_OpExpr,
    NodeTag::T_CoerceViaIO,
    NodeTag::T_CoerceToDomain,
    NodeTag::T_ArrayCoerceExpr,
    NodeTag::T_ConvertRowtypeExpr,
    NodeTag::T_RelabelType,
    NodeTag::T_ArrayExpr,
    NodeTag::T_RowExpr,
    NodeTag::T_CaseExpr,
    NodeTag::T_CoalesceExpr,
    NodeTag::T_MinMaxExpr,
    NodeTag::T_Aggref,
    NodeTag::T_WindowFunc,
    NodeTag::T_SubscriptingRef,
    NodeTag::T_FieldSelect,
    NodeTag::T_FieldStore,
    NodeTag::T_JsonConstructorExpr,
    NodeTag::T_JsonValueExpr,
    // PostgreSQL 16 has no node that gives a value out of a path.
    #[cfg(not(feature = "pg16"))]
    NodeTag::T_JsonExpr,
    NodeTag::T_NullIfExpr,
];

/// The type of an array's elements; any other type unchanged.
unsafe fn element_type(type_oid: Oid) -> Oid {
    // SAFETY: a catalogue look-up in a transaction.
    let element = unsafe { pg_sys::get_element_type(type_oid) };
    if element == pg_sys::InvalidOid { type_oid } else { element }
}

unsafe fn kind_of(type_oid: Oid) -> u8 {
    // SAFETY: a catalogue look-up in a transaction.
    unsafe { pg_sys::get_typtype(type_oid) as u8 }
}

/// True of PostgreSQL's own functions that run code named by a text or a table: an input function, a query.
fn runs_named_code(function: Oid) -> bool {
    // SAFETY: a catalogue look-up in a transaction.
    let name = unsafe { copy_c_string(pg_sys::get_func_name(function)) };
    name.contains("_to_xml") || name.starts_with("pg_input_")
}

/// Callback of PostgreSQL's walkers. Only they may call it: an error leaves it as PostgreSQL's own, for C to pass on.
#[pg_guard]
unsafe extern "C-unwind" fn walk(node: *mut pg_sys::Node, context: *mut c_void) -> bool {
    // SAFETY: the walker's promises are those of `visit`.
    unsafe { visit(node, context) }
}

/// Collects the code of a node, and has the walker call for each below it.
///
/// # Safety
/// A node of the tree, and what the walk began with.
unsafe fn visit(node: *mut pg_sys::Node, context: *mut c_void) -> bool {
    // SAFETY: called by PostgreSQL's walkers with a node of the tree, and with the `ReferencedCode` that the walk began with.
    unsafe {
        let code = &mut *context.cast::<ReferencedCode>();
        match tag(node) {
            NodeTag::T_Invalid => return false,
            NodeTag::T_Query => {
                let flags = pg_sys::QTW_EXAMINE_RTES_BEFORE as c_int;
                return pg_sys::query_tree_walker_impl(node.cast(), Some(walk), context, flags);
            }
            NodeTag::T_RangeTblEntry => {
                let entry = node.cast::<pg_sys::RangeTblEntry>();
                code.entries += 1;
                if (*entry).rtekind == pg_sys::RTEKind::RTE_RELATION {
                    code.relations.insert((*entry).relid.to_u32());
                }
                // The walker visits its contents next.
                return false;
            }
            NodeTag::T_Var => code.add_column_type((*node.cast::<pg_sys::Var>()).vartype),
            NodeTag::T_Param => code.add_column_type((*node.cast::<pg_sys::Param>()).paramtype),
            kind if VALUES.contains(&kind) => code.add_type(pg_sys::exprType(node)),
            _ => {}
        }
        pg_sys::check_functions_in_node(node, Some(note_function), context);
        pg_sys::expression_tree_walker_impl(node, Some(walk), context)
    }
}

#[pg_guard]
unsafe extern "C-unwind" fn note_function(function: Oid, context: *mut c_void) -> bool {
    // SAFETY: called with the context of `walk`.
    unsafe { (*context.cast::<ReferencedCode>()).add_function(function) };
    false
}

/// Owners of code, and their rights to run it.
struct Owners {
    /// The role that the statement is planned as, and the calling role.
    roles: [Oid; 2],
    /// The first of these that an owner may not act as, by the owner's number.
    known: BTreeMap<u32, Option<Oid>>,
}

impl Owners {
    /// Refuses code of an owner who may not act as both roles; code without an owner is gone, and refused later by name.
    unsafe fn require(&mut self, owner: Option<Oid>, kind: &str, oid: Oid) -> Result<(), String> {
        let Some(owner) = owner else { return Ok(()) };
        // SAFETY: catalogue look-ups in a transaction.
        unsafe {
            let may_not = |role: &Oid| owner != *role && !pg_sys::member_can_set_role(owner, *role);
            let denied = self.known.entry(owner.to_u32()).or_insert_with(|| self.roles.into_iter().find(may_not));
            let Some(role) = *denied else { return Ok(()) };
            let name = if kind == "type" { pg_sys::format_type_be(oid) } else { pg_sys::get_func_name(oid) };
            let name = copy_c_string(name);
            let role_name = |role| copy_c_string(pg_sys::GetUserNameFromId(role, true));
            let (owner, role) = (role_name(owner), role_name(role));
            Err(format!("planning would run {kind} {name} of role {owner}, which may not act as role {role}"))
        }
    }
}

unsafe fn relation_name(oid: Oid) -> String {
    // SAFETY: catalogue look-ups in a transaction.
    unsafe {
        let schema = copy_c_string(pg_sys::get_namespace_name(pg_sys::get_rel_namespace(oid)));
        format!("{schema}.{}", copy_c_string(pg_sys::get_rel_name(oid)))
    }
}

unsafe fn owner_of_function(function: Oid) -> Option<Oid> {
    // SAFETY: a tuple of pg_proc is what its catalogue says.
    unsafe {
        let read = |tuple| (*pg_sys::GETSTRUCT(tuple).cast::<pg_sys::FormData_pg_proc>()).proowner;
        read_tuple(pg_sys::SysCacheIdentifier::PROCOID as c_int, function, read)
    }
}

unsafe fn owner_of_type(type_oid: Oid) -> Option<Oid> {
    // SAFETY: a tuple of pg_type is what its catalogue says.
    unsafe {
        let read = |tuple| (*pg_sys::GETSTRUCT(tuple).cast::<pg_sys::FormData_pg_type>()).typowner;
        read_tuple(pg_sys::SysCacheIdentifier::TYPEOID as c_int, type_oid, read)
    }
}

/// Reads the tuple of a catalogue's cache with this key; `None` if there is none.
unsafe fn read_tuple<R>(cache: c_int, key: Oid, read: impl FnOnce(pg_sys::HeapTuple) -> R) -> Option<R> {
    // SAFETY: the tuple is released after it was read.
    unsafe {
        let tuple = pg_sys::SearchSysCache1(cache, pg_sys::Datum::from(key));
        if tuple.is_null() {
            return None;
        }
        let result = read(tuple);
        pg_sys::ReleaseSysCache(tuple);
        Some(result)
    }
}
