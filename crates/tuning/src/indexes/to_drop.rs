//! What is said of indexes that serve nothing.

use super::existing::{Likeness, Superfluous, superfluous};
use super::finding::{Finding, Kind};
use super::scene::Scene;
use super::table::Table;
use super::writes::{Cost, Rates, existing_index};
use ebs_base::format::{count, rate};

/// Over fewer seconds it is too early to say that an index is not used: reports run weekly. A choice.
const LONG_ENOUGH_S: f64 = 7.0 * 86_400.0;

/// Indexes that are there and serve nothing, with what they cost; statistics have counted for `counted_s`, if that is
/// known.
pub fn to_drop(scene: &Scene, all: &[Table], counted_s: Option<f64>) -> Vec<Finding> {
    let by_statement = scene.rates();
    superfluous(all).iter().map(|found| drop_finding(found, scene, counted_s, &by_statement)).collect()
}

fn drop_finding(
    found: &Superfluous,
    scene: &Scene,
    counted_s: Option<f64>,
    by_statement: &std::collections::BTreeMap<(String, String), Rates>,
) -> Finding {
    let (table, index) = (found.table, found.index);
    let known = counted_s.filter(|seconds| *seconds > 0.0);
    let counted = known
        .map(|seconds| Rates { inserted_s: table.inserted / seconds, updated: vec![(table.updated / seconds, None)] });
    let rates = counted.or_else(|| by_statement.get(&(table.schema.clone(), table.name.clone())).cloned());
    let spared = rates.map(|rates| existing_index(index, table, &rates, &scene.memory));
    let (kind, advised, reason) = match found.instead {
        Some((other, Likeness::Same)) => (Kind::Duplicate, true, format!("{} has the same keys", other.quoted)),
        Some((other, Likeness::Longer)) => {
            (Kind::Duplicate, true, format!("{} begins with the same keys", other.quoted))
        }
        None => {
            let days = |seconds: f64| count(seconds / 86_400.0);
            match known {
                Some(seconds) if seconds >= LONG_ENOUGH_S => {
                    (Kind::Unused, true, format!("not used once in {} days; look at standbys too", days(seconds)))
                }
                Some(seconds) => (
                    Kind::Unused,
                    false,
                    format!("not used once, but its use is counted for {} hours only", count(seconds / 3_600.0)),
                ),
                None => (
                    Kind::Unused,
                    false,
                    "not used once, but since when that is counted is not known: statistics were never reset"
                        .to_owned(),
                ),
            }
        }
    };
    let words = match spared {
        Some(cost) => format!("; {} entries/s cost {} writes/s", rate(cost.entries_s), rate(cost.writes_s)),
        None => String::new(),
    };
    let negative = |cost: Cost| Cost {
        entries_s: -cost.entries_s,
        reads_s: -cost.reads_s,
        writes_s: -cost.writes_s,
        wal_bytes_s: -cost.wal_bytes_s,
    };
    Finding {
        advised,
        table: Some(table.qualified.clone()),
        command: Some(format!("DROP INDEX CONCURRENTLY {}", index.qualified)),
        cost: spared.map(negative),
        size_bytes: index.size_bytes,
        ..Finding::new(kind, reason + &words)
    }
}
