//! Degrees between two values, so that a condition begins and ends without a step.

/// 0 up to the first value, 1 from the second on, and in between in proportion.
pub fn ramp(value: f64, [from, to]: [f64; 2]) -> f64 {
    ((value - from) / (to - from)).clamp(0.0, 1.0)
}

/// The same in proportion to the logarithm, of positive values: a factor counts the same wherever it is.
pub fn log_ramp(value: f64, [from, to]: [f64; 2]) -> f64 {
    ((value / from).ln() / (to / from).ln()).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ramps_rise_from_the_first_value_to_the_second() {
        assert_eq!([0.0, 1.0, 2.0, 3.0, 9.0].map(|value| ramp(value, [1.0, 3.0])), [0.0, 0.0, 0.5, 1.0, 1.0]);
        assert_eq!([0.5, 1.0, 2.0, 4.0, 9.0].map(|value| log_ramp(value, [1.0, 4.0])), [0.0, 0.0, 0.5, 1.0, 1.0]);
    }
}
