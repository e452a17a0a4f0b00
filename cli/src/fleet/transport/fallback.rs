//! A transport for the case that another one cannot be used.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use ebs_prometheus::{Labels, Selector, Series};

use super::interface::{TimeRange, Transport};
use crate::fetch_error::FetchError;

/// Server errors of a transport that has not given a sample yet, after which the other one is tried: as many as one request has attempts.
const MAX_SERVER_ERRORS: u32 = 6;

/// The first transport until its chunks have an unknown encoding, then the second one; on request also where the server has an error for
/// each request of the first one, and none for those of the second one.
pub struct Fallback<A, B> {
    first: A,
    second: B,
    /// Reason for which the second one is used.
    reason: OnceLock<String>,
    /// Server errors that are endured; `None`: any number.
    max_server_errors: Option<u32>,
    server_errors: AtomicU32,
    has_samples: AtomicBool,
}

impl<A: Transport, B: Transport> Fallback<A, B> {
    /// The first transport, with the second one for what it cannot read.
    pub fn new(first: A, second: B) -> Fallback<A, B> {
        Fallback {
            first,
            second,
            reason: OnceLock::new(),
            max_server_errors: None,
            server_errors: AtomicU32::new(0),
            has_samples: AtomicBool::new(false),
        }
    }

    /// The same, also where the first one never answers.
    pub fn where_unavailable(self) -> Fallback<A, B> {
        Fallback { max_server_errors: Some(MAX_SERVER_ERRORS), ..self }
    }

    fn current(&self) -> &dyn Transport {
        if self.reason.get().is_some() { &self.second } else { &self.first }
    }

    fn switch(&self, error: &FetchError) {
        let _ = self.reason.set(format!("{}: {error}", self.first.name()));
    }

    /// True of a server error that is one too many.
    fn is_given_up(&self, error: &FetchError) -> bool {
        let Some(max) = self.max_server_errors else { return false };
        let is_counted = error.is_server_error() && !self.has_samples.load(Ordering::Relaxed);
        is_counted && self.server_errors.fetch_add(1, Ordering::Relaxed) + 1 >= max
    }
}

impl<A: Transport, B: Transport> Transport for Fallback<A, B> {
    fn name(&self) -> &'static str {
        self.current().name()
    }

    fn replaced(&self) -> Option<String> {
        self.reason.get().cloned()
    }

    fn label_sets(&self, selectors: &[Selector], range: TimeRange) -> Result<Vec<Labels>, FetchError> {
        self.current().label_sets(selectors, range)
    }

    fn fetch(&self, selectors: &[Selector], range: TimeRange) -> Result<Vec<Series>, FetchError> {
        if self.reason.get().is_some() {
            return self.second.fetch(selectors, range);
        }
        match self.first.fetch(selectors, range) {
            Err(error @ FetchError::UnknownEncoding(_)) => {
                self.switch(&error);
                self.second.fetch(selectors, range)
            }
            // Only an answer decides: an engine that is gone answers the second one neither.
            Err(error) if self.is_given_up(&error) => match self.second.fetch(selectors, range) {
                Ok(series) => {
                    self.switch(&error);
                    Ok(series)
                }
                Err(_) => Err(error),
            },
            Ok(series) => {
                self.has_samples.fetch_or(!series.is_empty(), Ordering::Relaxed);
                Ok(series)
            }
            result => result,
        }
    }
}
