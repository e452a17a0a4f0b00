//! Findings about indexes that serve nothing.

use std::collections::BTreeMap;

use super::existing::{Likeness, Superfluous, superfluous};
use super::finding::{Finding, Kind};
use super::input::Input;
use super::reason::Reason;
use super::table::Table;
use super::writes::{Rates, existing_index};

/// Over fewer seconds it is too early to say that an index is not used: reports run weekly. A choice.
pub const MIN_COUNTED_S: f64 = 7.0 * 86_400.0;

/// Indexes that are there and serve nothing, with their cost; statistics have counted for `counted_s`, if that is known.
pub fn to_drop(input: &Input, all: &[Table], counted_s: Option<f64>) -> Vec<Finding> {
    let by_statement = input.rates();
    superfluous(all).iter().map(|index| drop_finding(index, input, counted_s, &by_statement)).collect()
}

fn drop_finding(
    superfluous: &Superfluous,
    input: &Input,
    counted_s: Option<f64>,
    by_statement: &BTreeMap<(String, String), Rates>,
) -> Finding {
    let (table, index) = (superfluous.table, superfluous.index);
    let counted_s = counted_s.filter(|seconds| *seconds > 0.0);
    let counted = counted_s
        .map(|seconds| Rates { inserted_s: table.inserted / seconds, updated: vec![(table.updated / seconds, None)] });
    let rates = counted.or_else(|| by_statement.get(&(table.schema.clone(), table.name.clone())).cloned());
    let saved = rates.map(|rates| existing_index(index, table, &rates, &input.memory));
    let (kind, reason) = match superfluous.instead {
        Some((other, Likeness::Same)) => (Kind::Duplicate, Reason::SameKeys { index: other.quoted.clone() }),
        Some((other, Likeness::Longer)) => (Kind::Duplicate, Reason::LongerKeys { index: other.quoted.clone() }),
        None => (Kind::Unused, Reason::Unused { counted_s }),
    };
    Finding {
        advised: kind == Kind::Duplicate || counted_s.is_some_and(|seconds| seconds >= MIN_COUNTED_S),
        table: Some(table.qualified.clone()),
        command: Some(format!("DROP INDEX CONCURRENTLY {}", index.qualified)),
        cost: saved.map(|cost| -cost),
        size_bytes: index.size_bytes,
        ..Finding::new(kind, reason)
    }
}
