//! Bars of characters.

/// Last character of a bar, by eighths of a column.
const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/// Draws a dark bar up to `value` and a paler one from there to `max`, on a scale in which `full` is `width` columns.
pub(super) fn draw(value: f64, max: f64, full: f64, width: usize) -> String {
    if full <= 0.0 {
        return String::new();
    }
    let eighths = |value: f64| (value / full * width as f64 * 8.0).round().clamp(0.0, width as f64 * 8.0) as usize;
    let (dark, pale) = (eighths(value), eighths(max).div_ceil(8));
    let mut bar = "█".repeat(dark / 8);
    bar.push_str(EIGHTHS[dark % 8]);
    // A value above zero is always visible.
    if dark == 0 && value > 0.0 {
        bar.push_str(EIGHTHS[1]);
    }
    let drawn = bar.chars().count();
    bar + &"░".repeat(pale.saturating_sub(drawn))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn more_is_never_shorter(a in 0f64..1.0, b in 0f64..1.0, width in 1usize..100) {
            let eighth = |c: char| EIGHTHS.iter().position(|part| part.starts_with(c)).unwrap_or(0);
            let eighths = |value: f64| -> usize {
                draw(value, value, 1.0, width).chars().map(|c| if c == '█' { 8 } else { eighth(c) }).sum()
            };
            prop_assert!(eighths(a.min(b)) <= eighths(a.max(b)));
            prop_assert!(draw(a, b, 1.0, width).chars().count() <= width);
        }
    }
}
