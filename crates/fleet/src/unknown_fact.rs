//! Facts on a volume that are not known.

use ebs_aws::catalogue::Platform;
use ebs_workload::busy_rates::BusyRates;

use crate::discovery::location::Location;
use crate::series::readings::Timer;

/// A fact that is not known.
#[derive(Clone, Debug, PartialEq)]
pub enum UnknownFact {
    /// Several RDS instances have its identifier, and labels do not tell which one it is.
    RdsInstance {
        /// Locations of these.
        candidates: Vec<Location>,
    },
    /// describe-volumes or describe-db-instances does not name it.
    Configuration,
    /// The type of the volume that a document names is not known here.
    VolumeType(String),
    /// A zone or a region that has no prices here; the search used those of another.
    Prices {
        /// The region; `None` where it is not known.
        region: Option<String>,
        /// Region whose prices the search used.
        used: String,
    },
    /// Types and capacity of a zone or an Outpost.
    Place(Platform),
    /// The type of the instance.
    Instance,
    /// The type of the instance that is named has no limits here.
    InstanceLimits(String),
    /// Volumes of the instance that have no counts beside these.
    InstanceVolumes {
        /// Their number.
        count: usize,
    },
    /// Bursts shorter than the interval of the counts.
    Bursts {
        /// The interval, seconds.
        interval_s: f64,
        /// Rates within busy time.
        busy: Option<BusyRates>,
        /// Counter of busy time.
        timer: Timer,
    },
    /// Demand at other times of a day than those with counts.
    DailyCycle {
        /// Seconds with counts.
        known_s: f64,
    },
    /// Latencies, as the counters of requests' time are missing or stand still.
    Latency(Timer),
    /// Requests and bytes of the same second.
    JointDemand,
    /// Used space.
    Space,
    /// Its growth.
    Growth,
    /// Time without counts.
    Coverage {
        /// Share of the time, 0 to 1.
        missing: f64,
    },
    /// Zeros that YACE writes for missing values (nilToZero) and those that were measured look alike.
    NilToZero,
    /// Requests as EBS counts them, of RDS's stripes.
    Merging,
}
