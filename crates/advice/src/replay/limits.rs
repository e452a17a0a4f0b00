//! Limits of an instance, and the state of burst credits after a replay.

use ebs_aws::catalogue::Ceiling;

/// Limit of the instance on the demand.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum InstanceLimit {
    /// No limit, as none is known.
    #[default]
    None,
    /// Its sustained limits, on which advice is based.
    Baseline(Ceiling),
    /// Its sustained limits, and those of its 30 minutes a day.
    Burst {
        /// Sustained limits.
        baseline: Ceiling,
        /// Limits while its credits last.
        maximum: Ceiling,
    },
}

impl From<Option<Ceiling>> for InstanceLimit {
    fn from(baseline: Option<Ceiling>) -> InstanceLimit {
        baseline.map_or(InstanceLimit::None, InstanceLimit::Baseline)
    }
}

/// Owner of burst credits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CreditOwner {
    /// The volumes'.
    Volume,
    /// The instance's, for IOPS.
    InstanceIops,
    /// The instance's, for throughput.
    InstanceThroughput,
}

/// The first bucket of credits that ran out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exhaustion {
    /// Owner of the bucket.
    pub owner: CreditOwner,
    /// Sampled seconds until then; beyond the recording, where it goes on as it was.
    pub after_s: f64,
    /// True where mean demand exceeds what is earned, so that the credits do not come back: the replay has none from the start.
    pub for_good: bool,
}

/// Lowest level of each bucket, as a share of its capacity; `None` where there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Levels {
    /// The volumes'.
    pub volume: Option<f64>,
    /// The instance's, for IOPS.
    pub instance_iops: Option<f64>,
    /// The instance's, for throughput.
    pub instance_throughput: Option<f64>,
}
