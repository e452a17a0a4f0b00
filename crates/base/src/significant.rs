//! Figures of rows, to the precision that evidence has.

/// Significant digits of a figure: a measurement of minutes is no more precise.
const DIGITS: i32 = 4;

/// Rounds to four significant digits, and numbers of more digits to whole ones: 0.30000000000000004 is 0.3, 12,345.6 is 12,346.
pub fn significant(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    let decimals = DIGITS - 1 - value.abs().log10().floor() as i32;
    match decimals {
        ..=0 => value.round(),
        // Beyond 10³⁰⁸ there are no powers of ten.
        301.. => value,
        _ => {
            let scale = 10f64.powi(decimals);
            (value * scale).round() / scale
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_four_digits_and_whole_numbers_all_of_theirs() {
        for (value, rounded) in [
            (0.1 + 0.2, 0.3),
            (2.0 / 3.0, 0.6667),
            (1_234.5, 1_235.0),
            (1_234.4, 1_234.0),
            (999.95, 1_000.0),
            (999.94, 999.9),
            (12_345.6, 12_346.0),
            (1e15 + 0.5, 1e15 + 0.5_f64.round()),
            (-0.123_456, -0.1235),
            (1.234_56e-7, 1.235e-7),
            (0.0, 0.0),
        ] {
            assert_eq!(significant(value), rounded, "{value}");
        }
        // As they are printed: the shortest text that is that number.
        assert_eq!(significant(0.1 + 0.2).to_string(), "0.3");
        assert_eq!(significant(100.0 / 3.0).to_string(), "33.33");
        assert!(
            significant(1.5e-308) > 0.0 && significant(f64::INFINITY).is_infinite() && significant(f64::NAN).is_nan()
        );
    }
}
