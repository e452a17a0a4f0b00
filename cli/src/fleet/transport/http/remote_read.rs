//! Streamed remote read: Prometheus, Mimir.

use std::sync::Arc;

use ebs_prometheus::{Labels, STREAMED_TYPE, Selector, Series, encode_request, read_samples, read_streamed};

use super::super::interface::{TimeRange, Transport};
use super::client::Client;
use crate::fetch_error::FetchError;

/// Headers of a request.
const HEADERS: [&str; 3] =
    ["Content-Type: application/x-protobuf", "Content-Encoding: snappy", "X-Prometheus-Remote-Read-Version: 0.1.0"];

/// Streamed remote read.
pub struct RemoteRead(pub Arc<Client>);

impl Transport for RemoteRead {
    fn name(&self) -> &'static str {
        "remote read"
    }

    fn label_sets(&self, selectors: &[Selector], range: TimeRange) -> Result<Vec<Labels>, FetchError> {
        self.0.label_sets(selectors, range)
    }

    fn fetch(&self, selectors: &[Selector], range: TimeRange) -> Result<Vec<Series>, FetchError> {
        let mut collector = self.0.collector(range);
        let body = encode_request(selectors, range.from_ms, range.to_ms);
        self.0.post("read", &HEADERS, &body, |head, body| {
            if head.content_type.starts_with(STREAMED_TYPE) {
                read_streamed(body, &mut collector)
            } else {
                read_samples(body, &mut collector)
            }
        })?;
        Ok(collector.finish())
    }
}
