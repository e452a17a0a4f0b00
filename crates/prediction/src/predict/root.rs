//! Root of a falling function.

/// The highest x between `low` and `high`, both positive, at which `falls` is still above zero, to one part in 10¹⁰.
///
/// Chandrupatla's method on the logarithm ("A new hybrid quadratic/bisection algorithm for finding the zero of a nonlinear
/// function without using derivatives", Advances in Engineering Software 28, 1997,
/// <https://doi.org/10.1016/S0965-9978(96)00051-8>): a dozen steps where the function is smooth, and no more than a few times
/// those of a bisection where it has corners or only says which side it is on.
pub fn crossing(low: f64, high: f64, falls: impl Fn(f64) -> f64) -> f64 {
    let at = |x: f64| (x, falls(x.exp()));
    let (mut a, mut b) = (at(low.ln()), at(high.ln()));
    if a.1 <= 0.0 {
        return low;
    }
    if b.1 > 0.0 {
        return high;
    }
    let mut share = 0.5;
    // The bracket is from `a`, the newer, to `b`.
    for _ in 0..STEPS {
        let new = at(a.0 + share * (b.0 - a.0));
        let old = if (new.1 > 0.0) == (a.1 > 0.0) { a } else { std::mem::replace(&mut b, a) };
        a = new;
        let width = (b.0 - a.0).abs();
        if width <= NARROW {
            break;
        }
        share = step(a, b, old).clamp(NARROW / 2.0 / width, 1.0 - NARROW / 2.0 / width);
    }
    if a.1 > 0.0 { a.0.exp() } else { b.0.exp() }
}

const NARROW: f64 = 1e-10;

/// More than a bisection of the longest bracket takes thrice.
const STEPS: usize = 120;

/// Next point to evaluate, as a share of the way from `a` to `b`: inverse quadratic interpolation through all three points if
/// that is safe, else the middle.
fn step(a: (f64, f64), b: (f64, f64), old: (f64, f64)) -> f64 {
    let (xi, phi) = ((a.0 - b.0) / (old.0 - b.0), (a.1 - b.1) / (old.1 - b.1));
    // Not where a value is infinite or two are the same.
    if !(phi.is_finite() && phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi) {
        return 0.5;
    }
    let alpha = (old.0 - a.0) / (b.0 - a.0);
    a.1 / (b.1 - a.1) * old.1 / (b.1 - old.1) + alpha * a.1 / (old.1 - a.1) * b.1 / (old.1 - b.1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::cell::Cell;

    #[test]
    fn a_crossing_is_found() {
        assert!((crossing(1e-9, 1e9, |x| 42.0 - x) / 42.0 - 1.0).abs() < 1e-9);
        assert!((crossing(1.0, 10.0, |_| 1.0) / 10.0 - 1.0).abs() < 1e-9);
        assert_eq!(crossing(1.0, 10.0, |_| -1.0), 1.0);
    }

    #[test]
    fn a_smooth_one_is_found_soon() {
        let steps = Cell::new(0);
        let found = crossing(1e-6, 1e6, |x| {
            steps.set(steps.get() + 1);
            16.0 - x * (0.001 + 0.004 / (1.0 - (x / 4_000.0).min(0.999)))
        });
        assert!(found > 100.0 && steps.get() < 40, "{found} after {steps:?}");
    }

    proptest! {
        #[test]
        fn whatever_shape_it_has(zero in 1e-6f64..1e6, power in 0.1f64..8.0, corner in 0.1f64..10.0) {
            let shapes: [&dyn Fn(f64) -> f64; 3] = [
                &|x| zero.powf(power) - x.powf(power),
                &|x| if x <= zero { 1.0 } else { -1.0 },
                &|x| if x < zero * corner.min(0.9) { f64::INFINITY } else { (zero / x).ln() },
            ];
            for shape in shapes {
                let found = crossing(1e-9, 1e9, shape);
                prop_assert!(shape(found) >= 0.0 && (found / zero - 1.0).abs() < 1e-9, "{} of {}", found, zero);
            }
        }
    }
}
