//! A fleet of volumes: which volumes exporters and configuration name, what their counters show, and an answer for each.
//! Knows [`ebs_prometheus`] (raw series), [`ebs_imports`] (configuration) and [`ebs_advice`].

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod claims;
mod components;
mod device;
mod discover;
mod fleet;
mod index;
mod machine;
mod merge;
mod metric;
mod readings;
mod selection;
mod shard;
mod source;
mod target;
mod track;

pub use fleet::{Batch, Fleet, FleetVolume, Origin, Unobserved, Unseen};
pub use selection::{Selection, discovery_selectors};
pub use shard::shard;
pub use source::Source;
