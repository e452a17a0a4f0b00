//! Evidence that is insufficient for advice.

use ebs_samples::evidence::{Coverage, Window};

/// Fewest seconds of device samples for advice: fewer may be one checkpoint's burst.
pub const MIN_SECONDS: f64 = 30.0;
/// Seconds of device samples below which the risk is one step higher: a short run contains few peaks.
pub const SHORT_SECONDS: f64 = 600.0;

/// The reason why evidence allows no advice.
#[derive(Clone, Debug, PartialEq)]
pub enum Insufficient {
    /// The window has no samples.
    NoSamples,
    /// No block device was sampled.
    NoDevice {
        /// Distinct reasons, as the sampler recorded them.
        reasons: Vec<String>,
    },
    /// Fewer than [`MIN_SECONDS`] of device samples.
    TooShort {
        /// Seconds of device samples.
        device_s: f64,
        /// Seconds of samples without a readable device.
        unreadable_s: f64,
    },
}

/// Checks whether evidence allows advice; `None` where it does.
pub fn insufficient(window: &Window, coverage: &Coverage) -> Option<Insufficient> {
    if window.intervals.is_empty() {
        return Some(Insufficient::NoSamples);
    }
    if window.current.is_empty() {
        let mut reasons: Vec<String> = window.layout.unresolved.iter().map(|part| part.reason.clone()).collect();
        reasons.dedup();
        return Some(Insufficient::NoDevice { reasons });
    }
    let (device_s, unreadable_s) = (coverage.sampled_s - coverage.without_device_s, coverage.without_device_s);
    (device_s < MIN_SECONDS).then_some(Insufficient::TooShort { device_s, unreadable_s })
}
