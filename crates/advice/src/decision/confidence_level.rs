//! Level of confidence, and the weight of a cause that lowers it.

/// Level of confidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ConfidenceLevel {
    /// A major cause, or three minor ones.
    Low,
    /// One or two minor causes.
    Medium,
    /// No cause.
    High,
}

impl ConfidenceLevel {
    /// The level one step lower; low stays.
    pub fn lower(self) -> ConfidenceLevel {
        if self == ConfidenceLevel::High { ConfidenceLevel::Medium } else { ConfidenceLevel::Low }
    }

    /// Name of the level: `low`, `medium` or `high`.
    pub fn name(self) -> &'static str {
        match self {
            ConfidenceLevel::Low => "low",
            ConfidenceLevel::Medium => "medium",
            ConfidenceLevel::High => "high",
        }
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
