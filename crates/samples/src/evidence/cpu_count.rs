//! Number of CPUs, which a quota makes fractional.

use serde::{Deserialize, Serialize};

/// Number of CPUs in thousandths, which is what the kernel can tell apart: the least quota of a cgroup is 1 ms in a period of 1 s
/// (<https://docs.kernel.org/scheduler/sched-bwc.html>). Whole CPUs would make a quota of 0.5 one, and every utilization half.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CpuCount {
    thousandths: u32,
}

impl CpuCount {
    /// The CPUs that a quota of CPU time in each period stands for; `None` if either is zero.
    pub fn from_quota(quota_us: u64, period_us: u64) -> Option<CpuCount> {
        let thousandths = (u128::from(quota_us) * 1_000 + u128::from(period_us) / 2).checked_div(period_us.into())?;
        let thousandths = u32::try_from(thousandths).unwrap_or(u32::MAX);
        (quota_us > 0).then_some(CpuCount { thousandths: thousandths.max(1) })
    }
}

impl From<u32> for CpuCount {
    fn from(cpus: u32) -> CpuCount {
        CpuCount { thousandths: cpus.saturating_mul(1_000) }
    }
}

impl From<CpuCount> for f64 {
    fn from(cpus: CpuCount) -> f64 {
        f64::from(cpus.thousandths) / 1_000.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quota_is_a_fraction_of_a_cpu_or_some() {
        let cpus = |quota_us, period_us| CpuCount::from_quota(quota_us, period_us).map(f64::from);
        assert_eq!(cpus(50_000, 100_000), Some(0.5));
        assert_eq!(cpus(150_000, 100_000), Some(1.5));
        assert_eq!(cpus(1_000, 1_000_000), Some(0.001));
        assert_eq!(cpus(33_333, 100_000), Some(0.333));
        assert_eq!(cpus(1, u64::MAX), Some(0.001));
        assert_eq!(cpus(u64::MAX, 1), Some(f64::from(u32::MAX) / 1_000.0));
        assert_eq!([cpus(0, 100_000), cpus(50_000, 0)], [None; 2]);
        assert!(CpuCount::from_quota(150_000, 100_000) < Some(CpuCount::from(2)));
    }
}
