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

/// Returns ticks between two positive bounds, given and returned as decimal logarithms: at most `most` of 1, 1.5, 2, 3, 5 and 7
/// times each power of ten, or of fewer of them, down to the powers alone.
pub fn logarithmic(low: f64, high: f64, most: usize) -> Vec<(f64, f64)> {
    let within = |digits: &[f64]| -> Vec<(f64, f64)> {
        let decades = low.floor() as i32..=high.ceil() as i32;
        let values = decades.flat_map(|decade| digits.iter().map(move |digit| digit * 10f64.powi(decade)));
        values.map(|value| (value.log10(), value)).filter(|(at, _)| (low..=high).contains(at)).collect()
    };
    let choices: [&[f64]; 3] = [&[1.0, 1.5, 2.0, 3.0, 5.0, 7.0], &[1.0, 2.0, 5.0], &[1.0, 3.0]];
    let fitting = choices.into_iter().map(within).find(|ticks| ticks.len() <= most.max(2));
    fitting.unwrap_or_else(|| within(&[1.0]))
}

/// Round steps of time, seconds; the last is a year.
const STEPS_S: [i64; 22] = [
    1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800,
    2_592_000, 31_536_000,
];

/// Returns the smallest step of [`STEPS_S`] that divides so many seconds into at most `most` parts.
pub fn time_step(span_s: f64, most: usize) -> i64 {
    let fits = |step: &i64| span_s / *step as f64 <= most.max(1) as f64 + 0.5;
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
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn steps_are_one_two_two_and_a_half_or_five() {
        let steps = [0.3, 1.0, 1.1, 2.1, 2.6, 5.1, 3_231.0].map(nice_step);
        assert_eq!(steps, [0.5, 1.0, 2.0, 2.5, 5.0, 10.0, 5_000.0]);
    }

    #[test]
    fn logarithmic_ticks_thin_out() {
        let values = |low: f64, high: f64, most| -> Vec<f64> {
            logarithmic(low.log10(), high.log10(), most).into_iter().map(|(_, value)| value).collect()
        };
        assert_eq!(values(0.9, 12.0, 7), [1.0, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0]);
        assert_eq!(values(0.9, 12.0, 6), [1.0, 2.0, 5.0, 10.0]);
        assert_eq!(values(0.9, 1_200.0, 7), [1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1_000.0]);
        assert_eq!(values(0.9, 1_200_000.0, 7).len(), 7);
    }

    #[test]
    fn time_steps_are_those_of_a_clock() {
        assert_eq!([60.0, 600.0, 14_400.0, 14.0 * 86_400.0].map(|span| time_step(span, 9)), [10, 120, 1_800, 172_800]);
        assert_eq!(time_step(1e12, 4), 31_536_000);
    }

    #[test]
    fn figures_have_no_digit_too_many() {
        let texts = [(0.0, 1.0), (0.25, 0.25), (0.05, 0.05), (1_500.0, 500.0), (2e6, 1e6), (2.5e6, 1e6), (3e9, 1e9)];
        let texts = texts.map(|(value, step)| figure(value, step));
        assert_eq!(texts, ["0", "0.25", "0.05", "1,500", "2 M", "2.5 M", "3 G"]);
    }

    proptest! {
        #[test]
        fn a_nice_step_is_enough_and_at_most_twice_and_a_half_as_much(step in 1e-9..1e12f64) {
            let nice = nice_step(step);
            prop_assert!(nice >= step * (1.0 - 1e-6) && nice <= 2.5 * step, "{nice} for {step}");
        }
    }
}
