//! Level of confidence in a recommendation, by the rule of `confidence.rs`.

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
