//! Counts of a volume, from the series of all its origins.

use ebs_prometheus::{Labels, Sample};

use crate::discovery::device::is_instance_id;
use crate::discovery::fleet::{FleetVolume, Origin};
use crate::discovery::metric;
use crate::discovery::source::Source;
use crate::series::disk_identity::DiskIdentity;
use crate::series::index::{Copy, Index};
use crate::series::merge::{self, Merged, merge};
use crate::series::rates;
use crate::series::readings::Columns;
use crate::series::seconds::{SecondGroup, seconds};
use crate::series::track::{Conditions, Piece, Timers, Track, counted_checks, differences};

/// Counts of a volume.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    /// Tracks, one an origin and a replica.
    pub tracks: Vec<Track>,
    /// Exporter and replica of each track, by which counts of several volumes are of the same scrapes.
    pub scrapers: Vec<Scraper>,
    /// The tracks together.
    pub merged: Merged,
    /// Seconds of demand by histograms; empty where there are none, or where they cover less than the tracks.
    pub seconds: Vec<SecondGroup>,
    /// True where bytes are not exported.
    pub lacks_bytes: bool,
    /// True where the period of sums cannot be told.
    pub lacks_period: bool,
}

/// An exporter, as one replica scrapes it.
pub type Scraper = (Source, Labels, Labels);

/// Share of the time with counts of scrapes that histograms of seconds must cover to take their place. A choice.
const MIN_SECONDS_SHARE: f64 = 0.9;

impl Counts {
    /// Tracks that counts are taken of.
    pub fn used_tracks(&self) -> impl Iterator<Item = &Track> {
        let mut is_used = vec![false; self.tracks.len()];
        self.merged.sections.iter().for_each(|section| is_used[section.track] = true);
        self.tracks.iter().zip(is_used).filter(|(_, is_used)| *is_used).map(|(track, _)| track)
    }

    /// Counts of the tracks together, each with its track.
    pub fn pieces(&self) -> impl DoubleEndedIterator<Item = (&Piece, &Track)> + Clone {
        self.merged.pieces(&self.tracks)
    }

    /// True where a request was counted.
    pub fn has_requests(&self) -> bool {
        let mut known = self.pieces().filter_map(|(piece, _)| piece.known());
        known.any(|counts| counts.reads > 0 || counts.writes > 0)
            || self.seconds.iter().any(|group| group.requests > 0.0)
    }

    /// True without counts of any kind.
    pub fn is_empty(&self) -> bool {
        self.merged.sections.is_empty() && self.seconds.is_empty()
    }

    /// Leaves out the time above limits that were others then.
    pub fn drop_checks_before(&mut self, limits_since_us: i64) {
        for track in &mut self.tracks {
            track.exceeded.retain(|exceeded| exceeded.began_us >= limits_since_us);
        }
    }
}

/// Collects the counts of a volume. The period of sums is used where they do not tell their own.
pub fn collect(volume: &FleetVolume, index: &Index, period_ms: Option<i64>, pause: &dyn Fn()) -> Counts {
    let mut counts = Counts::default();
    for origin in &volume.origins {
        for (replica, copy) in index.copies(&origin.target, origin.own_label(&volume.id)) {
            let exporter = index.copy(&origin.target, "", replica);
            let columns = Columns::new(copy, origin.source.columns());
            let columns = if origin.source.is_cumulative() { columns.without_still() } else { columns };
            counts.lacks_bytes |= columns.lacks_bytes();
            let track = if origin.source.is_cumulative() {
                Some(cumulative(origin, &volume.id, copy, exporter, &columns, pause))
            } else {
                let times = exporter.and_then(|exporter| exporter.samples(metric::RDS_OS_TIMESTAMP));
                let hints = rates::Hints { event_times: times.as_deref(), period_ms };
                let track = rates::track(origin, &columns, &hints);
                counts.lacks_period |= track.is_none() && columns.has(metric::Column::Reads);
                track
            };
            if let Some(track) = track.filter(|track| !track.pieces.is_empty()) {
                counts.tracks.push(track);
                counts.scrapers.push((origin.source, origin.target.clone(), replica.clone()));
            }
        }
    }
    counts.merged = merge(&counts.tracks);
    counts.seconds = seconds(volume, index, pause);
    let covered_s = counts.seconds.iter().map(|group| group.us as f64 / 1e6).sum::<f64>();
    let least_s = || MIN_SECONDS_SHARE * merge::covered_s(counts.pieces().map(|(piece, _)| piece));
    if !counts.seconds.is_empty() && covered_s < least_s() {
        counts.seconds.clear();
    }
    counts
}

/// Track of cumulative counters.
fn cumulative(
    origin: &Origin,
    id: &str,
    copy: &Copy,
    exporter: Option<&Copy>,
    columns: &Columns,
    pause: &dyn Fn(),
) -> Track {
    let identity = DiskIdentity::new(origin.source, copy, id);
    let starts = exporter.and_then(|exporter| exporter.samples(metric::NODE_BOOT_TIME)).unwrap_or_default();
    let (readings, checks) = (columns.readings(), counted_checks(columns));
    let conditions = Conditions { identity: &identity, starts: &starts, checks, pause };
    let (pieces, exceeded) = differences(&readings, &conditions);
    let (host, instance_type) = instance_of_target(origin, exporter, &pieces);
    let is_timed = readings.is_timed();
    let timers = Timers::new(columns);
    Track { source: origin.source, host, instance_type, pieces, exceeded, checks, is_timed, timers }
}

/// Instance that the exporter was on during the last of these counts, as its machine shows it; that of the origin where it shows none.
fn instance_of_target(origin: &Origin, exporter: Option<&Copy>, pieces: &[Piece]) -> (Option<String>, Option<String>) {
    let own = (origin.host.clone(), origin.instance_type.clone());
    let (Some(exporter), Some(last)) = (exporter, pieces.last()) else { return own };
    let at_ms = last.ended_us / 1_000;
    let series = exporter.series(metric::NODE_DMI_INFO).iter();
    let distance = |samples: &[Sample]| samples.iter().map(|sample| sample.at_ms.abs_diff(at_ms)).min();
    let nearest = series.min_by_key(|series| distance(&series.samples).unwrap_or(u64::MAX));
    let id = nearest.and_then(|series| series.labels.get("board_asset_tag")).filter(|tag| is_instance_id(tag));
    match (id, nearest) {
        (Some(id), Some(series)) => {
            let product = series.labels.get("product_name").filter(|name| name.contains('.'));
            (Some(id.to_owned()), product.map(str::to_owned))
        }
        _ => own,
    }
}
