//! Shift between two samples: the median of all differences between a value of the one and one of the other (Hodges &
//! Lehmann 1963, Annals of Mathematical Statistics 34:598). One run that went wrong does not move it.

/// Shift of the values of `b` against those of `a`; `None` where either is empty. With the arguments swapped the result has the
/// opposite sign, digit for digit.
pub fn hodges_lehmann(a: &[f64], b: &[f64]) -> Option<f64> {
    let mut differences: Vec<f64> = a.iter().flat_map(|a| b.iter().map(move |b| b - a)).collect();
    differences.sort_unstable_by(f64::total_cmp);
    let (lower, upper) = (differences.len().saturating_sub(1) / 2, differences.len() / 2);
    Some((differences.get(lower)? + differences.get(upper)?) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn one_run_that_went_wrong_does_not_move_it() {
        assert_eq!(hodges_lehmann(&[1.0, 2.0, 3.0], &[2.0, 3.0, 4.0]), Some(1.0));
        assert_eq!(hodges_lehmann(&[1.0, 2.0, 3.0], &[2.0, 3.0, 400.0]), Some(1.0));
        assert_eq!(hodges_lehmann(&[1.0], &[4.0, 8.0]), Some(5.0));
        assert_eq!((hodges_lehmann(&[], &[1.0]), hodges_lehmann(&[1.0], &[])), (None, None));
    }

    proptest! {
        #[test]
        fn it_turns_round(a in prop::collection::vec(-1e6f64..1e6, 1..8), b in prop::collection::vec(-1e6f64..1e6, 1..8)) {
            let (there, back) = (hodges_lehmann(&a, &b).unwrap(), hodges_lehmann(&b, &a).unwrap());
            prop_assert_eq!(there, -back);
            prop_assert_eq!(hodges_lehmann(&a, &a).unwrap(), 0.0);
        }
    }
}
