//! The volume that the daemon serves, and that commands change and report.

use hdrhistogram::CreationError;

use super::settings::Settings;
use super::shaper::Shaper;
use super::statistics::Statistics;

/// Limits and times of a volume, with its statistics.
pub struct EmulatedVolume {
    /// Decides when requests are replied to.
    pub shaper: Shaper,
    /// Counts them.
    pub statistics: Statistics,
    /// Number of requests whose reply is pending.
    pub queue: usize,
}

impl EmulatedVolume {
    /// An idle volume at the clock's zero. The same seed gives the same times of service.
    pub fn new(settings: Settings, seed: u64) -> Result<EmulatedVolume, CreationError> {
        Ok(EmulatedVolume { shaper: Shaper::new(settings, 0, seed), statistics: Statistics::new(0)?, queue: 0 })
    }
}
