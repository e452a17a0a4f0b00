//! Checks of limits and balances of burst credits that a service kept of an imported device: no counter of samples holds them.

use serde::{Deserialize, Serialize};

/// Checks of one imported device, over the time that its samples cover.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct DeviceChecks {
    /// Name of the device.
    pub device: String,
    /// Time that its samples cover, seconds.
    pub seconds: f64,
    /// Time above the volume's IOPS; null where it was not checked.
    pub volume_iops: Option<CheckedTime>,
    /// Time above the volume's throughput.
    pub volume_throughput: Option<CheckedTime>,
    /// Time above the instance's IOPS.
    pub instance_iops: Option<CheckedTime>,
    /// Time above the instance's throughput.
    pub instance_throughput: Option<CheckedTime>,
    /// The instance's credits for IOPS.
    pub io_balance: Option<Balance>,
    /// The instance's credits for throughput.
    pub byte_balance: Option<Balance>,
    /// The volume's burst credits.
    pub burst_balance: Option<Balance>,
    /// Free space of RDS's storage in the order of time: the end of each part of the time, microseconds since 1970, and the least free bytes
    /// within it; empty where it is not known.
    pub free_space: Vec<(i64, u64)>,
    /// True where the bytes of its requests are not known, and stand as zero in its samples.
    pub bytes_unknown: bool,
}

/// Time for which a limit was checked, to the interval of the check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CheckedTime {
    /// Time that was checked, seconds.
    pub known_s: f64,
    /// Intervals of it in which demand exceeded the limit at any moment, seconds.
    pub exceeded_s: f64,
}

/// Balance of burst credits, as a share of all that can be saved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Balance {
    /// The least, per cent.
    pub least_pct: f64,
    /// Time for which it is known, seconds.
    pub known_s: f64,
    /// Time in which it was spent, seconds.
    pub spent_s: f64,
}

/// Balance up to which credits are spent, per cent: it is a mean of its interval, within which they may have been spent. A choice.
pub const SPENT_PCT: f64 = 1.0;

/// Share of the time for which a check must be known that says something of all of it.
const WHOLE: f64 = 0.999;

impl DeviceChecks {
    /// True where nothing was checked.
    pub fn is_empty(&self) -> bool {
        let checks = [self.volume_iops, self.volume_throughput, self.instance_iops, self.instance_throughput];
        let balances = [self.io_balance, self.byte_balance, self.burst_balance];
        checks.iter().all(Option::is_none)
            && balances.iter().all(Option::is_none)
            && self.free_space.is_empty()
            && !self.bytes_unknown
    }

    /// True where this check was made in all of the time, and never found the limit exceeded.
    pub fn is_never_exceeded(&self, check: Option<CheckedTime>) -> bool {
        check
            .is_some_and(|check| check.exceeded_s <= 0.0 && self.seconds > 0.0 && check.known_s >= WHOLE * self.seconds)
    }
}

impl CheckedTime {
    /// Share of the checked time in which the limit was exceeded, 0 to 1; `None` where no time was checked.
    pub fn share(&self) -> Option<f64> {
        (self.known_s > 0.0).then(|| (self.exceeded_s / self.known_s).clamp(0.0, 1.0))
    }
}

impl Balance {
    /// True where it was spent at any time.
    pub fn is_spent(&self) -> bool {
        self.spent_s > 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_check_of_all_the_time_says_that_a_limit_was_never_exceeded() {
        let checks = DeviceChecks { seconds: 600.0, ..DeviceChecks::default() };
        let check = |known_s, exceeded_s| Some(CheckedTime { known_s, exceeded_s });
        assert!(checks.is_never_exceeded(check(600.0, 0.0)));
        for other in [None, check(540.0, 0.0), check(600.0, 60.0), check(0.0, 0.0)] {
            assert!(!checks.is_never_exceeded(other), "{other:?}");
        }
        assert!(!DeviceChecks::default().is_never_exceeded(check(0.0, 0.0)));
        assert!(DeviceChecks::default().is_empty() && !DeviceChecks { bytes_unknown: true, ..checks }.is_empty());
        assert_eq!((check(0.0, 0.0).unwrap().share(), check(200.0, 50.0).unwrap().share()), (None, Some(0.25)));
    }
}
