//! Description of the sampling itself: the sampler, its cost, its punctuality.

use serde::{Deserialize, Serialize};

use ebs_base::counter::{Counters, counters};

ebs_base::named! {
    /// Source of the samples, by a text for users that follows `sampled`.
    #[derive(Default, PartialOrd, Ord, Serialize, Deserialize)]
    pub enum Tier {
        /// The preloaded sampler, all the time.
        #[default]
        Sampler = "by the background sampler",
        /// A worker that a run started, for as long as the run lasted.
        OnDemand = "on demand, for this run only",
        /// Another program: imported.
        Imported = "elsewhere (imported)",
        /// Queries over one connection, from another machine.
        Remote = "by queries over one connection (ebsctl watch)",
    }
}

counters! {
    /// Resources that sampling itself used.
    CostCounts {
        /// CPU time, microseconds.
        cpu_us,
        /// Bytes of WAL.
        wal_bytes,
        /// Bytes read from storage.
        read_bytes,
        /// Bytes written to storage.
        write_bytes,
    }
}

/// Punctuality of the samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Punctuality {
    /// Samples.
    pub samples: u64,
    /// Grid points that passed without one.
    pub missed: u64,
    /// Sum of the delays of all samples, microseconds.
    pub late_us: u64,
    /// Longest delay of a sample, microseconds.
    pub latest_us: u64,
    /// Number of times that the wall clock was set while sampling: by more than [`CLOCK_STEP_US`] against the monotonic clock.
    pub clock_steps: u64,
}

/// A wall clock that moved by more than this against the monotonic one was set; NTP slews by 0.05 % at most, which is
/// 30 ms over the longest sampling interval (60 s).
pub const CLOCK_STEP_US: u64 = 100_000;

/// Kernel clock source by which intervals were measured.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockSource {
    /// Its name (`tsc`, `kvm-clock`); `None` where the kernel does not show it.
    pub name: Option<String>,
    /// Cost of one reading of the clock, nanoseconds, measured when sampling began.
    pub reading_ns: u64,
}

/// Source, cost and punctuality of the samples of a block or a window.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sampling {
    /// Source of the samples.
    pub tier: Tier,
    /// Resources used.
    pub cost: CostCounts,
    /// Punctuality of the samples.
    pub punctuality: Punctuality,
    /// The clock; `None` for samples from elsewhere.
    pub clock: Option<ClockSource>,
}

impl Sampling {
    /// Adds the sampling of another period. Of several tiers, the one that samples all the time is kept.
    pub fn add(&mut self, other: &Sampling) {
        self.tier = if self.punctuality.samples == 0 { other.tier } else { self.tier.min(other.tier) };
        self.cost = self.cost.plus(other.cost);
        let (sum, next) = (&mut self.punctuality, &other.punctuality);
        sum.samples += next.samples;
        sum.missed += next.missed;
        sum.late_us = sum.late_us.saturating_add(next.late_us);
        sum.latest_us = sum.latest_us.max(next.latest_us);
        sum.clock_steps += next.clock_steps;
        self.clock = other.clock.clone().or(self.clock.take());
    }
}
