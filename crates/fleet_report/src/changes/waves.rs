//! Waves: volumes that are changed together.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use ebs_fleet_row::Row;

use super::change::Change;
use super::stage::Stage;
use crate::money::price;
use crate::risk;

/// Volumes of one account and region that are changed together: at most one of each instance, and of the instances of one owner or
/// of the pods of one set at most half.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Wave<'a> {
    pub(super) account: Option<&'a str>,
    pub(super) region: Option<&'a str>,
    pub(super) changes: Vec<Change<'a>>,
}

/// Instances that may be replicas of each other.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Replicas<'a> {
    /// Instances of one owner.
    Owner(&'a str),
    /// Pods of one set: their claims differ in the ordinal at the end.
    Set(&'a str),
}

/// Divides changes into waves: by account and region, those that are worth a second look last, of the others those of low confidence last, the lowest risk first, then the lowest price.
pub(super) fn waves<'a>(mut changes: Vec<Change<'a>>, rows: &'a [Row], per_wave: usize) -> Vec<Wave<'a>> {
    let limits = limits(rows);
    changes.sort_by(|one, other| {
        let by_risk = rank(one.row).cmp(&rank(other.row));
        let by_price = price(one.row.present.as_ref()).cmp(&price(other.row.present.as_ref()));
        by_risk.then(by_price).then_with(|| one.row.volume.cmp(&other.row.volume))
    });
    let mut places: BTreeMap<(Option<&str>, Option<&str>), Vec<Change>> = BTreeMap::new();
    for change in changes {
        places.entry((change.row.account.as_deref(), change.row.region.as_deref())).or_default().push(change);
    }
    places.into_values().flat_map(|changes| fill(changes, &limits, per_wave.max(1))).collect()
}

/// Puts each change into the first wave of its risk that has room for it.
fn fill<'a>(changes: Vec<Change<'a>>, limits: &HashMap<Replicas<'a>, usize>, per_wave: usize) -> Vec<Wave<'a>> {
    let mut waves: Vec<Open<'a>> = Vec::new();
    let (mut first, mut risk) = (0, None);
    for change in changes {
        if risk != Some(rank(change.row)) {
            risk = Some(rank(change.row));
            first = waves.len();
        }
        let place = (first..waves.len()).find(|place| waves[*place].has_room(change.row, limits, per_wave));
        let place = place.unwrap_or_else(|| {
            waves.push(Open::default());
            waves.len() - 1
        });
        waves[place].add(change);
    }
    waves.into_iter().map(Open::close).collect()
}

/// A wave that is being filled.
#[derive(Default)]
struct Open<'a> {
    changes: Vec<Change<'a>>,
    instances: HashSet<&'a str>,
    replicas: HashMap<Replicas<'a>, usize>,
}

impl<'a> Open<'a> {
    fn has_room(&self, row: &'a Row, limits: &HashMap<Replicas<'a>, usize>, per_wave: usize) -> bool {
        let used = |key: &Replicas| self.replicas.get(key).copied().unwrap_or_default();
        let limit = |key: &Replicas| limits.get(key).copied().unwrap_or(1);
        self.changes.len() < per_wave
            && !self.instances.contains(instance(row))
            && replicas(row).all(|key| used(&key) < limit(&key))
    }

    fn add(&mut self, change: Change<'a>) {
        self.instances.insert(instance(change.row));
        for key in replicas(change.row) {
            *self.replicas.entry(key).or_default() += 1;
        }
        self.changes.push(change);
    }

    fn close(self) -> Wave<'a> {
        let first = self.changes.first().map(|change| change.row);
        let account = first.and_then(|row| row.account.as_deref());
        Wave { account, region: first.and_then(|row| row.region.as_deref()), changes: self.changes }
    }
}

/// Most instances of each set of replicas that one wave may touch: half of them, at least one.
fn limits(rows: &[Row]) -> HashMap<Replicas<'_>, usize> {
    let mut instances: HashMap<Replicas, BTreeSet<&str>> = HashMap::new();
    for row in rows {
        for key in replicas(row) {
            instances.entry(key).or_default().insert(instance(row));
        }
    }
    instances.into_iter().map(|(key, instances)| (key, (instances.len() / 2).max(1))).collect()
}

fn replicas(row: &Row) -> impl Iterator<Item = Replicas<'_>> {
    let set = row.claim.as_deref().map(|claim| {
        let base = claim.trim_end_matches(|letter: char| letter.is_ascii_digit());
        Replicas::Set(base.strip_suffix('-').unwrap_or(claim))
    });
    row.owner.as_deref().map(Replicas::Owner).into_iter().chain(set)
}

/// The instance of a volume; the volume itself where none is known.
fn instance(row: &Row) -> &str {
    row.instance.as_deref().unwrap_or(&row.volume)
}

/// Rank of a change: by stage, of those of low confidence after the others, by risk; a risk that is not known is the highest.
fn rank(row: &Row) -> (Stage, bool, usize) {
    let risk = risk::rank(row.risk.as_deref()).unwrap_or(usize::MAX);
    (Stage::new(row), row.confidence.as_deref() == Some("low"), risk)
}

#[cfg(test)]
#[path = "waves_tests.rs"]
mod tests;
