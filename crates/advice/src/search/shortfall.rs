//! The resource that keeps every volume of a type from being feasible.

use super::priced::Priced;

/// What is lacking.
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
    /// What it is counted in.
    pub fn unit(self) -> &'static str {
        match self {
            Lack::Size => "GiB",
            Lack::Iops | Lack::InstanceIops => "IOPS",
            Lack::Throughput | Lack::InstanceThroughput => "MiB/s",
        }
    }
}

/// That nothing is feasible.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shortfall {
    /// The best there is: where the instance is what lacks, the cheapest that adds nothing to its throttling. `None` where
    /// not even that is sold.
    pub best: Option<Priced>,
    /// What it lacks.
    pub lack: Lack,
    /// How much would be needed, of all volumes together.
    pub needed: f64,
    /// How much there is at most.
    pub most: f64,
}
