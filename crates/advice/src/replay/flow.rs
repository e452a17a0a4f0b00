//! Rates at which demand arrives at a lane and passes it.

/// Rates of a lane at a moment, per second.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Flow {
    pub arriving: f64,
    pub requests: f64,
    pub limit: f64,
    pub passing: f64,
}

impl Flow {
    /// Growth of the backlog, per second.
    pub fn growth(&self) -> f64 {
        self.arriving - self.passing
    }
}
