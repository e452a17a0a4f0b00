//! Advice, from demand to a decision: scenario, sizing, search, evaluation, decision, migration commands.
//!
//! Reasons, findings and steps are values with their figures; `ebs_report` words them. The stages, each a folder and each a value that the
//! next one reads: [`request`](Request) and `current` (volumes in use, their saturation, size and bottleneck) → `scenario` → `sizing`
//! (the [`requirement`]) → [`search`] over [`replay`] → `evaluate` → `decision` ([`Decision`]) → `migration`.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod aurora;
mod current;
mod decision;
mod evaluate;
mod frontier;
mod insufficient;
mod migration;
mod prediction;
pub mod replay;
mod request;
pub mod requirement;
mod scenario;
pub mod search;
mod sizing;
mod whatif;

pub use aurora::{
    AuroraAdvice, AuroraDemand, AuroraLimitation, AuroraOption, AuroraRates, MonthlyRequests, aurora_advice,
    request_cost,
};
pub use current::bottleneck::Bottleneck;
pub use current::checked_limits::CheckedLimits;
pub use current::current_state::CurrentState;
pub use current::current_volume::{CurrentVolume, ExceededDeclaration};
pub use current::limits::current_instance;
pub use current::load::{Load, LoadBasis};
pub use current::refuted_limit::RefutedLimit;
pub use current::saturation::{Saturation, UnmetDemand};
pub use current::size::{FREE_SHARE, RequiredSize, SizeBasis, SizeRemark, UsedSpace};
pub use decision::action::{Action, ActionReason};
pub use decision::advice::Advice;
pub use decision::advise::{advise, advise_on_instance};
pub use decision::carried_demand::CarriedDemand;
pub use decision::confidence::{Confidence, ConfidenceCause, ConfidenceEvidence};
pub use decision::confidence_level::{CauseWeight, ConfidenceLevel};
pub use decision::decide::Decision;
pub use decision::finding::{ConfigurationFacts, Finding};
pub use decision::idle::{IdleVolume, MIN_CHANGE_S};
pub use decision::instance_need::InstanceNeed;
pub use decision::log_volume::LogVolumeOffer;
pub use decision::present::Present;
pub use decision::priced_volumes::PricedVolumes;
pub use decision::rationale::Rationale;
pub use decision::recommendation::Recommendation;
pub use decision::role_advice::{RoleAdvice, Variation};
pub use decision::separate_wal::SeparateWal;
pub use decision::shortlist::{Place, ShortlistRow};
pub use decision::smaller_storage::{NoSmallerStorage, SmallerStorage};
pub use decision::step::{Choice, IncludedCoverage, InstanceStep, Step};
pub use ebs_workload::busy_rates::BusyRates;
pub use ebs_workload::io_share::IoSource;
pub use ebs_workload::load_kind::LoadKind;
pub use evaluate::availability::Unavailable;
pub use evaluate::candidate::{Candidate, Excess};
pub use evaluate::latency::{QueuedLatency, ServiceTimes};
pub use evaluate::reason::{
    Addition, InstanceSaturated, KeptShare, MeanLatency, OutOfReach, PredictedThroughput, Provisioning, QueueLimit,
    Reason, Shortage, Sufficient, Throttling,
};
pub use evaluate::relaxation::{Relaxation, RelaxationCause};
pub use evaluate::risk::Risk;
pub use frontier::{Frontier, Point, frontier, frontier_from_advice};
pub use insufficient::{Insufficient, MIN_SECONDS, SHORT_SECONDS, cycle_seconds, insufficient};
pub use migration::aws_command::{Argument, AwsCommand, quote};
pub use migration::aws_resource::{APPLY_IMMEDIATELY, AwsResource, StorageAttributes, StorageValues};
pub use migration::blue_green::{BlueGreenCommands, BlueGreenObstacle};
pub use migration::procedure::{MigrationTarget, Procedure, Script};
pub use migration::rule::{MigrationRule, RdsRule};
pub use migration::unknown::Unknown;
pub use prediction::predictor::Predictor;
pub use prediction::service::LatencyBasis;
pub use request::argument::{AdviceArgument, Check};
pub use request::arguments;
pub use request::database_facts::DatabaseFacts;
pub use request::given::GivenArguments;
pub use request::settings::{MAX_VOLUMES, Request, Settings};
pub use request::volume_request::VolumeRequest;
pub use request::wal_placement::{WalArguments, WalPlacement};
pub use request::whatif_request::{CLIENTS_MEANING, WhatIfArguments, WhatIfRequest};
pub use scenario::instance_load::InstanceLoad;
pub use scenario::instance_saturation::{InstancePlateau, InstanceSaturation};
pub use scenario::variation::VariedArgument;
pub use whatif::{NoPrediction, WhatIfAnswer, WhatIfNote, whatif};
