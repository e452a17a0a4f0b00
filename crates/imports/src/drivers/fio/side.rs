//! Reads or writes of the jobs of one section, added up.

use std::collections::BTreeMap;

use super::document::{Latency, SideEntry};
use super::types::{MAX_BINS, MAX_PERCENTILES, Percentile, Side};
use ebs_base::input::WorkMeter;
use ebs_samples::evidence::Bin;

/// Sum of the copies of a job. Percentiles of several copies cannot be derived from the percentiles of each: they are worked
/// out from json+'s bins, or left out where there are none.
pub(super) fn sum_copies(copies: &[&SideEntry], meter: &WorkMeter) -> Result<Side, String> {
    let latencies = |of: fn(&SideEntry) -> Option<&Latency>| -> Vec<(u64, &Latency)> {
        copies.iter().filter_map(|side| Some((side.total_ios, of(side)?))).collect()
    };
    let (lat, clat) = (latencies(|side| side.lat_ns.as_ref()), latencies(|side| side.clat_ns.as_ref()));
    // lat_percentiles=1 gives those of lat in place of clat's.
    let has = |latencies: &[(u64, &Latency)]| {
        latencies.iter().any(|(_, latency)| !latency.percentile.is_empty() || !latency.bins.is_empty())
    };
    let (percentiles_of, shown) = if !has(&clat) && has(&lat) { ("lat", &lat) } else { ("clat", &clat) };
    let bins = bins(shown, meter)?;
    let percentiles = match shown.as_slice() {
        [(_, one)] => percentiles(one)?,
        [(_, first), ..] => {
            let percents = percents(first)?.into_iter();
            percents.inspect(|_| meter.work(bins.len())).filter_map(|pct| percentile(&bins, pct)).collect()
        }
        [] => Vec::new(),
    };
    let histogram = log2(&bins);
    Ok(Side {
        ios: copies.iter().fold(0, |sum, side| sum.saturating_add(side.total_ios)),
        iops: copies.iter().map(|side| side.iops).sum(),
        bytes_per_s: copies.iter().map(|side| side.bw_bytes.unwrap_or(side.bw * 1024.0)).sum(),
        lat_mean_us: mean_us(&lat),
        clat_mean_us: mean_us(&clat),
        percentiles_of: percentiles_of.to_owned(),
        percentiles,
        histogram,
    })
}

fn mean_us(latencies: &[(u64, &Latency)]) -> Option<f64> {
    let known = || latencies.iter().filter_map(|(ios, latency)| Some((*ios as f64, latency.mean?)));
    let ios: f64 = known().map(|(ios, _)| ios).sum();
    (ios > 0.0).then(|| known().map(|(ios, mean)| ios * mean).sum::<f64>() / ios / 1000.0)
}

/// Requests by nanoseconds; of all copies, or of none.
fn bins(latencies: &[(u64, &Latency)], meter: &WorkMeter) -> Result<BTreeMap<u64, u64>, String> {
    let mut sum = BTreeMap::new();
    if latencies.iter().any(|(_, latency)| latency.bins.is_empty()) {
        return Ok(sum);
    }
    for (ns, count) in latencies.iter().flat_map(|(_, latency)| &latency.bins) {
        meter.step();
        let ns: u64 = ns.parse().map_err(|_| format!("\"{}\" is no bin of nanoseconds", brief(ns)))?;
        let bin: &mut u64 = sum.entry(ns).or_default();
        *bin = bin.saturating_add(*count);
        if sum.len() > MAX_BINS {
            return Err(format!("there are more than {MAX_BINS} bins of latencies"));
        }
    }
    Ok(sum)
}

/// Percentiles that fio was told to compute, per cent.
fn percents(latency: &Latency) -> Result<Vec<f64>, String> {
    Ok(percentiles(latency)?.into_iter().map(|percentile| percentile.pct).collect())
}

fn percentiles(latency: &Latency) -> Result<Vec<Percentile>, String> {
    if latency.percentile.len() > MAX_PERCENTILES {
        return Err(format!("there are more than {MAX_PERCENTILES} percentiles"));
    }
    let read = |(pct, ns): (&String, &f64)| match pct.parse::<f64>() {
        Ok(pct) if (0.0..=100.0).contains(&pct) => Ok(Percentile { pct, us: ns / 1000.0 }),
        _ => Err(format!("\"{}\" is no percentile", brief(pct))),
    };
    let mut percentiles = latency.percentile.iter().map(read).collect::<Result<Vec<_>, String>>()?;
    percentiles.sort_by(|a, b| a.pct.total_cmp(&b.pct));
    Ok(percentiles)
}

fn brief(text: &str) -> String {
    text.chars().take(40).collect()
}

/// The first bin up to which this many requests lie, as in `calc_clat_percentiles` of fio's stat.c.
fn percentile(bins: &BTreeMap<u64, u64>, pct: f64) -> Option<Percentile> {
    let all: u128 = bins.values().map(|count| u128::from(*count)).sum();
    let mut passed = 0u128;
    let reaches = |(_, count): &(&u64, &u64)| {
        passed += u128::from(**count);
        passed as f64 >= pct / 100.0 * all as f64
    };
    let (ns, _) = bins.iter().filter(|(_, count)| **count > 0).find(reaches)?;
    Some(Percentile { pct, us: *ns as f64 / 1000.0 })
}

/// Buckets of a microsecond, of the next one, of the next two, four, ….
fn log2(bins: &BTreeMap<u64, u64>) -> Vec<Bin> {
    let mut buckets: Vec<Bin> = Vec::new();
    for (ns, &count) in bins.iter().filter(|(_, count)| **count > 0) {
        let us = ns / 1000;
        let lower_us = if us == 0 { 0 } else { 1 << us.ilog2() };
        match buckets.last_mut().filter(|bucket| bucket.lower_us == lower_us) {
            Some(bucket) => bucket.count = bucket.count.saturating_add(count),
            None => buckets.push(Bin { lower_us, upper_us: Some((2 * lower_us).max(1)), count }),
        }
    }
    buckets
}
