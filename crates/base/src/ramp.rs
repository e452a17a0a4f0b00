//! Degrees between two values, and means by them, so that a condition begins and ends without a step.

/// 0 up to the first value, 1 from the second on, and in between in proportion.
pub fn ramp(value: f64, [from, to]: [f64; 2]) -> f64 {
    ((value - from) / (to - from)).clamp(0.0, 1.0)
}

/// The same in proportion to the logarithm, of positive values: a factor counts the same wherever it is.
pub fn log_ramp(value: f64, [from, to]: [f64; 2]) -> f64 {
    ((value / from).ln() / (to / from).ln()).clamp(0.0, 1.0)
}

/// Geometric mean of two values by the weight of the second, as factors count: an unlimited one counts only at a weight of 1.
pub fn weighted_mean(without: f64, with: f64, weight: f64) -> f64 {
    if weight < 1.0 { without.powf(1.0 - weight) * with.powf(weight) } else { with }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ramps_rise_from_the_first_value_to_the_second() {
        assert_eq!([0.0, 1.0, 2.0, 3.0, 9.0].map(|value| ramp(value, [1.0, 3.0])), [0.0, 0.0, 0.5, 1.0, 1.0]);
        assert_eq!([0.5, 1.0, 2.0, 4.0, 9.0].map(|value| log_ramp(value, [1.0, 4.0])), [0.0, 0.0, 0.5, 1.0, 1.0]);
    }

    #[test]
    fn a_mean_leads_from_the_first_value_to_the_second() {
        assert_eq!([0.0, 0.5, 1.0].map(|weight| weighted_mean(1.0, 4.0, weight)), [1.0, 2.0, 4.0]);
        assert_eq!(weighted_mean(2.0, f64::INFINITY, 1.0), f64::INFINITY);
    }
}
