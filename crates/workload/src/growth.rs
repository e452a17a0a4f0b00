//! Growth: how fast a volume fills, and how full it will be, with 95 % intervals.
//!
//! Only what follows the last fall to a level that was never seen before counts ([`since_fall`]), if it is long enough for a trend. Used
//! space is interpolated on an even grid. Steps (a bulk load, the end of one) are removed: they are no trend. The slope of the rest is
//! Theil and Sen's. Its interval holds where errors are independent; used space is often rather a sum of what came in, each
//! error of which stays. So the interval is also taken from the increments between the means of seven stretches (batch
//! means; Schmeiser 1982, Operations Research 30:556), and the wider end counts.

use ebs_stats::{ConfidenceInterval, theil_sen};

/// Length of the forecast, days: EBS is billed by the month, and a forecast over more than two look-backs of 14 days would
/// be a guess.
pub const HORIZON_DAYS: f64 = 30.0;
/// Minimum length of the evidence, days: a daily cycle looks like growth until a second one has passed.
pub const MIN_DAYS: f64 = 2.0;
/// Minimum number of points.
const MIN_POINTS: usize = 24;

/// Stretches, between which lie six increments; grid points in a stretch (two hours apart over two weeks); and grid points
/// in a cell, the time within which a step happens.
const STRETCHES: usize = 7;
const PER_STRETCH: usize = 24;
const PER_CELL: usize = 6;
/// The 97.5 % quantile of Student's t with five degrees of freedom.
const T: f64 = 2.570_582;
/// Means over stretches of a random walk vary by two thirds of what it does itself (Working 1960, Econometrica 28:916).
const WORKING: f64 = 1.5;
/// A step counts where it is at least this share of all that was added, and this share of what is in use.
const STEP: (f64, f64) = (0.2, 0.01);
/// A step is expected again as often as steps came, but not more than once in so many days.
const STEP_DAYS: f64 = 7.0;
/// Least share of the level before by which a level is a new one: a tenth is what RDS storage grows by at least, of which that much less
/// appears to be in use, as its free space is counted against the size of today. A choice.
const NEW_LEVEL: f64 = 0.05;

const DAY_US: f64 = 86_400e6;

/// Growth of the used space of a volume, with a forecast. Bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Growth {
    /// Days of evidence.
    pub days: f64,
    /// Used space at the end of it.
    pub used: f64,
    /// Bytes a day without steps; negative where it shrinks.
    pub per_day: f64,
    /// Its interval.
    pub per_day_interval: ConfidenceInterval,
    /// Used space [`HORIZON_DAYS`] later, never less than now.
    pub forecast: f64,
    /// Its interval; the upper end allows for more steps, and is never less than was in use.
    pub forecast_interval: ConfidenceInterval,
    /// Sudden additions, which are not part of the trend.
    pub steps: Option<Steps>,
}

/// Sudden additions that are no trend.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steps {
    /// Number of additions.
    pub count: usize,
    /// Sum of the additions, bytes.
    pub bytes: f64,
    /// Time from the last addition to the end of the evidence, days.
    pub days_ago: f64,
}

impl Growth {
    /// Growth over these points (microseconds since 1970, bytes in use; in time order); `None` where they are too few or
    /// too close together.
    pub fn from_points(points: &[(i64, u64)]) -> Option<Growth> {
        let recent = since_fall(points);
        let (used, peak) = (recent.last()?.1 as f64, recent.iter().map(|point| point.1).max()? as f64);
        let points = if days(recent) < MIN_DAYS { points } else { recent };
        let days = days(points);
        if points.len() < MIN_POINTS || days < MIN_DAYS {
            return None;
        }
        let mut levels = even(points);
        let steps = take_steps(&mut levels, used, days);
        let (per_day, slope) = slope(&levels, days)?;
        let batch = Batch::from_levels(&levels, days);
        let at_least_now = |bytes: f64| bytes.max(used);
        let again = steps.map_or(0.0, |steps| steps.bytes * (HORIZON_DAYS / days.max(STEP_DAYS)).max(1.0));
        let (added, doubt) = (batch.per_day * HORIZON_DAYS, batch.doubt(HORIZON_DAYS));
        let low = (slope.low * HORIZON_DAYS).min(added - doubt);
        let high = (slope.high * HORIZON_DAYS).max(added + doubt);
        let rate_doubt = batch.rate_doubt();
        Some(Growth {
            days,
            used,
            per_day,
            per_day_interval: ConfidenceInterval {
                low: slope.low.min(batch.per_day - rate_doubt),
                high: slope.high.max(batch.per_day + rate_doubt),
            },
            forecast: at_least_now(used + per_day * HORIZON_DAYS),
            forecast_interval: ConfidenceInterval {
                low: at_least_now(used + low),
                // What is removed between the steps makes room for them: a daily cycle of 200 GiB adds nothing.
                high: at_least_now(used + high + again).max(peak),
            },
            steps,
        })
    }

    /// Growth of two volumes together. Ends of intervals are added up: the two may grow at the same time.
    pub fn plus(self, other: Growth) -> Growth {
        let sum = |a: ConfidenceInterval, b: ConfidenceInterval| ConfidenceInterval {
            low: a.low + b.low,
            high: a.high + b.high,
        };
        let steps = |a: Steps, b: Steps| Steps {
            count: a.count + b.count,
            bytes: a.bytes + b.bytes,
            days_ago: a.days_ago.min(b.days_ago),
        };
        Growth {
            days: self.days.min(other.days),
            used: self.used + other.used,
            per_day: self.per_day + other.per_day,
            per_day_interval: sum(self.per_day_interval, other.per_day_interval),
            forecast: self.forecast + other.forecast,
            forecast_interval: sum(self.forecast_interval, other.forecast_interval),
            steps: self.steps.zip(other.steps).map(|(a, b)| steps(a, b)).or(self.steps).or(other.steps),
        }
    }

    /// Length of the period in which the upper end of the forecast expects the steps again, days.
    pub fn step_days(&self) -> f64 {
        self.days.max(STEP_DAYS)
    }
}

/// The points after the last fall to a level that was never seen before: what was in use until then is gone for good, while the end of a
/// temporary use is a return. All points where fewer than 24 follow.
pub fn since_fall(points: &[(i64, u64)]) -> &[(i64, u64)] {
    let lowest = points.iter().scan(u64::MAX, |least, point| {
        *least = point.1.min(*least);
        Some(*least as f64)
    });
    let lowest: Vec<f64> = lowest.collect();
    let mut highest: u64 = 0;
    let is_new = |start: &usize| {
        highest = highest.max(points[*start].1);
        (highest as f64) < (1.0 - NEW_LEVEL) * lowest[*start - 1]
    };
    let starts = 1..points.len();
    let last = starts.rev().filter(is_new).find(|start| points.len() - start >= MIN_POINTS);
    &points[last.unwrap_or(0)..]
}

/// Days from the first to the last of these points.
fn days(points: &[(i64, u64)]) -> f64 {
    let ends = points.first().zip(points.last());
    ends.map_or(0.0, |(first, last)| last.0.abs_diff(first.0) as f64 / DAY_US)
}

/// Interpolates the used space at evenly spaced times, the first and the last among them.
fn even(points: &[(i64, u64)]) -> Vec<f64> {
    let (first_us, last_us) = (points[0].0, points[points.len() - 1].0);
    let length = last_us.abs_diff(first_us) as f64;
    let since = |at_us: i64| at_us.abs_diff(first_us) as f64;
    let count = STRETCHES * PER_STRETCH;
    let mut at = 0;
    let level = |n: usize| {
        let wanted = length * n as f64 / (count - 1) as f64;
        while at + 2 < points.len() && since(points[at + 1].0) < wanted {
            at += 1;
        }
        let ((before_us, before), (after_us, after)) = (points[at], points[at + 1]);
        let share = (wanted - since(before_us)) / (since(after_us) - since(before_us));
        before as f64 + (after as f64 - before as f64) * share.clamp(0.0, 1.0)
    };
    (0..count).map(level).collect()
}

fn slope(levels: &[f64], days: f64) -> Option<(f64, ConfidenceInterval)> {
    let step = days / (levels.len() - 1) as f64;
    let points: Vec<_> = levels.iter().enumerate().map(|(n, level)| (n as f64 * step, level - levels[0])).collect();
    theil_sen(&points).map(|slope| (slope.estimate, slope.interval))
}

/// Increments between the means of stretches.
struct Batch {
    /// Bytes a day.
    per_day: f64,
    /// Standard deviation of an increment, bytes.
    deviation: f64,
    /// Time between two increments, days.
    days: f64,
}

impl Batch {
    fn from_levels(levels: &[f64], days: f64) -> Batch {
        let mean = |stretch: &[f64]| stretch.iter().sum::<f64>() / stretch.len() as f64;
        // From the first level, so that a small change of a large number is not lost.
        let relative: Vec<f64> = levels.iter().map(|level| level - levels[0]).collect();
        let means: Vec<f64> = relative.chunks(PER_STRETCH).map(mean).collect();
        let increments: Vec<f64> = means.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let average = mean(&increments);
        let squares: f64 = increments.iter().map(|increment| (increment - average).powi(2)).sum();
        let days = days * PER_STRETCH as f64 / (levels.len() - 1) as f64;
        Batch { per_day: average / days, deviation: (squares / (increments.len() - 1) as f64).sqrt(), days }
    }

    /// Half of the 95 % interval of the mean increment, bytes a day.
    fn rate_doubt(&self) -> f64 {
        T * (WORKING / (STRETCHES - 1) as f64).sqrt() * self.deviation / self.days
    }

    /// Half of the 95 % prediction interval so many days later, bytes: the mean's doubt, and what each stretch will add by
    /// itself.
    fn doubt(&self, days: f64) -> f64 {
        let ahead = days / self.days;
        T * (WORKING * (ahead.powi(2) / (STRETCHES - 1) as f64 + ahead)).sqrt() * self.deviation
    }
}

/// Takes steps up and down out of the levels; `None` where no more was added by them than was removed again.
fn take_steps(levels: &mut [f64], used: f64, days: f64) -> Option<Steps> {
    let mirror = |levels: &mut [f64]| levels.iter_mut().for_each(|level| *level = -*level);
    let added = take_additions(levels, used, days);
    mirror(levels);
    let removed = take_additions(levels, used, days);
    mirror(levels);
    let net = added.map(|steps| Steps { bytes: steps.bytes - removed.map_or(0.0, |steps| steps.bytes), ..steps });
    net.filter(|steps| steps.bytes > 0.0)
}

/// Takes steps up out of the levels, but for what is usually added in such a time: increments beyond the far outer fence of all
/// (Tukey 1977, Exploratory Data Analysis: three interquartile ranges above the third quartile) that matter.
fn take_additions(levels: &mut [f64], used: f64, days: f64) -> Option<Steps> {
    let cells = levels.len() / PER_CELL;
    let edge = |cell: usize| (cell * PER_CELL).min(levels.len() - 1);
    let increments: Vec<f64> = (0..cells).map(|cell| levels[edge(cell + 1)] - levels[edge(cell)]).collect();
    let mut sorted = increments.clone();
    sorted.sort_unstable_by(f64::total_cmp);
    let (q1, usual, q3) = (sorted[cells / 4], sorted[cells / 2], sorted[3 * cells / 4]);
    let added: f64 = increments.iter().filter(|increment| **increment > 0.0).sum();
    let far = |cell: &usize| increments[*cell] > q3 + 3.0 * (q3 - q1);
    let (mut found, mut cell) = (Steps { count: 0, bytes: 0.0, days_ago: 0.0 }, 0);
    while cell < cells {
        let end = (cell..cells).take_while(far).last().map_or(cell, |last| last + 1);
        let bytes: f64 = increments[cell..end].iter().map(|increment| increment - usual).sum();
        if end > cell && bytes > STEP.0 * added && bytes > STEP.1 * used {
            take(levels, (cell * PER_CELL, (end * PER_CELL).min(levels.len() - 1)), bytes);
            let days_ago = days * (1.0 - (cell + end) as f64 / 2.0 / cells as f64);
            found = Steps { count: found.count + 1, bytes: found.bytes + bytes, days_ago };
        }
        cell = end.max(cell + 1);
    }
    (found.count > 0).then_some(found)
}

/// A line across the step, and everything after it lower by it.
fn take(levels: &mut [f64], (start, end): (usize, usize), bytes: f64) {
    let (low, high) = (levels[start], levels[end] - bytes);
    let rise = (high - low) / (end - start) as f64;
    levels[start..end].iter_mut().zip(0u32..).for_each(|(level, n)| *level = low + rise * f64::from(n));
    levels[end..].iter_mut().for_each(|level| *level -= bytes);
}

#[cfg(test)]
#[path = "growth_tests.rs"]
mod tests;
