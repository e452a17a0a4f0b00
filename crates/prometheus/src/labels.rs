//! Labels of a series.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Labels of a series, the name of its metric (`__name__`) among them, in alphabetical order.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Labels(BTreeMap<String, String>);

/// Label that holds the name of the metric.
const NAME: &str = "__name__";

impl Labels {
    /// Value of a label; `None` where the series has none, which Prometheus does not distinguish from an empty value.
    pub fn get(&self, label: &str) -> Option<&str> {
        self.0.get(label).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// Name of the metric; empty where the series has none.
    pub fn name(&self) -> &str {
        self.get(NAME).unwrap_or_default()
    }

    /// Every label with its value.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(label, value)| (label.as_str(), value.as_str()))
    }

    /// The same without these labels, such as one that distinguishes replicas.
    pub fn without(mut self, labels: &[String]) -> Labels {
        self.0.retain(|label, _| !labels.contains(label));
        self
    }
}

impl<L: Into<String>, V: Into<String>> FromIterator<(L, V)> for Labels {
    fn from_iter<I: IntoIterator<Item = (L, V)>>(labels: I) -> Labels {
        Labels(labels.into_iter().map(|(label, value)| (label.into(), value.into())).collect())
    }
}
