//! Level of confidence, and the weight of a cause that lowers it.

use ebs_base::named;

named! {
    /// Level of confidence.
    #[derive(PartialOrd, Ord)]
    pub enum ConfidenceLevel {
        /// A major cause, or three minor ones.
        Low = "low",
        /// One or two minor causes.
        Medium = "medium",
        /// No cause.
        High = "high",
    }
}

impl ConfidenceLevel {
    /// The level one step lower; low stays.
    pub fn lower(self) -> ConfidenceLevel {
        if self == ConfidenceLevel::High { ConfidenceLevel::Medium } else { ConfidenceLevel::Low }
    }
}

/// Weight of a cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CauseWeight {
    /// The figures are less exact.
    Minor,
    /// The size of the recommended volumes may be wrong by a multiple.
    Major,
}

#[cfg(test)]
mod tests {
    use super::ConfidenceLevel::{High, Low, Medium};

    #[test]
    fn a_lower_level_is_one_step_and_low_stays() {
        assert_eq!([High, Medium, Low].map(super::ConfidenceLevel::lower), [Medium, Low, Low]);
    }
}
