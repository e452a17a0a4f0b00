//! The two modes of a sampler: preloaded, in the database that `ebs_advisor.database` names; or on demand, in the database of a
//! run, for as long as the run is open.

use std::time::Duration;

use ebs_samples::evidence::{CostCounts, Tier};
use pgrx::bgworkers::BackgroundWorker;
use pgrx::pg_sys;

use super::on_demand;
use crate::{ffi, settings};

/// Mode of a sampler, with its state.
pub enum SamplerMode {
    /// Started by the launcher of a preloaded library; samples all the time.
    Preloaded {
        /// The database it is connected to.
        database: String,
        /// Number of the latest flush request that was answered.
        answered: u64,
    },
    /// Started by a run.
    OnDemand,
}

impl SamplerMode {
    /// Connects the preloaded sampler to its database; `None` if another one runs.
    pub fn connect_preloaded() -> Option<SamplerMode> {
        if !ffi::claim_sampler() {
            return None;
        }
        let database = settings::database();
        BackgroundWorker::connect_worker_to_spi(Some(&database), None);
        Some(SamplerMode::Preloaded {
            database,
            answered: ffi::sampler_state().map_or(0, |state| state.flushes_requested),
        })
    }

    /// Connects a sampler on demand to the database with this number.
    pub fn connect_on_demand(database: u32) -> SamplerMode {
        ffi::detach_sampler_state();
        BackgroundWorker::connect_worker_to_spi_by_oid(Some(pg_sys::Oid::from(database)), None);
        SamplerMode::OnDemand
    }

    /// The mode as samples record it.
    pub fn tier(&self) -> Tier {
        match self {
            SamplerMode::Preloaded { .. } => Tier::Sampler,
            SamplerMode::OnDemand => Tier::OnDemand,
        }
    }

    /// Time between two writes: on demand a second, because answers do not see what is not written.
    pub fn flush_interval_us(&self) -> u64 {
        let interval = match self {
            SamplerMode::Preloaded { .. } => settings::flush_interval(),
            SamplerMode::OnDemand => Duration::from_secs(1),
        };
        u64::try_from(interval.as_micros()).unwrap_or(u64::MAX)
    }

    /// Number of the flush that a backend waits for, if one does. To be called after a wake-up, which on demand is the request
    /// itself.
    pub fn requested_flush(&self) -> Option<u64> {
        match self {
            SamplerMode::Preloaded { answered, .. } => {
                let requested = ffi::sampler_state().map_or(0, |state| state.flushes_requested);
                (requested != *answered).then_some(requested)
            }
            SamplerMode::OnDemand => Some(0),
        }
    }

    /// Answers that request.
    pub fn answer_flush(&mut self, requested: Option<u64>, written: bool) {
        let (SamplerMode::Preloaded { answered, .. }, Some(requested)) = (self, requested) else { return };
        *answered = requested;
        ffi::update_sampler_state(|state| {
            if written {
                state.flushes_done = requested;
                state.flush_sampled_us = state.sampled_us;
            } else {
                state.flushes_failed = requested;
            }
        });
    }

    /// Publishes the cost of sampling so far.
    pub fn publish_cost(&self, cost: &CostCounts) {
        ffi::update_sampler_state(|state| {
            state.wal_bytes = cost.wal_bytes;
            state.read_bytes = cost.read_bytes;
            state.write_bytes = cost.write_bytes;
        });
    }

    /// True on demand if the preloaded sampler runs in this database (again): everything would be counted twice.
    pub fn should_yield(&self) -> bool {
        matches!(self, SamplerMode::OnDemand) && on_demand::is_sampled_by_preloaded()
    }

    /// True while the settings have it sample its database, after they were read again. On demand they do not count.
    pub fn is_configured(&self) -> bool {
        match self {
            SamplerMode::Preloaded { database, .. } => settings::enabled() && settings::database() == *database,
            SamplerMode::OnDemand => true,
        }
    }

    /// Requests that its start is counted as. On demand one, so that starting samplers makes no more blocks than requesting them.
    pub fn spent_at_start(&self) -> u32 {
        u32::from(matches!(self, SamplerMode::OnDemand))
    }

    /// True while it has something to sample, after a flush: on demand, a run. It stays until its budget is full again: else each run
    /// that begins and is rolled back would start a sampler with a budget of its own.
    pub fn is_needed(&self, is_budget_full: bool) -> bool {
        match self {
            SamplerMode::Preloaded { .. } => true,
            SamplerMode::OnDemand => !is_budget_full || on_demand::is_run_open(),
        }
    }
}
