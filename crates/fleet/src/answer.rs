//! The answer for a volume: values, which the report words.

use ebs_prediction::BindingLimit;
use std::collections::BTreeMap;

use ebs_advice::{Candidate, ConfidenceLevel, ExceededDeclaration, QueueLimit, RefutedLimit, Risk};
use ebs_aws::catalogue::{Ceiling, Instance, Platform, VolumeConfig};
use ebs_base::units::Usd;
use ebs_samples::evidence::PendingChange;
use ebs_stats::ConfidenceInterval;

use super::busy::BusyRates;
use super::carried_demand::CarriedDemand;
use super::fleet::Unseen;
use super::readings::Timer;
use super::source::Source;
use super::unknown_fact::UnknownFact;

/// Answer for a volume, or for the storage of an RDS instance.
#[derive(Clone, Debug)]
pub struct VolumeAnswer {
    /// Names and places.
    pub identity: Identity,
    /// Evidence.
    pub evidence: Evidence,
    /// Demand; `None` without evidence.
    pub demand: Option<DemandFigures>,
    /// Present configuration; `None` where it is not known.
    pub present: Option<Priced>,
    /// Recommended configuration; `None` where there is none.
    pub recommended: Option<Priced>,
    /// Action.
    pub action: Action,
    /// Saving a month; negative where it costs more, `None` where a price is not known.
    pub saved: Option<Usd>,
    /// Risk of the recommended configuration.
    pub risk: Option<Risk>,
    /// Confidence in the recommendation.
    pub confidence: Option<ConfidenceLevel>,
    /// Limit of the present configuration that binds; `None` where it is not known.
    pub binding: Option<BindingLimit>,
    /// Share of the time at or above a limit of the present configuration, 0 to 1.
    pub limit_share: Option<f64>,
    /// Space; `None` where no exporter shows it.
    pub space: Option<SpaceFigures>,
    /// Reason for the action.
    pub reason: Reason,
    /// Findings beside it.
    pub findings: Vec<Finding>,
    /// Facts that are not known.
    pub unknown: Vec<UnknownFact>,
}

/// Names and places of a volume.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Identity {
    /// EBS volume ID, or identifier of the RDS instance.
    pub id: String,
    /// Platform.
    pub platform: Platform,
    /// Kubernetes claim, as `namespace/name`.
    pub claim: Option<String>,
    /// AWS account.
    pub account: Option<String>,
    /// Region.
    pub region: Option<String>,
    /// Availability zone.
    pub zone: Option<String>,
    /// Instance: EC2 ID, or name of the exporter where no ID is known; of RDS the identifier.
    pub instance: Option<String>,
    /// Instance type or class.
    pub instance_type: Option<String>,
    /// Mount points.
    pub mountpoints: Vec<String>,
    /// State by EC2 or RDS.
    pub state: Option<String>,
    /// Tags.
    pub tags: BTreeMap<String, String>,
}

/// Evidence that an answer rests on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evidence {
    /// The exporter; `None` without samples.
    pub source: Option<Source>,
    /// Beginning of the time that was asked for, microseconds since 1970.
    pub from_us: i64,
    /// Its end.
    pub to_us: i64,
    /// Share of it with known counts, 0 to 1.
    pub coverage: f64,
    /// Usual interval of the counts, seconds; `None` without any.
    pub interval_s: Option<f64>,
    /// Grade.
    pub grade: Grade,
    /// Intervals over which counters were reset.
    pub resets: u64,
    /// Gaps between known counts.
    pub gaps: u64,
    /// Rates within busy time; `None` of seconds, and where the exporter has no busy time.
    pub busy: Option<BusyRates>,
    /// Counter of busy time.
    pub busy_timer: Timer,
}

/// Grade of the evidence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// Seconds: histograms of one-second demand.
    Seconds,
    /// A scrape interval whose bursts EBS's own time above the limits bounds.
    Checked,
    /// Averages of a scrape interval of at most a minute.
    Scrapes,
    /// Averages of more than a minute.
    Averages,
    /// No counts.
    #[default]
    None,
}

/// Figures of the demand on a volume.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DemandFigures {
    /// Requests a second, as EBS counts them.
    pub iops: RateFigures,
    /// MiB a second.
    pub mibps: RateFigures,
    /// Share of reads in the requests, per cent.
    pub read_pct: Option<f64>,
    /// Mean request, KiB.
    pub request_kib: Option<f64>,
    /// Mean latency of reads, ms.
    pub read_ms: Option<f64>,
    /// Mean latency of writes, ms.
    pub write_ms: Option<f64>,
    /// Mean requests in flight.
    pub queue_depth: Option<f64>,
    /// Mean IOPS of equal parts of the time; `None` where a part has no counts.
    pub iops_over_time: Vec<Option<f64>>,
}

/// Figures of a rate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RateFigures {
    /// Median.
    pub p50: f64,
    /// 99th percentile.
    pub p99: f64,
    /// Its 95 % confidence interval: no wider than a limit that was never exceeded.
    pub p99_interval: Option<ConfidenceInterval>,
    /// Maximum.
    pub max: f64,
}

/// Volumes and their price.
#[derive(Clone, Debug, PartialEq)]
pub struct Priced {
    /// Configuration of each.
    pub config: VolumeConfig,
    /// Number of equal volumes.
    pub volumes: u64,
    /// Price of all of them a month, after discounts; `None` where it is not known.
    pub usd_month: Option<Usd>,
}

/// Used space of a volume.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SpaceFigures {
    /// Used, bytes.
    pub used: f64,
    /// Size of the file system, bytes.
    pub size: f64,
    /// Growth, bytes a day; `None` where it is not known.
    pub per_day: Option<f64>,
    /// Days until it is full at that growth; `None` where it does not grow.
    pub full_in_days: Option<f64>,
}

/// Action on a volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// It stays as it is.
    Keep,
    /// It is modified to the recommended configuration.
    Modify,
    /// Its instance binds: a larger instance comes first.
    LargerInstance,
    /// It is not attached.
    Delete,
    /// No answer.
    NoAnswer,
}

/// Reason for an action.
#[derive(Clone, Debug)]
pub enum Reason {
    /// Volumes suffice for the demand: the present ones, or others.
    Sufficient(Box<Candidate>),
    /// Others would suffice, and save too little.
    NegligibleSaving {
        /// The others.
        candidate: Box<Candidate>,
        /// Their saving a month.
        saved: Usd,
    },
    /// The present volumes carried the demand with headroom; others, which cost more, would carry more than averages show.
    PresentSuffices(Box<CarriedDemand>),
    /// The counts show a limit below the described one: the description or the instance is to be checked before any change.
    DescriptionRefuted {
        /// The limit.
        refuted: RefutedLimit,
        /// Volumes that suffice for the demand that it let through.
        candidate: Box<Candidate>,
    },
    /// The instance binds the demand on all its volumes.
    InstanceBinds {
        /// The instance.
        instance: &'static Instance,
        /// Its limit.
        bound: BindingLimit,
        /// Requirement of all its volumes, with headroom.
        required: Ceiling,
        /// The smallest type of its family that sustains that; `None` where none does.
        sufficient: Option<&'static Instance>,
    },
    /// No volume meets everything requested; the nearest.
    NothingSuffices(Option<Box<Candidate>>),
    /// Volumes suffice for the demand, and the present ones are not known.
    ConfigurationUnknown(Box<Candidate>),
    /// It was idle: its type's included performance suffices.
    Idle {
        /// Requests.
        requests: u64,
        /// Seconds in which they were counted.
        seconds: f64,
    },
    /// It has no counters.
    Unseen(Unseen),
    /// It has no counts in the time that was asked for, or too few.
    TooFewCounts {
        /// Seconds with counts.
        seconds: f64,
    },
    /// Its bytes are not exported.
    BytesMissing,
    /// It was attached to several instances at once.
    MultiAttach,
    /// The period of CloudWatch's sums cannot be told from them.
    PeriodUnknown,
    /// Its series were not fetched.
    NotFetched,
}

/// A finding beside the action.
#[derive(Clone, Debug, PartialEq)]
pub enum Finding {
    /// Hardly a request.
    Idle {
        /// Requests.
        requests: u64,
        /// Seconds in which they were counted.
        seconds: f64,
    },
    /// Not attached.
    Unattached {
        /// Time of its last I/O within the time, microseconds since 1970; `None` where its series show none.
        last_io_us: Option<i64>,
        /// Time of its last sample, microseconds since 1970; `None` where it had I/O or no samples.
        last_seen_us: Option<i64>,
    },
    /// The present type is unsuitable for a database.
    UnsuitableType {
        /// Name of the type.
        volume_type: &'static str,
    },
    /// The recommended volumes deliver less than the demand at the observed queue depth: sessions would wait.
    Slower(QueueLimit),
    /// The recommended volumes are less durable.
    LowerDurability {
        /// Yearly durability of the present type, per cent.
        now_pct: f64,
        /// That of the recommended volumes.
        then_pct: f64,
    },
    /// gp2 or io1.
    PreviousGeneration {
        /// Name of the type.
        volume_type: &'static str,
    },
    /// The instance's limit binds the demand on all its volumes.
    InstanceBinds {
        /// Its type.
        instance_type: &'static str,
        /// The limit.
        bound: BindingLimit,
        /// Share of the time in which it throttles, 0 to 1.
        throttled: f64,
        /// The smallest type of its family that suffices; `None` where none does.
        sufficient: Option<&'static str>,
    },
    /// It fills up within the horizon of the forecast.
    FillsUp {
        /// Days.
        days: f64,
        /// Growth, bytes a day.
        per_day: f64,
    },
    /// Hardly any space is left.
    NearlyFull {
        /// Used share, 0 to 1.
        used: f64,
    },
    /// Burst credits end under the demand, or were spent.
    CreditsExhausted {
        /// Seconds after which they end; `None` where the counts show that they were spent.
        after_s: Option<f64>,
        /// True where they do not come back.
        for_good: bool,
    },
    /// The demand was at a limit.
    Saturated {
        /// The limit.
        bound: BindingLimit,
        /// Share of the time, 0 to 1.
        share: f64,
    },
    /// The demand exceeds what the described configuration can serve.
    DescriptionExceeded(ExceededDeclaration),
    /// The counts show a limit below the described one.
    DescriptionRefuted(RefutedLimit),
    /// It was on several instances, one after another.
    Moved {
        /// The instances.
        instances: Vec<String>,
    },
    /// It was modified within the time.
    Modified {
        /// Start, microseconds since 1970.
        started_us: i64,
        /// Configuration before and after it, in words.
        change: String,
    },
    /// A modification has not ended: none can be started.
    ModificationRuns(PendingChange),
    /// It has Multi-Attach: its type stays, and of io1 everything does.
    MultiAttach,
}
