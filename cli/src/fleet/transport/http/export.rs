//! Export of JSON lines: VictoriaMetrics.

use std::sync::Arc;

use ebs_prometheus::{Labels, Selector, Series, read_lines};

use super::super::interface::{TimeRange, Transport};
use super::client::Client;
use super::form;
use crate::fetch_error::FetchError;

/// Export of JSON lines.
pub struct Export(pub Arc<Client>);

impl Transport for Export {
    fn name(&self) -> &'static str {
        "export"
    }

    fn label_sets(&self, selectors: &[Selector], range: TimeRange) -> Result<Vec<Labels>, FetchError> {
        self.0.label_sets(selectors, range)
    }

    fn fetch(&self, selectors: &[Selector], range: TimeRange) -> Result<Vec<Series>, FetchError> {
        let mut collector = self.0.collector(range);
        let parameters = form::series(selectors, range);
        self.0.post_form("export", &parameters, |_, body| read_lines(body, &mut collector))?;
        Ok(collector.finish())
    }
}
