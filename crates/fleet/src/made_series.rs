//! Series of exporters for tests.

use ebs_prometheus::{Labels, STALE_BITS, Sample, Series};

use crate::discovery::metric::NODE;

/// Marker of staleness.
pub fn stale() -> f64 {
    f64::from_bits(STALE_BITS)
}

/// A series of these values, of which `None` was not scraped, at 60 s from 1,000 s on.
pub fn series(labels: &[(&str, &str)], values: &[Option<f64>]) -> Series {
    let at_ms = |scrape: usize| 1_000_000 + 60_000 * scrape as i64;
    let sample = |(scrape, value): (usize, &Option<f64>)| value.map(|value| Sample { at_ms: at_ms(scrape), value });
    let samples = values.iter().enumerate().filter_map(sample).collect();
    Series { labels: labels.iter().map(|(label, value)| (*label, *value)).collect::<Labels>(), samples }
}

/// node_exporter's counters of a disk with this serial number: reads and writes as given, of 8 KiB and 1 ms each.
pub fn disk(target: &[(&str, &str)], device: &str, serial: &str, requests: &[Option<f64>]) -> Vec<Series> {
    let with = |name: &str, others: &[(&str, &str)], values: &[Option<f64>]| {
        let own = [("__name__", name), ("device", device)];
        series(&[&own[..], target, others].concat(), values)
    };
    let scaled = |factor: f64| requests.iter().map(|value| value.map(|value| value * factor)).collect::<Vec<_>>();
    let factor = |name: &str| match name {
        name if name.contains("bytes") => 8_192.0,
        name if name.contains("merged") => 0.0,
        name if name.contains("seconds") => 0.001,
        _ => 1.0,
    };
    let mut all: Vec<Series> = NODE.iter().map(|(name, _)| with(name, &[], &scaled(factor(name)))).collect();
    let present: Vec<Option<f64>> = requests.iter().map(|value| value.map(|_| 1.0)).collect();
    all.push(with("node_disk_info", &[("serial", serial), ("model", "Amazon Elastic Block Store")], &present));
    all
}

/// Label sets of series.
pub fn labels(series: &[Series]) -> Vec<Labels> {
    series.iter().map(|one| one.labels.clone()).collect()
}
