//! Student's t, also for fractional degrees of freedom, as Satterthwaite's rule gives them.

use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// Degrees of freedom from which on the distribution is the normal one, to five digits.
const NORMAL: f64 = 1e5;

/// The quantile `p` of t with these degrees of freedom, which are at least one.
pub fn student_quantile(p: f64, freedom: f64) -> f64 {
    match StudentsT::new(0.0, 1.0, freedom.max(1.0)) {
        Ok(student) if freedom < NORMAL => student.inverse_cdf(p),
        _ => Normal::standard().inverse_cdf(p),
    }
}

/// Two-sided p-value: the probability of a |t| at least this large under the null hypothesis.
pub fn student_p(t: f64, freedom: f64) -> f64 {
    let below = match StudentsT::new(0.0, 1.0, freedom.max(1.0)) {
        Ok(student) if freedom < NORMAL => student.cdf(-t.abs()),
        _ => Normal::standard().cdf(-t.abs()),
    };
    (2.0 * below).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Abramowitz and Stegun, table 26.10; of broken degrees of freedom R's qt(0.975, 2.5).
    #[test]
    fn published_values_come_out() {
        let table = [(0.975, 1.0, 12.706), (0.975, 2.0, 4.303), (0.8, 4.0, 0.941), (0.975, 30.0, 2.042)];
        for (p, freedom, wanted) in table.into_iter().chain([(0.975, 2.5, 3.575), (0.975, f64::INFINITY, 1.960)]) {
            let found = student_quantile(p, freedom);
            assert!((found - wanted).abs() < 6e-4, "{p}, {freedom}: {found}");
            assert!((student_p(found, freedom) - 2.0 * (1.0 - p)).abs() < 1e-6, "{p}, {freedom}");
        }
        assert_eq!((student_p(0.0, 3.0), student_p(f64::INFINITY, 3.0)), (1.0, 0.0));
    }
}
