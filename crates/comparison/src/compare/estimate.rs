//! Estimate of the ratio of two sets of runs, as a logarithm, with its error.

use super::Measurement;
use ebs_stats::{Permutation, hodges_lehmann, permutation, student_p, student_quantile};

/// Assumed noise between runs of the same workload.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noise {
    /// Standard deviation of one run, as a logarithm: assumed where the runs do not show it.
    pub between: f64,
    /// True if it includes the spread within a run, where that is not known.
    pub includes_within: bool,
}

/// A difference with its error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Logarithm of b over a.
    pub shift: f64,
    /// Its standard error.
    pub error: f64,
    /// Degrees of freedom of the error.
    pub freedom: f64,
    /// Permutation test of the runs; `None` where a side has fewer than two.
    pub permutation: Option<Permutation>,
    /// True if one run stands for a side, and the error of its mean is not known.
    pub spread_is_unknown: bool,
}

/// Upper quantile of a two-sided interval of 95 %.
const UPPER: f64 = 0.975;
/// Degrees of freedom of the assumed noise: the number of pairs of runs in the benchmark.
const ASSUMED_FREEDOM: f64 = 40.0;
/// Power of the least difference that would be detected: the probability of detecting one that is there.
const POWER: f64 = 0.8;
/// Significance level: the probability of seeing a difference where there is none.
pub const LEVEL: f64 = 0.05;
/// Widest interval that is shown, as a factor each way.
pub const MAX_FACTOR: f64 = 10.0;
/// Fewest degrees of freedom within each run with which the spread within runs is held against that between them.
const MIN_FREEDOM: f64 = 10.0;

impl Estimate {
    /// Lower end of the 95 % interval, as a logarithm.
    pub fn low(&self) -> f64 {
        self.shift - self.half_width()
    }

    /// Upper end of the 95 % interval, as a logarithm.
    pub fn high(&self) -> f64 {
        self.shift + self.half_width()
    }

    /// True if the interval is narrow enough to be one: it spans at most a factor of [`MAX_FACTOR`] each way.
    pub fn has_interval(&self) -> bool {
        !self.spread_is_unknown && self.half_width() <= MAX_FACTOR.ln()
    }

    /// Half of the width of the interval.
    fn half_width(&self) -> f64 {
        student_quantile(UPPER, self.freedom) * self.error
    }

    /// The two-sided p-value of no difference.
    pub fn p(&self) -> f64 {
        match self.shift.abs() {
            0.0 => 1.0,
            shift => student_p(shift / self.error, self.freedom),
        }
    }

    /// The least difference that runs like these detect with a probability of [`POWER`], per cent of a. By the central t, which
    /// is slightly too small for few runs.
    pub fn detectable_pct(&self) -> f64 {
        let t = student_quantile(UPPER, self.freedom) + student_quantile(POWER, self.freedom);
        100.0 * (t * self.error).min(700.0).exp_m1()
    }
}

/// Computes the mean of a set: the geometric one, or the arithmetic one where a run has 0.
pub fn mean(runs: &[Measurement]) -> Option<f64> {
    let n = runs.len() as f64;
    let logs = logarithms(runs);
    match (runs, logs) {
        ([], _) => None,
        ([run], _) => Some(run.mean),
        (_, Some(logs)) => Some((logs.iter().sum::<f64>() / n).exp()),
        (_, None) => Some(runs.iter().map(|run| run.mean).sum::<f64>() / n),
    }
}

fn logarithms(runs: &[Measurement]) -> Option<Vec<f64>> {
    let logarithm = |run: &Measurement| (run.mean > 0.0).then(|| run.mean.ln());
    runs.iter().map(logarithm).collect()
}

/// Estimates the difference of `b` from `a`; `None` where a side has no runs, or one of them is at 0.
///
/// With two or more runs a side the error is their spread, pooled over both sides, by Student's t with as many degrees of freedom
/// as there are runs, less two: a bootstrap over three values has far less than its nominal coverage. Where a side has one run, the
/// error is the spread within it and the assumed noise between runs, or the other side's spread where that is larger.
pub fn estimate(a: &[Measurement], b: &[Measurement], noise: &Noise) -> Option<Estimate> {
    let (logs_a, logs_b) = (logarithms(a)?, logarithms(b)?);
    let shift = hodges_lehmann(&logs_a, &logs_b)?;
    let each = 1.0 / a.len() as f64 + 1.0 / b.len() as f64;
    let freedom = a.len() + b.len() - 2;
    let pooled = (freedom > 0).then(|| (squares(&logs_a) + squares(&logs_b)) / freedom as f64);
    let (sums, spread_is_unknown) = within(a, b);
    let (error, freedom) = match pooled.filter(|_| a.len() > 1 && b.len() > 1) {
        Some(pooled) => between_runs((pooled * each).sqrt(), freedom as f64, &sums),
        None => {
            let between = noise.between.powi(2).max(pooled.unwrap_or(0.0)) * each;
            let variance = between + sums.variance;
            // Satterthwaite 1946, Biometrics Bulletin 2:110.
            let uncertainty = sums.uncertainty + between * between / ASSUMED_FREEDOM;
            let freedom = if uncertainty > 0.0 { variance * variance / uncertainty } else { f64::INFINITY };
            (variance.sqrt(), freedom)
        }
    };
    let permutation = permutation(&logs_a, &logs_b);
    let several = a.len() > 1 && b.len() > 1;
    // Runs of one side that are equal to the last digit show no spread.
    let spread_is_unknown =
        if several { error == 0.0 && shift != 0.0 } else { spread_is_unknown && !noise.includes_within };
    Some(Estimate { shift, error, freedom, permutation, spread_is_unknown })
}

/// Chooses the error between runs, or that within them where its interval is wider: runs that agree by chance are no more accurate
/// than each of them. An error within runs that rests on a handful of flushes does not count.
fn between_runs(error: f64, freedom: f64, within: &Within) -> (f64, f64) {
    let of_runs = if within.uncertainty > 0.0 { within.variance.powi(2) / within.uncertainty } else { f64::INFINITY };
    let inside = (within.variance.sqrt(), of_runs);
    let width = |(error, freedom): (f64, f64)| student_quantile(UPPER, freedom) * error;
    if within.least_freedom >= MIN_FREEDOM && width(inside) > width((error, freedom)) {
        inside
    } else {
        (error, freedom)
    }
}

/// Sums of squares about the mean.
fn squares(values: &[f64]) -> f64 {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    values.iter().map(|value| (value - mean).powi(2)).sum()
}

/// Variance of the difference of means, from the spread within runs.
struct Within {
    variance: f64,
    /// Sum of the squares of its parts over their degrees of freedom.
    uncertainty: f64,
    /// Least degrees of freedom of a run; zero where the error of one is not known.
    least_freedom: f64,
}

/// Computes the variance within runs, and true if a side has one run whose variance is not known.
fn within(a: &[Measurement], b: &[Measurement]) -> (Within, bool) {
    let mut sums = Within { variance: 0.0, uncertainty: 0.0, least_freedom: f64::INFINITY };
    for side in [a, b] {
        let n = side.len() as f64;
        let freedom = side.iter().map(|run| run.within.map_or(0.0, |error| error.freedom));
        sums.least_freedom = freedom.fold(sums.least_freedom, f64::min);
        for error in side.iter().filter_map(|run| run.within) {
            let variance = (error.error / n).powi(2);
            sums.variance += variance;
            sums.uncertainty += variance * variance / error.freedom;
        }
    }
    let unknown = |side: &[Measurement]| matches!(side, [run] if run.within.is_none());
    (sums, unknown(a) || unknown(b))
}
