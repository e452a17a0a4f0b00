//! Work that a run lost while it almost stood still.

use super::batch::{MIN_BATCH_S, MIN_BATCHES, Point, join_batches};

/// Share of the usual rate below which a batch counts as lost.
const COLLAPSED: f64 = 0.5;
/// Quantile of the batches' rates that is their usual rate: a run may stand still for most of its time.
const USUAL: f64 = 0.75;
/// Minimum count of a usual batch: of fewer, half as many come by chance.
const MIN_COUNT: f64 = 20.0;
/// Share of the work that is lost at which a run is not steady: the margin within which two runs are called equivalent.
pub const MAX_LOST: f64 = 0.05;

/// Work lost in batches whose rate collapsed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shortfall {
    /// Share of the work that the usual rate would have done in the whole run, 0 to 1.
    pub share: f64,
    /// Length of the batches together, seconds.
    pub seconds: f64,
}

impl Shortfall {
    /// Returns true if so much is lost that it matters.
    pub fn is_relevant(&self) -> bool {
        // Sums of seconds lose their last digits.
        self.share >= MAX_LOST - 1e-9
    }
}

/// Adds up the batches of five seconds or more below half of the 75th percentile; `None` if too little was counted.
pub fn shortfall(points: &[Point]) -> Option<Shortfall> {
    let batches = join_batches(points, MIN_BATCH_S);
    let mut rates: Vec<f64> = batches.iter().map(Point::rate).collect();
    rates.sort_by(f64::total_cmp);
    let usual = *rates.get((USUAL * rates.len() as f64) as usize)?;
    if batches.len() < MIN_BATCHES || usual * MIN_BATCH_S < MIN_COUNT {
        return None;
    }
    let collapsed = batches.iter().filter(|batch| batch.rate() < COLLAPSED * usual);
    let (lost, seconds) = collapsed.fold((0.0, 0.0), |(lost, seconds), batch| {
        (lost + usual * batch.seconds - batch.count, seconds + batch.seconds)
    });
    let all: f64 = batches.iter().map(|batch| batch.seconds).sum();
    Some(Shortfall { share: lost / (usual * all), seconds })
}
