//! Order of risks.

/// Names of risks, as AWS Compute Optimizer has them, the least first.
pub(crate) const RISKS: [&str; 5] = ["very low", "low", "medium", "high", "very high"];

/// Returns the rank of a risk, 0 for the least; `None` where it is not known.
pub(crate) fn rank(risk: Option<&str>) -> Option<usize> {
    RISKS.iter().position(|name| Some(*name) == risk)
}
