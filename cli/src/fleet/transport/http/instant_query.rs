//! Instant queries for a range of samples: every server that speaks PromQL.

use std::sync::Arc;

use ebs_prometheus::{Labels, Selector, Series, read_matrix};

use super::super::interface::{TimeRange, Transport};
use super::client::Client;
use super::form;
use crate::fetch_error::FetchError;

/// Instant queries.
pub struct InstantQuery(pub Arc<Client>);

impl Transport for InstantQuery {
    fn name(&self) -> &'static str {
        "instant query"
    }

    fn label_sets(&self, selectors: &[Selector], range: TimeRange) -> Result<Vec<Labels>, FetchError> {
        self.0.label_sets(selectors, range)
    }

    fn fetch(&self, selectors: &[Selector], range: TimeRange) -> Result<Vec<Series>, FetchError> {
        let mut collector = self.0.collector(range);
        // The beginning of a range is not part of it since Prometheus 3; the collector leaves out what older servers give there.
        let length_ms = range.to_ms.saturating_sub(range.from_ms.max(0)).saturating_add(1).max(1);
        for selector in selectors {
            let mut parameters = vec![
                ("query", format!("{selector}[{length_ms}ms]")),
                ("time", form::seconds(range.to_ms)),
                // Thanos: raw samples, however long ago.
                ("max_source_resolution", "0s".to_owned()),
            ];
            parameters.extend(form::no_partial_answer());
            self.0.post_form("query", &parameters, |_, body| read_matrix(&mut *body, &mut collector))?;
        }
        Ok(collector.finish())
    }
}
