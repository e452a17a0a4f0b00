//! The marginal standard error rule: cut off as much of the beginning as makes the standard error of the mean of the rest
//! smallest (White 1997, Simulation 69:323; on batches of five, White, Cobb & Spratt 2000, WSC, 755; compared with 44 others
//! and chosen by Hoad, Robinson & Davies 2010, Journal of the Operational Research Society 61:1632).

/// The last batches, of which no mean is taken: the error of so few is small by chance (Hoad et al. 2010).
const LAST: usize = 5;

/// Number of batches to cut off. More than half of them means that the rule cannot tell: the series has not settled.
pub fn truncation(batches: &[f64]) -> usize {
    let candidates = batches.len().saturating_sub(LAST);
    let mut best = (0, f64::INFINITY);
    let (mut sum, mut squares) = (0.0, 0.0);
    // Deviations from an approximate mean: sums of squares of large numbers lose their last digits.
    let around = batches.iter().sum::<f64>() / batches.len().max(1) as f64;
    for (index, batch) in batches.iter().enumerate().rev() {
        let value = batch - around;
        sum += value;
        squares += value * value;
        let left = (batches.len() - index) as f64;
        let error = (squares - sum * sum / left).max(0.0) / (left * left);
        // From the end: of two equal minima, the one that cuts off less.
        if index < candidates && error <= best.1 {
            best = (index, error);
        }
    }
    best.0
}
