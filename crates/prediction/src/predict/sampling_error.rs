//! Sampling error of the share of time that sessions wait for the volume, and its effect on the throughput of another volume.
//!
//! A share v that n independent looks at sessions estimate has the binomial standard error √(v (1 − v) / n). Its 90 % interval is that of
//! Wilson ("Probable inference, the law of succession, and statistical inference", JASA 22, 1927,
//! <https://doi.org/10.1080/01621459.1927.10502953>), which holds for few looks and for shares near zero and one, too. The model
//! computes the throughput at both ends. In a closed loop the ratio r of throughput on another volume becomes r / (r + (1 − r) f) where that
//! share is f times itself: to first order its logarithm changes by |1 − r| √((1 − v) / (v n)) for each standard error.

use super::observed::{Observed, Station};
use super::time_breakdown::TimeBreakdown;
use ebs_samples::evidence::WaitTotals;

/// Quantile of the normal distribution that an interval of 90 % has on either side.
const Z: f64 = 1.645;

/// Independent looks at a session behind the shares of these waits, at least one. A sweep counts as one, however many sessions it shows: at
/// worst they all wait for the same flush, lock or queue. Where fewer than one session works on average, only so many sweeps show any. Sweeps
/// that see one wait twice estimate the share of the run no worse than independent ones, as they cover its time evenly.
pub(super) fn independent_looks(waits: &WaitTotals, time: &TimeBreakdown) -> f64 {
    (waits.sweeps as f64 * time.sessions().min(1.0)).max(1.0)
}

impl Observed {
    /// The run with the share of its time that waits for the volume at the lower and at the upper end of its interval, and the rest of the
    /// time so much longer or shorter. None where the shares are known exactly, or nothing that was sampled waits for it.
    pub(super) fn at_share_bounds(&self) -> Vec<Observed> {
        let counted_s = if self.is_read_counted { self.read.seconds } else { 0.0 };
        let share = |seconds: f64| (seconds / self.response_s()).min(1.0);
        let sampled = share(self.read.seconds - counted_s + self.commit.seconds + self.write.seconds);
        let looks = self.looks.filter(|_| sampled > 0.0);
        looks.map_or(Vec::new(), |looks| {
            share_interval(sampled, looks).map(|bound| self.at_share(bound / sampled, share(counted_s), bound)).into()
        })
    }

    /// The run with sampled waits for the volume that are so many times as long, and the given share of time, beside the counted one.
    fn at_share(&self, times: f64, counted: f64, sampled: f64) -> Observed {
        let station = |station: Station| Station { visits: times * station.visits, seconds: times * station.seconds };
        let rest_s = self.cpu_s + self.client_s + self.lock_s + self.elsewhere_s;
        let left_s = (1.0 - counted - sampled).max(0.0) * self.response_s();
        let rest = if rest_s > 0.0 { left_s / rest_s } else { 0.0 };
        Observed {
            read: if self.is_read_counted { self.read } else { station(self.read) },
            commit: station(self.commit),
            flushes: times * self.flushes,
            write: station(self.write),
            cpu_s: rest * self.cpu_s,
            client_s: rest * self.client_s,
            lock_s: rest * self.lock_s,
            // Where the waits were all there was, what they were not is anything else.
            elsewhere_s: if rest_s > 0.0 { rest * self.elsewhere_s } else { left_s },
            ..*self
        }
    }
}

/// Wilson's interval of 90 % of a share that so many looks estimate.
fn share_interval(share: f64, looks: f64) -> [f64; 2] {
    let quantile = Z * Z / looks;
    let centre = share + quantile / 2.0;
    let half = Z * (share * (1.0 - share) / looks + quantile / (4.0 * looks)).sqrt();
    [(centre - half) / (1.0 + quantile), (centre + half) / (1.0 + quantile)]
}

#[cfg(test)]
#[path = "sampling_error_tests.rs"]
mod tests;
