//! Plans of EXPLAIN, facts of tables, and SQL in text: what PostgreSQL hands over of statements that others wrote.

use ebs_advisor_model::indexes::condition::{clauses, extreme, references, sort_key};
use ebs_advisor_model::indexes::derive::derive;
use ebs_advisor_model::indexes::existing::superfluous;
use ebs_advisor_model::indexes::pages::pages;
use ebs_advisor_model::indexes::statement::{columns_set, may_write, with_casts, with_measured_limit};
use ebs_advisor_model::indexes::usage::uses;
use ebs_advisor_model::indexes::{Node, Table};

use crate::figures::{all_sound, sound};

/// A plan, and what it asks of its tables.
pub fn plan(data: &[u8]) {
    let Ok(Ok(plan)) = std::str::from_utf8(data).map(Node::parse) else { return };
    assert!(plan.same_shape(&plan) && plan.all().len() >= plan.children.len());
    all_sound([("pages", pages(&plan, &plan))]);
    for used in uses(&plan) {
        for candidate in derive(&Table::default(), &used) {
            drop((candidate.command(), candidate.short()));
        }
    }
}

/// Tables, and which of their indexes serve nothing.
pub fn tables(data: &[u8]) {
    let Ok(Ok(tables)) = std::str::from_utf8(data).map(Table::parse) else { return };
    let _ = superfluous(&tables);
    for table in &tables {
        sound("share of updates", table.hot_share());
        let _ = table.qualified();
        table.referenced_by.iter().for_each(|key| drop(key.look_up()));
        for column in &table.columns {
            let _ = table.distinct(&column.name);
        }
    }
}

/// A condition, or a sort key.
pub fn condition(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    assert!(!clauses(text).is_empty());
    drop((references(text), sort_key(text), extreme(text)));
}

/// A statement of pg_stat_statements.
pub fn statement(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    drop((with_measured_limit(text, 3.5), with_casts(text), columns_set(text), may_write(text)));
}
