//! Trend of a series: Mann-Kendall (Mann 1945; Kendall 1975), with the variance of an autocorrelated series (Hamed & Rao
//! 1998, Journal of Hydrology 204:182), and its size by the slope of Theil and Sen.

use super::batch::{MIN_BATCH_S, MIN_BATCHES, Point, join_batches};
use ebs_stats::{student_p, theil_sen};

/// Minimum drift that matters, from the beginning to the end as a share of the mean: the margin within which two runs are
/// called equivalent.
pub const DRIFT: f64 = 0.05;
/// Significance level: the rate at which a trend is found where there is none.
const LEVEL: f64 = 0.05;
/// Maximum number of batches: the longer they are, the less autocorrelated.
const MAX_BATCHES: f64 = 30.0;

/// Trend of a series.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trend {
    /// Change from its beginning to its end, as a share of its mean; negative where it fell.
    pub drift: f64,
    /// Two-sided p-value of the trend.
    pub p: f64,
}

impl Trend {
    /// Returns true if the trend is significant, and large enough to matter.
    pub fn is_drift(&self) -> bool {
        self.p <= LEVEL && self.drift.abs() >= DRIFT
    }
}

/// Tests the points for a trend; `None` if they are too few.
pub fn trend(points: &[Point]) -> Option<Trend> {
    let seconds: f64 = points.iter().map(|point| point.seconds).sum();
    let batches = join_batches(points, (seconds / MAX_BATCHES).max(MIN_BATCH_S));
    let count: f64 = points.iter().map(|point| point.count).sum();
    if batches.len() < MIN_BATCHES || count <= 0.0 {
        return None;
    }
    let first_us = batches[0].ended_us;
    let at = |batch: &Point| (batch.ended_us - first_us) as f64 / 1e6 - batch.seconds / 2.0;
    let line: Vec<(f64, f64)> = batches.iter().map(|batch| (at(batch), batch.rate())).collect();
    let slope = theil_sen(&line)?.estimate;
    let rates: Vec<f64> = line.iter().map(|point| point.1).collect();
    let left: Vec<f64> = line.iter().map(|(x, y)| y - slope * x).collect();
    Some(Trend { drift: slope * seconds * seconds / count, p: mann_kendall(&rates, &left) })
}

/// Two-sided p-value of a trend in `values`; `left` are their residuals without the trend.
fn mann_kendall(values: &[f64], left: &[f64]) -> f64 {
    let n = values.len() as f64;
    let sign = |a: &f64, b: &f64| f64::from(i8::from(a > b) - i8::from(a < b));
    let score: f64 = (1..values.len()).flat_map(|j| values[..j].iter().map(move |a| sign(&values[j], a))).sum();
    let variance = n * (n - 1.0) * (2.0 * n + 5.0) / 18.0 * inflation(n, autocorrelation(&ranks(left)));
    // One step nearer to none, because the score is a whole number (Kendall 1975).
    let z = (score.abs() - 1.0).max(0.0) / variance.sqrt();
    student_p(z, f64::INFINITY)
}

/// Factor by which the variance of the score is larger in an autoregressive series with this first autocorrelation.
fn inflation(n: f64, autocorrelation: f64) -> f64 {
    let term = |lag: f64| (n - lag) * (n - lag - 1.0) * (n - lag - 2.0) * autocorrelation.powf(lag);
    let lags = (1..n as u32).map(|lag| term(f64::from(lag))).sum::<f64>();
    1.0 + 2.0 / (n * (n - 1.0) * (n - 2.0)) * lags
}

/// First autocorrelation, corrected for the bias of the subtracted mean and slope; not below 0.
fn autocorrelation(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let all: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let neighbours: f64 = values.windows(2).map(|pair| (pair[0] - mean) * (pair[1] - mean)).sum();
    if all > 0.0 { ((n * neighbours / all + 2.0) / (n - 6.0).max(1.0)).clamp(0.0, 0.95) } else { 0.0 }
}

/// Rank of each value; equal values have the mean of their ranks.
fn ranks(values: &[f64]) -> Vec<f64> {
    let rank = |value: &f64| {
        let below = values.iter().filter(|other| *other < value).count();
        let equal = values.iter().filter(|other| *other == value).count();
        below as f64 + equal as f64 / 2.0
    };
    values.iter().map(rank).collect()
}
