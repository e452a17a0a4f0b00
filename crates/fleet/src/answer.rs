//! The answer for a volume: values, which the report words.

use ebs_prediction::BindingLimit;

use ebs_advice::{Action, ActionReason, ConfidenceLevel, Finding, PricedVolumes, Risk, UsedSpace};
use ebs_base::named;
use ebs_base::units::Usd;
use ebs_workload::busy_rates::BusyRates;
use ebs_workload::io_profile::{Figure, Metric, find};

use crate::discovery::fleet::Unseen;
use crate::discovery::source::Source;
use crate::identity::Identity;
use crate::series::readings::Timer;
use crate::unknown_fact::UnknownFact;

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
    pub present: Option<PricedVolumes>,
    /// Recommended configuration; `None` where there is none.
    pub recommended: Option<PricedVolumes>,
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
    pub space: Option<UsedSpace>,
    /// Reason for the action.
    pub reason: Reason,
    /// Findings beside it.
    pub findings: Vec<Finding>,
    /// Facts that are not known.
    pub unknown: Vec<UnknownFact>,
}

impl VolumeAnswer {
    /// The same with a finding more.
    pub(crate) fn with(self, finding: Finding) -> VolumeAnswer {
        VolumeAnswer { findings: self.findings.into_iter().chain([finding]).collect(), ..self }
    }
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

named! {
    /// Grade of the evidence.
    #[derive(Default, PartialOrd, Ord)]
    pub enum Grade {
        /// Seconds: histograms of one-second demand.
        Seconds = "seconds",
        /// A scrape interval whose bursts EBS's own time above the limits bounds.
        Checked = "checked",
        /// Averages of a scrape interval of at most a minute.
        Scrapes = "scrapes",
        /// Averages of more than a minute.
        Averages = "averages",
        /// No counts.
        #[default]
        None = "none",
    }
}

/// Figures of the demand on a volume.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DemandFigures {
    /// Requests and throughput in full, and the means of the other metrics.
    pub figures: Vec<Figure>,
    /// Mean IOPS of equal parts of the time; `None` where a part has no counts.
    pub iops_over_time: Vec<Option<f64>>,
}

impl DemandFigures {
    /// The figure of a metric.
    pub fn find(&self, metric: Metric) -> Option<&Figure> {
        find(&self.figures, metric)
    }

    /// Mean of a metric.
    pub fn mean(&self, metric: Metric) -> Option<f64> {
        self.find(metric)?.mean
    }
}

/// Reason for the action on a volume of a fleet.
#[derive(Clone, Debug)]
pub enum Reason {
    /// The decision on its counts.
    Decided(ActionReason),
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
