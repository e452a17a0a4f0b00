//! Requests to one server.

use std::io::BufRead;
use std::sync::Arc;

use ebs_prometheus::{Collector, Labels, Limits, ReadError, Selector, read_label_sets};

use super::super::credentials::Credentials;
use super::super::curl::{self, Head, Request};
use super::super::interface::TimeRange;
use super::super::interrupt::Interrupt;
use super::super::waiting::Waiting;
use super::form;
use crate::fetch_error::FetchError;

/// Requests to one server with one set of credentials.
pub struct Client {
    address: String,
    credentials: Credentials,
    interrupt: Arc<Interrupt>,
    limits: Limits,
    waiting: Arc<Waiting>,
}

impl Client {
    /// Requests to the server at this address, before /api/v1.
    pub fn new(address: String, credentials: Credentials, interrupt: Arc<Interrupt>) -> Client {
        Client { address, credentials, interrupt, limits: Limits::default(), waiting: Arc::default() }
    }

    /// The same with requests that are shown while they are waited for.
    pub fn with_waiting(self, waiting: Arc<Waiting>) -> Client {
        Client { waiting, ..self }
    }

    /// The same with other limits.
    #[cfg(test)]
    pub fn with_limits(self, limits: Limits) -> Client {
        Client { limits, ..self }
    }

    /// An empty collector for the samples of a time.
    pub(super) fn collector(&self, range: TimeRange) -> Collector {
        Collector::new(range.from_ms, range.to_ms, self.limits)
    }

    /// Sends a body to a path below /api/v1.
    pub(super) fn post<T>(
        &self,
        path: &str,
        headers: &[&str],
        body: &[u8],
        read: impl FnOnce(&Head, &mut dyn BufRead) -> Result<T, ReadError>,
    ) -> Result<T, FetchError> {
        let request = Request { url: format!("{}/api/v1/{path}", self.address), headers, body };
        let wait = self.waiting.request();
        curl::execute(&request, &self.credentials, (&self.interrupt, &wait), |head, body| {
            // Grafana and login pages answer every path so; a page for people is no answer, however empty.
            if head.content_type.starts_with("text/html") {
                return Err(ReadError::Invalid(
                    "the answer is a page (text/html) and none of Prometheus' API".to_owned(),
                ));
            }
            read(head, body)
        })
    }

    /// Sends parameters to a path below /api/v1.
    pub(super) fn post_form<T>(
        &self,
        path: &str,
        parameters: &[(&str, String)],
        read: impl FnOnce(&Head, &mut dyn BufRead) -> Result<T, ReadError>,
    ) -> Result<T, FetchError> {
        let header = "Content-Type: application/x-www-form-urlencoded";
        self.post(path, &[header], form::encode(parameters).as_bytes(), read)
    }

    /// Label sets of series; all servers give them in the same way.
    pub(super) fn label_sets(&self, selectors: &[Selector], range: TimeRange) -> Result<Vec<Labels>, FetchError> {
        self.post_form("series", &form::series(selectors, range), |_, body| read_label_sets(body, &self.limits))
    }
}
