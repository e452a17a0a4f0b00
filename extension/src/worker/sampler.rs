//! The sampler: one reading of every probe at each grid point, one small insert every few seconds.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::time::Duration;

use ebs_advisor_model::evidence::{Block, Place, Recorder};
use pgrx::bgworkers::{BackgroundWorker, SignalWakeFlags};

use super::grid::Grid;
use crate::collect::{self, Probe};
use crate::{ffi, settings, store};

/// Old samples are looked for this often.
const EXPIRY_US: u64 = 3_600_000_000;

/// Most blocks kept while they cannot be written: ten minutes at the default flush interval.
const UNWRITTEN: usize = 120;

struct Sampler {
    database: String,
    data_directory: PathBuf,
    grid: Grid,
    place: Place,
    recorder: Recorder,
    unwritten: VecDeque<Block>,
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
    if let Err(error) = ffi::transaction(store::prepare_session) {
        pgrx::error!("ebs_advisor could not prepare its session: {error}");
    }
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
            unwritten: VecDeque::new(),
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
            let written = self.flush();
            self.flushes_answered = asked;
            ffi::with_sampler_state(|state| match written {
                true => state.flushes_done = asked,
                false => state.flushes_failed = asked,
            });
        }
        true
    }

    fn reload(&mut self) -> bool {
        ffi::reload_settings();
        let stays = settings::enabled() && settings::database() == self.database;
        let grid = Grid::new(settings::sample_interval(), collect::monotonic_us());
        if grid.interval_us() != self.grid.interval_us() {
            // A tick ends what was sampled at the old interval; the flush then begins a block of the new one.
            self.tick();
            self.grid = grid;
            self.flush();
        } else if !stays {
            self.tick();
            self.flush();
        }
        stays
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
            state.ticked_us = ticked_us;
            state.ticks += 1;
            state.missed = missed;
            state.cpu_us = collect::cpu_us();
            state.device_problem.set(problem.as_deref())
        });
        // One warning for each failure, not one a second.
        if let (Some(reason), Some(true)) = (problem, news) {
            pgrx::warning!("ebs_advisor cannot sample block devices: {reason}");
        }
    }

    /// Hands what was recorded over to be written, looks again where the cluster is, and writes. Whether all was written.
    fn flush(&mut self) -> bool {
        let now_us = collect::monotonic_us();
        self.flush_due_us = now_us + u64::try_from(settings::flush_interval().as_micros()).unwrap_or(u64::MAX);
        let place = collect::place(&self.data_directory);
        let cpu_us = collect::cpu_us();
        let spent_us = cpu_us.saturating_sub(self.cpu_flushed_us);
        self.cpu_flushed_us = cpu_us;
        self.unwritten.extend(self.recorder.take(self.grid.interval_us(), place.clone(), spent_us));
        self.place = place;
        let written = self.write(now_us);
        self.give_up_oldest();
        written
    }

    /// Writes what is not written yet. What fails is kept and tried again with the next.
    fn write(&mut self, now_us: u64) -> bool {
        let expire = now_us >= self.expiry_due_us;
        let older_than_us = collect::wall_us() - i64::try_from(settings::retention().as_micros()).unwrap_or(i64::MAX);
        let unwritten = &self.unwritten;
        let written = ffi::transaction(|| {
            let Some(owner) = store::owner()? else { return Ok(false) };
            ffi::as_role(owner, || {
                unwritten.iter().try_for_each(store::append)?;
                if expire { store::expire(older_than_us) } else { Ok(()) }
            })?;
            Ok(true)
        });
        ffi::report_own_statistics();
        ffi::report_activity("sampling");
        let (installed, problem) = match written {
            Ok(installed) => (installed, None),
            Err(message) => (true, Some(message)),
        };
        if problem.is_none() {
            // Without the extension there is nowhere to keep them.
            self.unwritten.clear();
            if expire {
                self.expiry_due_us = now_us + EXPIRY_US;
            }
        }
        let flushed_us = collect::wall_us();
        let news = ffi::with_sampler_state(|state| {
            state.extension_seen = installed;
            if problem.is_none() {
                state.flushed_us = flushed_us;
            }
            state.write_problem.set(problem.as_deref())
        });
        if let (Some(message), Some(true)) = (&problem, news) {
            pgrx::warning!("ebs_advisor could not write samples, and will try again: {message}");
        }
        installed && problem.is_none()
    }

    /// Keeps what is not written within bounds.
    fn give_up_oldest(&mut self) {
        while self.unwritten.len() > UNWRITTEN {
            let lost = self.unwritten.pop_front().map_or(0, |block| block.ticks.len() as u64);
            ffi::with_sampler_state(|state| state.lost += lost);
        }
    }
}
