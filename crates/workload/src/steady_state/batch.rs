//! Observations of a run's progress, joined into batches that are long enough for statistics.

/// Minimum length of a batch, seconds: five observations of a second each (White, Cobb & Spratt 2000), or one of a flush.
pub(super) const MIN_BATCH_S: f64 = 5.0;
/// Minimum number of batches for any conclusion.
pub(super) const MIN_BATCHES: usize = 10;

/// Count of transactions or requests in a period.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// End of the period, microseconds since 1970.
    pub ended_us: i64,
    /// Length of the period, seconds.
    pub seconds: f64,
    /// Transactions or requests in it.
    pub count: f64,
}

impl Point {
    pub(super) fn rate(&self) -> f64 {
        self.count / self.seconds
    }

    fn join(&mut self, next: &Point) {
        self.ended_us = next.ended_us;
        self.seconds += next.seconds;
        self.count += next.count;
    }
}

/// Joins neighbouring points until each lasts at least `min_s` seconds. The rest at the end joins the last batch.
pub(super) fn join_batches(points: &[Point], min_s: f64) -> Vec<Point> {
    let mut batches: Vec<Point> = Vec::new();
    // Slightly less is enough: five intervals of a clock rarely last five seconds exactly.
    let full = |batch: &Point| batch.seconds >= 0.95 * min_s;
    for point in points.iter().filter(|point| point.seconds > 0.0) {
        match batches.last_mut() {
            Some(last) if !full(last) => last.join(point),
            _ => batches.push(*point),
        }
    }
    if let Some(rest) = batches.pop_if(|last| !full(last)) {
        match batches.last_mut() {
            Some(last) => last.join(&rest),
            None => batches.push(rest),
        }
    }
    batches
}
