//! Collection of samples into series: pieces of a series are put together, times outside the range are left out.

use std::collections::HashMap;

use super::error::{Limits, ReadError};
use super::{Labels, Sample, Series};

/// Samples of a time range by series, within limits.
#[derive(Debug)]
pub struct Collector {
    from_ms: i64,
    to_ms: i64,
    limits: Limits,
    series: Vec<Series>,
    index: HashMap<Labels, usize>,
    samples: usize,
}

/// Adds samples to one series.
pub(crate) struct SeriesWriter<'a> {
    samples: &'a mut Vec<Sample>,
    count: &'a mut usize,
    from_ms: i64,
    to_ms: i64,
    max_samples: usize,
}

impl SeriesWriter<'_> {
    /// Adds a sample if its time is in the range.
    #[inline]
    pub(crate) fn push(&mut self, at_ms: i64, value: f64) -> Result<(), ReadError> {
        if at_ms < self.from_ms || at_ms > self.to_ms {
            return Ok(());
        }
        if *self.count >= self.max_samples {
            return Err(ReadError::TooLarge { bound: self.max_samples, what: "samples" });
        }
        *self.count += 1;
        self.samples.push(Sample { at_ms, value });
        Ok(())
    }

    /// Makes room for this many samples more.
    pub(crate) fn reserve(&mut self, samples: usize) {
        // Beyond the limit an error follows; until then a wrong count must not take memory.
        self.samples.reserve(samples.min(self.max_samples - *self.count));
    }
}

impl Collector {
    /// A collector of the samples from one time to another, both included, milliseconds since 1970.
    pub fn new(from_ms: i64, to_ms: i64, limits: Limits) -> Collector {
        Collector { from_ms, to_ms, limits, series: Vec::new(), index: HashMap::new(), samples: 0 }
    }

    /// Number of samples so far.
    pub fn samples(&self) -> usize {
        self.samples
    }

    /// The limits.
    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Opens the series with these labels, a new one or one that has samples.
    pub(crate) fn open(&mut self, labels: Labels) -> Result<SeriesWriter<'_>, ReadError> {
        let at = match self.index.get(&labels) {
            Some(&at) => at,
            None => self.add_series(labels)?,
        };
        Ok(SeriesWriter {
            samples: &mut self.series[at].samples,
            count: &mut self.samples,
            from_ms: self.from_ms,
            to_ms: self.to_ms,
            max_samples: self.limits.samples,
        })
    }

    fn add_series(&mut self, labels: Labels) -> Result<usize, ReadError> {
        if self.series.len() >= self.limits.series {
            return Err(ReadError::TooLarge { bound: self.limits.series, what: "series" });
        }
        check_labels(&labels, &self.limits)?;
        self.index.insert(labels.clone(), self.series.len());
        self.series.push(Series { labels, samples: Vec::new() });
        Ok(self.series.len() - 1)
    }

    /// Adds the samples of a series, such as those of another piece of the time.
    pub fn add(&mut self, series: Series) -> Result<(), ReadError> {
        let mut writer = self.open(series.labels)?;
        writer.reserve(series.samples.len());
        series.samples.into_iter().try_for_each(|sample| writer.push(sample.at_ms, sample.value))
    }

    /// The series that have samples, in the order of their labels; the samples in time order, one for a time.
    pub fn finish(self) -> Vec<Series> {
        let mut series = self.series;
        series.retain(|series| !series.samples.is_empty());
        series.iter_mut().for_each(|series| put_in_order(&mut series.samples));
        series.sort_unstable_by(|a, b| a.labels.cmp(&b.labels));
        series
    }
}

/// Refuses labels beyond the limits.
pub(crate) fn check_labels(labels: &Labels, limits: &Limits) -> Result<(), ReadError> {
    let (count, bytes) =
        labels.iter().fold((0, 0), |(count, bytes), (label, value)| (count + 1, bytes + label.len() + value.len()));
    if count > limits.labels {
        return Err(ReadError::TooLarge { bound: limits.labels, what: "labels of a series" });
    }
    if bytes > limits.label_bytes {
        return Err(ReadError::TooLarge { bound: limits.label_bytes, what: "bytes of labels of a series" });
    }
    Ok(())
}

/// Sorts samples by time. Of those of one time the preferred one stays, in whatever order they came.
fn put_in_order(samples: &mut Vec<Sample>) {
    if samples.windows(2).all(|pair| pair[0].at_ms < pair[1].at_ms) {
        return;
    }
    samples.sort_by_key(|sample| sample.at_ms);
    samples.dedup_by(|next, kept| {
        let same = next.at_ms == kept.at_ms;
        if same && rank(next.value) > rank(kept.value) {
            *kept = *next;
        }
        same
    });
}

/// Order of preference among values of one time: a marker of staleness, another NaN, the smaller number, the greater one. A counter's
/// greater value is the later one; VictoriaMetrics' deduplication keeps the same.
fn rank(value: f64) -> (u8, u64) {
    if value.is_nan() {
        return (u8::from(value.to_bits() != super::STALE_BITS), value.to_bits());
    }
    let bits = value.to_bits();
    // Bits in the order of the numbers, as in f64::total_cmp.
    (2, if bits >> 63 == 1 { !bits } else { bits | 1 << 63 })
}

#[cfg(test)]
mod tests {
    use super::super::STALE_BITS;
    use super::*;

    fn labels(name: &str) -> Labels {
        [("__name__", name)].into_iter().collect()
    }

    fn series(name: &str, samples: &[(i64, f64)]) -> Series {
        let samples = samples.iter().map(|&(at_ms, value)| Sample { at_ms, value }).collect();
        Series { labels: labels(name), samples }
    }

    #[test]
    fn pieces_are_put_together_in_any_order() {
        let mut collector = Collector::new(10, 40, Limits::default());
        for piece in [
            series("b", &[(30, 3.0), (40, 4.0), (41, 5.0)]),
            series("a", &[(10, 1.0)]),
            series("b", &[(9, 0.0), (10, 1.0), (30, 3.0)]),
            series("c", &[(9, 1.0)]),
        ] {
            collector.add(piece).unwrap();
        }
        assert_eq!(collector.samples(), 5);
        let expected = [series("a", &[(10, 1.0)]), series("b", &[(10, 1.0), (30, 3.0), (40, 4.0)])];
        assert_eq!(collector.finish(), expected);
    }

    #[test]
    fn of_one_time_the_greatest_number_stays() {
        let stale = f64::from_bits(STALE_BITS);
        for (values, expected) in [
            ([1.0, 2.0, -1.0], 2.0_f64),
            ([-1.0, -2.0, stale], -1.0),
            ([f64::NAN, stale, -5.0], -5.0),
            ([stale, f64::NAN, stale], f64::NAN),
        ] {
            for turn in 0..3 {
                let mut rotated = values;
                rotated.rotate_left(turn);
                let mut collector = Collector::new(0, 9, Limits::default());
                collector.add(series("a", &rotated.map(|value| (5, value)))).unwrap();
                let kept = collector.finish().remove(0).samples;
                assert_eq!(kept.len(), 1);
                assert_eq!(kept[0].value.to_bits(), expected.to_bits());
            }
        }
    }

    #[test]
    fn limits_are_kept() {
        let limits = Limits { samples: 2, series: 1, labels: 1, label_bytes: 16, ..Limits::default() };
        let message = |add: &[Series]| {
            let mut collector = Collector::new(0, 9, limits);
            add.iter().try_for_each(|series| collector.add(series.clone())).unwrap_err().to_string()
        };
        assert_eq!(message(&[series("a", &[(1, 1.0), (2, 1.0), (3, 1.0)])]), "more than 2 samples");
        assert_eq!(message(&[series("a", &[]), series("b", &[])]), "more than 1 series");
        let two = Series { labels: [("a", "b"), ("c", "d")].into_iter().collect(), samples: Vec::new() };
        assert_eq!(message(&[two]), "more than 1 labels of a series");
        assert_eq!(message(&[series("0123456789", &[])]), "more than 16 bytes of labels of a series");
    }
}
