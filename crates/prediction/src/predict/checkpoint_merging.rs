//! Page writes as checkpoints merge more or fewer changes of a page.
//!
//! A page that changes many times between two checkpoints is written once. If a transaction changes k pages at random among P, the
//! n transactions of a checkpoint interval change P (1 − exp(−k n / P)) of them (balls into bins). With x = k n / P, a
//! transaction so writes k (1 − exp(−x)) / x pages, fewer the more transactions an interval has. The share of changes that are
//! the first since a checkpoint, each with a full-page image, shows x.

use super::root::crossing;

/// Changes of each page between two checkpoints of a run, of whose changes so many are the first since a checkpoint; zero where that is
/// not known, or all are.
pub fn changes_per_page(changes: f64, first_changes: f64) -> f64 {
    if changes <= 0.0 || first_changes <= 0.0 || first_changes >= changes {
        return 0.0;
    }
    crossing(1e-6, 1e6, |x| distinct_share(x) - first_changes / changes)
}

/// Most page writes per transaction at fewer transactions, as a multiple of those of the run. WAL counts changes of pages that each
/// transaction changes, too, which are merged at any rate: 1.7 times were measured at a twelfth of the transactions
/// (`n-c1-1.7ms-500` of `make validate`). A choice.
const MAX_MORE_PAGES: f64 = 2.0;

/// Page writes per transaction at `rate` times the throughput, as a multiple of those of the run, which changed each page so many times;
/// one where that is not known.
pub fn page_writes_factor(changes_per_page: f64, rate: f64) -> f64 {
    let at_rate = changes_per_page * rate;
    if at_rate <= 0.0 {
        return 1.0;
    }
    (distinct_share(at_rate) / distinct_share(changes_per_page)).min(MAX_MORE_PAGES)
}

/// Share of changes that change another page than all before, for x changes a page.
fn distinct_share(x: f64) -> f64 {
    -(-x).exp_m1() / x
}

#[cfg(test)]
mod tests {
    use super::*;

    fn factor(first_changes: f64, rate: f64) -> f64 {
        page_writes_factor(changes_per_page(1.0, first_changes), rate)
    }

    #[test]
    fn more_transactions_write_fewer_pages_each() {
        // x = 1 at (1 − 1/e) = 0.632 first changes; at twice the rate (1 − 1/e²) / 2 = 0.432 of them.
        let first = 1.0 - (-1.0f64).exp();
        assert!((changes_per_page(1.0, first) - 1.0).abs() < 1e-6);
        assert!((factor(first, 1.0) - 1.0).abs() < 1e-6);
        assert!((factor(first, 2.0) - 0.432_332 / 0.632_121).abs() < 1e-5);
        assert!(factor(first, 0.5) > 1.0);
    }

    /// More transactions write as many pages each where nearly all changes are the first, and the same pages where hardly any is.
    #[test]
    fn the_ends_are_constant_pages_each_and_constant_pages_in_all() {
        assert!(factor(0.999, 2.0) > 0.99);
        assert!((factor(0.001, 2.0) - 0.5).abs() < 0.01);
        assert_eq!(factor(0.001, 0.1), MAX_MORE_PAGES);
    }

    #[test]
    fn nothing_known_changes_nothing() {
        for (changes, first_changes) in [(0.0, 0.0), (1.0, 0.0), (1.0, 1.5)] {
            assert_eq!(page_writes_factor(changes_per_page(changes, first_changes), 3.0), 1.0);
        }
    }
}
