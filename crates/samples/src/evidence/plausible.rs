//! Plausibility of stored and imported samples: no value that would break an answer.

use ebs_base::counter::Counters;
use ebs_base::units::LATEST_US;

use super::{Block, CounterDelta, EbsTotals, Sample, Timed, Totals};

/// Longest interval that is sampled, or downsampled to: a year; no import has a longer one.
const MAX_INTERVAL_US: u64 = 366 * 86_400 * 1_000_000;

/// Counts of one interval are below this; sums of them then fit 64 bits.
const MAX_COUNT: u64 = 1 << 52;

/// Sums of a block are below this: 256 TiB, or nine years of processes that wait. Sums over the blocks of a run then
/// fit 64 bits.
const MAX_TOTAL: u128 = 1 << 48;

/// Reason for which samples are implausible: no sampler writes them, and no answer can use them.
pub fn implausible(block: &Block) -> Option<&'static str> {
    let volumes = block.layout.volumes.len();
    let length = |us: u64| us <= MAX_INTERVAL_US;
    if !length(block.interval_us)
        || !length(block.downsampled_us)
        || !block.samples.iter().all(|sample| length(sample.dt_us))
    {
        return Some("an interval is longer than a year");
    }
    let begun = block.started_us().is_some_and(|us| us >= 0);
    if !begun || !block.samples.iter().all(|sample| (0..LATEST_US).contains(&sample.at_us)) {
        return Some("a time is not between the years 1970 and 9999");
    }
    if sum(block.samples.iter().map(|sample| sample.dt_us)) > LATEST_US as u128 {
        return Some("its intervals are longer than all time");
    }
    let punctuality = &block.sampling.punctuality;
    if [punctuality.samples, punctuality.missed, punctuality.clock_steps, block.totals.waits.sweeps]
        .iter()
        .any(|count| *count >= MAX_COUNT)
    {
        return Some("a count is out of range");
    }
    implausible_totals(&block.totals)
        .or_else(|| block.samples.iter().find_map(|sample| implausible_sample(sample, volumes)))
}

/// Checks the sum of all counters, so that every sum of an answer is in range.
fn implausible_totals(totals: &Totals) -> Option<&'static str> {
    fn fields<C: Counters>(timed: &Timed<C>) -> Vec<u64> {
        timed.counts.fields()
    }
    let ebs = |of: &EbsTotals| {
        let bins = of.read_histogram.iter().chain(&of.write_histogram).map(|bin| bin.count);
        sum(fields(&of.counts)) + sum(bins) + u128::from(of.queue.sum)
    };
    let all = sum(totals.io.rows.iter().flat_map(|(_, counts)| counts.fields()))
        + sum(totals.waits.rows.values().copied())
        + sum(totals.sessions.rows.values().flat_map(|bytes| bytes.fields()))
        + totals.ebs.iter().map(|(_, of)| ebs(of)).sum::<u128>()
        + sum([fields(&totals.wal), fields(&totals.temp), fields(&totals.storage), fields(&totals.wal_writes)].concat())
        + sum([fields(&totals.transactions), fields(&totals.processor), fields(&totals.run_delay)].concat());
    (all >= MAX_TOTAL).then_some("a total is out of range")
}

fn sum(counts: impl IntoIterator<Item = u64>) -> u128 {
    counts.into_iter().map(u128::from).sum()
}

fn implausible_sample(sample: &Sample, volumes: usize) -> Option<&'static str> {
    sample.devices.iter().find_map(|(volume, reading)| {
        if usize::from(*volume) >= volumes {
            return Some("a volume is not described");
        }
        let CounterDelta::Known(counts) = reading else { return None };
        counts.fields().iter().any(|count| *count >= MAX_COUNT).then_some("a count is out of range")
    })
}
