//! Table ebs.demand_bin.

use std::collections::BTreeMap;

use ebs_samples::demand_exposition::VolumeDemand;
use ebs_samples::demand_histogram::{BinCounts, DemandHistogram, DemandMetric, block_histograms};
use ebs_samples::evidence::Block;
use pgrx::prelude::*;
use pgrx::spi::SpiHeapTupleData;

use super::blocks::owner_of_table;
use crate::errors::Error;
use crate::ffi;
use crate::interrupts::check_interrupts;
use crate::sql::{count_column, execute};

/// Adds bins to those stored. A count that has reached the largest bigint stays there.
const ADD: &str = "
    INSERT INTO ebs.demand_bin AS b (volume, device, metric, le, us, amount, counted_until)
    SELECT n.volume, n.device, n.metric, n.le, n.us, n.amount, timestamptz 'epoch' + $7 * interval '1 microsecond'
    FROM unnest($1, $2, $3, $4, $5, $6) AS n (volume, device, metric, le, us, amount)
    ON CONFLICT (volume, device, metric, le) DO UPDATE SET
        us = least(b.us::numeric + excluded.us, 9223372036854775807)::bigint,
        amount = least(b.amount::numeric + excluded.amount, 9223372036854775807)::bigint,
        counted_until = excluded.counted_until";

/// Bins of the volumes that are sampled: of one that is not any more, the others are an hour ahead.
const READ: &str = "
    WITH counted AS (
        SELECT volume, device, max(counted_until) AS until FROM ebs.demand_bin GROUP BY volume, device
    ), present AS (
        SELECT volume, device FROM counted WHERE until > (SELECT max(until) FROM counted) - interval '1 hour'
    )
    SELECT volume, device, metric, le, us, amount FROM present JOIN ebs.demand_bin USING (volume, device)
    ORDER BY volume, device, metric, le";

/// Adds the samples of a block that is stored in the same transaction.
pub fn add_demand(block: &Block) -> Result<(), Error> {
    let Some(ended_us) = block.ended_us() else { return Ok(()) };
    let found = block_histograms(block);
    let mut bins: BTreeMap<(&str, &str), Vec<DemandHistogram>> = BTreeMap::new();
    for (volume, histograms) in &found {
        let key = (volume.ebs_volume_id().unwrap_or(&volume.device), volume.device.as_str());
        let sums = bins.entry(key).or_insert_with(|| DemandMetric::ALL.map(DemandHistogram::new).to_vec());
        sums.iter_mut().for_each(|sum| histograms.iter().for_each(|histogram| sum.merge(histogram)));
    }
    let (mut volumes, mut devices, mut metrics) = (Vec::new(), Vec::new(), Vec::new());
    let (mut bounds, mut times, mut amounts) = (Vec::new(), Vec::new(), Vec::new());
    for ((volume, device), histogram) in bins.iter().flat_map(|(key, all)| all.iter().map(move |one| (key, one))) {
        for (bound, counts) in histogram.bins() {
            volumes.push(*volume);
            devices.push(*device);
            metrics.push(histogram.metric().name());
            bounds.push(bound);
            times.push(to_bigint(counts.us));
            amounts.push(to_bigint(counts.amount));
        }
    }
    if bounds.is_empty() {
        return Ok(());
    }
    let arguments =
        [volumes.into(), devices.into(), metrics.into(), bounds.into(), times.into(), amounts.into(), ended_us.into()];
    as_owner(|| execute(ADD, &arguments))
}

/// Runs `body` as the owner of the table, who may be another than that of ebs.sample_block; not at all where there is no such table, as
/// before an update of the extension.
fn as_owner(body: impl FnOnce() -> Result<(), Error>) -> Result<(), Error> {
    match owner_of_table("demand_bin")? {
        Some(owner) => ffi::as_role(owner, body),
        None => Ok(()),
    }
}

/// Removes the bins of volumes that were last sampled before this time, microseconds since 1970.
pub fn remove_expired_demand(older_than_us: i64) -> Result<(), Error> {
    let remove = "DELETE FROM ebs.demand_bin WHERE (volume, device) IN (
             SELECT volume, device FROM ebs.demand_bin GROUP BY volume, device
             HAVING max(counted_until) < timestamptz 'epoch' + $1 * interval '1 microsecond')";
    as_owner(|| execute(remove, &[older_than_us.into()]))
}

/// Histograms of the volumes that are sampled. A standby has none: the table is not logged, and nothing is sampled there.
pub fn read_demand() -> Result<Vec<VolumeDemand>, Error> {
    if ffi::is_in_recovery() {
        return Ok(Vec::new());
    }
    let mut volumes: Vec<VolumeDemand> = Vec::new();
    Spi::connect(|client| {
        for row in client.select(READ, None, &[])? {
            check_interrupts();
            add_row(&mut volumes, &row)?;
        }
        Ok(volumes)
    })
}

fn add_row(volumes: &mut Vec<VolumeDemand>, row: &SpiHeapTupleData) -> Result<(), Error> {
    let text = |column| Ok::<_, Error>(row.get::<String>(column)?.unwrap_or_default());
    let (volume, device, metric) = (text(1)?, text(2)?, text(3)?);
    let Some(metric) = DemandMetric::from_name(&metric) else { return Ok(()) };
    let bound = row.get::<f64>(4)?.unwrap_or(f64::INFINITY);
    let counts = BinCounts { us: count_column(row, 5)?, amount: count_column(row, 6)? };
    if volumes.last().is_none_or(|last| (&last.volume, &last.device) != (&volume, &device)) {
        let histograms = DemandMetric::ALL.map(DemandHistogram::new).to_vec();
        volumes.push(VolumeDemand { volume, device, histograms });
    }
    let histograms = volumes.last_mut().into_iter().flat_map(|last| &mut last.histograms);
    histograms.filter(|histogram| histogram.metric() == metric).for_each(|histogram| histogram.add_bin(bound, counts));
    Ok(())
}

fn to_bigint(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
