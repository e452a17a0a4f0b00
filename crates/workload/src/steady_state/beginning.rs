//! Test for a ramp-up: the beginning of a run against its second half.

use ebs_stats::student_quantile;

/// Level of the prediction interval, both sides together. Values of neighbours are alike, which makes it wrong more often than it says.
const LEVEL: f64 = 0.005;

/// Returns true if the first batch lies apart from the second half of the batches, but for one of them that lies apart from the others
/// itself, as a stall does. MSER-5 cuts something off most series that are only noisy, and off a day whose night is as quiet at its end
/// as at its beginning; neither begins with a ramp-up.
pub fn begins_apart(batches: &[f64]) -> bool {
    let [first, ..] = batches else { return false };
    let mut rest = batches[batches.len() / 2..].to_vec();
    let mean = rest.iter().sum::<f64>() / rest.len() as f64;
    let distance = |rate: &f64| (rate - mean).abs();
    let farthest = (0..rest.len()).max_by(|&a, &b| distance(&rest[a]).total_cmp(&distance(&rest[b])));
    if let Some(farthest) = farthest {
        let stall = rest.swap_remove(farthest);
        if !lies_apart(stall, &rest) {
            rest.push(stall);
        }
    }
    lies_apart(*first, &rest)
}

/// Returns true if a rate lies outside the prediction interval of one more of the others by Student's t, and beyond each of them.
fn lies_apart(rate: f64, others: &[f64]) -> bool {
    let n = others.len() as f64;
    if n < 2.0 {
        return false;
    }
    let mean = others.iter().sum::<f64>() / n;
    let (least, greatest) =
        others.iter().fold((f64::INFINITY, 0.0_f64), |(low, high), &other| (low.min(other), high.max(other)));
    let squares: f64 = others.iter().map(|other| (other - mean).powi(2)).sum();
    let deviation = (squares / (n - 1.0) * (1.0 + 1.0 / n)).sqrt();
    let beyond = rate < least || rate > greatest;
    beyond && (rate - mean).abs() > student_quantile(1.0 - LEVEL / 2.0, n - 1.0) * deviation
}
