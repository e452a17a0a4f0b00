//! Statements of this database that may be planned.

use std::collections::BTreeMap;

use ebs_tuning::indexes::Statement;
use ebs_workload::statements::{Observed, StatementKey};

use crate::errors::Error;
use crate::ffi;
use crate::sql::first_value;

/// Statements of this database whose texts are known, and the number of those that are not.
pub fn plannable_statements(
    observed: &Observed,
    texts: &BTreeMap<StatementKey, String>,
) -> Result<(Vec<Statement>, u64), Error> {
    let (mut plannable, mut hidden) = (Vec::new(), observed.hidden);
    let mut roles: BTreeMap<u32, Option<String>> = BTreeMap::new();
    for demand in observed.statements.iter().filter(|demand| demand.database_id == ffi::own_database()) {
        let Some(text) = texts.get(&demand.key()) else {
            hidden += 1;
            continue;
        };
        let not_plannable = match roles.get(&demand.user_id) {
            Some(known) => known.clone(),
            None => roles.entry(demand.user_id).or_insert(role_obstacle(demand.user_id)?).clone(),
        };
        plannable.push(Statement { demand: demand.clone(), text: text.clone(), not_plannable });
    }
    Ok((plannable, hidden))
}

/// Reason that the caller cannot act as this role; `None` if it can.
fn role_obstacle(role: u32) -> Result<Option<String>, Error> {
    let query = "SELECT CASE WHEN r.oid IS NULL THEN 'the role that executed it is gone'
                             WHEN pg_catalog.pg_has_role(current_user, r.oid, 'SET') THEN ''
                             ELSE 'role ' || r.rolname || ' executed it: ask as that role, or as one that may SET ROLE to it' END
                 FROM (VALUES ($1::pg_catalog.int8)) v (number) LEFT JOIN pg_catalog.pg_roles r ON r.oid = v.number::pg_catalog.oid";
    Ok(first_value::<String>(query, &[i64::from(role).into()])?.filter(|reason| !reason.is_empty()))
}
