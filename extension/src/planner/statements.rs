//! Statements of this database that may be planned.

use std::collections::BTreeMap;

use ebs_tuning::indexes::Statement;
use ebs_workload::statements::{Observed, StatementKey};

use crate::ffi;

/// Statements of this database whose texts are known, and the number of those that are not.
pub fn plannable_statements(observed: &Observed, texts: &BTreeMap<StatementKey, String>) -> (Vec<Statement>, u64) {
    let (mut plannable, mut hidden) = (Vec::new(), observed.hidden);
    for demand in observed.statements.iter().filter(|demand| demand.database_id == ffi::own_database()) {
        let Some(text) = texts.get(&demand.key()) else {
            hidden += 1;
            continue;
        };
        plannable.push(Statement { demand: demand.clone(), text: text.clone(), not_plannable: None });
    }
    (plannable, hidden)
}
