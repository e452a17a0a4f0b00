//! Standard error of the mean of one run, from the run itself: a figure is a sum over a sum (requests over seconds,
//! milliseconds over requests), and its terms are an autocorrelated series.
//!
//! The error is that of the moving-block bootstrap (Künsch 1989), or that of a first-order
//! autoregressive process with the same neighbours, whichever is larger: blocks that are long enough for a series that
//! remembers long are few in a short run, and their bootstrap alone falls short.

use super::bootstrap::block_length;

/// Contribution of one interval to both sums.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Term {
    /// Part of the numerator.
    pub part: f64,
    /// Part of the denominator.
    pub whole: f64,
}

/// Relative standard error of a figure: the standard error of its logarithm, to first order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogError {
    /// The standard error.
    pub error: f64,
    /// The degrees of freedom it was estimated with; at least one.
    pub freedom: f64,
}

/// Minimum number of terms: with fewer, the t-interval is too wide to be of use.
const MIN_TERMS: usize = 4;
/// Minimum number of blocks of a series.
const MIN_BLOCKS: usize = 4;
/// Maximum autocorrelation that is taken into account.
const MAX_AUTOCORRELATION: f64 = 0.97;

/// Ratio of the sums; `None` if the denominator is zero.
pub fn figure(terms: &[Term]) -> Option<f64> {
    let (part, whole) = sums(terms);
    (whole > 0.0).then(|| part / whole)
}

/// Relative standard error of [`figure`]; `None` for too few terms, or a figure of zero.
pub fn log_error(terms: &[Term]) -> Option<LogError> {
    error_with(terms, autocorrelation)
}

/// Relative standard error of [`figure`] for terms that each cover many intervals, such as eight flushes of 15 s. Their spread is
/// their own; their autocorrelation is that of `finer`, a series of shorter intervals of the same time that moves with them: of
/// eight terms it cannot be estimated.
pub fn log_error_of_coarse(terms: &[Term], finer: &[Term]) -> Option<LogError> {
    let remembered = autocorrelation(&deviations(finer));
    let ratio = finer.len() as f64 / terms.len().max(1) as f64;
    error_with(terms, |_| joined_autocorrelation(remembered, ratio))
}

fn error_with(terms: &[Term], autocorrelation: impl Fn(&[f64]) -> f64) -> Option<LogError> {
    let n = terms.len();
    let (part, whole) = sums(terms);
    if n < MIN_TERMS || whole <= 0.0 || part <= 0.0 {
        return None;
    }
    let lean = deviations(terms);
    let autocorrelation = autocorrelation(&lean);
    let block = block_of(n, autocorrelation);
    let blocks = n as f64 / block as f64;
    let error = of_blocks(&lean, block).max(autoregressive(&lean, autocorrelation)).sqrt();
    // Overlapping blocks tell one and a half times as much as those that lie side by side (Meketon & Schmeiser 1984).
    let freedom = (1.5 * (blocks - 1.0)).max(1.0);
    error.is_finite().then_some(LogError { error, freedom })
}

/// Contribution of each term to the figure's relative deviation: a ratio of sums is the mean of these, to first order. Empty for a
/// figure of zero.
fn deviations(terms: &[Term]) -> Vec<f64> {
    let (part, whole) = sums(terms);
    if part <= 0.0 || whole <= 0.0 {
        return Vec::new();
    }
    terms.iter().map(|term| terms.len() as f64 * (term.part / part - term.whole / whole)).collect()
}

/// First autocorrelation of the means of `m` neighbours each in an autoregressive series with this first autocorrelation.
///
/// The covariance of two neighbouring means is r (1 - r^m)² / (1 - r)², their variance m (1 + r) / (1 - r) - 2 r (1 - r^m) / (1 - r)²,
/// both over m² and times the variance of the series.
fn joined_autocorrelation(r: f64, m: f64) -> f64 {
    let forgotten = 1.0 - r.powf(m.max(1.0));
    let covariance = r * (forgotten / (1.0 - r)).powi(2);
    let variance = m.max(1.0) * (1.0 + r) / (1.0 - r) - 2.0 * r * forgotten / (1.0 - r).powi(2);
    (covariance / variance).clamp(0.0, MAX_AUTOCORRELATION)
}

fn sums(terms: &[Term]) -> (f64, f64) {
    terms.iter().fold((0.0, 0.0), |sum, term| (sum.0 + term.part, sum.1 + term.whole))
}

/// First autocorrelation of the terms, corrected for the bias that subtracting the series' own mean gives it (Marriott &
/// Pope 1954, Biometrika 41:390); from 0 to [`MAX_AUTOCORRELATION`].
fn autocorrelation(lean: &[f64]) -> f64 {
    let n = lean.len() as f64;
    let all: f64 = lean.iter().map(|value| value * value).sum();
    let neighbours: f64 = lean.windows(2).map(|pair| pair[0] * pair[1]).sum();
    if all <= 0.0 || n <= 4.0 {
        return 0.0;
    }
    ((n * neighbours / all + 1.0) / (n - 4.0)).clamp(0.0, MAX_AUTOCORRELATION)
}

/// Terms in a block: what is best for the error of the mean of an autoregressive series (Carlstein 1986, Annals of
/// Statistics 14:1171, for overlapping blocks), and not less than for quantiles.
fn block_of(n: usize, autocorrelation: f64) -> usize {
    let memory = 2.0 * autocorrelation / (1.0 - autocorrelation * autocorrelation);
    let best = memory.powf(2.0 / 3.0) * (1.5 * n as f64).cbrt();
    (best.ceil() as usize).max(block_length(n)).min(n / MIN_BLOCKS).max(1)
}

/// The square of the error of the mean by moving blocks. Nothing is drawn: of a mean the bootstrap's variance is that of all
/// blocks, over as many as the series holds (Künsch 1989, 3.1). What they share with the mean of the series is made up for.
fn of_blocks(lean: &[f64], block: usize) -> f64 {
    let n = lean.len();
    let mut sum: f64 = lean[..block].iter().sum();
    let mut squares = sum * sum;
    for end in block..n {
        sum += lean[end] - lean[end - block];
        squares += sum * sum;
    }
    let (length, all) = (block as f64, n as f64);
    let each = squares / (n - block + 1) as f64;
    each / length / all * all / (all - length).max(1.0)
}

/// The square of the error of the mean of an autoregressive series: as of so many fewer terms (Bartlett 1946; von Storch &
/// Zwiers 1999, Statistical Analysis in Climate Research, 6.6.8). The series counts as two terms or more, however long it remembers.
fn autoregressive(lean: &[f64], autocorrelation: f64) -> f64 {
    let n = lean.len() as f64;
    let each = ((1.0 + autocorrelation) / (1.0 - autocorrelation)).min(n / 2.0);
    let variance = lean.iter().map(|value| value * value).sum::<f64>() / n;
    variance * each / (n - each).max(n / MIN_BLOCKS as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::student_quantile;
    use rand_core::{Rng, SeedableRng};
    use rand_pcg::Pcg64;

    /// An autoregressive series around 100, of which the deviation is 10.
    fn series(n: usize, autocorrelation: f64, seed: u64) -> Vec<Term> {
        let mut random = Pcg64::seed_from_u64(seed);
        // The sum of twelve uniform numbers, less six, is close to normal.
        let mut normal = || (0..12).map(|_| random.next_u64() as f64 / u64::MAX as f64).sum::<f64>() - 6.0;
        let mut level = normal();
        let mut next = || {
            level = autocorrelation * level + (1.0 - autocorrelation * autocorrelation).sqrt() * normal();
            Term { part: 100.0 + 10.0 * level, whole: 1.0 }
        };
        (0..n).map(|_| next()).collect()
    }

    fn covered(n: usize, autocorrelation: f64) -> usize {
        let holds = |seed| {
            let terms = series(n, autocorrelation, seed);
            let found = log_error(&terms).unwrap();
            (figure(&terms).unwrap() / 100.0).ln().abs() <= student_quantile(0.975, found.freedom) * found.error
        };
        (0..400).filter(|&seed| holds(seed)).count()
    }

    #[test]
    fn intervals_hold_the_mean_about_as_often_as_they_say() {
        for (n, autocorrelation) in [(60, 0.0), (60, 0.5), (60, 0.9), (300, 0.8), (1200, 0.9), (8, 0.0)] {
            let covered = covered(n, autocorrelation);
            assert!(covered >= 368, "{covered} of 400 hold the mean, {n} terms, {autocorrelation} autocorrelation");
        }
    }

    /// Series of seconds, and its flushes of `m` of them.
    fn flushes(seconds: &[Term], m: usize) -> Vec<Term> {
        let sum = |terms: &[Term]| Term {
            part: terms.iter().map(|term| term.part).sum(),
            whole: terms.iter().map(|term| term.whole).sum(),
        };
        seconds.chunks(m).map(sum).collect()
    }

    #[test]
    fn few_flushes_take_their_autocorrelation_from_the_seconds() {
        for autocorrelation in [0.0, 0.5, 0.9] {
            let holds = |seed| {
                let seconds = series(120, autocorrelation, seed);
                let found = log_error_of_coarse(&flushes(&seconds, 15), &seconds).unwrap();
                (figure(&seconds).unwrap() / 100.0).ln().abs() <= student_quantile(0.975, found.freedom) * found.error
            };
            let covered = (0..400).filter(|&seed| holds(seed)).count();
            assert!(covered >= 368, "{covered} of 400 hold the mean, {autocorrelation} autocorrelation");
        }
        // Eight flushes that rise look as if each remembered the one before; the seconds beside them show that they do not.
        let rising: Vec<Term> = (0..8).map(|n| Term { part: f64::from(90 + 3 * n), whole: 1.0 }).collect();
        let [alone, beside] =
            [log_error(&rising), log_error_of_coarse(&rising, &series(120, 0.0, 1))].map(Option::unwrap);
        assert!(beside.error < 0.75 * alone.error, "{beside:?} {alone:?}");
    }

    /// Pairs and r = 0.5: the covariance of neighbours is r + 2 r² + r³ = 1.125, the variance 2 + 2 r = 3.
    #[test]
    fn means_of_neighbours_remember_less() {
        assert!((joined_autocorrelation(0.5, 2.0) - 0.375).abs() < 1e-12);
        assert!((joined_autocorrelation(0.5, 1.0) - 0.5).abs() < 1e-12);
        assert_eq!(joined_autocorrelation(0.0, 15.0), 0.0);
        // At most MAX_AUTOCORRELATION.
        assert!(joined_autocorrelation(0.97, 1.0) <= 0.97);
        // 0.9 (1 - 0.9^15)^2 / (15 (1 - 0.81) - 1.8 (1 - 0.9^15)) = 0.5675 / 1.4206.
        assert!((joined_autocorrelation(0.9, 15.0) - 0.3995).abs() < 1e-4);
    }

    #[test]
    fn a_longer_run_is_surer() {
        let of = |n, autocorrelation| log_error(&series(n, autocorrelation, 3)).unwrap().error;
        assert!(of(1200, 0.5) < of(120, 0.5) && of(600, 0.0) < of(600, 0.9));
        // Independent terms: 10 % over the root of 1,200.
        assert!((of(1200, 0.0) / 0.00289 - 1.0).abs() < 0.25, "{}", of(1200, 0.0));
    }

    #[test]
    fn nothing_has_no_error_and_a_constant_has_one_of_nothing() {
        let term = |part| Term { part, whole: 1.0 };
        assert_eq!(log_error(&[term(1.0); 3]), None);
        assert_eq!(log_error(&[term(0.0); 30]), None);
        assert_eq!(figure(&[]), None);
        let found = log_error(&[term(7.0); 30]).unwrap();
        assert!(found.error < 1e-9 && found.freedom >= 1.0);
    }
}
