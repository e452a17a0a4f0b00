//! Attempts and pieces, against a transport that fails as a list says.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ebs_prometheus::{Labels, Sample, Selector, Series};

use super::interface::{TimeRange, Transport};
use super::interrupt::Interrupt;
use super::retry::{Resilient, Retry, RetryPolicy};
use crate::fetch_error::FetchError;

/// Transport with a sample each millisecond, that refuses long times, and first gives some errors.
#[derive(Default)]
struct Flaky {
    errors: Mutex<VecDeque<FetchError>>,
    max_length_ms: i64,
    requests: Arc<Mutex<Vec<(i64, i64)>>>,
}

impl Transport for Flaky {
    fn name(&self) -> &'static str {
        "flaky"
    }

    fn label_sets(&self, _: &[Selector], range: TimeRange) -> Result<Vec<Labels>, FetchError> {
        self.fetch(&[], range).map(|series| series.into_iter().map(|series| series.labels).collect())
    }

    fn fetch(&self, _: &[Selector], range: TimeRange) -> Result<Vec<Series>, FetchError> {
        self.requests.lock().unwrap().push((range.from_ms, range.to_ms));
        if let Some(error) = self.errors.lock().unwrap().pop_front() {
            return Err(error);
        }
        if range.to_ms - range.from_ms >= self.max_length_ms {
            return Err(FetchError::TooLarge("too many samples".to_owned()));
        }
        let samples = (range.from_ms..=range.to_ms).map(|at_ms| Sample { at_ms, value: at_ms as f64 }).collect();
        Ok(vec![Series { labels: [("a", "b")].into_iter().collect(), samples }])
    }
}

struct Trial {
    transport: Resilient,
    requests: Arc<Mutex<Vec<(i64, i64)>>>,
    pauses: Arc<Mutex<Vec<Duration>>>,
}

fn trial(max_length_ms: i64, errors: Vec<FetchError>, policy: RetryPolicy) -> Trial {
    let (requests, pauses) = (Arc::default(), Arc::<Mutex<Vec<_>>>::default());
    let flaky = Flaky { errors: Mutex::new(errors.into()), max_length_ms, requests: Arc::clone(&requests) };
    let kept = pauses.clone();
    let sleep = move |pause| {
        kept.lock().unwrap().push(pause);
        Ok(())
    };
    let retry = Retry::with_sleep(policy, Box::new(sleep));
    Trial { transport: Resilient::new(Box::new(flaky), retry), requests, pauses }
}

fn policy() -> RetryPolicy {
    RetryPolicy { min_piece_ms: 10, attempts: 4, ..RetryPolicy::default() }
}

fn unavailable(retry_after: Option<u64>) -> FetchError {
    let retry_after = retry_after.map(Duration::from_secs);
    FetchError::Unavailable { status: 503, message: String::new(), retry_after }
}

const RANGE: TimeRange = TimeRange { from_ms: 1000, to_ms: 1999 };

fn times(series: &[Series]) -> Vec<i64> {
    series.iter().flat_map(|series| &series.samples).map(|sample| sample.at_ms).collect()
}

#[test]
fn too_large_answers_are_requested_in_pieces() {
    let trial = trial(300, vec![], policy());
    let series = trial.transport.fetch(&[], RANGE).unwrap();
    assert_eq!(times(&series), (1000..=1999).collect::<Vec<_>>());
    let expected = [(1000, 1999), (1000, 1499), (1000, 1249), (1250, 1499), (1500, 1749), (1750, 1999)];
    assert_eq!(*trial.requests.lock().unwrap(), expected);
    // The next batch does not begin with what was refused before.
    trial.requests.lock().unwrap().clear();
    assert_eq!(trial.transport.fetch(&[], RANGE).unwrap(), series);
    assert_eq!(trial.requests.lock().unwrap()[0], (1000, 1499));
    assert!(trial.pauses.lock().unwrap().is_empty());
}

#[test]
fn the_shortest_piece_ends_with_the_server_s_error() {
    let trial = trial(5, vec![], policy());
    let error = trial.transport.fetch(&[], RANGE).unwrap_err();
    assert_eq!(error.to_string(), "the answer is too large: too many samples");
    let last = *trial.requests.lock().unwrap().last().unwrap();
    assert_eq!(last, (1000, 1015));
}

#[test]
fn a_call_has_a_bound_of_samples() {
    let trial = trial(300, vec![], RetryPolicy { max_samples: 999, ..policy() });
    let error = trial.transport.fetch(&[], RANGE).unwrap_err();
    assert_eq!(error.to_string(), "the answer is too large: more than 999 samples");
}

#[test]
fn transient_errors_are_followed_by_longer_pauses() {
    let unreachable = FetchError::Unreachable { message: "refused".to_owned(), is_timeout: false };
    let trial = trial(9999, vec![unavailable(None), unavailable(Some(7)), unreachable], policy());
    assert_eq!(times(&trial.transport.fetch(&[], RANGE).unwrap()).len(), 1000);
    let pauses = trial.pauses.lock().unwrap();
    assert_eq!(pauses.len(), 3);
    let between = |pause: Duration, from: u64, to: u64| (from..=to).contains(&(pause.as_millis() as u64));
    assert!(between(pauses[0], 250, 500), "{pauses:?}");
    assert_eq!(pauses[1], Duration::from_secs(7));
    assert!(between(pauses[2], 1000, 2000), "{pauses:?}");
}

#[test]
fn attempts_are_bounded() {
    let trial = trial(9999, (0..9).map(|_| unavailable(None)).collect(), policy());
    let error = trial.transport.fetch(&[], RANGE).unwrap_err();
    assert_eq!(error.to_string(), "the server cannot answer now (HTTP 503) (after 4 attempts)");
    assert_eq!(trial.requests.lock().unwrap().len(), 4);
    // The same holds for labels.
    assert!(trial.transport.label_sets(&[], RANGE).is_err());
    assert_eq!(trial.requests.lock().unwrap().len(), 8);
}

#[test]
fn all_attempts_of_a_call_are_bounded() {
    let trial = trial(300, vec![], RetryPolicy { total_attempts: 2, ..policy() });
    assert!(matches!(trial.transport.fetch(&[], RANGE), Err(FetchError::TooLarge(_))));
    assert_eq!(trial.requests.lock().unwrap().len(), 2);
}

/// A call without any time makes one request.
#[test]
fn a_call_ends_after_its_time() {
    let ended = RetryPolicy { max_time: Duration::ZERO, ..policy() };
    let failing = trial(i64::MAX, vec![unavailable(None)], ended);
    let error = failing.transport.fetch(&[], TimeRange { from_ms: 0, to_ms: 999 }).unwrap_err();
    assert!(matches!(error, FetchError::Exhausted { attempts: 1, .. }), "{error}");
    let slow = trial(600, Vec::new(), ended);
    let slow = Trial { transport: slow.transport.with_piece_ms(500), ..slow };
    let error = slow.transport.fetch(&[], TimeRange { from_ms: 0, to_ms: 9_999 }).unwrap_err();
    assert_eq!(error.to_string(), "the answers took more than 0 minutes together");
    assert!(!error.is_transient() && error.hint().is_some());
    assert_eq!(slow.requests.lock().unwrap().len(), 1);
}

#[test]
fn what_takes_too_long_is_soon_requested_in_pieces() {
    let cut_off = || FetchError::CutOff("the answer is cut off".to_owned());
    let trial = trial(9999, vec![cut_off(), cut_off()], policy());
    assert_eq!(times(&trial.transport.fetch(&[], RANGE).unwrap()).len(), 1000);
    assert_eq!(*trial.requests.lock().unwrap(), [(1000, 1999), (1000, 1999), (1000, 1499), (1500, 1999)]);
}

#[test]
fn refusals_are_not_repeated() {
    let refusal = FetchError::Unauthorized { status: 401, message: String::new() };
    let trial = trial(9999, vec![refusal], policy());
    let error = trial.transport.fetch(&[], RANGE).unwrap_err();
    assert!(error.hint().unwrap().contains("--bearer-file"));
    assert_eq!(trial.requests.lock().unwrap().len(), 1);
}

#[test]
fn an_interruption_ends_the_pauses() {
    let interrupt = Arc::new(Interrupt::default());
    interrupt.set();
    let flaky = Flaky { errors: Mutex::new(vec![unavailable(Some(300))].into()), ..Flaky::default() };
    let transport = Resilient::new(Box::new(flaky), Retry::new(RetryPolicy::default(), interrupt));
    assert!(matches!(transport.fetch(&[], RANGE), Err(FetchError::Interrupted)));
}
