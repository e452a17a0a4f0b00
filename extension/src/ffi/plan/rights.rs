//! Rights that a plan needs, of the role that asks: EXPLAIN would check them when it executes, which is never done here.

use pgrx::pg_sys::{self, Oid};

use super::catalog::{relation_name, role_name};
use super::nodes::elements;

/// Reason that a statement has no plan.
pub enum NotPlanned {
    /// A refusal, with its reason.
    Refused(String),
    /// The role that asks may not read this table.
    NoSelect {
        /// Its name.
        role: String,
        /// Schema and name of the table.
        table: String,
    },
    /// Policies give the role that executed it other rows of this table than the one that asks.
    RowSecurity {
        /// Schema and name of the table.
        table: String,
    },
}

impl From<String> for NotPlanned {
    fn from(reason: String) -> NotPlanned {
        NotPlanned::Refused(reason)
    }
}

/// Refuses a plan with a table that the current role may not read, or of which the role that executed the statement sees other rows.
///
/// # Safety
/// A plan of the planner's, in a transaction.
pub(super) unsafe fn check_rights(planned: *mut pg_sys::PlannedStmt, executed_by: Oid) -> Result<(), NotPlanned> {
    // SAFETY: a list of RTEPermissionInfo, of tables and views that are there; look-ups of the catalogue in a transaction.
    unsafe {
        let current = pg_sys::GetUserId();
        for permissions in elements::<pg_sys::RTEPermissionInfo>((*planned).permInfos) {
            let table = (*permissions).relid;
            // A plan tells of statistics, which reading does; it changes nothing.
            (*permissions).requiredPerms &= pg_sys::ACL_SELECT as pg_sys::AclMode;
            // Tables of a view are read with the rights of its owner.
            let reader = match (*permissions).checkAsUser {
                pg_sys::InvalidOid => current,
                owner => owner,
            };
            if (*permissions).requiredPerms != 0 && !pg_sys::ExecCheckOneRelPerms(permissions) {
                return Err(no_select(reader, current, table));
            }
            if reader == current
                && current != executed_by
                && (has_policies(table, current) || has_policies(table, executed_by))
            {
                return Err(NotPlanned::RowSecurity { table: relation_name(table) });
            }
        }
        Ok(())
    }
}

unsafe fn has_policies(table: Oid, role: Oid) -> bool {
    // SAFETY: a look-up of the catalogue in a transaction; the last argument keeps it from raising an error.
    unsafe { pg_sys::check_enable_rls(table, role, true) == pg_sys::CheckEnableRlsResult::RLS_ENABLED as i32 }
}

/// A right is granted to the role that asks alone: whoever has a view, however made, would have it otherwise.
fn no_select(reader: Oid, current: Oid, table: Oid) -> NotPlanned {
    let (role, table) = (role_name(reader), relation_name(table));
    if reader == current {
        return NotPlanned::NoSelect { role, table };
    }
    NotPlanned::Refused(format!("it reads table {table} by a view of role {role}, which may not read it"))
}
