//! Savings that a change is not worth.

use ebs_base::units::Usd;

/// Saving a month up to which a change is not worth it, cents, and its share of the price. A choice: a modification takes hours, in which no
/// other can be started.
const NEGLIGIBLE_CENTS: i64 = 100;
const NEGLIGIBLE_SHARE: f64 = 0.02;

/// True of a saving on this present price that a change is not worth: at least nothing, and little.
pub fn is_negligible(saved: Usd, present: Usd) -> bool {
    let share = saved.ratio(present).unwrap_or_default();
    saved >= Usd::default() && (saved.cents() < NEGLIGIBLE_CENTS || share < NEGLIGIBLE_SHARE)
}
