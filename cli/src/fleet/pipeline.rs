//! Batches of a fleet, several at a time: the samples of one are fetched and evaluated, and given up before the next.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use ebs_fleet::{Batch, Settings, evaluate};
use ebs_fleet_report::{Row, row_from_answer};
use ebs_imports::configuration::Configuration;

use super::memory::{MAX_SAMPLES, SampleBudget};
use super::transport::{FetchError, Interrupt, TimeRange, Transport};
use crate::error::Error;

/// Scrape interval that is assumed until one is known, seconds: the shortest that is usual.
const ASSUMED_INTERVAL_S: u64 = 15;

/// Batches in succession that could not be fetched, after which the engine is taken as gone, and no more are asked for.
const MAX_FAILURES: usize = 5;

/// Everything that the batches are answered with.
pub struct Work<'a> {
    /// Way to the samples.
    pub transport: &'a dyn Transport,
    /// Time.
    pub range: TimeRange,
    /// Configuration of volumes and instances.
    pub configuration: &'a Configuration,
    /// Settings of the evaluation.
    pub settings: &'a Settings,
    /// Number of threads.
    pub jobs: usize,
}

/// Answer for a batch, or the reason for which there is none.
pub type Outcome = Result<Vec<Row>, BatchError>;

/// The reason for which a batch has no answer.
pub enum BatchError {
    /// Its samples were not fetched.
    Fetch(FetchError),
    /// A defect: its evaluation panicked with this message.
    Panic(String),
}

impl From<FetchError> for BatchError {
    fn from(error: FetchError) -> BatchError {
        BatchError::Fetch(error)
    }
}

/// Answers the batches and hands each outcome on, in the order in which they are done. Ends early where `stop` is set, where `keep`
/// fails, and where the engine refuses everything or is gone: batches without an outcome were not asked for.
pub fn answer<'b>(
    batches: &[&'b Batch],
    work: &Work,
    stop: &Interrupt,
    keep: &mut dyn FnMut(&'b Batch, Outcome) -> Result<(), Error>,
) -> Result<(), Error> {
    let queue = Queue::new(work.range);
    // Each outcome is handed over: a thread has at most one batch more than was kept, and sees at once that no more are asked for.
    let (sender, receiver) = sync_channel(0);
    thread::scope(|scope| {
        for _ in 0..work.jobs.min(batches.len()) {
            let sender = sender.clone();
            let queue = &queue;
            scope.spawn(move || queue.run(batches, work, stop, &sender));
        }
        drop(sender);
        let mut failures = 0;
        for (batch, outcome) in receiver {
            let error = match &outcome {
                Err(BatchError::Fetch(error)) => Some(error),
                _ => None,
            };
            failures = if error.is_some() { failures + 1 } else { 0 };
            let is_over = failures >= MAX_FAILURES || error.is_some_and(FetchError::is_final);
            let kept = keep(batch, outcome);
            if is_over || kept.is_err() {
                queue.close();
            }
            kept?;
        }
        Ok(())
    })
}

/// Batches that are not begun, and the samples that may be in memory.
struct Queue {
    next: AtomicUsize,
    is_closed: AtomicBool,
    budget: SampleBudget,
    /// Samples of a series over the whole time: the most that were seen, or the assumption.
    samples_a_series: AtomicU64,
    has_seen: AtomicBool,
}

impl Queue {
    fn new(range: TimeRange) -> Queue {
        let seconds = range.to_ms.abs_diff(range.from_ms) / 1_000;
        Queue {
            next: AtomicUsize::new(0),
            is_closed: AtomicBool::new(false),
            budget: SampleBudget::new(MAX_SAMPLES),
            samples_a_series: AtomicU64::new(seconds / ASSUMED_INTERVAL_S + 1),
            has_seen: AtomicBool::new(false),
        }
    }

    fn close(&self) {
        self.is_closed.store(true, Ordering::Relaxed);
    }

    fn run<'b>(&self, batches: &[&'b Batch], work: &Work, stop: &Interrupt, sender: &SyncSender<(&'b Batch, Outcome)>) {
        while !stop.is_set() && !self.is_closed.load(Ordering::Relaxed) {
            let Some(batch) = batches.get(self.next.fetch_add(1, Ordering::Relaxed)) else { break };
            let outcome = catch_unwind(AssertUnwindSafe(|| self.answer(batch, work)));
            let outcome = outcome.unwrap_or_else(|panic| Err(BatchError::Panic(message(panic.as_ref()))));
            if stop.is_set() && outcome.is_err() || sender.send((batch, outcome)).is_err() {
                break;
            }
        }
    }

    fn answer(&self, batch: &Batch, work: &Work) -> Outcome {
        let expected = batch.series_count() as u64 * self.samples_a_series.load(Ordering::Relaxed);
        let _taken = self.budget.take(expected);
        let series = work.transport.fetch(&batch.selectors(), work.range)?;
        let longest = series.iter().map(|series| series.samples.len() as u64).max().unwrap_or(0);
        self.learn(longest);
        let answers = evaluate(batch, series, work.configuration, work.settings, &|| ());
        Ok(answers.iter().map(row_from_answer).collect())
    }

    /// Takes the number of samples of a batch's longest series for those of the next ones; an assumption is replaced by less, too.
    fn learn(&self, longest: u64) {
        if longest == 0 {
            return;
        }
        match self.has_seen.swap(true, Ordering::Relaxed) {
            true => self.samples_a_series.fetch_max(longest, Ordering::Relaxed),
            false => self.samples_a_series.swap(longest, Ordering::Relaxed),
        };
    }
}

/// Message of a panic.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}

#[cfg(test)]
#[path = "pipeline_tests.rs"]
mod tests;
