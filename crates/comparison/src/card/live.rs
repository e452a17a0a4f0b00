//! Grades from the device's samples. They have requests and their time by second, not individually, and neither their source nor
//! their order: a grade from them is an approximation, and is marked as one.

use super::grade::{Kind, Test, latency_grade};
use super::line::{Basis, Grade, Line, Subject};
use super::note::{LiveEvidence, NotMeasured, Note};
use ebs_samples::evidence::Window;
use ebs_stats::{WeightedSample, pausing_quantile};
use ebs_workload::demand::{Demand, DemandInterval, ratio};

/// Largest factor between the mean size of a second's requests and the test's size: half an octave.
const SIZE_FACTOR: f64 = std::f64::consts::SQRT_2;

/// Fewest seconds for a percentile.
const MIN_SECONDS: f64 = 30.0;

/// The seconds of a volume in which requests were of a test's size.
struct Fitting<'a> {
    device: &'a str,
    latencies_ms: Vec<WeightedSample>,
    /// Average queue depth, of reads and writes.
    in_flight: f64,
}

impl Fitting<'_> {
    fn seconds(&self) -> f64 {
        self.latencies_ms.iter().map(|sample| sample.seconds).sum()
    }
}

/// The line of a test, for the volume with most fitting seconds; or the reason for which there is none.
pub(super) fn latency(test: &'static Test, window: &Window) -> Result<Line, NotMeasured> {
    let volumes = || window.current.iter().map(|&volume| (volume, Demand::from_window(window, volume)));
    let demands: Vec<(usize, Demand)> = volumes().filter(|(_, demand)| demand.timed).collect();
    if demands.is_empty() {
        return Err(NotMeasured::NoTimes);
    }
    let fitting = demands.iter().map(|(volume, demand)| fitting(test, &window.layout.volumes[*volume].device, demand));
    let best = fitting.max_by(|a, b| a.seconds().total_cmp(&b.seconds()));
    let best = best.filter(|best| best.seconds() >= MIN_SECONDS).ok_or_else(|| nothing_fits(test, &demands))?;
    let p95_ms = pausing_quantile(best.latencies_ms.as_slice(), 0.95, window.pause)
        .ok_or_else(|| nothing_fits(test, &demands))?;
    let averaged_s = demands.iter().map(|(_, demand)| demand.averaged_s).fold(0.0, f64::max);
    let graded = LiveEvidence {
        averaged_s,
        downsampled: window.rate_error_pct > 0,
        seconds: best.seconds(),
        in_flight: best.in_flight,
    };
    Ok(Line {
        device: Some(best.device.to_owned()),
        measured: Some(p95_ms),
        grade: latency_grade(test, p95_ms).map(Grade::approximate),
        basis: Some(Basis::Live),
        ..Line::new(Subject::Latency(test), Note::Live(graded))
    })
}

fn of_kind(kind: Kind, interval: &DemandInterval) -> (u64, u64, u64) {
    let counts = &interval.counts;
    match kind {
        Kind::Read => (counts.reads, counts.read_bytes, counts.read_ms),
        Kind::Write => (counts.writes, counts.write_bytes, counts.write_ms),
    }
}

fn fitting<'a>(test: &Test, device: &'a str, demand: &Demand) -> Fitting<'a> {
    let fits = |interval: &&DemandInterval| {
        let (requests, bytes, _) = of_kind(test.kind, interval);
        let times = ratio(bytes, requests).map(|mean| mean / test.block_bytes as f64);
        times.is_some_and(|times| (1.0 / SIZE_FACTOR..=SIZE_FACTOR).contains(&times))
    };
    let intervals: Vec<&DemandInterval> = demand.each().filter(fits).collect();
    let latency = |interval: &&DemandInterval| {
        let (requests, _, ms) = of_kind(test.kind, interval);
        Some(WeightedSample { value: ratio(ms, requests)?, seconds: interval.seconds })
    };
    let seconds: f64 = intervals.iter().map(|interval| interval.seconds).sum();
    let weighted_ms: f64 = intervals.iter().map(|interval| interval.counts.weighted_ms as f64).sum();
    Fitting {
        device,
        latencies_ms: intervals.iter().filter_map(latency).collect(),
        in_flight: if seconds > 0.0 { weighted_ms / 1000.0 / seconds } else { 0.0 },
    }
}

/// The reason for which no volume fits the test.
fn nothing_fits(test: &Test, demands: &[(usize, Demand)]) -> NotMeasured {
    let all = demands.iter().flat_map(|(_, demand)| demand.each()).map(|interval| of_kind(test.kind, interval));
    let (requests, bytes) = all
        .fold((0u64, 0u64), |sum, (requests, bytes, _)| (sum.0.saturating_add(requests), sum.1.saturating_add(bytes)));
    ratio(bytes, requests).map_or(NotMeasured::NoRequests, |mean_bytes| NotMeasured::OtherSize { mean_bytes })
}
