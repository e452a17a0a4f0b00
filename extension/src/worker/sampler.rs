//! The sampler: one reading of every probe at each grid point, one small insert every few seconds.

use std::path::PathBuf;
use std::time::Duration;

use ebs_advisor_model::evidence::{Place, Recorder};
use pgrx::bgworkers::{BackgroundWorker, SignalWakeFlags};

use super::grid::Grid;
use crate::collect::{self, Probe};
use crate::errors::Failure;
use crate::{ffi, settings, store};

/// Old samples are looked for this often.
const EXPIRY_US: u64 = 3_600_000_000;

struct Sampler {
    database: String,
    data_directory: PathBuf,
    grid: Grid,
    place: Place,
    recorder: Recorder,
    flush_due_us: u64,
    expiry_due_us: u64,
    cpu_flushed_us: u64,
    flushes_answered: u64,
}

/// The sampler's life.
pub fn sampler() {
    BackgroundWorker::attach_signal_handlers(SignalWakeFlags::SIGHUP | SignalWakeFlags::SIGTERM);
    if !ffi::claim_sampler() {
        return;
    }
    let database = settings::database();
    BackgroundWorker::connect_worker_to_spi(Some(&database), None);
    BackgroundWorker::transaction(store::trust_catalogue_only);
    ffi::with_sampler_state(|state| state.started_us = collect::wall_us());
    ffi::report_activity("sampling");
    let mut sampler = Sampler::new(database);
    while sampler.next() {}
}

impl Sampler {
    fn new(database: String) -> Sampler {
        let data_directory = ffi::data_directory();
        let place = collect::place(&data_directory);
        let now_us = collect::monotonic_us();
        let grid = Grid::new(settings::sample_interval(), now_us);
        let mut sampler = Sampler {
            database,
            data_directory,
            recorder: Recorder::new(grid.interval_us(), place.clone()),
            place,
            grid,
            flush_due_us: 0,
            expiry_due_us: 0,
            cpu_flushed_us: collect::cpu_us(),
            flushes_answered: ffi::sampler_state().map_or(0, |state| state.flushes_asked),
        };
        // The first reading is what the first tick is compared with.
        sampler.tick();
        sampler.flush();
        sampler
    }

    /// Waits for the next thing to do and does it; false when the sampler is to end.
    fn next(&mut self) -> bool {
        // A millisecond more than is left: a latch waits whole ones, and would wake too early.
        let wait = self.grid.wait(collect::monotonic_us()) + Duration::from_millis(1);
        if !BackgroundWorker::wait_latch(Some(wait)) {
            self.tick();
            self.flush();
            return false;
        }
        if BackgroundWorker::sighup_received() && !self.reload() {
            return false;
        }
        let asked = ffi::sampler_state().map_or(0, |state| state.flushes_asked);
        let due = self.grid.take_due(collect::monotonic_us());
        let flush = asked != self.flushes_answered;
        if due || flush {
            self.tick();
        }
        if flush || collect::monotonic_us() >= self.flush_due_us {
            self.flush();
            self.flushes_answered = asked;
            ffi::with_sampler_state(|state| state.flushes_done = asked);
        }
        true
    }

    fn reload(&mut self) -> bool {
        ffi::reload_settings();
        if !settings::enabled() || settings::database() != self.database {
            self.flush();
            return false;
        }
        self.flush();
        self.grid = Grid::new(settings::sample_interval(), collect::monotonic_us());
        true
    }

    fn tick(&mut self) {
        self.recorder.sweep(collect::sweep());
        let (snapshot, probe) = collect::snapshot(&self.place);
        let ticked_us = snapshot.at_us;
        self.recorder.observe(snapshot);
        let missed = self.grid.missed();
        let problem = match probe {
            Probe::Complete => None,
            Probe::Incomplete(reason) => Some(reason),
        };
        let news = ffi::with_sampler_state(|state| {
            let before = state.problem();
            state.ticked_us = ticked_us;
            state.ticks += 1;
            state.missed = missed;
            state.cpu_us = collect::cpu_us();
            state.set_problem(problem.as_deref());
            before != state.problem()
        });
        // One warning for each failure, not one a second.
        if let (Some(reason), Some(true)) = (problem, news) {
            pgrx::warning!("ebs_advisor cannot sample block devices: {reason}");
        }
    }

    /// Writes what was recorded, and looks again where the cluster is.
    fn flush(&mut self) {
        let now_us = collect::monotonic_us();
        self.flush_due_us = now_us + u64::try_from(settings::flush_interval().as_micros()).unwrap_or(u64::MAX);
        let place = collect::place(&self.data_directory);
        let cpu_us = collect::cpu_us();
        let spent_us = cpu_us.saturating_sub(self.cpu_flushed_us);
        self.cpu_flushed_us = cpu_us;
        let block = self.recorder.take(self.grid.interval_us(), place.clone(), spent_us);
        self.place = place;
        let expire = now_us >= self.expiry_due_us;
        if expire {
            self.expiry_due_us = now_us + EXPIRY_US;
        }
        let older_than_us = collect::wall_us() - i64::try_from(settings::retention().as_micros()).unwrap_or(i64::MAX);
        let written = BackgroundWorker::transaction(move || {
            let installed = store::is_installed()?;
            if installed {
                block.iter().try_for_each(store::append)?;
                if expire {
                    store::expire(older_than_us)?;
                }
            }
            Ok::<bool, Failure>(installed)
        });
        ffi::report_own_statistics();
        match written {
            Ok(installed) => {
                let flushed_us = collect::wall_us();
                ffi::with_sampler_state(|state| {
                    state.extension_seen = installed;
                    state.flushed_us = flushed_us;
                });
            }
            Err(failure) => pgrx::warning!("ebs_advisor could not write samples: {}", failure.message()),
        }
    }
}
