//! Findings about existing indexes that serve nothing.

use std::collections::BTreeMap;

use super::existing::{KeyMatch, Superfluous, superfluous};
use super::finding::{Finding, Kind};
use super::input::Input;
use super::reason::Reason;
use super::table::Table;
use super::writes::{Rates, existing_index};

/// Fewest seconds of statistics after which an index counts as unused: reports run weekly. A choice.
pub const MIN_COUNTED_S: f64 = 7.0 * 86_400.0;

/// Collects the existing indexes that serve nothing, with their cost; statistics cover `counted_s` seconds, if that is known.
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
    let (kind, reason) = match superfluous.replacement {
        Some((other, KeyMatch::Same)) => (Kind::Duplicate, Reason::SameKeys { index: other.quoted.clone() }),
        Some((other, KeyMatch::Longer)) => (Kind::Duplicate, Reason::LongerKeys { index: other.quoted.clone() }),
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
