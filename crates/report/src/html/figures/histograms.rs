//! Requests by size and by latency.

use super::bars::{Part, Row, bars};
use super::figure::{Figure, Key, Mark};
use crate::html::kit::Table;
use crate::html::kit::theme::Hue;
use crate::reasons::card;
use ebs_base::format::{count, share, size};
use ebs_base::units::KIB;
use ebs_comparison::card::Histogram;
use ebs_samples::evidence::DeviceCounts;
use ebs_workload::demand::Demand;

/// Maximum number of histograms: an import of fio may have dozens.
const MAX_DRAWN: usize = 6;

/// Values with their weights.
type Weighted = Vec<(f64, f64)>;

/// Draws requests by the mean size in their sample: the sizes of single requests are unknown.
pub fn sizes(id: String, role: &str, demand: &Demand) -> Option<Figure> {
    let kib = |bytes: u64| bytes as f64 / KIB as f64;
    let shares = Shares::new(
        &means(demand, |counts| (counts.reads, kib(counts.read_bytes))),
        &means(demand, |counts| (counts.writes, kib(counts.write_bytes))),
        size_bucket,
    )?;
    let title = format!("Size of requests of {role}");
    let caption =
        "By the mean size of the requests of their interval: the kernel does not count them by size one by one.";
    Some(shares.figure(id, title, "KiB a request · share of all reads, of all writes", caption))
}

/// Draws requests by the mean latency in their sample.
pub fn mean_latencies(id: String, role: &str, demand: &Demand) -> Option<Figure> {
    if !demand.timed {
        return None;
    }
    let shares = Shares::new(
        &means(demand, |counts| (counts.reads, counts.read_ms as f64)),
        &means(demand, |counts| (counts.writes, counts.write_ms as f64)),
        |low| bucket(low, 2.0 * low),
    )?;
    let title = format!("Latency of requests of {role}");
    let caption = "By the mean latency of the requests of their interval; EBS's own statistics (ebs-nvme-stats) or fio's json+ \
                   would tell them one by one.";
    Some(shares.figure(id, title, "ms · share of all reads, of all writes", caption))
}

/// Draws latencies that EBS or fio counted for each request: a figure for each source and device. Also returns the number of
/// figures that are left out.
pub fn counted_latencies(histograms: &[Histogram]) -> (Vec<Figure>, usize) {
    let same_source = |a: &Histogram, b: &Histogram| a.source == b.source && a.device == b.device;
    let sources: Vec<&[Histogram]> = histograms.chunk_by(same_source).collect();
    let figures =
        sources.iter().enumerate().filter_map(|(at, source)| counted(format!("latencies-{}", at + 1), source));
    (figures.take(MAX_DRAWN).collect(), sources.len().saturating_sub(MAX_DRAWN))
}

/// Draws the figure of one source; `None` where it has no counts.
fn counted(id: String, histograms: &[Histogram]) -> Option<Figure> {
    let Histogram { source, device, .. } = histograms.first()?;
    let buckets = |kind: &str| -> Weighted {
        let buckets = histograms.iter().find(|histogram| histogram.kind == kind).map(|histogram| &histogram.buckets);
        buckets.into_iter().flatten().map(|bin| (bin.lower_us as f64 / 1e3, bin.count as f64)).collect()
    };
    let name = |low: f64| if low > 0.0 { bucket(low, 2.0 * low) } else { "less".to_owned() };
    let shares = Shares::new(&buckets("read"), &buckets("write"), name)?;
    let device = device.as_ref().map_or(String::new(), |device| format!(", {device}"));
    let title = format!("Latency of requests by {}{device}", card::describe_histogram_source(source));
    let caption = "Each request counted by itself; a bucket is up to twice as wide as the one before.";
    Some(shares.figure(id, title, "ms · share of all reads, of all writes", caption))
}

/// Returns the mean of each sample, weighted by its requests, from requests and their sum.
fn means(demand: &Demand, sums: impl Fn(&DeviceCounts) -> (u64, f64)) -> Weighted {
    let sums = demand.each().map(|interval| sums(&interval.counts)).filter(|(requests, _)| *requests > 0);
    sums.map(|(requests, sum)| (sum / requests as f64, requests as f64)).collect()
}

/// Names a bucket of sizes by its lower end: `8–16`, `1–2 MiB`.
fn size_bucket(kib: f64) -> String {
    if kib >= 1024.0 { format!("{} MiB", bucket(kib / 1024.0, kib / 512.0)) } else { bucket(kib, 2.0 * kib) }
}

/// Names a bucket of latencies by its lower end: `0.50–1`.
fn bucket(low: f64, high: f64) -> String {
    let text = |value: f64| if value >= 1.0 { count(value) } else { size(value) };
    format!("{}–{}", text(low), text(high))
}

/// Power of two of the bucket of zero.
const NOTHING: i32 = -13;

/// Shares of reads and of writes, a row for each bucket.
struct Shares {
    names: Vec<String>,
    reads: Vec<f64>,
    writes: Vec<f64>,
}

impl Shares {
    /// Returns shares by powers of two; `name` names a bucket by its lower end. `None` where there are neither reads nor writes.
    fn new(reads: &[(f64, f64)], writes: &[(f64, f64)], name: impl Fn(f64) -> String) -> Option<Shares> {
        let power = |value: f64| {
            if value > 0.0 { (value * (1.0 + 1e-9)).log2().floor().clamp(-12.0, 24.0) as i32 } else { NOTHING }
        };
        let powers = || reads.iter().chain(writes).map(|(value, _)| power(*value));
        // A bucket of zero would stand far from the others: its requests are added to the fastest.
        let lowest = powers().filter(|power| *power > NOTHING).min().or_else(|| powers().min())?;
        let highest = powers().max()?.max(lowest);
        let shares = |values: &[(f64, f64)]| -> Vec<f64> {
            let mut sums = vec![0.0; usize::try_from(highest - lowest).unwrap_or(0) + 1];
            for (value, weight) in values {
                sums[usize::try_from(power(*value).max(lowest) - lowest).unwrap_or(0)] += weight;
            }
            let all: f64 = sums.iter().sum();
            sums.into_iter().map(|sum| if all > 0.0 { sum / all } else { 0.0 }).collect()
        };
        let names =
            (lowest..=highest).map(|power| name(if power > NOTHING { 2f64.powi(power) } else { 0.0 })).collect();
        Some(Shares { names, reads: shares(reads), writes: shares(writes) })
    }

    fn figure(&self, id: String, title: String, unit: &str, caption: &str) -> Figure {
        let kinds = [("reads", Hue::Blue, &self.reads), ("writes", Hue::Orange, &self.writes)];
        let kinds: Vec<_> = kinds.into_iter().filter(|(_, _, shares)| shares.iter().sum::<f64>() > 0.0).collect();
        let texts = |at: usize| kinds.iter().map(move |(_, _, shares)| share(shares[at]));
        let row = |(at, name): (usize, &String)| {
            let any = kinds.iter().any(|(_, _, shares)| shares[at] > 0.0);
            Row {
                name: name.clone(),
                parts: kinds.iter().map(|(_, hue, shares)| Part::new(*hue, 100.0 * shares[at])).collect(),
                after: if any { texts(at).collect::<Vec<_>>().join(" · ") } else { String::new() },
            }
        };
        let rows: Vec<Row> = self.names.iter().enumerate().map(row).collect();
        let highest = |(kind, _, shares): &(&str, Hue, &Vec<f64>)| {
            let at = (0..shares.len()).max_by(|a, b| shares[*a].total_cmp(&shares[*b])).unwrap_or(0);
            format!("most {kind}: {} in {}", share(shares[at]), self.names[at])
        };
        let head = [""].into_iter().chain(kinds.iter().map(|(kind, ..)| *kind));
        let cells = |(at, name): (usize, &String)| [name.clone()].into_iter().chain(texts(at)).collect();
        Figure {
            id,
            title,
            unit: unit.to_owned(),
            caption: caption.to_owned(),
            text: format!("Bars, a row for each bucket. {}.", kinds.iter().map(highest).collect::<Vec<_>>().join("; ")),
            key: kinds.iter().map(|(kind, hue, _)| Key::new(*hue, Mark::Area, *kind)).collect(),
            plots: bars(&rows, false),
            table: Some(Table::new(head, self.names.iter().enumerate().map(cells).collect())),
        }
    }
}
