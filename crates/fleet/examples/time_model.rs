//! CPU time and memory of the model alone: a made-up fleet of so many volumes over so many days (14 if not given) at 60 s, batch after
//! batch on one CPU. The time in which the series are made up is not counted.
//!
//! `cargo run --release -p ebs_fleet --example time_model -- 1000 14`

// Prints its times.
#![allow(clippy::disallowed_macros)]
// A program: it measures time and reads its own memory.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

use std::time::Duration;

use ebs_fixtures::fleet::MadeFleet;
use ebs_fleet::{Batch, Fleet, Selection, Settings, evaluate};
use ebs_imports::configuration::read;
use ebs_prometheus::{Labels, Series};

/// The allocator of ebsctl.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Volumes that are made up at a time: as many as all kinds, twice, since some share an instance.
const TURN: usize = 20;

fn main() {
    let argument = |index| std::env::args().nth(index).and_then(|text| text.parse().ok());
    let (volumes, days): (usize, usize) = (argument(1).unwrap_or(200), argument(2).unwrap_or(14));
    let fleet = MadeFleet::new(volumes, days as i64, 60);
    let settings =
        Settings { from_us: fleet.from_s * 1_000_000, to_us: fleet.to_s() * 1_000_000, ..Settings::default() };
    let (mut spent, mut rows, mut slowest) = (Duration::ZERO, 0, Duration::ZERO);
    let mut samples = 0;
    for first in (0..volumes).step_by(TURN) {
        let all = first..volumes.min(first + TURN);
        let text = format!("{}\n{}", fleet.describe(all.clone()), fleet.describe_hosts(all.clone()));
        let Ok(configuration) = read(&text, &|| ()) else { continue };
        let series: Vec<Series> = all.flat_map(|number| fleet.series(&fleet.volume(number))).collect();
        let labels: Vec<Labels> = series.iter().map(|one| one.labels.clone()).collect();
        samples += series.iter().map(|one| one.samples.len()).sum::<usize>();
        let found = Fleet::discover(labels, &configuration, &Selection::default());
        for batch in &found.batches {
            let own = series_of(batch, &series);
            let began = cpu_time();
            rows += evaluate(batch, own, &configuration, &settings, &|| ()).len();
            let took = cpu_time().saturating_sub(began);
            (spent, slowest) = (spent + took, slowest.max(took));
        }
    }
    let seconds = spent.as_secs_f64();
    println!(
        "{rows} rows of {samples} samples in {seconds:.2} s: {:.1} volumes/s, {:.1} ms a volume, slowest batch {:.0} ms, peak {} MiB",
        rows as f64 / seconds,
        1e3 * seconds / rows.max(1) as f64,
        slowest.as_secs_f64() * 1e3,
        peak_mib()
    );
}

/// Series of the machines of a batch, as its selectors would fetch them.
fn series_of(batch: &Batch, series: &[Series]) -> Vec<Series> {
    let is_of = |one: &&Series| {
        let origins = batch.volumes.iter().flat_map(|volume| &volume.origins);
        let mut targets = origins.map(|origin| origin.target.get("instance"));
        targets.any(|instance| instance == one.labels.get("instance"))
    };
    series.iter().filter(is_of).cloned().collect()
}

/// Time on a CPU of this thread, which others on the machine do not lengthen.
fn cpu_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(text.split_whitespace().next().and_then(|ns| ns.parse().ok()).unwrap_or(0))
}

/// Peak of the memory of this process, MiB.
fn peak_mib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|text| text.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) / 1_024
}
