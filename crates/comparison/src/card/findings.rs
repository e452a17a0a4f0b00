//! What latencies point at: two ways of being served, and a slow start. Each has a line, whether it was found, not
//! found or could not be looked for.

use super::{FirstTouch, Histogram, Line, first_touch, histograms, two_modes};
use ebs_base::format;
use ebs_imports::drivers::fio::Fio;
use ebs_samples::evidence::{Bin, Window};
use ebs_workload::demand::Demand;

/// Names of the two findings.
const MODES: &str = "two latency modes";
const START: &str = "slow start";

/// The lines.
pub fn findings(window: &Window, imports: &[Fio]) -> Vec<Line> {
    let mut lines = modes(&histograms(window, imports));
    lines.extend(starts(window));
    lines
}

fn line(test: &str, note: String) -> Line {
    Line { test: test.to_owned(), note, ..Line::default() }
}

fn modes(histograms: &[Histogram]) -> Vec<Line> {
    let found: Vec<Line> = histograms.iter().filter_map(of_histogram).collect();
    match (histograms.len(), found.is_empty()) {
        (0, _) => vec![line(MODES, "not known: there is no histogram of latencies".to_owned())],
        (looked, true) => vec![line(MODES, format!("none in {looked} {}", plural(looked, "histogram")))],
        _ => found,
    }
}

fn of_histogram(histogram: &Histogram) -> Option<Line> {
    let modes = two_modes(&histogram.buckets)?;
    let ((fast, fast_share), (slow, slow_share)) = (modes.fast, modes.slow);
    let note = format!(
        "{}s ({}): {} around {}, {} around {}, and between them {} of the lower peak: part of the requests is served \
         another way (burst credits that run out, tiers, a cache)",
        histogram.kind,
        histogram.source,
        format::share(fast_share),
        around(&fast),
        format::share(slow_share),
        around(&slow),
        format::share(modes.valley),
    );
    let basis = Some(if histogram.source.starts_with("fio ") { "fio" } else { "EBS statistics" });
    Some(Line { device: histogram.device.clone(), basis, ..line(MODES, note) })
}

/// `0.51–1.02 ms`, `over 33 ms`.
fn around(bucket: &Bin) -> String {
    let ms = |us: u64| format::ms(us as f64 / 1000.0);
    match bucket.upper_us {
        Some(upper_us) => format!("{} to {} ms", ms(bucket.lower_us), ms(upper_us)),
        None => format!("more than {} ms", ms(bucket.lower_us)),
    }
}

fn plural(count: usize, unit: &str) -> String {
    if count == 1 { unit.to_owned() } else { format!("{unit}s") }
}

fn starts(window: &Window) -> Vec<Line> {
    let volumes = window.current.iter().map(|&volume| {
        (window.layout.volumes[volume].device.clone(), first_touch(&Demand::from_window(window, volume)))
    });
    let compared: Vec<_> = volumes.filter_map(|(device, start)| Some((device, start?))).collect();
    if compared.is_empty() {
        let why = "not known: too few seconds of reads, or none later at the same rate";
        return vec![line(START, why.to_owned())];
    }
    let of = |(device, start): (String, FirstTouch)| {
        let (ratio, low, high) = (format::times(start.ratio), format::times(start.low), format::times(start.high));
        let seconds = format::count(start.seconds);
        let figures =
            format!("reads of {seconds} s at the start took {ratio} ({low} to {high}) times as long as later ones");
        let note = if start.is_slower() {
            format!(
                "{figures} at the same rate: blocks touched for the first time (a volume made from a snapshot), or \
                     an empty cache"
            )
        } else {
            format!("none: {figures} at the same rate")
        };
        Line {
            device: Some(device),
            measured: Some(start.ratio),
            unit: Some("times"),
            basis: Some("live evidence"),
            ..line(START, note)
        }
    };
    compared.into_iter().map(of).collect()
}
