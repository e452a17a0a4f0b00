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
