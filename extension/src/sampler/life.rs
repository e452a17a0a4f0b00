//! The two lives of a sampler: all the time, in the database that `ebs_advisor.database` names; or on demand, in the
//! database of a run, for as long as the run is open.

use std::time::Duration;

use ebs_samples::evidence::{CostCounts, Tier};
use pgrx::bgworkers::{BackgroundWorker, SignalWakeFlags};
use pgrx::pg_sys;

use super::on_demand;
use super::sampling::Sampler;
use crate::errors::Error;
use crate::{ffi, memory, probes, settings, storage};

/// How long a sampler on demand waits for its run to be committed.
const PATIENCE_US: u64 = 60_000_000;

/// Which life, and what it needs to know.
pub enum Life {
    /// Preloaded.
    AllTheTime {
        /// The database it is connected to.
        database: String,
        /// Flush requests answered.
        answered: u64,
    },
    /// Started by a run.
    OnDemand {
        /// When it began, by the monotonic clock.
        started_us: u64,
        /// Whether its run was seen open.
        run_seen: bool,
    },
}

/// A sampler's life, in the database with this number; 0 for the preloaded one.
pub fn sampler(database: u32) {
    BackgroundWorker::attach_signal_handlers(SignalWakeFlags::SIGHUP | SignalWakeFlags::SIGTERM);
    let life = match database {
        0 => Life::all_the_time(),
        oid => Some(Life::on_demand(oid)),
    };
    let Some(life) = life else { return };
    if let Err(error) = ffi::try_in_transaction(storage::prepare_session) {
        pgrx::error!("ebs_advisor could not prepare its session: {error}");
    }
    ffi::update_sampler_state(|state| {
        state.started_us = probes::wall_us();
        state.database = ffi::own_database();
    });
    ffi::report_activity("sampling");
    let mut sampler = Sampler::new(life);
    while sampler.next() {
        if !memory::recover() {
            // The launcher starts another, whose memory is as it should be.
            sampler.end();
            return;
        }
    }
}

impl Life {
    /// `None` if another sampler lives it already.
    fn all_the_time() -> Option<Life> {
        if !ffi::claim_sampler() {
            return None;
        }
        let database = settings::database();
        BackgroundWorker::connect_worker_to_spi(Some(&database), None);
        Some(Life::AllTheTime { database, answered: ffi::sampler_state().map_or(0, |state| state.flushes_requested) })
    }

    fn on_demand(database: u32) -> Life {
        ffi::detach_sampler_state();
        BackgroundWorker::connect_worker_to_spi_by_oid(Some(pg_sys::Oid::from(database)), None);
        Life::OnDemand { started_us: probes::monotonic_us(), run_seen: false }
    }

    /// As evidence names it.
    pub fn tier(&self) -> Tier {
        match self {
            Life::AllTheTime { .. } => Tier::Sampler,
            Life::OnDemand { .. } => Tier::OnDemand,
        }
    }

    /// On demand nobody sees what is not written, so it is written every second.
    pub fn flush_interval_us(&self) -> u64 {
        let interval = match self {
            Life::AllTheTime { .. } => settings::flush_interval(),
            Life::OnDemand { .. } => Duration::from_secs(1),
        };
        u64::try_from(interval.as_micros()).unwrap_or(u64::MAX)
    }

    /// The number of the flush that somebody waits for, if one does. To be asked after a wake-up, which on demand is all
    /// there is.
    pub fn flush_asked(&self) -> Option<u64> {
        match self {
            Life::AllTheTime { answered, .. } => {
                let asked = ffi::sampler_state().map_or(0, |state| state.flushes_requested);
                (asked != *answered).then_some(asked)
            }
            Life::OnDemand { .. } => Some(0),
        }
    }

    /// Tells those who asked.
    pub fn flush_answered(&mut self, asked: Option<u64>, written: bool) {
        let (Life::AllTheTime { answered, .. }, Some(asked)) = (self, asked) else { return };
        *answered = asked;
        ffi::update_sampler_state(|state| match written {
            true => {
                state.flushes_done = asked;
                state.flush_sampled_us = state.sampled_us;
            }
            false => state.flushes_failed = asked,
        });
    }

    /// Shows what sampling has cost so far.
    pub fn account(&self, cost: &CostCounts) {
        ffi::update_sampler_state(|state| {
            state.wal_bytes = cost.wal_bytes;
            state.read_bytes = cost.read_bytes;
            state.write_bytes = cost.write_bytes;
        });
    }

    /// Whether the preloaded sampler is at work in this database (again), so that one on demand would count everything twice.
    pub fn gives_way(&self) -> bool {
        matches!(self, Life::OnDemand { .. }) && on_demand::is_not_needed()
    }

    /// Whether there is still something to sample for.
    pub fn goes_on(&mut self) -> bool {
        match self {
            Life::AllTheTime { database, .. } => settings::enabled() && settings::database() == *database,
            Life::OnDemand { started_us, run_seen } => {
                // A look that fails says nothing; the next flush looks again.
                let open =
                    ffi::try_in_transaction(|| Ok::<_, Error>(storage::owner()?.is_some() && storage::has_open_run()?))
                        .unwrap_or(true);
                *run_seen |= open;
                open || !*run_seen && probes::monotonic_us() - *started_us < PATIENCE_US
            }
        }
    }
}
