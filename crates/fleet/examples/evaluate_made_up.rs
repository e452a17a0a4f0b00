//! Time that the evaluation of made-up volumes takes, without an engine: for the benchmark of `ebsctl fleet`.
//!
//! Its argument is the number of volumes, four on an instance, with fourteen days of scrapes of a minute each. Prints the volumes, the
//! CPU seconds of their discovery, those of their evaluation, the milliseconds a volume and the peak memory in MiB: one line of figures for
//! a table. Making up the samples is not counted.

// A program: it reads /proc, and writes to its console.
#![allow(clippy::disallowed_macros, clippy::disallowed_methods, clippy::disallowed_types)]

use std::error::Error;
use std::fs;

use ebs_fixtures::made_up_fleet::{MadeUpSeries, MadeUpVolume, Scrapes, describe_instances, describe_volumes};
use ebs_fleet::{Fleet, Selection, Settings, evaluate};
use ebs_imports::configuration::read;
use ebs_prometheus::{Labels, Sample, Series};

const DAYS: u64 = 14;
const INTERVAL_S: u64 = 60;
const UNTIL_S: u64 = 1_794_700_800;

fn main() -> Result<(), Box<dyn Error>> {
    let count: u64 = std::env::args().nth(1).ok_or("the number of volumes is missing")?.parse()?;
    let volumes: Vec<MadeUpVolume> = (0..count).map(MadeUpVolume::new).collect();
    let documents = format!("{}\n{}", describe_volumes(&volumes), describe_instances(&volumes));
    let configuration = read(&documents, &|| ())?;
    let labels = volumes.iter().flat_map(|volume| series(volume, 1)).map(|series| series.labels).collect();
    let begun = cpu_s()?;
    let fleet = Fleet::discover(labels, &configuration, &Selection::default());
    let discovery = cpu_s()? - begun;
    let from_s = UNTIL_S - DAYS * 86_400;
    let settings = Settings {
        from_us: i64::try_from(from_s)? * 1_000_000,
        to_us: i64::try_from(UNTIL_S)? * 1_000_000,
        ..Settings::default()
    };
    let (mut evaluation, mut answered) = (0.0, 0);
    // Keys of batches are instance IDs, whose order is that of the volumes.
    let mut next = volumes.iter().peekable();
    for batch in &fleet.batches {
        let own = next.by_ref().take(batch.volumes.len());
        let series: Vec<Series> = own.flat_map(|volume| series(volume, DAYS * 86_400 / INTERVAL_S)).collect();
        let begun = cpu_s()?;
        let answers = evaluate(batch, series, &configuration, &settings, &|| ());
        evaluation += cpu_s()? - begun;
        answered += answers.iter().filter(|answer| answer.demand.is_some()).count() as u64;
    }
    if answered != count {
        return Err(format!("{answered} of {count} volumes have an answer").into());
    }
    let milliseconds = evaluation * 1_000.0 / count as f64;
    println!("{count} {discovery:.2} {evaluation:.2} {milliseconds:.2} {:.0}", peak_mib()?);
    Ok(())
}

fn series(volume: &MadeUpVolume, steps: u64) -> Vec<Series> {
    let scrapes = Scrapes { until_s: UNTIL_S, interval_s: INTERVAL_S, steps, traps: false };
    scrapes.exporter(volume).series(0..steps).into_iter().map(converted).collect()
}

fn converted(series: MadeUpSeries) -> Series {
    let sample = |(at_ms, value): (u64, f64)| Sample { at_ms: i64::try_from(at_ms).unwrap_or(i64::MAX), value };
    let labels: Labels = series.labels.into_iter().collect();
    Series { labels, samples: series.samples.into_iter().map(sample).collect() }
}

/// CPU time of this process, seconds: other work on the machine is not in it.
fn cpu_s() -> Result<f64, Box<dyn Error>> {
    let schedstat = fs::read_to_string("/proc/self/schedstat")?;
    let nanoseconds = schedstat.split_whitespace().next().ok_or("no figure in /proc/self/schedstat")?;
    Ok(nanoseconds.parse::<f64>()? / 1e9)
}

/// Peak resident memory of this process, MiB.
fn peak_mib() -> Result<f64, Box<dyn Error>> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).ok_or("no VmHWM in /proc/self/status")?;
    Ok(line.trim().trim_end_matches(" kB").parse::<f64>()? / 1024.0)
}
