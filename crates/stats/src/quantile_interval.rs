//! Bounds of a quantile from order statistics, which hold for every distribution, and a stated model where samples are too few.
//!
//! Of n independent samples the number above the quantile p is binomial, so that the s-th largest sample exceeds the quantile with
//! the probability I(1-p; s, n-s+1), I being the regularized incomplete beta function (David & Nagaraja 2003, Order Statistics,
//! section 7.1). For s between two whole numbers samples are interpolated (Hutson 1999, Journal of Applied Statistics 26:343), so
//! that one sample more does not make a step. The maximum (s = 1) bounds the 99th percentile from 299 samples on: 0.99^298.1 = 0.05.
//!
//! With fewer, the maximum bounds the quantile 0.05^(1/n) instead, and samples above the median are taken as exponential, the limit
//! of light tails above a threshold (Pickands 1975, Annals of Statistics 3:119): such a quantile p lies ln((1-m) / (1-p)) scales above
//! the median m = 0.5. The tail is no longer than for 15 samples, and goes no further than the 99th percentile: beyond these, the model
//! would stand alone, and the 100th percentile, which readers take for the maximum, be far above all that was seen. It is that of
//! the number of samples, not of independent ones: a burst that lasts shows its height in each of its seconds.

use statrs::distribution::{ContinuousCDF, Normal};
use statrs::function::beta::beta_reg;

use super::averaging::{HURST, MAX_PEAK_FACTOR, deviation_ratio, law_weight};
use super::{ConfidenceInterval, Distribution, WeightedSample, mean, pausing_quantile, total_seconds};
use ebs_base::pause::Pause;

/// Confidence of each of the two bounds.
pub const BOUND_CONFIDENCE: f64 = 0.95;

/// Share of time above the level whose runs show how dependent samples are: near the percentiles that sizes are read off, and with
/// three samples above it of the 60 of a minute. The same for each quantile, so that a lower one has no higher bound. A choice.
const RUN_SHARE: f64 = 0.05;

/// Quantile that stands for all higher ones, the maximum among them, of which no number of samples gives a bound.
const MAX_QUANTILE: f64 = 0.9999;

/// Quantile up to which models of a tail are used: those of higher ones end here.
const MAX_MODELLED: f64 = 0.99;

/// The median, above which the tail is taken as exponential.
const TAIL_FROM: f64 = 0.5;

/// Samples above the quantile from which on their number is taken as normal, which the binomial distribution then is to some 0.1 %.
const NORMAL: f64 = 200.0;

/// Number of samples that a bound rests on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QuantileEvidence {
    /// Number of samples; of a downsampled span, those that it was made of.
    pub samples: f64,
    /// Number of independent samples that would be worth as much.
    pub effective: f64,
    /// Fewest independent samples whose maximum bounds the quantile.
    pub required: u64,
    /// Highest quantile that the maximum bounds, from 0 to 1; `None` where the quantile itself is bounded.
    pub bounded: Option<f64>,
}

/// Bounds of a quantile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QuantileBounds {
    /// The 95 % lower bound and the 95 % upper bound: each holds with 95 %.
    pub interval: ConfidenceInterval,
    /// Number of samples that they rest on.
    pub evidence: QuantileEvidence,
}

impl Distribution<'_> {
    /// Bounds of the quantile `p` of single seconds. A sample stands for `sample_s` seconds (zero: each sample counts
    /// once), and is an average over `averaged_s` seconds (zero: it is not averaged). `None` over no time.
    ///
    /// The upper bound is the greatest of three that never rise with more samples of the same distribution: of order statistics, as
    /// far above the mean as it would be for seconds ([`deviation_ratio`]); of the exponential tail, where samples are too few; and of
    /// the least that seconds vary within an average ([`hidden_peak`]), at most [`MAX_PEAK_FACTOR`] times the greatest. Where averages are
    /// over half an hour or more all of them are at most as much; averages from ten minutes on have a part of both.
    pub fn bounds(&self, p: f64, sample_s: f64, averaged_s: f64) -> Option<QuantileBounds> {
        let (mean, median) = (mean(&self.samples)?, self.quantile(TAIL_FROM)?);
        let (is_maximum, p) = (p >= 1.0, p.min(MAX_QUANTILE));
        let (low_at, high_at, evidence) = self.ranks(p, sample_s);
        let (low, ordered) =
            (self.at_share_above(low_at)?, self.at_share_above(if is_maximum { 0.0 } else { high_at })?);
        let high = upper_bound(ordered, (mean, median), p, averaged_s, evidence.samples);
        Some(QuantileBounds { interval: ConfidenceInterval { low: low.min(ordered), high }, evidence })
    }

    /// Shares of time above the lower and above the upper bound, and the samples that they rest on.
    fn ranks(&self, p: f64, sample_s: f64) -> (f64, f64, QuantileEvidence) {
        let above = 1.0 - p;
        let samples = samples_of(&self.samples, self.seconds, sample_s);
        let effective = (samples / self.inflation(self.seconds / samples)).max(1.0);
        let required = required_samples(p);
        let bounded = (effective < required).then(|| bounded_quantile(effective));
        let share = |confidence: f64| (rank(above, effective, confidence) - 1.0) / effective;
        let evidence = QuantileEvidence { samples, effective, required: required.ceil() as u64, bounded };
        (share(1.0 - BOUND_CONFIDENCE), if bounded.is_some() { 0.0 } else { share(BOUND_CONFIDENCE) }, evidence)
    }

    /// Variance of the number of samples above a level, over that of independent ones; at least one. Samples above it follow each
    /// other in runs, as in a Markov chain of two states (Gabriel & Neumann 1962, Quarterly Journal of the Royal Meteorological
    /// Society 88:90): runs of mean length r above a level that a share u is below
    /// have the autocorrelation d = 1 - 1 / (u r), and the variance grows by (1 + d) / (1 - d) = 2 u r - 1.
    fn inflation(&self, sample_s: f64) -> f64 {
        let Some(level) = self.quantile(1.0 - RUN_SHARE) else { return 1.0 };
        let (mut above_s, mut runs, mut in_run) = (0.0, 0u64, false);
        for sample in self.pause.each(&*self.samples) {
            let is_above = sample.value > level;
            if is_above {
                above_s += sample.seconds;
                runs += u64::from(!in_run);
            }
            in_run = is_above;
        }
        let below = 1.0 - above_s / self.seconds;
        if runs == 0 { 1.0 } else { (2.0 * below * above_s / sample_s / runs as f64 - 1.0).max(1.0) }
    }

    /// The value that a share of time lies above, interpolated between samples; `None` without samples.
    fn at_share_above(&self, share: f64) -> Option<f64> {
        let wanted = share * self.seconds;
        let (mut above, mut last) = (0.0, None::<(f64, f64)>);
        for sample in self.ascending.iter().rev() {
            if above >= wanted {
                let part =
                    |(value, from): (f64, f64)| value + (sample.value - value) * (wanted - from) / (above - from);
                return Some(last.filter(|(_, from)| above > *from).map_or(sample.value, part));
            }
            last = Some((sample.value, above));
            above += sample.seconds;
        }
        last.map(|(value, _)| value)
    }
}

/// Upper end of [`Distribution::bounds`] of the maximum, which needs no order.
pub fn maximum_bound(samples: &[WeightedSample], sample_s: f64, averaged_s: f64, pause: Pause) -> Option<f64> {
    let middle = (mean(samples)?, pausing_quantile(samples, TAIL_FROM, pause)?);
    let greatest = samples.iter().map(|sample| sample.value).max_by(f64::total_cmp)?;
    let seconds = total_seconds(samples);
    Some(upper_bound(greatest, middle, MAX_QUANTILE, averaged_s, samples_of(samples, seconds, sample_s)))
}

/// The greatest of the upper bounds of the quantile `p`, of which `ordered` is that of order statistics; of the mean and the median.
fn upper_bound(ordered: f64, (mean, median): (f64, f64), p: f64, averaged_s: f64, samples: f64) -> f64 {
    let averaged = mean + (ordered - mean) * deviation_ratio(averaged_s);
    let tail = median + (ordered - median) * tail_ratio(p.min(MAX_MODELLED), samples);
    let assumed = MAX_PEAK_FACTOR * ordered.max(mean);
    let hidden = hidden_peak(mean, p.min(MAX_MODELLED), averaged_s, samples).min(assumed);
    let upper = ordered.max(averaged).max(tail).max(hidden);
    // A geometric mean, as factors count.
    if upper > assumed && assumed > 0.0 { assumed * (upper / assumed).powf(law_weight(averaged_s)) } else { upper }
}

/// Number of samples that stand for `sample_s` seconds each, or that there are.
fn samples_of(samples: &[WeightedSample], seconds: f64, sample_s: f64) -> f64 {
    if sample_s > 0.0 { (seconds / sample_s).max(1.0) } else { samples.len() as f64 }
}

/// Fewest independent samples whose maximum bounds the quantile `p`, fractional: 298.1 for 0.99.
pub fn required_samples(p: f64) -> f64 {
    (1.0 - BOUND_CONFIDENCE).ln() / p.ln()
}

/// Rank from the top, at least one, of the sample that is above the quantile with this confidence; by bisection, as the confidence
/// falls with the rank.
fn rank(above: f64, samples: f64, confidence: f64) -> f64 {
    let expected = samples * above;
    if expected > NORMAL {
        let deviation = (expected * (1.0 - above)).sqrt();
        return (expected + 0.5 - Normal::standard().inverse_cdf(confidence) * deviation).clamp(1.0, samples);
    }
    let is_above = |rank: f64| beta_reg(rank, samples - rank + 1.0, above) >= confidence;
    let (mut low, mut high) = (1.0, samples);
    if samples <= 1.0 || !is_above(low) {
        return 1.0;
    }
    for _ in 0..64 {
        let middle = 0.5 * (low + high);
        if is_above(middle) { low = middle } else { high = middle }
    }
    low
}

/// The highest quantile that the maximum of so many samples bounds.
fn bounded_quantile(samples: f64) -> f64 {
    (1.0 - BOUND_CONFIDENCE).powf(1.0 / samples)
}

/// Distance of the quantile `p` from the median over that of the highest quantile that so many samples bound, of an exponential
/// tail; at least one.
fn tail_ratio(p: f64, samples: f64) -> f64 {
    let scales = |quantile: f64| ((1.0 - TAIL_FROM) / (1.0 - quantile)).ln();
    (scales(p) / scales(bounded_quantile(samples)).max(1.0)).max(1.0)
}

/// The least upper bound of the quantile `p` of seconds within averages. Of a quantity of which only the mean is known, the
/// distribution of maximum entropy is the exponential one (Jaynes 1957, Physical Review 106:620), with its quantile at
/// ln(1 / (1-p)) means: 4.6 for 0.99. An average over T seconds hides the share sqrt(1 - T^(2H-2)) of the deviation. With more
/// averages the observed deviations count, and this assumption as one more of them.
fn hidden_peak(mean: f64, p: f64, averaged_s: f64, samples: f64) -> f64 {
    let hidden = (1.0 - averaged_s.max(1.0).powf(2.0 * HURST - 2.0)).sqrt();
    let (one, required) = (1.0 / samples, 1.0 / required_samples(p));
    let weight = ((one - required) / (1.0 - required)).max(0.0);
    mean + mean.max(0.0) * (-(1.0 - p).ln() - 1.0).max(0.0) * hidden * weight
}

#[cfg(test)]
#[path = "quantile_interval_tests.rs"]
mod tests;
