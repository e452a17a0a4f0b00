//! Attempts: a request that may succeed later is repeated after a pause, one whose answer is too large is made for shorter times.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use ebs_prometheus::{Collector, Labels, Limits, Selector, Series};

use super::interface::{TimeRange, Transport};
use super::interrupt::Interrupt;
use super::waiting::Waiting;
use crate::fetch_error::FetchError;

/// Maximum number of samples of one call, over all its requests: 16 bytes each.
pub const MAX_SAMPLES: usize = 20_000_000;
/// Attempts of a request that takes the server too long, before it is made for a shorter time.
const TIMEOUT_ATTEMPTS: u32 = 2;

/// Bounds of the attempts.
#[derive(Clone, Copy, Debug)]
pub struct RetryPolicy {
    /// Attempts of one request.
    pub attempts: u32,
    /// Attempts of all requests that one call needs.
    pub total_attempts: u32,
    /// Time after which one call makes no more requests. Each has a bound of its own (`curl/configuration.rs`).
    pub max_time: Duration,
    /// Pause after the first attempt; it doubles with each one.
    pub first_pause: Duration,
    /// Maximum pause, unless the server asks for more.
    pub max_pause: Duration,
    /// Shortest time of a request, milliseconds.
    pub min_piece_ms: i64,
    /// Samples of one call, over all its requests: 16 bytes each.
    pub max_samples: usize,
}

impl Default for RetryPolicy {
    fn default() -> RetryPolicy {
        RetryPolicy {
            attempts: 6,
            total_attempts: 500,
            // An engine that answers each piece of two weeks in a minute is done within it; one that is overloaded is left alone.
            max_time: Duration::from_secs(3_600),
            first_pause: Duration::from_millis(500),
            max_pause: Duration::from_secs(30),
            min_piece_ms: 5 * 60 * 1000,
            max_samples: MAX_SAMPLES,
        }
    }
}

/// Pauses between attempts.
type Sleep = Box<dyn Fn(Duration) -> Result<(), FetchError> + Send + Sync>;

/// Requests of one call so far.
struct Call {
    attempts: AtomicU32,
    started: Instant,
}

impl Call {
    fn new() -> Call {
        Call { attempts: AtomicU32::new(0), started: Instant::now() }
    }

    /// True if no more requests are made.
    fn is_over(&self, policy: &RetryPolicy) -> bool {
        self.attempts.load(Ordering::Relaxed) >= policy.total_attempts || self.started.elapsed() >= policy.max_time
    }
}

/// Repeats requests.
pub struct Retry {
    policy: RetryPolicy,
    sleep: Sleep,
    waiting: Arc<Waiting>,
}

impl Retry {
    /// Repeats requests by a policy; an interruption ends its pauses.
    pub fn new(policy: RetryPolicy, interrupt: Arc<Interrupt>) -> Retry {
        Retry::with_sleep(policy, Box::new(move |pause| interrupt.sleep(pause)))
    }

    /// The same with pauses of another kind.
    pub fn with_sleep(policy: RetryPolicy, sleep: Sleep) -> Retry {
        Retry { policy, sleep, waiting: Arc::default() }
    }

    /// The same with pauses that are shown.
    pub fn with_waiting(self, waiting: Arc<Waiting>) -> Retry {
        Retry { waiting, ..self }
    }

    /// Repeats a request until it succeeds, or is of no use.
    pub fn attempt<T>(&self, request: &dyn Fn() -> Result<T, FetchError>) -> Result<T, FetchError> {
        self.attempt_within(request, &Call::new(), false)
    }

    fn attempt_within<T>(
        &self,
        request: &dyn Fn() -> Result<T, FetchError>,
        call: &Call,
        can_shorten: bool,
    ) -> Result<T, FetchError> {
        let mut attempts = 0;
        loop {
            attempts += 1;
            call.attempts.fetch_add(1, Ordering::Relaxed);
            match request() {
                Err(error) if error.is_transient() => {
                    let is_shortened = can_shorten && error.is_timeout();
                    let max_attempts = if is_shortened { TIMEOUT_ATTEMPTS } else { self.policy.attempts };
                    if attempts >= max_attempts || call.is_over(&self.policy) {
                        return Err(FetchError::Exhausted { attempts, error: Box::new(error) });
                    }
                    let pause = self.pause_after(attempts, error.retry_after());
                    let _shown = self.waiting.pause(pause, &error);
                    (self.sleep)(pause)?;
                }
                result => return result,
            }
        }
    }

    /// Pause after so many attempts: half of it is random, so that many clients do not return at once.
    fn pause_after(&self, attempts: u32, retry_after: Option<Duration>) -> Duration {
        let pause = self.policy.first_pause.saturating_mul(1 << (attempts - 1).min(16)).min(self.policy.max_pause);
        let random = RandomState::new().hash_one(attempts) as f64 / u64::MAX as f64;
        let jittered = pause.mul_f64(0.5 + random / 2.0);
        retry_after.map_or(jittered, |delay| delay.max(jittered))
    }
}

/// A transport whose requests are repeated, and made for shorter times.
pub struct Resilient {
    transport: Box<dyn Transport>,
    retry: Retry,
    /// Length of the time that the next call begins with: long ones are not refused again for each batch. Milliseconds.
    piece_ms: AtomicI64,
}

impl Resilient {
    /// A transport with attempts.
    pub fn new(transport: Box<dyn Transport>, retry: Retry) -> Resilient {
        Resilient { transport, retry, piece_ms: AtomicI64::new(i64::MAX) }
    }

    /// The same where pieces of this length are known to be answered.
    #[cfg(test)]
    pub fn with_piece_ms(self, piece_ms: i64) -> Resilient {
        Resilient { piece_ms: AtomicI64::new(piece_ms), ..self }
    }

    /// Fetches one piece after the other, and halves their length where answers are too large.
    fn fetch_pieces(&self, selectors: &[Selector], range: TimeRange) -> Result<Vec<Series>, FetchError> {
        let policy = &self.retry.policy;
        let limits = Limits { samples: policy.max_samples, ..Limits::default() };
        let mut collector = Collector::new(range.from_ms, range.to_ms, limits);
        let call = Call::new();
        let whole_ms = range.to_ms.saturating_sub(range.from_ms).saturating_add(1);
        let mut length_ms = self.piece_ms.load(Ordering::Relaxed).clamp(1, whole_ms.max(1));
        let mut from_ms = range.from_ms;
        while from_ms <= range.to_ms {
            let piece = TimeRange { from_ms, to_ms: from_ms.saturating_add(length_ms - 1).min(range.to_ms) };
            let request = || self.transport.fetch(selectors, piece);
            let can_shorten = length_ms / 2 >= policy.min_piece_ms;
            match self.retry.attempt_within(&request, &call, can_shorten) {
                Ok(series) if length_ms >= whole_ms => return Ok(series),
                Ok(series) => {
                    series.into_iter().try_for_each(|series| collector.add(series))?;
                    from_ms = piece.to_ms.saturating_add(1);
                    // Every piece may come, each of them slowly.
                    if from_ms <= range.to_ms && call.is_over(policy) {
                        return Err(FetchError::TooSlow { minutes: policy.max_time.as_secs() / 60 });
                    }
                }
                Err(error) if is_too_long(&error) && can_shorten => {
                    if call.is_over(policy) {
                        return Err(error);
                    }
                    length_ms = length_ms / 2 + length_ms % 2;
                    self.piece_ms.store(length_ms.saturating_mul(2), Ordering::Relaxed);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(collector.finish())
    }
}

fn is_too_long(error: &FetchError) -> bool {
    match error {
        FetchError::TooLarge(_) => true,
        FetchError::Exhausted { error, .. } => error.is_timeout(),
        _ => false,
    }
}

impl Transport for Resilient {
    fn name(&self) -> &'static str {
        self.transport.name()
    }

    fn replaced(&self) -> Option<String> {
        self.transport.replaced()
    }

    fn label_sets(&self, selectors: &[Selector], range: TimeRange) -> Result<Vec<Labels>, FetchError> {
        self.retry.attempt(&|| self.transport.label_sets(selectors, range))
    }

    fn fetch(&self, selectors: &[Selector], range: TimeRange) -> Result<Vec<Series>, FetchError> {
        self.fetch_pieces(selectors, range)
    }
}
