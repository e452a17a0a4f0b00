//! Work that a run lost while it almost stood still.

use super::batch::{MIN_BATCH_S, MIN_BATCHES, Point, join_batches};

/// Share of the usual rate below which the loss of a batch counts whole.
const COLLAPSED: f64 = 0.5;
/// Share below which it begins to count, where the other batches are alike.
const BEGINS: f64 = 0.8;
/// Multiple of the mean excess of the faster batches over the usual rate, which shows their noise, by which the loss begins to count later:
/// of normal noise, three times its deviation.
const NOISE: f64 = 5.0;
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
    /// Length of the batches together, seconds, each as far as its loss counts.
    pub seconds: f64,
}

impl Shortfall {
    /// Returns true if so much is lost that it matters.
    pub fn is_relevant(&self) -> bool {
        // Sums of seconds lose their last digits.
        self.share >= MAX_LOST - 1e-9
    }
}

/// Adds up the losses of batches of five seconds or more against the 75th percentile: whole below half of it, and less and less up to
/// four fifths, or fewer where the rates are noisy. `None` if too little was counted.
pub fn shortfall(points: &[Point]) -> Option<Shortfall> {
    let batches = join_batches(points, MIN_BATCH_S);
    let mut rates: Vec<f64> = batches.iter().map(Point::rate).collect();
    rates.sort_by(f64::total_cmp);
    let faster = rates.get((USUAL * rates.len() as f64) as usize..)?;
    let usual = *faster.first()?;
    let noise = faster.iter().sum::<f64>() / (faster.len() as f64 * usual) - 1.0;
    if batches.len() < MIN_BATCHES || usual * MIN_BATCH_S < MIN_COUNT {
        return None;
    }
    let begins = BEGINS - NOISE * noise;
    let weight = |batch: &Point| match batch.rate() / usual {
        share if share < COLLAPSED => 1.0,
        share => ((begins - share) / (begins - COLLAPSED).max(f64::MIN_POSITIVE)).clamp(0.0, 1.0),
    };
    let (lost, seconds) = batches.iter().fold((0.0, 0.0), |(lost, seconds), batch| {
        let weight = weight(batch);
        (lost + weight * (usual * batch.seconds - batch.count), seconds + weight * batch.seconds)
    });
    let all: f64 = batches.iter().map(|batch| batch.seconds).sum();
    Some(Shortfall { share: lost / (usual * all), seconds })
}
