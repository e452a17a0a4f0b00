//! Bisection over whole numbers.

/// Rounds up to whole numbers, as they are sold: a billionth more than one is not two.
pub(super) fn round_up(figure: f64) -> u64 {
    (figure - 1e-9 * figure.max(1.0)).ceil().max(0.0) as u64
}

/// Finds the lowest number of `low..=high` that holds, provided that every number above one that holds does too. `high` is
/// assumed to hold. The lowest is tried first: mostly the percentile with its headroom decides, and the replay asks for no more.
pub(super) fn bisect(low: u64, high: u64, holds: impl Fn(u64) -> bool) -> u64 {
    if low >= high || holds(low) {
        return low;
    }
    let (mut low, mut high) = (low + 1, high);
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) { high = middle } else { low = middle + 1 }
    }
    high
}
