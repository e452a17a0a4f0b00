//! Requirement, replay through a volume's limits, search, evaluation, recommendation, migration commands.
//!
//! From demand to ranked volumes. Reasons, remarks and steps are values with their figures; `ebs_report` words them. A request
//! passes [`request`](Request) → `current` (volumes in use, their saturation, size and bottleneck) → [`requirement`] →
//! [`search`] over [`replay`] → `evaluate` → `recommend` → `migration`.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod aurora;
mod current;
mod evaluate;
mod frontier;
mod insufficient;
mod migration;
mod prediction;
mod recommend;
pub mod replay;
mod request;
pub mod requirement;
pub mod search;
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
pub use current::size::{FREE_SHARE, RequiredSize, SizeBasis, SizeRemark};
pub use ebs_workload::io_share::IoSource;
pub use ebs_workload::load_kind::LoadKind;
pub use evaluate::availability::Unavailable;
pub use evaluate::bound::Bound;
pub use evaluate::candidate::{Candidate, Excess};
pub use evaluate::context::{InstancePlateau, InstanceSaturation};
pub use evaluate::latency::{QueuedLatency, ServiceTimes};
pub use evaluate::reason::{
    Addition, InstanceSaturated, MeanLatency, OutOfReach, PredictedThroughput, Provisioning, QueueLimit, Reason,
    Shortage, Sufficient, Throttling,
};
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
pub use recommend::advice::{Advice, InstanceNeed};
pub use recommend::advise::{advise, advise_on_instance};
pub use recommend::confidence::{Confidence, ConfidenceCause, ConfidenceEvidence};
pub use recommend::confidence_level::{CauseWeight, ConfidenceLevel};
pub use recommend::decision_step::{Choice, Gp3Coverage, InstanceStep, Step};
pub use recommend::instance_load::InstanceLoad;
pub use recommend::log_volume::LogVolumeOffer;
pub use recommend::rationale::Rationale;
pub use recommend::recommendation::Recommendation;
pub use recommend::role_advice::RoleAdvice;
pub use recommend::separate_wal::SeparateWal;
pub use recommend::shortlist::{Place, ShortlistRow};
pub use recommend::smaller_storage::{NoSmallerStorage, SmallerStorage};
pub use recommend::variation::{Variation, VariedArgument};
pub use request::database_facts::DatabaseFacts;
pub use request::settings::{MAX_VOLUMES, Request, Settings};
pub use request::volume_request::VolumeRequest;
pub use request::wal_placement::{WalArguments, WalPlacement};
pub use request::whatif_request::{CLIENTS_MEANING, WhatIfArguments, WhatIfRequest};
pub use whatif::{NoPrediction, WhatIfAnswer, WhatIfNote, whatif};
