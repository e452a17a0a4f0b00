//! Wire formats of the Prometheus HTTP API (<https://prometheus.io/docs/prometheus/latest/querying/api/>): requests out, raw samples in.
//! Knows [`ebs_base`] alone. Counters are not subtracted here, and nothing is interpolated.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod labels;
mod selector;
mod series;

pub use labels::Labels;
pub use selector::{Matcher, Operator, Selector};
pub use series::{STALE_BITS, Sample, Series};
