//! Positions of ticks on linear, logarithmic and time axes, and their texts.

use ebs_base::format::{count, size};

/// Returns the next round step: 1, 2, 2.5 or 5 times a power of ten. The "nice numbers" of P. S. Heckbert, Graphics Gems
/// (1990), p. 61, with 2.5 added, and rounded up, so that the number of ticks never exceeds the maximum.
pub fn nice_step(step: f64) -> f64 {
    let power = 10f64.powf(step.max(1e-12).log10().floor());
    [1.0, 2.0, 2.5, 5.0]
        .into_iter()
        .map(|digit| digit * power)
        .find(|nice| *nice >= step * (1.0 - 1e-9))
        .unwrap_or(10.0 * power)
}

/// Returns ticks between two positive bounds, given and returned as decimal logarithms: at most `max_ticks` of 1, 1.5, 2, 3, 5 and 7
/// times each power of ten, or of fewer of them, down to the powers alone.
pub fn logarithmic(low: f64, high: f64, max_ticks: usize) -> Vec<(f64, f64)> {
    let within = |digits: &[f64]| -> Vec<(f64, f64)> {
        let decades = low.floor() as i32..=high.ceil() as i32;
        let values = decades.flat_map(|decade| digits.iter().map(move |digit| digit * 10f64.powi(decade)));
        values.map(|value| (value.log10(), value)).filter(|(at, _)| (low..=high).contains(at)).collect()
    };
    let choices: [&[f64]; 3] = [&[1.0, 1.5, 2.0, 3.0, 5.0, 7.0], &[1.0, 2.0, 5.0], &[1.0, 3.0]];
    let fitting = choices.into_iter().map(within).find(|ticks| ticks.len() <= max_ticks.max(2));
    fitting.unwrap_or_else(|| within(&[1.0]))
}

/// Round steps of time, seconds; the last is a year.
const STEPS_S: [i64; 22] = [
    1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800,
    2_592_000, 31_536_000,
];

/// Returns the smallest step of [`STEPS_S`] that divides so many seconds into at most `max_ticks` parts.
pub fn time_step(span_s: f64, max_ticks: usize) -> i64 {
    let fits = |step: &i64| span_s / *step as f64 <= max_ticks.max(1) as f64 + 0.5;
    STEPS_S.into_iter().find(fits).unwrap_or(STEPS_S[STEPS_S.len() - 1])
}

/// Formats a figure on an axis with that step, with the fewest digits that distinguish it from its neighbours.
pub fn figure(value: f64, step: f64) -> String {
    match (value, step) {
        (0.0, _) => "0".to_owned(),
        (value, _) if value.abs() >= 1e9 => format!("{} G", count(value / 1e9)),
        (value, step) if step >= 1e6 => format!("{} M", trimmed(value / 1e6)),
        (value, step) if step >= 1.0 && value.fract().abs() < 1e-9 => count(value),
        (value, _) => trimmed(value),
    }
}

/// Formats a figure without trailing zeros of its fraction.
fn trimmed(value: f64) -> String {
    let text = if value.abs() < 0.1 { value.to_string().chars().take(6).collect() } else { size(value) };
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
#[path = "ticks_tests.rs"]
mod tests;
