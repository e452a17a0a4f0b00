//! Checks of what was found: a selection that nothing meets and a time without samples are no success.

use ebs_base::format::{count, plain};
use ebs_fleet::{Fleet, FleetVolume, Scope, ScopedDurability, Selection, Unobserved};
use ebs_fleet_report::Row;
use ebs_imports::configuration::Configuration;
use ebs_prometheus::{CompiledSelector, Labels};
use jiff::{SignedDuration, Timestamp};

use super::transport::TimeRange;
use crate::message::print_message;

/// Exit status where no volume has samples: as where none is found at all.
const NOTHING_FOUND: u8 = 1;

/// Exit status where an argument names volumes that are not found.
const INCOMPLETE: u8 = 4;

/// Clock difference of two machines that is none of the user's.
const CLOCK_ERROR: SignedDuration = SignedDuration::from_mins(2);

/// Most names of a message.
const MAX_NAMES: usize = 5;

/// Warns of a time that has not come.
pub fn warn_of_future(until: Timestamp) {
    if until > Timestamp::now().saturating_add(CLOCK_ERROR).unwrap_or(Timestamp::MAX) {
        print_message!("warning: --until {until} is in the future: the time without samples lowers the coverage");
    }
}

/// Arguments that nothing meets, as they are written.
pub fn unmet(
    fleet: &Fleet,
    labels: &[Labels],
    configuration: &Configuration,
    (selection, durability): (&Selection, &[ScopedDurability]),
) -> Vec<String> {
    let volumes = || fleet.batches.iter().flat_map(|batch| batch.selected());
    let quoted = |argument: &str, value: &str| format!("{argument} \"{}\"", plain(value));
    let is_named =
        |id: &String| volumes().any(|volume| volume.id == *id) || fleet.unobserved.iter().any(|one| one.id == *id);
    let claimed = |pattern: &String| {
        let one = Selection { claims: vec![pattern.clone()], ..Selection::default() };
        let of_volume = |volume: &FleetVolume| one.has_claim(volume.claim.as_deref());
        let of_other = |other: &Unobserved| one.has_claim(other.claim.as_deref());
        volumes().any(of_volume) || fleet.unobserved.iter().any(of_other)
    };
    let mounted = |pattern: &String| {
        let one = Selection { mountpoints: vec![pattern.clone()], ..Selection::default() };
        volumes().any(|volume| one.has_mountpoint(volume.mountpoints.iter().map(String::as_str)))
    };
    // A selector that cannot be compared here was taken by the server.
    let matched = |selector: &ebs_prometheus::Selector| {
        CompiledSelector::new(selector).map_or(true, |compiled| labels.iter().any(|one| compiled.matches(one)))
    };
    let tagged = |key: &String, value: &String| {
        let one = Selection { tags: vec![(key.clone(), value.clone())], ..Selection::default() };
        configuration.volumes.values().any(|volume| one.has_tags(Some(&volume.tags)))
            || configuration.databases.values().any(|database| one.has_tags(Some(&database.tags)))
    };
    let tags = selection.tags.iter().filter(|(key, value)| !tagged(key, value));
    let tags = tags.map(|(key, value)| quoted("--tag", &format!("{key}={value}")));
    let ids = selection.volumes.iter().filter(|id| !is_named(id)).map(|id| quoted("--volume", id));
    let claims = selection.claims.iter().filter(|one| !claimed(one)).map(|one| quoted("--claim", one));
    let mountpoints = selection.mountpoints.iter().filter(|one| !mounted(one)).map(|one| quoted("--mountpoint", one));
    let matches = selection.matches.iter().filter(|one| !matched(one));
    let matches = matches.map(|one| format!("--match \'{}\'", plain(&one.to_string())));
    let scopes = durability.iter().map(ScopedDurability::scope).filter_map(|scope| match scope {
        Scope::Tag(key, value) => (!tagged(key, value)).then(|| format!("tag:{key}={value}")),
        Scope::Claim(pattern) => (!claimed(pattern)).then(|| format!("claim:{pattern}")),
        Scope::Volume(id) => (!is_named(id)).then(|| format!("volume:{id}")),
    });
    let scopes = scopes.map(|scope| quoted("--durability-pct", &scope));
    ids.chain(claims).chain(mountpoints).chain(tags).chain(scopes).chain(matches).collect()
}

/// Answer whose evidence is checked.
pub struct Found<'a> {
    /// The fleet, of all shards, the selection, and its arguments that nothing meets.
    pub found: (&'a Fleet, &'a Selection, &'a [String]),
    /// Its rows.
    pub rows: &'a [Row],
    /// Number of its batches: a shard may have none.
    pub batches: usize,
    /// True where the engine has any series of volumes in the time.
    pub has_series: bool,
    /// The time.
    pub range: TimeRange,
    /// Batches that were not fetched, which their own rows name.
    pub failed: usize,
}

/// True of a volume that a document shows, and attaches to nothing.
fn is_unattached(row: &Row) -> bool {
    row.reason.code == "unattached" || row.findings.iter().any(|finding| finding.code == "unattached")
}

impl Found<'_> {
    /// Says what is missing, and returns the exit status that follows; 0 where nothing is.
    pub fn check(&self) -> u8 {
        let (fleet, selection, unmet) = self.found;
        unmet.iter().for_each(|argument| print_message!("warning: no volume meets {argument}"));
        // Volumes that are named, and that documents alone show as unattached, are answered in full by an engine that has others.
        let is_named = !(selection.volumes.is_empty() && selection.claims.is_empty());
        let is_unused = self.has_series && self.rows.iter().all(is_unattached);
        if fleet.batches.is_empty() && is_named && unmet.is_empty() && is_unused {
            return 0;
        }
        if fleet.batches.is_empty() {
            print_message!("error: no volume has series in the time: all rows are of the documents alone");
            self.name_time();
            // A selector restricts the search for series; without one, other series would have been found in another time alone.
            if self.has_series || !selection.matches.is_empty() {
                print_message!(
                    "hint:  Compare --match, --claim, --mountpoint and --volume with the labels of the series."
                );
            } else {
                print_message!("hint:  Name the time of the samples by --since and --until.");
            }
            return NOTHING_FOUND;
        }
        let without = || self.rows.iter().filter(|row| row.reason.code == "no_samples");
        let is_without_all = self.rows.iter().all(|row| row.evidence.interval_s.is_none());
        let is_silent = |row: &Row| matches!(row.reason.code.as_str(), "no_samples" | "unattached");
        if self.failed == 0 && self.batches > 0 && is_without_all && self.rows.iter().any(is_silent) {
            print_message!("error: no volume has samples in the time");
            self.name_time();
            print_message!("hint:  Name the time of the samples by --since and --until.");
            return NOTHING_FOUND;
        }
        let names: Vec<String> = without().take(MAX_NAMES).map(|row| plain(&row.volume)).collect();
        let number = without().count();
        if number > 0 {
            let more = if number > names.len() { ", …" } else { "" };
            let (number, all) = (count(number as f64), count(self.rows.len() as f64));
            print_message!(
                "warning: {number} of {all} volumes have no samples in the time: {}{more}",
                names.join(", ")
            );
        }
        if unmet.is_empty() { 0 } else { INCOMPLETE }
    }

    fn name_time(&self) {
        let time = |ms| Timestamp::from_millisecond(ms).map(|time| time.to_string()).unwrap_or_default();
        print_message!("detail: it is from {} to {}", time(self.range.from_ms), time(self.range.to_ms));
    }
}
