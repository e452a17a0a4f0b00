//! A transport for those answers that another one cannot read.

use std::sync::atomic::{AtomicBool, Ordering};

use ebs_prometheus::{Labels, Selector, Series};

use super::interface::{TimeRange, Transport};
use crate::fetch_error::FetchError;

/// The first transport until its chunks have an unknown encoding, then the second one.
pub struct Fallback<A, B> {
    first: A,
    second: B,
    has_switched: AtomicBool,
}

impl<A: Transport, B: Transport> Fallback<A, B> {
    /// The first transport, with the second one for what it cannot read.
    pub fn new(first: A, second: B) -> Fallback<A, B> {
        Fallback { first, second, has_switched: AtomicBool::new(false) }
    }

    fn current(&self) -> &dyn Transport {
        if self.has_switched.load(Ordering::Relaxed) { &self.second } else { &self.first }
    }
}

impl<A: Transport, B: Transport> Transport for Fallback<A, B> {
    fn name(&self) -> &'static str {
        self.current().name()
    }

    fn label_sets(&self, selectors: &[Selector], range: TimeRange) -> Result<Vec<Labels>, FetchError> {
        self.current().label_sets(selectors, range)
    }

    fn fetch(&self, selectors: &[Selector], range: TimeRange) -> Result<Vec<Series>, FetchError> {
        match self.current().fetch(selectors, range) {
            Err(FetchError::UnknownEncoding(_)) => {
                self.has_switched.store(true, Ordering::Relaxed);
                self.second.fetch(selectors, range)
            }
            result => result,
        }
    }
}
