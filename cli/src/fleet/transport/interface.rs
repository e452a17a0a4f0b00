//! The interface of all transports. Each asks for the samples of some selectors in a time, and gives whole series.

use ebs_prometheus::{Labels, Selector, Series};

use crate::fetch_error::FetchError;

/// A time, both ends included, milliseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeRange {
    /// Its beginning.
    pub from_ms: i64,
    /// Its end.
    pub to_ms: i64,
}

/// A way to raw samples. Called from several threads at once.
pub trait Transport: Send + Sync {
    /// Its name, as the answer names it: `remote read`.
    fn name(&self) -> &'static str;

    /// A faster transport that is not used, with the reason.
    fn replaced(&self) -> Option<String> {
        None
    }

    /// Label sets of the series that meet one of the selectors and have samples in the time; may give some more.
    fn label_sets(&self, selectors: &[Selector], range: TimeRange) -> Result<Vec<Labels>, FetchError>;

    /// Raw samples of the series that meet one of the selectors, of the whole time or an error.
    fn fetch(&self, selectors: &[Selector], range: TimeRange) -> Result<Vec<Series>, FetchError>;
}
