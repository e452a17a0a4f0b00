//! Correction for coarse intervals: an average over T seconds is smoother than the single seconds in it.
//!
//! Traffic of disks is self-similar (Gómez & Santonja 1999, <https://doi.org/10.1109/MASCOT.1999.805060>) and
//! long-range dependent in every environment that was looked at (Riska & Riedel 2006, Long-Range Dependence at the Disk
//! Drive Level, <https://www.computer.org/csdl/proceedings/qest/2006/2665/00/26650041-abs.html>). Of such a series the
//! deviation of T-second averages from the mean is T^(H-1) times that of single seconds, H being the Hurst exponent. So
//! the deviation of a percentile of averages, times T^(1-H), is that of the same percentile of seconds.
//!
//! Averages that do not differ, or over half an hour or more, as reports of AWR have them, say nothing of a multiple: it would come out of an
//! assumed distribution alone. There an unseen peak counts for no more than [`MAX_PEAK_FACTOR`], an assumption that the answer names; so a
//! shorter average, which hides less, is never taken for more than a longer one.

use ebs_base::ramp::log_ramp;

/// The Hurst exponent: the middle of 0.7 to 0.9, between which estimates for disks usually lie. Five-minute averages
/// are widened 3.1 times with it, 5.5 times with 0.7, 1.8 times with 0.9.
pub const HURST: f64 = 0.8;

/// Averages over more seconds than this hide peaks of a second; below, they are taken to be seconds.
pub const COARSE_S: f64 = 1.5;

/// Longest averages of which the law stands alone, seconds: sar's default interval. A choice.
const MODELLED_S: f64 = 600.0;

/// Shortest averages of which the bound is at most [`MAX_PEAK_FACTOR`] times the greatest one, seconds: the shortest reports of AWR. A choice.
pub const ASSUMED_S: f64 = 1_800.0;

/// Upper bound of a rate over the greatest average, where nothing but an assumption says more: with the default headroom of 20 % volumes are
/// sized for twice the average. A choice.
pub const MAX_PEAK_FACTOR: f64 = 2.0 / 1.2;

/// Weight of the law in the bound, 0 to 1; falls with the logarithm of the interval.
pub fn law_weight(averaged_s: f64) -> f64 {
    1.0 - log_ramp(averaged_s, [MODELLED_S, ASSUMED_S])
}

/// Ratio of the deviation of single seconds from the mean to that of averages over `averaged_s` seconds; 1 where the
/// samples are seconds.
pub fn deviation_ratio(averaged_s: f64) -> f64 {
    if averaged_s > COARSE_S { averaged_s.powf(1.0 - HURST) } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_core::{Rng, SeedableRng};
    use rand_pcg::Pcg64;

    /// 300^0.2 = 3.13.
    #[test]
    fn averages_over_five_minutes_have_a_third_of_the_deviation() {
        assert_eq!([0.0, 0.5, 1.0, 1.5].map(deviation_ratio), [1.0; 4]);
        assert_eq!((deviation_ratio(300.0) * 10.0).round(), 31.0);
    }

    /// The rule holds for a series of which it is known: a sum of on/off levels that each change at half the rate of
    /// the one before it and vary more by 2^(H-1/2) (a dyadic approximation of fractional noise, H being the exponent
    /// above).
    #[test]
    fn the_deviation_of_averages_of_a_self_similar_series_shrinks_so() {
        let mut random = Pcg64::seed_from_u64(7);
        let mut series = vec![0.0; 1 << 17];
        for level in 0..17 {
            let (length, size) = (1usize << level, 2f64.powf(f64::from(level) * (HURST - 1.0)));
            for stretch in series.chunks_mut(length) {
                let value = size * (random.next_u64() as f64 / u64::MAX as f64 - 0.5);
                stretch.iter_mut().for_each(|second| *second += value);
            }
        }
        let deviation = |values: &[f64]| {
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / values.len() as f64).sqrt()
        };
        let averages: Vec<f64> = series.chunks(256).map(|part| part.iter().sum::<f64>() / 256.0).collect();
        let ratio = deviation(&series) / deviation(&averages);
        assert!((0.75..1.33).contains(&(ratio / deviation_ratio(256.0))), "{ratio} against {}", deviation_ratio(256.0));
    }
}
