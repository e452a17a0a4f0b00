//! ebs_sample: what is asked of each volume right now, without a sampler and without writing anything.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ebs_samples::evidence::{Place, Recorder, Tier, Window};
use ebs_workload::demand::Demand;
use ebs_workload::mix::{figures, find};
use pgrx::prelude::*;

use crate::errors::{SqlResult, notice};
use crate::{ffi, probes};

/// The shortest look: over less a handful of requests looks like a peak. The first call of a session takes it, for want of
/// a reading to compare with, and so does one that comes too early (psql's \watch begins its second right after a first
/// that took longer than its interval).
const SHORTEST: Duration = Duration::from_secs(1);

/// The last reading of this session, and when it was taken. No variable of the thread: to register the destructor of one takes
/// memory that nothing replaces where it is refused.
static LAST: Mutex<Option<(Recorder, u64)>> = Mutex::new(None);

fn last() -> MutexGuard<'static, Option<(Recorder, u64)>> {
    LAST.lock().unwrap_or_else(PoisonError::into_inner)
}

type Row = (
    name!(volume, String),
    name!(role, String),
    name!(seconds, f64),
    name!(requests, Option<f64>),
    name!(reads, Option<f64>),
    name!(writes, Option<f64>),
    name!(throughput_mibps, Option<f64>),
    name!(request_kib, Option<f64>),
    name!(read_ms, Option<f64>),
    name!(write_ms, Option<f64>),
    name!(concurrency, Option<f64>),
);

#[pg_extern(sql = false)]
fn ebs_sample() -> SqlResult<TableIterator<'static, Row>> {
    let place = probes::find_storage_layout(&ffi::data_directory(), &Ok(ffi::read_tablespaces()));
    for part in &place.unplaced {
        notice(format!("{} is not sampled: {}", part.role.name(), part.reason));
    }
    let (mut recorder, taken_us) = last().take().unwrap_or_else(|| first_reading(&place));
    look(taken_us + SHORTEST.as_micros() as u64);
    let (reading, _) = probes::take_snapshot(&place);
    recorder.observe(reading, 0);
    // What was seen since the last call; the next call finds the volumes of now.
    let block = recorder.take(0, place);
    *last() = Some((recorder, probes::monotonic_us()));
    let window = Window::assemble(block, i64::MIN, i64::MAX);
    Ok(TableIterator::new(rows(&window)))
}

fn first_reading(place: &Place) -> (Recorder, u64) {
    let mut recorder = Recorder::new(Tier::OnDemand, None, 0, place.clone());
    let (reading, _) = probes::take_snapshot(place);
    recorder.observe(reading, 0);
    (recorder, probes::monotonic_us())
}

/// Waits until then: a latch that was set meanwhile, or long ago, ends a pause early.
fn look(until_us: u64) {
    loop {
        // In whole milliseconds, as latches are waited for.
        let left_us = until_us.saturating_sub(probes::monotonic_us()).next_multiple_of(1_000);
        if left_us == 0 {
            return;
        }
        ffi::wait_on_latch(Duration::from_micros(left_us));
    }
}

fn rows(window: &Window) -> Vec<Row> {
    let row = |&index: &usize| {
        let (volume, demand) = (&window.place.volumes[index], Demand::of(window, index));
        let figures = figures(&demand);
        let mean = |metric| find(&figures, metric).and_then(|figure| figure.mean);
        (
            volume.device.clone(),
            volume.role(),
            demand.seconds(),
            mean("requests"),
            mean("reads"),
            mean("writes"),
            mean("throughput"),
            mean("request size"),
            mean("read latency"),
            mean("write latency"),
            mean("concurrency"),
        )
    };
    window.current.iter().map(row).collect()
}
