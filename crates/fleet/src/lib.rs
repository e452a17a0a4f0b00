//! A fleet of volumes: which volumes exporters and configuration name, what their counters show, and an answer for each.
//! Knows [`ebs_prometheus`] (raw series), [`ebs_imports`] (configuration) and [`ebs_advice`].
//!
//! Discovery ([`Fleet::discover`]) sorts label sets into batches, one an instance; [`evaluate`] subtracts the counters of a batch (`track`),
//! puts together what several exporters and instances saw of a volume (`merge`), and concludes on each (`conclude`).

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod answer;
mod block_space;
mod claims;
mod collect;
mod components;
mod conclude;
mod demand;
mod described;
mod device;
mod discover;
mod enhanced;
mod evaluate;
mod evidence;
mod exported;
mod findings;
mod fleet;
mod index;
mod loads;
mod location;
mod machine;
mod merge;
mod metric;
mod period;
mod possible;
mod rates;
mod rds_instance;
mod readings;
mod request;
mod seconds;
mod selection;
mod settings;
mod shard;
mod source;
mod space;
mod subject;
mod target;
mod track;
mod unanswered;
mod unattached;
mod unknown_fact;
mod usage;
mod volume_samples;
mod window;

pub use answer::{DemandFigures, Evidence, Grade, Identity, RateFigures, Reason, VolumeAnswer};
pub use ebs_samples::evidence::{PendingCause, PendingChange};
pub use evaluate::{answer_unobserved, evaluate, unfetched};
pub use fleet::{Batch, Fleet, FleetVolume, Origin, Unobserved, Unseen};
pub use location::Location;
pub use rds_instance::RdsInstance;
pub use readings::Timer;
pub use selection::{Selection, discovery_selectors};
pub use settings::{CheckedArguments, Settings};
pub use shard::shard;
pub use source::Source;
pub use unknown_fact::UnknownFact;
pub use volume_samples::{VolumeSamples, volume_samples};

#[cfg(test)]
mod made_fleet_tests;
#[cfg(test)]
mod made_rates;
#[cfg(test)]
mod made_series;

#[cfg(test)]
mod bursts_tests;
#[cfg(test)]
mod checks_tests;
#[cfg(test)]
mod decision_tests;
#[cfg(test)]
mod huge_counts_tests;
#[cfg(test)]
mod trap_tests;
