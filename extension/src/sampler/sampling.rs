//! The sampler: sweeps at a fast pace, one reading of every probe at each grid point, one small insert every few seconds.

use std::path::PathBuf;
use std::time::Duration;

use ebs_samples::evidence::{Place, Recorder, codec};
use ebs_samples::schedule::{Grid, Pace};
use pgrx::bgworkers::BackgroundWorker;

use super::life::Life;
use super::names::Names;
use super::slow_probes;
use super::writer::Writer;
use crate::probes::{self, Probe, Processor, SessionIo, Sweeper};
use crate::{ffi, settings};

/// Up to this length a pause is slept by the clock, which is exact and cheap; a longer one waits on the latch.
const SHORT_PAUSE_US: u64 = 50_000;

/// The latch and the postmaster are looked at this often, whatever the pauses.
const LOOK_US: u64 = 1_000_000;

/// What samples, between a life's beginning and its end.
pub struct Sampler {
    life: Life,
    data_directory: PathBuf,
    pace: Pace,
    grid: Grid,
    sweeper: Sweeper,
    sessions: SessionIo,
    processor: Processor,
    names: Names,
    place: Place,
    recorder: Recorder,
    writer: Writer,
    flush_due_us: u64,
    looked_us: u64,
}

impl Sampler {
    /// One that has taken its first reading: what the first tick is compared with.
    pub fn new(life: Life) -> Sampler {
        let data_directory = ffi::data_directory();
        let place = probes::place(&data_directory, &ffi::in_transaction(ffi::read_tablespaces));
        let now_us = probes::monotonic_us();
        let grid = Grid::new(settings::sample_interval(), now_us);
        let mut sampler = Sampler {
            recorder: Recorder::new(life.tier(), Some(probes::clock()), grid.interval_us(), place.clone()),
            life,
            data_directory,
            pace: Pace::new(settings::wait_interval(), now_us),
            grid,
            sweeper: Sweeper::new(),
            sessions: SessionIo::default(),
            processor: Processor::default(),
            names: Names::default(),
            place,
            writer: Writer::default(),
            flush_due_us: 0,
            looked_us: now_us,
        };
        sampler.tick(0);
        sampler.flush();
        sampler
    }

    /// Waits for the next thing to do and does it; false when the sampler is to end.
    pub fn next(&mut self) -> bool {
        let Some(woken) = self.pause() else { return self.last_words() };
        if BackgroundWorker::sighup_received() && !self.reload() {
            return self.last_words();
        }
        let now_us = probes::monotonic_us();
        if let Some(stands_for_us) = self.pace.take_due(now_us) {
            self.sweeper.sweep(stands_for_us);
        }
        // Under a lock, so not at every sweep: who asks wakes us.
        let asked = if woken { self.life.flush_asked() } else { None };
        let late_us = self.grid.take_due(now_us).or(asked.map(|_| 0));
        let Some(late_us) = late_us else { return true };
        self.tick(late_us);
        // Only here, right after a tick: a block ends where its waits and its last interval do. At the tick that is nearest
        // to when it is due.
        if asked.is_none() && now_us + self.grid.interval_us() / 2 < self.flush_due_us {
            return true;
        }
        if self.life.gives_way() {
            return false;
        }
        let written = self.flush();
        self.life.flush_answered(asked, written);
        self.life.goes_on()
    }

    /// Until something is due. Whether somebody woke us up; `None` when the server wants us to end.
    fn pause(&mut self) -> Option<bool> {
        let due_us = self.pace.due_us().min(self.grid.due_us());
        let now_us = probes::monotonic_us();
        let left_us = due_us.saturating_sub(now_us);
        if left_us > SHORT_PAUSE_US {
            return self.look(left_us);
        }
        if left_us > 0 {
            probes::sleep_until(due_us);
        }
        match ffi::is_latch_set() || now_us.saturating_sub(self.looked_us) > LOOK_US {
            true => self.look(0),
            false => Some(false),
        }
    }

    /// Waits on the latch, in whole milliseconds, and serves what PostgreSQL asks of every process.
    fn look(&mut self, wait_us: u64) -> Option<bool> {
        let woken = ffi::is_latch_set();
        let goes_on = BackgroundWorker::wait_latch(Some(Duration::from_millis(wait_us.div_ceil(1_000))));
        self.looked_us = probes::monotonic_us();
        // Woken while it waited: earlier than it would have by itself.
        let early = self.looked_us < self.pace.due_us().min(self.grid.due_us());
        goes_on.then_some(woken || early)
    }

    /// Writes what it has, and ends.
    pub fn end(&mut self) {
        self.last_words();
    }

    fn last_words(&mut self) -> bool {
        self.tick(0);
        if !self.life.gives_way() {
            self.flush();
        }
        ffi::clear_pending_samples();
        false
    }

    fn reload(&mut self) -> bool {
        ffi::reload_settings();
        let now_us = probes::monotonic_us();
        let pace = Pace::new(settings::wait_interval(), now_us);
        if pace.interval_us() != self.pace.interval_us() {
            self.pace = pace;
        }
        let grid = Grid::new(settings::sample_interval(), now_us);
        if grid.interval_us() != self.grid.interval_us() {
            // A tick ends what was sampled at the old interval; the flush then begins a block of the new one.
            self.tick(0);
            self.grid = grid;
            self.flush();
        }
        self.life.goes_on()
    }

    /// One reading of every probe, `late_us` after its time.
    fn tick(&mut self, late_us: u64) {
        self.recorder.waited(self.sweeper.drain(|oid| self.names.get(oid)));
        self.recorder.moved(self.sessions.take(|oid| self.names.get(oid)));
        let (snapshot, probe) = probes::snapshot(&self.place);
        let ticked_us = snapshot.at_us;
        self.recorder.observe(snapshot, late_us);
        let missed = self.grid.missed();
        let problem = match probe {
            Probe::Complete => None,
            Probe::Incomplete(reason) => Some(reason),
        };
        let news = ffi::update_sampler_state(|state| {
            let was_well = state.device_problem.get().is_none();
            state.sampled_us = ticked_us;
            state.samples += 1;
            state.missed = missed;
            state.late_us += late_us;
            state.max_late_us = state.max_late_us.max(late_us);
            state.cpu_us = probes::cpu_us();
            state.device_problem.set(problem.as_deref());
            was_well
        });
        // One warning for each failure, not one a second; nor two where its reason is told first by diskstats and then, as
        // soon as the place was looked up again, by the mounts.
        if let (Some(reason), Some(true)) = (problem, news) {
            pgrx::warning!("ebs_advisor cannot sample block devices: {reason}");
        }
        self.show();
    }

    /// Lets answers see what is not written yet. What has outgrown the memory for that is written with this tick.
    fn show(&mut self) {
        if let Ok(bytes) = codec::plain(self.recorder.block())
            && !ffi::publish_pending_samples(&bytes)
        {
            self.flush_due_us = 0;
        }
    }

    /// Hands what was recorded over to be written, looks again where the cluster is, and writes. Whether all was written.
    fn flush(&mut self) -> bool {
        let place = probes::place(&self.data_directory, &ffi::in_transaction(ffi::read_tablespaces));
        let accounts = slow_probes::read(&self.place, &mut self.processor);
        self.life.account(&accounts.cost);
        self.recorder.settle(accounts);
        self.show();
        let block = self.recorder.take(self.grid.interval_us(), place.clone());
        self.place = place;
        self.sweeper.forget();
        self.names.forget();
        // Only now: what was shown above may have asked for a flush.
        self.flush_due_us = probes::monotonic_us() + self.life.flush_interval_us();
        let written = self.writer.write(block);
        if written {
            ffi::mark_pending_samples_written();
        }
        written
    }
}
