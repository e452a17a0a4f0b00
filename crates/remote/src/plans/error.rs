//! Documents of EXPLAIN that are not read.

/// Reason for which a plan is not read.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// It is not the JSON of EXPLAIN.
    #[error("the plan is malformed: {0}")]
    Malformed(#[from] serde_json::Error),
    /// It has no plan.
    #[error("a rule leaves nothing of it")]
    NoPlan,
    /// It was made without VERBOSE.
    #[error("the plan does not name the schema of \"{0}\": it was made without VERBOSE")]
    NotVerbose(String),
    /// It exceeds a bound of [`super::document`] or [`super::tokens`].
    #[error("too wide to be analysed: {0}")]
    TooWide(String),
}
