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
