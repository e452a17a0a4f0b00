//! ebs_sample: present demand of each volume, without a sampler and without writing anything.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ebs_samples::evidence::{Recorder, StorageLayout, Tier, Window};
use ebs_workload::demand::Demand;
use ebs_workload::io_profile::{Metric, figures, find};
use pgrx::prelude::*;

use crate::errors::{SqlResult, notice};
use crate::functions::sql_row::{Columns, sql_row, table};
use crate::{ffi, probes};

/// The shortest interval: over a shorter one a handful of requests looks like a peak. The first call of a session waits for it,
/// because it has no reading to compare with, and so does one that comes too early (psql's \watch begins its second right after a first
/// that took longer than its interval).
const MIN_INTERVAL: Duration = Duration::from_secs(1);

/// The last reading of this session, and its time. No variable of the thread: to register the destructor of one takes memory that
/// nothing replaces where it is refused.
static LAST: Mutex<Option<(Recorder, u64)>> = Mutex::new(None);

fn last_reading() -> MutexGuard<'static, Option<(Recorder, u64)>> {
    LAST.lock().unwrap_or_else(PoisonError::into_inner)
}

sql_row! {
    struct CurrentSampleRow(window: &Window, index: usize)
    where {
        let volume = &window.layout.volumes[index];
        let demand = Demand::from_window(window, index);
        let figures = figures(&demand);
        let mean = |metric| find(&figures, metric).and_then(|figure| figure.mean);
    } {
        volume: String = volume.device.clone(),
        role: String = volume.role(),
        seconds: f64 = demand.seconds(),
        requests: Option<f64> = mean(Metric::Requests),
        reads: Option<f64> = mean(Metric::Reads),
        writes: Option<f64> = mean(Metric::Writes),
        throughput_mibps: Option<f64> = mean(Metric::Throughput),
        request_kib: Option<f64> = mean(Metric::RequestSize),
        read_ms: Option<f64> = mean(Metric::ReadLatency),
        write_ms: Option<f64> = mean(Metric::WriteLatency),
        concurrency: Option<f64> = mean(Metric::Concurrency),
    }
}

#[pg_extern(sql = false)]
fn ebs_sample() -> SqlResult<TableIterator<'static, Columns<CurrentSampleRow>>> {
    let layout = probes::find_storage_layout(&ffi::data_directory(), &Ok(ffi::read_tablespaces()));
    for part in &layout.unresolved {
        notice(format!("{} is not sampled: {}", part.role.name(), part.reason));
    }
    let (mut recorder, taken_us) = last_reading().take().unwrap_or_else(|| first_reading(&layout));
    wait_until(taken_us + MIN_INTERVAL.as_micros() as u64);
    let (snapshot, _) = probes::take_snapshot(&layout);
    recorder.observe(snapshot, 0);
    // Ends the interval since the last call; the next call begins with the volumes found now.
    let block = recorder.take(0, layout);
    *last_reading() = Some((recorder, probes::monotonic_us()));
    let window = Window::assemble(block, i64::MIN, i64::MAX);
    let rows: Vec<CurrentSampleRow> =
        window.current.iter().map(|&index| CurrentSampleRow::new(&window, index)).collect();
    Ok(table(rows))
}

fn first_reading(layout: &StorageLayout) -> (Recorder, u64) {
    let mut recorder = Recorder::new(Tier::OnDemand, None, 0, layout.clone());
    let (snapshot, _) = probes::take_snapshot(layout);
    recorder.observe(snapshot, 0);
    (recorder, probes::monotonic_us())
}

/// Waits until this time of the monotonic clock: a latch that was set meanwhile, or long ago, ends a wait early.
fn wait_until(until_us: u64) {
    loop {
        // In whole milliseconds, as latches are waited for.
        let left_us = until_us.saturating_sub(probes::monotonic_us()).next_multiple_of(1_000);
        if left_us == 0 {
            return;
        }
        ffi::wait_on_latch(Duration::from_micros(left_us));
    }
}
