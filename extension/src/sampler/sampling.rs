//! The sampler: wait events at a fast pace, one reading of every probe at each grid point, one small insert every few seconds.

use std::path::PathBuf;
use std::time::Duration;

use ebs_samples::evidence::{Recorder, StorageLayout, codec};
use ebs_samples::schedule::{FixedSchedule, JitteredSchedule, RequestBudget};
use pgrx::bgworkers::BackgroundWorker;

use super::mode::SamplerMode;
use super::name_cache::NameCache;
use super::probe_warnings::read_slow_probes;
use super::writer::Writer;
use crate::probes::{self, Completeness, CpuTime, SessionIo, WaitSampler};
use crate::{ffi, settings};

/// Longest wait that is slept by the clock, which is exact and cheap; a longer one waits on the latch.
const MAX_CLOCK_SLEEP_US: u64 = 50_000;

/// Longest time without a check of the latch and the postmaster.
const MAX_UNCHECKED_US: u64 = 1_000_000;

/// A sampler that is connected to its database.
pub struct Sampler {
    mode: SamplerMode,
    data_directory: PathBuf,
    wait_schedule: JitteredSchedule,
    schedule: FixedSchedule,
    budget: RequestBudget,
    /// Number of the latest flush that is requested and not answered.
    requested: Option<u64>,
    waits: WaitSampler,
    sessions: SessionIo,
    cpu_time: CpuTime,
    names: NameCache,
    layout: StorageLayout,
    recorder: Recorder,
    writer: Writer,
    flush_due_us: u64,
    checked_us: u64,
}

impl Sampler {
    /// A sampler that has taken its first reading, with which the first sample is compared.
    pub fn new(mode: SamplerMode) -> Sampler {
        let data_directory = ffi::data_directory();
        let layout = probes::find_storage_layout(&data_directory, &ffi::in_transaction(ffi::read_tablespaces));
        let now_us = probes::monotonic_us();
        let schedule = FixedSchedule::new(settings::sample_interval(), now_us);
        let budget = RequestBudget::new(mode.spent_at_start(), settings::sample_interval(), now_us);
        let mut sampler = Sampler {
            recorder: Recorder::new(mode.tier(), Some(probes::measure_clock()), schedule.interval_us(), layout.clone()),
            mode,
            data_directory,
            wait_schedule: JitteredSchedule::new(settings::wait_interval(), now_us),
            schedule,
            budget,
            requested: None,
            waits: WaitSampler::new(),
            sessions: SessionIo::default(),
            cpu_time: CpuTime::default(),
            names: NameCache::default(),
            layout,
            writer: Writer::default(),
            flush_due_us: 0,
            checked_us: now_us,
        };
        sampler.sample(0);
        sampler.flush();
        sampler
    }

    /// Waits for the next thing that is due and does it; false when the sampler is to end.
    pub fn step(&mut self) -> bool {
        let Some(woken) = self.wait() else {
            self.shutdown();
            return false;
        };
        if BackgroundWorker::sighup_received() && !self.reload() {
            self.shutdown();
            return false;
        }
        let now_us = probes::monotonic_us();
        if let Some(elapsed_us) = self.wait_schedule.take_due(now_us) {
            self.waits.sample_waits(elapsed_us);
        }
        // Under a lock, so not at every sample of waits: a request wakes this process.
        if woken {
            self.requested = self.mode.requested_flush().or(self.requested);
        }
        self.budget.refill(now_us);
        let late_us = self.schedule.take_due(now_us);
        // Only here, right after a sample: a block ends where its waits and its last interval do. At the sample nearest to
        // the due time.
        let is_flush_due = late_us.is_some() && now_us + self.schedule.interval_us() / 2 >= self.flush_due_us;
        let answers = self.requested.is_some() && (is_flush_due || self.budget.take());
        if late_us.is_none() && !answers {
            return true;
        }
        self.sample(late_us.unwrap_or(0));
        // Publishing a block that has outgrown its memory makes a flush due.
        if !answers && now_us + self.schedule.interval_us() / 2 < self.flush_due_us {
            return true;
        }
        if self.mode.should_yield() {
            return false;
        }
        let written = self.flush();
        let requested = self.requested.take();
        self.mode.answer_flush(requested, written);
        self.mode.is_needed(self.budget.is_full())
    }

    /// Time at which something is due.
    fn due_us(&self) -> u64 {
        let request_us = if self.requested.is_some() { self.budget.due_us() } else { u64::MAX };
        self.wait_schedule.due_us().min(self.schedule.due_us()).min(request_us)
    }

    /// Waits until something is due; true if a backend woke this process, `None` when the server wants it to end.
    fn wait(&mut self) -> Option<bool> {
        let due_us = self.due_us();
        let now_us = probes::monotonic_us();
        let left_us = due_us.saturating_sub(now_us);
        if left_us > MAX_CLOCK_SLEEP_US {
            return self.wait_on_latch(left_us);
        }
        if left_us > 0 {
            probes::sleep_until(due_us);
        }
        if ffi::is_latch_set() || now_us.saturating_sub(self.checked_us) > MAX_UNCHECKED_US {
            return self.wait_on_latch(0);
        }
        Some(false)
    }

    /// Waits on the latch, in whole milliseconds, and serves the interrupts of PostgreSQL.
    fn wait_on_latch(&mut self, wait_us: u64) -> Option<bool> {
        let woken = ffi::is_latch_set();
        let may_continue = BackgroundWorker::wait_latch(Some(Duration::from_millis(wait_us.div_ceil(1_000))));
        self.checked_us = probes::monotonic_us();
        // Woken while it waited: before anything was due.
        let early = self.checked_us < self.due_us();
        may_continue.then_some(woken || early)
    }

    /// Takes a last sample and writes everything.
    pub fn shutdown(&mut self) {
        self.sample(0);
        if !self.mode.should_yield() {
            self.flush();
        }
        ffi::clear_pending_samples();
    }

    /// Reads the settings again; false when the sampler is to end.
    fn reload(&mut self) -> bool {
        ffi::reload_settings();
        let now_us = probes::monotonic_us();
        let wait_schedule = JitteredSchedule::new(settings::wait_interval(), now_us);
        if wait_schedule.interval_us() != self.wait_schedule.interval_us() {
            self.wait_schedule = wait_schedule;
        }
        let schedule = FixedSchedule::new(settings::sample_interval(), now_us);
        if schedule.interval_us() != self.schedule.interval_us() {
            // A sample ends what was sampled at the old interval; the flush then begins a block of the new one.
            self.sample(0);
            self.schedule = schedule;
            self.budget.set_interval(settings::sample_interval(), now_us);
            self.flush();
        }
        self.mode.is_configured()
    }

    /// One reading of every probe, `late_us` after its time.
    fn sample(&mut self, late_us: u64) {
        self.recorder.add_waits(self.waits.drain(|number| self.names.get(number)));
        self.recorder.add_io(self.sessions.drain(|number| self.names.get(number)));
        let (snapshot, completeness) = probes::take_snapshot(&self.layout);
        let sampled_us = snapshot.at_us;
        self.recorder.observe(snapshot, late_us);
        let missed = self.schedule.missed();
        let problem = match completeness {
            Completeness::Complete => None,
            Completeness::Incomplete(reason) => Some(reason),
        };
        let was_readable = ffi::update_sampler_state(|state| {
            let was_readable = state.device_problem.get().is_none();
            state.sampled_us = sampled_us;
            state.samples += 1;
            state.missed = missed;
            state.late_us += late_us;
            state.max_late_us = state.max_late_us.max(late_us);
            state.cpu_us = probes::cpu_us();
            state.device_problem.set(problem.as_deref());
            was_readable
        });
        // One warning for each failure, not one a second; nor two where diskstats gives the reason first and then, as soon as
        // the volumes were found again, the mounts.
        if let (Some(reason), Some(true)) = (problem, was_readable) {
            pgrx::warning!("ebs_advisor cannot sample block devices: {reason}");
        }
        self.publish();
    }

    /// Lets answers see the samples that are not written yet. A block that has outgrown the memory for that is written with this
    /// sample.
    fn publish(&mut self) {
        if let Ok(bytes) = codec::plain(self.recorder.block())
            && !ffi::publish_pending_samples(&bytes)
        {
            self.flush_due_us = 0;
        }
    }

    /// Writes the recorded block, and finds the volumes of the cluster again; true if all was written.
    fn flush(&mut self) -> bool {
        let layout = probes::find_storage_layout(&self.data_directory, &ffi::in_transaction(ffi::read_tablespaces));
        let slow_probes = read_slow_probes(&self.layout, &mut self.cpu_time);
        self.mode.publish_cost(&slow_probes.cost);
        self.recorder.add_slow_probes(slow_probes);
        self.publish();
        let block = self.recorder.take(self.schedule.interval_us(), layout.clone());
        self.layout = layout;
        self.waits.forget_processes();
        self.names.forget();
        // Only now: publishing above may have requested a flush.
        self.flush_due_us = probes::monotonic_us() + self.mode.flush_interval_us();
        let written = self.writer.write(block);
        if written {
            ffi::mark_pending_samples_written();
        }
        written
    }
}
