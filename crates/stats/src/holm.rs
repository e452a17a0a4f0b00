//! Correction for multiple tests: the more tests there are, the likelier one of them is significant by chance.

/// The adjusted p-values, in the order of the arguments. If those of at most 5 % are called significant, any of them is wrong in at
/// most 5 % of cases (Holm 1979, Scandinavian Journal of Statistics 6:65).
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut ascending: Vec<usize> = (0..p.len()).collect();
    ascending.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    let (mut adjusted, mut most) = (vec![1.0; p.len()], 0.0f64);
    for (rank, &index) in ascending.iter().enumerate() {
        most = most.max((p.len() - rank) as f64 * p[index]).min(1.0);
        adjusted[index] = most;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;

    /// R's p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm").
    #[test]
    fn it_is_what_r_gives() {
        let found = holm(&[0.01, 0.04, 0.03, 0.005]);
        for (found, wanted) in found.iter().zip([0.03, 0.06, 0.06, 0.02]) {
            assert!((found - wanted).abs() < 1e-12, "{found} {wanted}");
        }
        assert_eq!((holm(&[]), holm(&[0.7, 0.9])), (vec![], vec![1.0, 1.0]));
    }
}
