//! Seconds of demand, from histograms that the sampler exports as counters: exact percentiles at any scrape interval.

use std::collections::BTreeMap;

use ebs_base::counter::Delta;
use ebs_base::units::SECOND_US;
use ebs_prometheus::{Labels, Sample, Series};
use ebs_samples::demand_histogram::{DemandGroup, DemandMetric, HistogramReading};
use ebs_samples::evidence::DeviceCounts;

use crate::discovery::fleet::FleetVolume;
use crate::series::index::{Copy, Index};
use crate::series::readings::usual_ms;
use crate::series::track::{GAP_FACTOR, Piece};

/// Time with similar demand within the interval of two scrapes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SecondGroup {
    /// End of the interval of the scrapes, microseconds since 1970.
    pub ended_us: i64,
    /// Its length, microseconds.
    pub span_us: u64,
    /// Length of the time in it, microseconds.
    pub us: u64,
    /// Requests a second.
    pub requests: f64,
    /// Bytes a second.
    pub bytes: f64,
}

/// Reads the histograms of a volume; of several exporters or replicas the one that covers most. Empty without any.
pub fn seconds(volume: &FleetVolume, index: &Index, pause: &dyn Fn()) -> Vec<SecondGroup> {
    let copies = volume.histograms.iter().flat_map(|target| index.copies(target, &volume.id));
    let all = copies.map(|(_, copy)| {
        pause();
        groups(copy)
    });
    let covered = |groups: &Vec<SecondGroup>| groups.iter().map(|group| group.us).sum::<u64>();
    all.max_by_key(covered).unwrap_or_default()
}

/// Groups of one copy of the counters.
fn groups(copy: &Copy) -> Vec<SecondGroup> {
    let [requests, bytes] = DemandMetric::ALL.map(|metric| readings(copy, metric));
    let times: Vec<i64> = requests.keys().filter(|at_ms| bytes.contains_key(at_ms)).copied().collect();
    let Some(usual_ms) = usual_ms(times.iter().copied()) else { return Vec::new() };
    let mut groups = Vec::new();
    for pair in times.windows(2).filter(|pair| (pair[1] - pair[0]) as f64 <= GAP_FACTOR * usual_ms as f64) {
        let since = |readings: &BTreeMap<i64, HistogramReading>| match readings[&pair[1]].since(&readings[&pair[0]]) {
            Delta::Advanced(groups) => Some(groups),
            Delta::Reset => None,
        };
        if let (Some(requests), Some(bytes)) = (since(&requests), since(&bytes)) {
            let (ended_us, span_us) = (pair[1] * 1_000, (pair[1] - pair[0]).unsigned_abs() * 1_000);
            let group = |(us, requests, bytes)| SecondGroup { ended_us, span_us, us, requests, bytes };
            groups.extend(coupled(&requests, &bytes).into_iter().map(group));
        }
    }
    groups
}

/// Readings of one metric, at the times at which its sum was scraped.
fn readings(copy: &Copy, metric: DemandMetric) -> BTreeMap<i64, HistogramReading> {
    let name = |part: &str| format!("ebs_demand_{}_{part}", metric.name());
    let Some(sums) = copy.samples(&name("sum")) else { return BTreeMap::new() };
    let bound = |labels: &Labels| match labels.get("le")? {
        "+Inf" => Some(f64::INFINITY),
        text => text.parse().ok(),
    };
    let name = name("bucket");
    let buckets =
        copy.series(&name).iter().filter_map(|series: &&Series| Some((bound(&series.labels)?, &series.samples[..])));
    let mut buckets: Vec<(f64, &[Sample])> = buckets.collect();
    let mut readings = BTreeMap::new();
    for sum in sums.iter() {
        let mut values = Vec::with_capacity(buckets.len());
        for (bound, samples) in &mut buckets {
            let skipped = samples.iter().take_while(|sample| sample.at_ms < sum.at_ms).count();
            *samples = &samples[skipped..];
            let value = samples.first().filter(|sample| sample.at_ms == sum.at_ms).map(|sample| sample.value);
            values.extend(value.filter(|value| value.is_finite()).map(|value| (*bound, value)));
        }
        let is_whole = values.iter().any(|(bound, _)| bound.is_infinite());
        let reading = HistogramReading::from_seconds(metric, &values, sum.value).filter(|_| is_whole);
        readings.extend(reading.map(|reading| (sum.at_ms, reading)));
    }
    readings
}

/// Requests and bytes of the same time, which are counted apart: the busiest seconds of both are taken to be the same ones. Percentiles of
/// each are exact, and no volume is asked for less at once than it may have been.
fn coupled(requests: &[DemandGroup], bytes: &[DemandGroup]) -> Vec<(u64, f64, f64)> {
    let mut coupled = Vec::new();
    let (mut first, mut second) = (requests.iter().copied(), bytes.iter().copied());
    let (mut one, mut other) = (first.next(), second.next());
    while let (Some(mut a), Some(mut b)) = (one, other) {
        let us = a.us.min(b.us);
        if us > 0 {
            coupled.push((us, a.rate, b.rate));
        }
        (a.us, b.us) = (a.us - us, b.us - us);
        one = if a.us > 0 { Some(a) } else { first.next() };
        other = if b.us > 0 { Some(b) } else { second.next() };
    }
    coupled
}

/// Counts of a group. The histograms do not tell reads from writes, nor how long they took: as those of the scrapes did.
pub fn counts(group: &SecondGroup, mix: &Mix) -> DeviceCounts {
    let seconds = group.us as f64 / SECOND_US as f64;
    let whole = |rate: f64| (rate * seconds).round() as u64;
    let (requests, bytes) = (whole(group.requests), whole(group.bytes));
    let part = |all: u64| (all as f64 * mix.read_share).round() as u64;
    let (reads, read_bytes) = (part(requests), part(bytes));
    let ms = |requests: u64, each: f64| (requests as f64 * each).round() as u64;
    DeviceCounts {
        reads,
        writes: requests - reads.min(requests),
        read_bytes,
        write_bytes: bytes - read_bytes.min(bytes),
        read_ms: ms(reads, mix.read_ms),
        write_ms: ms(requests - reads.min(requests), mix.write_ms),
        weighted_ms: ms(requests, mix.queued_ms),
        ..DeviceCounts::default()
    }
}

/// Mix of the requests of a time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mix {
    /// Share of reads in the requests, 0 to 1.
    pub read_share: f64,
    /// Mean time of a read, ms.
    pub read_ms: f64,
    /// Mean time of a write, ms.
    pub write_ms: f64,
    /// Mean time in flight of a request, ms.
    pub queued_ms: f64,
}

/// Mixes of requests by the end of their interval, and that of all of the time.
pub struct Mixes {
    by_end: BTreeMap<i64, Mix>,
    all: Mix,
}

impl Mixes {
    /// Mixes of these counts; `None` without requests.
    pub fn new<'a>(pieces: impl Iterator<Item = &'a Piece>) -> Option<Mixes> {
        use ebs_base::counter::Counters;
        let (mut by_end, mut sum) = (BTreeMap::new(), DeviceCounts::default());
        for piece in pieces {
            let Some(counts) = piece.known() else { continue };
            sum = sum.plus(counts);
            by_end.extend(mix(&counts).map(|mix| (piece.ended_us, mix)));
        }
        Some(Mixes { by_end, all: mix(&sum)? })
    }

    /// Mix of the interval with this end, by a scrape of the same time, or else that of all of the time.
    pub fn find(&self, ended_us: i64) -> Mix {
        self.by_end.get(&ended_us).copied().unwrap_or(self.all)
    }
}

fn mix(counts: &DeviceCounts) -> Option<Mix> {
    let requests = counts.requests();
    let each = |ms: u64, requests: u64| if requests > 0 { ms as f64 / requests as f64 } else { 0.0 };
    (requests > 0).then(|| Mix {
        read_share: counts.reads as f64 / requests as f64,
        read_ms: each(counts.read_ms, counts.reads),
        write_ms: each(counts.write_ms, counts.writes),
        queued_ms: each(counts.weighted_ms, requests),
    })
}

#[cfg(test)]
#[path = "seconds_tests.rs"]
mod tests;
