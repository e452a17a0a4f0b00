//! Time of service: lognormal, with the mean that was requested.

use rand_distr::{Distribution, LogNormal};
use rand_pcg::Pcg64;

use super::request::RequestKind;

/// Distribution of the time that a request takes after its release.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ServiceTime {
    /// Mean of a read, in ms.
    pub read_ms: f64,
    /// Mean of a write, in ms.
    pub write_ms: f64,
    /// Standard deviation of the natural logarithm; 0 for a constant time.
    pub sigma: f64,
}

impl ServiceTime {
    /// The shorter of both means, in µs.
    pub fn shorter_mean_us(&self) -> f64 {
        self.read_ms.min(self.write_ms) * 1e3
    }

    /// Mean, in seconds.
    fn mean_s(&self, kind: RequestKind) -> f64 {
        let ms = match kind {
            RequestKind::Read => self.read_ms,
            RequestKind::Write => self.write_ms,
        };
        ms / 1e3
    }

    /// Samples a time, in seconds.
    pub fn sample(&self, kind: RequestKind, random: &mut Pcg64) -> f64 {
        let mean = self.mean_s(kind);
        // The coefficient of variation of a lognormal with this sigma.
        let variation = (self.sigma * self.sigma).exp_m1().sqrt();
        // Always one random number per request, so that a changed mean leaves the times of the other requests as they are.
        let unit = LogNormal::from_mean_cv(1.0, variation).map_or(1.0, |distribution| distribution.sample(random));
        mean * unit
    }
}

#[cfg(test)]
mod tests {
    use rand_core::SeedableRng;

    use super::*;

    fn samples(sigma: f64, count: usize) -> Vec<f64> {
        let service = ServiceTime { read_ms: 2.0, write_ms: 0.5, sigma };
        let mut random = Pcg64::seed_from_u64(3);
        (0..count).map(|_| service.sample(RequestKind::Write, &mut random)).collect()
    }

    #[test]
    fn the_mean_does_not_depend_on_sigma() {
        for sigma in [0.0, 0.2, 0.5, 1.0] {
            let count = 200_000;
            let mean = samples(sigma, count).iter().sum::<f64>() / count as f64;
            // Five standard errors.
            let allowed = 5.0 * 0.0005 * (sigma * sigma).exp_m1().sqrt() / (count as f64).sqrt() + 1e-12;
            assert!((mean - 0.0005).abs() <= allowed, "{sigma}: {mean}");
        }
    }

    #[test]
    fn the_standard_deviation_of_the_logarithm_is_sigma() {
        let logs: Vec<f64> = samples(0.3, 100_000).into_iter().map(f64::ln).collect();
        let mean = logs.iter().sum::<f64>() / logs.len() as f64;
        let variance = logs.iter().map(|log| (log - mean).powi(2)).sum::<f64>() / logs.len() as f64;
        assert!((variance.sqrt() - 0.3).abs() < 0.005, "{variance}");
    }

    #[test]
    fn a_mean_of_zero_is_no_time() {
        let none = ServiceTime { read_ms: 0.0, write_ms: 0.0, sigma: 0.2 };
        assert_eq!(none.sample(RequestKind::Read, &mut Pcg64::seed_from_u64(1)), 0.0);
    }
}
