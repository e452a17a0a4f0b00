//! The resource for which no volume of a type is feasible.

use super::priced::Priced;

/// A resource that may be short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resource {
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

impl Resource {
    /// Unit of the resource.
    pub fn unit(self) -> &'static str {
        match self {
            Resource::Size => "GiB",
            Resource::Iops | Resource::InstanceIops => "IOPS",
            Resource::Throughput | Resource::InstanceThroughput => "MiB/s",
        }
    }
}

/// The shortfall where nothing is feasible.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shortfall {
    /// The best volumes of the type: where the instance is short, the cheapest that add nothing to its throttling. `None`
    /// where not even these are sold.
    pub best: Option<Priced>,
    /// The resource with the largest shortfall.
    pub resource: Resource,
    /// Requirement for all volumes together, in the unit of the resource.
    pub required: f64,
    /// Maximum of all volumes together, in the same unit.
    pub max: f64,
}
