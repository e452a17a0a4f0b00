//! A fleet of volumes: which volumes exporters and configuration name, what their counters show, and an answer for each.
//! Knows [`ebs_prometheus`] (raw series), [`ebs_imports`] (configuration) and [`ebs_advice`].
//!
//! Discovery ([`Fleet::discover`]) sorts label sets into batches, one an instance; [`evaluate`] subtracts the counters of a batch (`track`),
//! puts together what several exporters and instances saw of a volume (`merge`), and concludes on each (`conclude`).

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod answer;
mod checked_arguments;
mod conclude;
mod demand;
mod discovery;
mod durability;
mod evaluate;
mod findings;
mod identity;
mod request;
mod series;
mod settings;
mod subject;
mod unanswered;
mod unknown_fact;
mod volume_samples;
mod window;

pub use answer::{DemandFigures, Evidence, Grade, Reason, VolumeAnswer};
pub use checked_arguments::CheckedArguments;
pub use discovery::fleet::{Batch, Fleet, FleetVolume, Origin, Unobserved, Unseen};
pub use discovery::location::Location;
pub use discovery::rds_instance::RdsInstance;
pub use discovery::selection::{Selection, discovery_selectors};
pub use discovery::shard::shard;
pub use discovery::source::Source;
pub use durability::{Scope, ScopedDurability};
pub use ebs_samples::evidence::{PendingCause, PendingChange};
pub use evaluate::{answer_unobserved, evaluate, unfetched};
pub use identity::Identity;
pub use series::readings::Timer;
pub use settings::Settings;
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
