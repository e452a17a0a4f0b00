//! A smaller storage of RDS than today's, by a Blue/Green deployment: no modification shrinks storage.

use crate::evaluate::candidate::Candidate;
use crate::migration::blue_green::{BlueGreenCommands, BlueGreenObstacle};
use ebs_base::units::Usd;

/// Smaller storage of an RDS instance.
#[derive(Clone, Debug, PartialEq)]
pub struct SmallerStorage {
    /// The cheapest storage that meets the request with this size.
    pub storage: Candidate,
    /// Size by use, its growth and 25 % more, GiB; or that which was requested.
    pub required_gib: u64,
    /// Size of the storage today, GiB.
    pub current_gib: u64,
    /// Price of the storage today, a month; `None` where a part of it is not known.
    pub current_usd: Option<Usd>,
    /// True where the storage leaves the stripe of four volumes, with the limits that it includes.
    pub leaves_stripe: bool,
    /// Settings of the instance that have to be changed before.
    pub obstacles: Vec<BlueGreenObstacle>,
    /// Its commands; `None` while a change of the storage is pending, and where AWS refuses it.
    pub commands: Option<BlueGreenCommands>,
}

/// Reason why no smaller storage is offered for RDS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoSmallerStorage {
    /// The used space is not known.
    UseUnknown,
    /// The use, its growth and 25 % more need as much as there is.
    Used {
        /// Size by use, GiB.
        required_gib: u64,
    },
    /// AWS's documentation has no Blue/Green deployment of a smaller Multi-AZ DB cluster.
    Cluster,
    /// The storage has a dedicated log volume: AWS's documentation does not say that the copy can leave it, which gp2 and gp3 cannot have.
    LogVolume,
    /// The instance's limit binds: what a larger one asks of the storage is not known.
    InstanceBinds,
    /// No smaller storage that meets the request costs less.
    NotCheaper {
        /// Size by use, GiB.
        required_gib: u64,
    },
}
