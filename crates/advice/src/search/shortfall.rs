//! The resource that keeps every volume of a type from being feasible.

use super::priced::Priced;

/// The resource that is lacking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lack {
    /// Size.
    Size,
    /// IOPS.
    Iops,
    /// Throughput.
    Throughput,
    /// IOPS of the instance.
    InstanceIops,
    /// Throughput of the instance.
    InstanceThroughput,
}

impl Lack {
    /// Unit of the resource.
    pub fn unit(self) -> &'static str {
        match self {
            Lack::Size => "GiB",
            Lack::Iops | Lack::InstanceIops => "IOPS",
            Lack::Throughput | Lack::InstanceThroughput => "MiB/s",
        }
    }
}

/// The shortfall where nothing is feasible.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shortfall {
    /// The best there is: where the instance is what lacks, the cheapest that adds nothing to its throttling. `None` where
    /// not even that is sold.
    pub best: Option<Priced>,
    /// The resource that it lacks most.
    pub lack: Lack,
    /// Requirement for all volumes together, in the unit of the resource.
    pub needed: f64,
    /// Maximum of all volumes together, in the same unit.
    pub most: f64,
}
