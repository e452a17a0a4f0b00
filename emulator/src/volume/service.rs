//! How long a request takes once no limit holds it: lognormal, with the mean that was asked for.

use rand_distr::{Distribution, LogNormal};
use rand_pcg::Pcg64;

use super::RequestKind;

/// Means of reads and writes, ms, and the standard deviation of their logarithm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ServiceTime {
    /// Mean of a read, ms.
    pub read_ms: f64,
    /// Mean of a write, ms.
    pub write_ms: f64,
    /// Standard deviation of the natural logarithm; 0: always the mean.
    pub sigma: f64,
}

impl ServiceTime {
    /// The mean, seconds.
    pub fn mean_s(&self, kind: RequestKind) -> f64 {
        let ms = match kind {
            RequestKind::Read => self.read_ms,
            RequestKind::Write => self.write_ms,
        };
        ms / 1e3
    }

    /// One time, seconds.
    pub fn draw(&self, kind: RequestKind, random: &mut Pcg64) -> f64 {
        let mean = self.mean_s(kind);
        // The coefficient of variation of a lognormal with this sigma.
        let variation = (self.sigma * self.sigma).exp_m1().sqrt();
        // One draw a request whatever the mean, so that a changed setting leaves the others' draws as they were.
        let unit = LogNormal::from_mean_cv(1.0, variation).map_or(1.0, |spread| spread.sample(random));
        mean * unit
    }
}

#[cfg(test)]
mod tests {
    use rand_core::SeedableRng;

    use super::*;

    fn drawn(sigma: f64, draws: usize) -> Vec<f64> {
        let service = ServiceTime { read_ms: 2.0, write_ms: 0.5, sigma };
        let mut random = Pcg64::seed_from_u64(3);
        (0..draws).map(|_| service.draw(RequestKind::Write, &mut random)).collect()
    }

    #[test]
    fn the_mean_is_what_was_asked_for_however_far_it_scatters() {
        for sigma in [0.0, 0.2, 0.5, 1.0] {
            let draws = 200_000;
            let mean = drawn(sigma, draws).iter().sum::<f64>() / draws as f64;
            // Five standard errors.
            let allowed = 5.0 * 0.0005 * (sigma * sigma).exp_m1().sqrt() / (draws as f64).sqrt() + 1e-12;
            assert!((mean - 0.0005).abs() <= allowed, "{sigma}: {mean}");
        }
    }

    #[test]
    fn its_logarithm_scatters_by_sigma() {
        let logs: Vec<f64> = drawn(0.3, 100_000).into_iter().map(f64::ln).collect();
        let mean = logs.iter().sum::<f64>() / logs.len() as f64;
        let variance = logs.iter().map(|log| (log - mean).powi(2)).sum::<f64>() / logs.len() as f64;
        assert!((variance.sqrt() - 0.3).abs() < 0.005, "{variance}");
    }

    #[test]
    fn no_time_is_no_time() {
        let none = ServiceTime { read_ms: 0.0, write_ms: 0.0, sigma: 0.2 };
        assert_eq!(none.draw(RequestKind::Read, &mut Pcg64::seed_from_u64(1)), 0.0);
    }
}
