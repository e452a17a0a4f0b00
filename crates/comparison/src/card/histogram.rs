//! Requests by latency, in log2 buckets, from EBS's own statistics and fio's json+.

use ebs_imports::drivers::fio::Fio;
use ebs_samples::evidence::{Bin, Window};

/// Requests of one kind by latency.
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    /// Its source.
    pub source: Source,
    /// EBS volume or device; `None` where the source does not say.
    pub device: Option<String>,
    /// `read` or `write`.
    pub kind: &'static str,
    /// Buckets with requests in them, fastest first.
    pub buckets: Vec<Bin>,
}

/// Source of a histogram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// EBS's own statistics.
    Ebs,
    /// The job of fio with this name.
    Fio(String),
}

impl Histogram {
    /// All requests.
    pub fn requests(&self) -> f64 {
        self.buckets.iter().map(|bucket| bucket.count as f64).sum()
    }

    /// Share of all requests in this bucket.
    pub fn share(&self, bucket: &Bin) -> f64 {
        bucket.count as f64 / self.requests()
    }
}

/// Lists all histograms: volumes in the order of their ids, then fio's jobs in their order.
pub fn histograms(window: &Window, imports: &[Fio]) -> Vec<Histogram> {
    let mut histograms = ebs_histograms(window);
    for fio in imports {
        for job in &fio.jobs {
            for (kind, side) in [("read", &job.read), ("write", &job.write)] {
                let buckets = side.as_ref().map(|side| side.histogram.clone()).unwrap_or_default();
                histograms.push(Histogram {
                    source: Source::Fio(job.name.clone()),
                    device: fio.device.clone(),
                    kind,
                    buckets,
                });
            }
        }
    }
    histograms.retain(|histogram| !histogram.buckets.is_empty());
    histograms
}

fn ebs_histograms(window: &Window) -> Vec<Histogram> {
    let mut volumes: Vec<_> = window.totals.ebs.iter().collect();
    volumes.sort_by(|a, b| a.0.cmp(&b.0));
    let histogram = |(volume, kind, bins): (&str, &'static str, &[Bin])| Histogram {
        source: Source::Ebs,
        device: Some(volume.to_owned()),
        kind,
        buckets: log2(bins),
    };
    let sides = volumes.into_iter().flat_map(|(volume, totals)| {
        [(volume.as_str(), "read", &*totals.read_histogram), (volume.as_str(), "write", &*totals.write_histogram)]
    });
    sides.map(histogram).collect()
}

/// Merges bins that begin within the same power of two into one bucket. Bins of EBS are wide, so that none is split.
fn log2(bins: &[Bin]) -> Vec<Bin> {
    let mut buckets: Vec<Bin> = Vec::new();
    let octave = |bin: &Bin| bin.lower_us.checked_ilog2();
    for bin in bins.iter().filter(|bin| bin.count > 0) {
        match buckets.last_mut().filter(|last| octave(last) == octave(bin)) {
            Some(last) => {
                last.upper_us = bin.upper_us;
                last.count = last.count.saturating_add(bin.count);
            }
            None => buckets.push(*bin),
        }
    }
    buckets
}

/// Length of the longest bar, characters.
const MAX_BAR: f64 = 40.0;

/// Draws a bar for a share, relative to the largest one: at least one character, as the bucket has requests.
pub fn bar(share: f64, largest: f64) -> String {
    "#".repeat((MAX_BAR * share / largest).round().clamp(1.0, MAX_BAR) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_within_a_power_of_two_are_one_bucket() {
        let bin = |lower_us, upper_us, count| Bin { lower_us, upper_us, count };
        let bins = [bin(0, Some(1), 1), bin(512, Some(700), 2), bin(700, Some(1024), 3), bin(1024, None, 4)];
        assert_eq!(log2(&bins), [bin(0, Some(1), 1), bin(512, Some(1024), 5), bin(1024, None, 4)]);
        assert_eq!(log2(&[bin(0, Some(512), 0)]), []);
    }

    #[test]
    fn the_largest_bar_is_forty_long_and_none_is_empty() {
        assert_eq!([bar(0.5, 0.5), bar(0.25, 0.5), bar(1e-9, 0.5)].map(|bar| bar.len()), [40, 20, 1]);
    }
}
