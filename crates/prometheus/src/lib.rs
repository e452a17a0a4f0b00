//! Wire formats of the Prometheus HTTP API (<https://prometheus.io/docs/prometheus/latest/querying/api/>): requests out, raw samples in.
//! Knows [`ebs_base`] alone. Counters are not subtracted here, and nothing is interpolated.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod collector;
mod envelope;
mod error;
mod export;
mod fields;
mod foreign;
mod json_value;
mod labels;
mod messages;
mod query;
mod remote_read;
mod selector;
mod selector_match;
mod selector_parser;
mod series;
mod xor;

pub use collector::Collector;
pub use envelope::read_error;
pub use error::{Limits, ReadError, ServerError};
pub use export::{Lines, parse_labels, raw_labels, read_line, read_lines};
pub use labels::Labels;
pub use query::{read_label_sets, read_matrix};
pub use remote_read::{STREAMED_TYPE, encode_request, read_samples, read_streamed};
pub use selector::{Matcher, Operator, Selector};
pub use selector_match::{CompiledSelector, PatternError};
pub use selector_parser::SelectorError;
pub use series::{STALE_BITS, Sample, Series};
