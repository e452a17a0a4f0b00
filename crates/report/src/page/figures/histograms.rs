//! Requests by size and by latency.

use super::bars::{Row, bars, part};
use super::figure::{Figure, Key, Mark};
use crate::page::table::Table;
use crate::page::theme::Hue;
use ebs_base::format::{count, share, size};
use ebs_base::units::KIB;
use ebs_comparison::card::Histogram;
use ebs_workload::demand::{Demand, Interval};

/// Histograms that are drawn; fio may have reported dozens.
const MOST: usize = 6;

/// Shares of reads and of writes, a row a bucket.
struct Shares {
    names: Vec<String>,
    reads: Vec<f64>,
    writes: Vec<f64>,
}

/// Requests by the mean size of those of their interval: nothing tells them one by one.
pub fn sizes(id: String, role: &str, demand: &Demand) -> Option<Figure> {
    let of = |requests: u64, bytes: u64| {
        (requests > 0).then(|| (bytes as f64 / requests as f64 / KIB as f64, requests as f64))
    };
    let shares = Shares::of(
        &weighted(demand, |i| of(i.counts.reads, i.counts.read_bytes)),
        &weighted(demand, |i| of(i.counts.writes, i.counts.write_bytes)),
        |kib| size_name(kib, 2.0 * kib),
    )?;
    let caption =
        "By the mean size of the requests of their interval: the kernel does not count them by size one by one.";
    Some(shares.figure(
        id,
        format!("Size of requests of {role}"),
        "KiB a request · share of all reads, of all writes",
        caption,
    ))
}

/// Requests by the mean latency of those of their interval.
pub fn mean_latencies(id: String, role: &str, demand: &Demand) -> Option<Figure> {
    if !demand.timed {
        return None;
    }
    let of = |requests: u64, ms: u64| (requests > 0).then(|| (ms as f64 / requests as f64, requests as f64));
    let shares = Shares::of(
        &weighted(demand, |i| of(i.counts.reads, i.counts.read_ms)),
        &weighted(demand, |i| of(i.counts.writes, i.counts.write_ms)),
        |low| format!("{}–{}", whole(low), whole(2.0 * low)),
    )?;
    let caption = "By the mean latency of the requests of their interval; EBS's own statistics (ebs-nvme-stats) or fio's json+ \
                   would tell them one by one.";
    Some(shares.figure(id, format!("Latency of requests of {role}"), "ms · share of all reads, of all writes", caption))
}

/// What EBS or fio counted, one request at a time: reads and writes of the same source together; and how many are left out.
pub fn counted_latencies(histograms: &[Histogram]) -> (Vec<Figure>, usize) {
    let mut sources: Vec<(&str, Option<&str>)> =
        histograms.iter().map(|one| (one.source.as_str(), one.device.as_deref())).collect();
    sources.dedup();
    let of = |(at, (source, device)): (usize, (&str, Option<&str>))| {
        let same = |kind: &str| {
            let of = |one: &&Histogram| one.source == source && one.device.as_deref() == device && one.kind == kind;
            histograms.iter().find(of)
        };
        let counted = |kind: &str| -> Vec<(f64, f64)> {
            let bins = same(kind).map(|one| one.buckets.as_slice()).unwrap_or_default();
            bins.iter().map(|bin| (bin.lower_us as f64 / 1e3, bin.count as f64)).collect()
        };
        let shares = Shares::of(&counted("read"), &counted("write"), |low| match low {
            low if low <= 0.0 => "less".to_owned(),
            low => format!("{}–{}", whole(low), whole(2.0 * low)),
        })?;
        let device = device.map_or(String::new(), |device| format!(", {device}"));
        let caption = "Each request counted by itself; a bucket is up to twice as wide as the one before.";
        Some(shares.figure(
            format!("latencies-{}", at + 1),
            format!("Latency of requests by {source}{device}"),
            "ms · share of all reads, of all writes",
            caption,
        ))
    };
    let more = sources.len().saturating_sub(MOST);
    (sources.into_iter().enumerate().filter_map(of).take(MOST).collect(), more)
}

/// `8–16 KiB`.
fn size_name(low: f64, high: f64) -> String {
    if low >= 1024.0 {
        format!("{}–{} MiB", whole(low / 1024.0), whole(high / 1024.0))
    } else {
        format!("{}–{}", whole(low), whole(high))
    }
}

fn whole(value: f64) -> String {
    if value >= 1.0 { count(value) } else { size(value) }
}

fn weighted(demand: &Demand, of: impl Fn(&Interval) -> Option<(f64, f64)>) -> Vec<(f64, f64)> {
    demand.each().filter_map(of).collect()
}

impl Shares {
    /// Of values with their weights, in powers of two; `None` where there is neither.
    fn of(reads: &[(f64, f64)], writes: &[(f64, f64)], name: impl Fn(f64) -> String) -> Option<Shares> {
        let place = |value: f64| {
            if value > 0.0 { (value * (1.0 + 1e-9)).log2().floor().clamp(-12.0, 24.0) as i32 } else { -13 }
        };
        let places = || reads.iter().chain(writes).map(|(value, _)| place(*value));
        // A bucket for what took no time at all would stand far from the others: it joins the fastest of them.
        let least = places().filter(|place| *place > -13).min().or_else(|| places().min())?;
        let most = places().max()?.max(least);
        let sums = |values: &[(f64, f64)]| -> Vec<f64> {
            let mut sums = vec![0.0; usize::try_from(most - least).unwrap_or(0) + 1];
            for (value, weight) in values {
                sums[usize::try_from((place(*value)).max(least) - least).unwrap_or(0)] += weight;
            }
            let all: f64 = sums.iter().sum();
            sums.into_iter().map(|sum| if all > 0.0 { sum / all } else { 0.0 }).collect()
        };
        let names = (least..=most).map(|place| name(if place <= -13 { 0.0 } else { 2f64.powi(place) })).collect();
        Some(Shares { names, reads: sums(reads), writes: sums(writes) })
    }

    fn figure(&self, id: String, title: String, unit: &str, caption: &str) -> Figure {
        let kinds = [("reads", Hue::Blue, &self.reads), ("writes", Hue::Orange, &self.writes)];
        let kinds: Vec<_> = kinds.into_iter().filter(|(_, _, shares)| shares.iter().sum::<f64>() > 0.0).collect();
        let rows: Vec<Row> = self
            .names
            .iter()
            .enumerate()
            .map(|(at, name)| Row {
                name: name.clone(),
                parts: kinds.iter().map(|(_, hue, shares)| part(*hue, 100.0 * shares[at])).collect(),
                after: kinds
                    .iter()
                    .filter(|_| kinds.iter().any(|(_, _, shares)| shares[at] > 0.0))
                    .map(|(_, _, shares)| share(shares[at]))
                    .collect::<Vec<_>>()
                    .join(" · "),
            })
            .collect();
        let most = |shares: &[f64]| {
            let at = (0..shares.len()).max_by(|a, b| shares[*a].total_cmp(&shares[*b])).unwrap_or(0);
            format!("{} in {}", share(shares[at]), self.names[at])
        };
        let text: Vec<String> =
            kinds.iter().map(|(kind, _, shares)| format!("most {kind}: {}", most(shares))).collect();
        let head = ["", "reads", "writes"]
            .into_iter()
            .filter(|name| name.is_empty() || kinds.iter().any(|kind| kind.0 == *name));
        let cells = |at: usize| {
            [self.names[at].clone()].into_iter().chain(kinds.iter().map(|(_, _, shares)| share(shares[at]))).collect()
        };
        Figure {
            id,
            title,
            unit: unit.to_owned(),
            caption: caption.to_owned(),
            text: format!("Bars, a row for each bucket. {}.", text.join("; ")),
            key: kinds.iter().map(|(kind, hue, _)| Key::new(*hue, Mark::Area, *kind)).collect(),
            plots: bars(&rows, false),
            table: Some(Table::new(head.collect(), (0..self.names.len()).map(cells).collect())),
        }
    }
}
