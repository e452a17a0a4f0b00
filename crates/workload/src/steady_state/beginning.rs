//! Test for a ramp-up: the beginning of a run against its second half.

use ebs_stats::student_quantile;

/// Level of the prediction interval, both sides together. Values of neighbours are alike, which makes it wrong more often than it says.
const LEVEL: f64 = 0.005;

/// Returns true if the first batch lies apart from the second half of the batches: outside the prediction interval of one more of
/// them by Student's t, and beyond each of them. MSER-5 cuts something off most series that are only noisy, and off a day whose
/// night is as quiet at its end as at its beginning; neither begins with a ramp-up.
pub fn lies_apart(batches: &[f64]) -> bool {
    let [first, ..] = batches else { return false };
    let rest = &batches[batches.len() / 2..];
    let n = rest.len() as f64;
    let mean = rest.iter().sum::<f64>() / n;
    let (least, greatest) =
        rest.iter().fold((f64::INFINITY, 0.0_f64), |(low, high), &rate| (low.min(rate), high.max(rate)));
    let beyond = *first < least || *first > greatest;
    if n < 2.0 {
        return false;
    }
    let squares: f64 = rest.iter().map(|rate| (rate - mean).powi(2)).sum();
    let deviation = (squares / (n - 1.0) * (1.0 + 1.0 / n)).sqrt();
    beyond && (first - mean).abs() > student_quantile(1.0 - LEVEL / 2.0, n - 1.0) * deviation
}
