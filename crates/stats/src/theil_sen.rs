//! The slope of a line through points, robust against outliers: the median of all slopes between two points (Theil 1950;
//! Sen 1968, Journal of the American Statistical Association 63:1379).

use super::ConfidenceInterval;

/// The normal deviate of a 95 % interval.
const Z: f64 = 1.959_963_985;

/// A slope, in units of y a unit of x.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slope {
    /// The median.
    pub estimate: f64,
    /// The 95 % interval by Kendall's tau, of which Sen 1968 shows that it bounds the slope; for independent errors.
    pub interval: ConfidenceInterval,
}

/// The slope through these points `(x, y)`; `None` where no two have different x. Time and memory grow with the square of
/// their number.
pub fn theil_sen(points: &[(f64, f64)]) -> Option<Slope> {
    let pairs = points.iter().enumerate().flat_map(|(n, a)| points[..n].iter().map(move |b| (a, b)));
    let mut slopes: Vec<f64> = pairs.filter(|(a, b)| a.0 != b.0).map(|(a, b)| (a.1 - b.1) / (a.0 - b.0)).collect();
    if slopes.is_empty() {
        return None;
    }
    let middle = slopes.len() / 2;
    let half = Z * kendall_variance(points).sqrt() / 2.0;
    let rank = |at: f64| (at.round().max(0.0) as usize).min(slopes.len() - 1);
    let (low, high) = (rank(slopes.len() as f64 / 2.0 - half - 1.0), rank(slopes.len() as f64 / 2.0 + half));
    slopes.sort_unstable_by(f64::total_cmp);
    let estimate = if slopes.len() % 2 == 1 { slopes[middle] } else { (slopes[middle - 1] + slopes[middle]) / 2.0 };
    Some(Slope { estimate, interval: ConfidenceInterval { low: slopes[low], high: slopes[high] } })
}

/// The variance of Kendall's statistic over these points, less what ties take from it (Sen 1968, formula 2.6).
fn kendall_variance(points: &[(f64, f64)]) -> f64 {
    let term = |n: f64| n * (n - 1.0) * (2.0 * n + 5.0) / 18.0;
    let tied = |value: fn(&(f64, f64)) -> f64| {
        let mut values: Vec<f64> = points.iter().map(value).collect();
        values.sort_unstable_by(f64::total_cmp);
        values.chunk_by(|a, b| a == b).map(|run| term(run.len() as f64)).sum::<f64>()
    };
    (term(points.len() as f64) - tied(|point| point.0) - tied(|point| point.1)).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The example of statpsych's ci.theil (<https://rdrr.io/cran/statpsych/man/ci.theil.html>): 0.5, from 0.3243 to 0.75.
    #[test]
    fn a_published_example_comes_out() {
        let y = [21, 4, 9, 12, 35, 18, 10, 22, 24, 1, 6, 8, 13, 16, 19].map(f64::from);
        let x = [67, 28, 30, 28, 52, 40, 25, 37, 44, 10, 14, 20, 28, 40, 51].map(f64::from);
        let points: Vec<_> = x.into_iter().zip(y).collect();
        let slope = theil_sen(&points).unwrap();
        assert_eq!(slope.estimate, 0.5);
        assert!((slope.interval.low - 0.324_324_3).abs() < 1e-6 && slope.interval.high == 0.75, "{slope:?}");
    }

    #[test]
    fn one_moment_has_no_slope() {
        assert_eq!(theil_sen(&[]), None);
        assert_eq!(theil_sen(&[(1.0, 2.0), (1.0, 3.0)]), None);
    }

    proptest! {
        #[test]
        fn a_line_has_its_slope_and_no_doubt(slope in -1e3f64..1e3, n in 3u32..40) {
            let points: Vec<_> = (0..n).map(|x| (f64::from(x), slope * f64::from(x))).collect();
            let found = theil_sen(&points).unwrap();
            for value in [found.estimate, found.interval.low, found.interval.high] {
                prop_assert!((value - slope).abs() <= 1e-9 * slope.abs(), "{found:?}");
            }
        }

        #[test]
        fn it_scales_with_its_points(
            values in prop::collection::vec(-1e6f64..1e6, 3..40), x in 0.01f64..100.0, y in 0.01f64..100.0,
        ) {
            let points = |x: f64, y: f64| -> Vec<_> { (0..).zip(&values).map(|(n, v)| (x * f64::from(n), y * v)).collect() };
            let (one, scaled) = (theil_sen(&points(1.0, 1.0)).unwrap(), theil_sen(&points(x, y)).unwrap());
            for of in [|s: &Slope| s.estimate, |s: &Slope| s.interval.low, |s: &Slope| s.interval.high] {
                prop_assert!((of(&scaled) - of(&one) * y / x).abs() <= 1e-6 * (of(&one) * y / x).abs() + 1e-9);
            }
            prop_assert!(one.interval.low <= one.estimate && one.estimate <= one.interval.high);
        }
    }
}
