//! Used space of a volume over time: a series of bounded size, for a look-back of any length.

/// Maximum number of points kept of one volume. Forecasts need fewer; one every 15 s for six hours would be 1,440.
const MAX_POINTS: usize = 512;

/// Bytes in use over time, in time order. Points between others are thinned out; the first and the last always stay.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpaceSeries {
    kept: Vec<(i64, u64)>,
    /// Latest point, if it is closer to the last one kept than the spacing.
    latest: Option<(i64, u64)>,
    spacing_us: u64,
}

impl SpaceSeries {
    /// Adds the bytes in use at a time, microseconds since 1970. A point that is not later than the last is left out: where the
    /// clock was set back, the series continues when the clock has caught up.
    pub fn push(&mut self, at_us: i64, bytes: u64) {
        if self.last().is_some_and(|(last_us, _)| at_us <= last_us) {
            return;
        }
        match self.kept.last() {
            Some(&(kept_us, _)) if at_us.abs_diff(kept_us) < self.spacing_us => self.latest = Some((at_us, bytes)),
            _ => {
                self.kept.push((at_us, bytes));
                self.latest = None;
            }
        }
        if self.kept.len() > MAX_POINTS {
            self.thin();
        }
    }

    /// Latest time, microseconds since 1970, and bytes in use then.
    pub fn last(&self) -> Option<(i64, u64)> {
        self.latest.or_else(|| self.kept.last().copied())
    }

    /// Points kept, in time order.
    pub fn points(&self) -> impl Iterator<Item = (i64, u64)> {
        self.kept.iter().copied().chain(self.latest)
    }

    /// Thins points out by time, not by number: hours of last week and seconds of today must weigh the same.
    fn thin(&mut self) {
        let (Some(&(first_us, _)), Some(last)) = (self.kept.first(), self.last()) else { return };
        self.spacing_us = last.0.abs_diff(first_us) / (MAX_POINTS as u64 / 2);
        let spacing_us = self.spacing_us;
        let mut kept_us = None;
        self.kept.retain(|&(at_us, _)| {
            let keeps = kept_us.is_none_or(|before: i64| at_us.abs_diff(before) >= spacing_us);
            if keeps {
                kept_us = Some(at_us);
            }
            keeps
        });
        self.latest = (kept_us != Some(last.0)).then_some(last);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SECOND: i64 = 1_000_000;

    fn series(points: impl IntoIterator<Item = (i64, u64)>) -> SpaceSeries {
        let mut series = SpaceSeries::default();
        points.into_iter().for_each(|(at_us, bytes)| series.push(at_us, bytes));
        series
    }

    /// Two weeks as they are kept: hours, then the last six hours in blocks of 15 s.
    #[test]
    fn today_does_not_crowd_out_last_week() {
        let hours = (0..330).map(|hour| hour * 3_600 * SECOND);
        let blocks = (1..=1_440).map(|block| (329 * 3_600 + block * 15) * SECOND);
        let points: Vec<_> = series(hours.chain(blocks).map(|at_us| (at_us, at_us as u64))).points().collect();
        let end = 335 * 3_600 * SECOND;
        assert_eq!((points[0], points.last()), ((0, 0), Some(&(end, end as u64))));
        assert!(points.len() > 100, "{}", points.len());
        let widest = points.windows(2).map(|pair| pair[1].0 - pair[0].0).max().unwrap();
        assert!(widest <= 2 * 3_600 * SECOND, "{widest}");
    }

    #[test]
    fn a_clock_that_was_set_back_adds_nothing_until_it_has_caught_up() {
        let points: Vec<_> = series([(10, 1), (20, 2), (5, 3), (20, 4), (21, 5)]).points().collect();
        assert_eq!(points, [(10, 1), (20, 2), (21, 5)]);
    }

    proptest! {
        #[test]
        fn it_stays_small_and_keeps_both_ends(steps in prop::collection::vec(1i64..10_000_000_000, 1..3_000)) {
            let times = steps.iter().scan(0i64, |at, step| { *at += step; Some(*at) });
            let all: Vec<(i64, u64)> = times.map(|at| (at, at as u64)).collect();
            let series = series(all.iter().copied());
            let points: Vec<_> = series.points().collect();
            prop_assert!(points.len() <= MAX_POINTS + 1);
            prop_assert_eq!((points.first(), points.last()), (all.first(), all.last()));
            prop_assert_eq!(series.last(), all.last().copied());
            prop_assert!(points.windows(2).all(|pair| pair[0].0 < pair[1].0));
            prop_assert!(points.iter().all(|point| point.1 == point.0 as u64));
        }
    }
}
