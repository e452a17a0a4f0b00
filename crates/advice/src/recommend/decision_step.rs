//! Steps of the decision from the workload to a volume type.

/// One question on the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What was asked.
    pub question: String,
    /// What the evidence and the request answer.
    pub answer: String,
}
